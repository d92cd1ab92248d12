"""The names of people taken out of the parts of a bundle; all texts of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from whoknew.engine.logs.anonymise import FIELDS, PLAIN
from whoknew.engine.server.call_table import CallRow, CallTable, FailedRow
from whoknew.engine.server.character_routes import OwnWorld
from whoknew.engine.server.character_view import OwnEpisode
from whoknew.engine.server.payloads import Band, ScoreRow, WorldView
from whoknew.engine.travel.character_events import Perceived
from whoknew.engine.travel.mark import Marked
from whoknew.engine.travel.prompt import Call, CameToMind, Prompted
from whoknew.eventlog.knowledge import Known
from whoknew.eventlog.tellings import FalseReport

SHOWN: tuple[type[Struct], ...] = (
    Perceived, OwnWorld, OwnEpisode, Band, ScoreRow, WorldView, Marked, Call, Prompted, Known,
    FalseReport, CallTable, CallRow, FailedRow, CameToMind,
)  # fmt: skip

OURS = (
    FIELDS
    | {field.encode_name for kind in SHOWN for field in msgspec.structs.fields(kind)}
    | {
        "role",
        "content",
        "version",
        "page",
        "turns",
        "outside",
        "left",
        "looked",
        "prompts",
        "anonymous",
    }
    | {"seen", "told", "open", "events", "character", "stories", "episodes", "lenses"}
)
"""The keys that are ours; others can be names, as those of scores."""

WORDS = PLAIN | {"role", "version", "turns", "outside", "answer", "purpose", "what"}
"""Keys whose values are words of ours."""


def named_texts(value: Any, key: str = "") -> Iterator[str]:
    """All texts in which a name can stand."""
    if isinstance(value, str) and key not in WORDS:
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from named_texts(one, key)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name not in OURS:
                yield name
            yield from named_texts(one, name)


def renamed(value: Any, hide: Callable[[str], str], key: str = "") -> Any:
    """The same with its texts changed."""
    if isinstance(value, str):
        return value if key in WORDS else hide(value)
    if isinstance(value, list):
        return [renamed(one, hide, key) for one in value]
    if isinstance(value, dict):
        return {
            name if name in OURS else hide(name): renamed(one, hide, name)
            for name, one in value.items()
        }
    return value
