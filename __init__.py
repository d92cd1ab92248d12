"""Whoknew: societies of characters, and who knew what, when.

These are the names that a notebook needs most. The rooms have more: `whoknew.eventlog`,
`whoknew.worlds`, `whoknew.agents` and `whoknew.engine`.

The folder of this file is the package: the rooms stand at the top of the tree, and are installed below
`whoknew`. A name is loaded when it is asked for, so that the import of one room costs nothing of the
others.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whoknew.engine import Plan, ask, fork, knows, load_plan, play, replay
    from whoknew.eventlog import Event, Log, open_log
else:

    def __getattr__(name: str) -> object:
        for file, names in _FILES.items():
            if name in names.split():
                return getattr(import_module(f"{__name__}.{file}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_FILES = {
    "engine": "Plan ask fork knows load_plan play replay",
    "eventlog": "Event Log open_log",
}
"""Where each name is loaded from."""

__all__ = [
    "Event",
    "Log",
    "Plan",
    "ask",
    "fork",
    "knows",
    "load_plan",
    "open_log",
    "play",
    "replay",
]


def __dir__() -> list[str]:
    return __all__
