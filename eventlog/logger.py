"""Where goes what nobody waits for, retries and waits, warnings and errors: to structlog.

It brings rich along, which takes a third of the time in which a command starts. So it is loaded when
there is something to tell, and how to tell it is set up then, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_configure: Callable[[], None] | None = None
_only_wrong = True


def logger() -> Any:
    """structlog's, as this program has it. Where nothing is set up, only what is wrong is told, and
    not on stdout, which is for answers. Events are named as `call.retried` is: a thing, and what
    became of it."""
    return _OnlyWrong() if _only_wrong and "structlog" not in sys.modules else _structlogs()


class _OnlyWrong:
    """A logger that loads nothing for what is not told."""

    def info(self, _event: str, **_facts: object) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(_structlogs(), name)


def _structlogs() -> Any:
    global _configure
    import structlog

    if _configure is not None:
        configure, _configure = _configure, None
        configure()
    if not structlog.is_configured():
        return structlog.wrap_logger(
            structlog.PrintLogger(sys.stderr),
            wrapper_class=structlog.make_filtering_bound_logger("warning"),
        )
    return structlog.get_logger()


_facts: ContextVar[tuple[Mapping[str, object], ...]] = ContextVar("whoknew_logged_with", default=())


class logged_with:
    """What is told with all that is logged in a block, also by others that it calls: as
    structlog.contextvars has it, which would have to be loaded for each turn that is played."""

    def __init__(self, **facts: object) -> None:
        self._given = facts

    def __enter__(self) -> None:
        self._before = _facts.set((*_facts.get(), self._given))

    def __exit__(self, *error: object) -> None:
        _facts.reset(self._before)


def with_facts(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """A processor of structlog's: what is bound where something is logged."""
    bound: dict[str, object] = {}
    for facts in _facts.get():
        bound |= facts
    return {**bound, **event}


@contextmanager
def configured_by(configure: Callable[[], None], *, only_wrong: bool) -> Iterator[None]:
    """The first that has something to tell before the block ends calls this; where `only_wrong` is told,
    what is not wrong does not."""
    global _configure, _only_wrong
    before, _configure = (_configure, _only_wrong), configure
    _only_wrong = only_wrong
    try:
        yield
    finally:
        _configure, _only_wrong = before
        if "structlog" in sys.modules:
            sys.modules["structlog"].reset_defaults()
