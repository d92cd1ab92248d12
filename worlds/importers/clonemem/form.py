"""The form of CloneMem: its items as the paper lists them, and beside them the traces that they name.

The paper shows an item whole. Of how its traces are kept it says nothing: that form is ours.
"""

from __future__ import annotations

from datetime import datetime, time
from pathlib import Path

from msgspec import Struct

FORMAT = "clonemem"

TRACES = ".traces.json"
"""The traces of `ruth.json` stand in `ruth.traces.json`."""


def beside_of(items: Path) -> Path:
    """The file of the traces that a file of items names."""
    return items.with_name(f"{items.stem}{TRACES}")


class ItemEvidence(Struct, frozen=True, kw_only=True):
    """A statement, and the traces that show it."""

    statement: str
    digital_trace_ids: tuple[str | int, ...] = ()


class ItemChoice(Struct, frozen=True, kw_only=True):
    id: str
    text: str


class LifeQuestion(Struct, frozen=True, kw_only=True):
    """An item of the paper. The last choice, E, says that it cannot be told."""

    id: str | int
    question: str
    question_type: str
    question_time: str
    dimension: str = ""
    answer: str | None = None
    digital_trace_ids: tuple[str | int, ...] = ()
    evidence: tuple[ItemEvidence, ...] = ()
    choices: tuple[ItemChoice, ...] = ()
    correct_choice_id: str | None = None


class KeptTrace(Struct, frozen=True, kw_only=True):
    """What somebody wrote, when, and who reads it besides."""

    digital_trace_id: str | int
    type: str
    time: datetime
    writer: str
    text: str
    readers: tuple[str, ...] = ()

    @property
    def at(self) -> datetime:
        return plain(self.time)

    @property
    def name(self) -> str:
        return str(self.digital_trace_id)


class KeptContact(Struct, frozen=True, kw_only=True):
    name: str
    relation: str = ""
    about: str = ""


class KeptLife(Struct, frozen=True, kw_only=True):
    """Whose life it is, who else is in it, and its traces."""

    persona: str
    profile: str = ""
    contacts: tuple[KeptContact, ...] = ()
    traces: tuple[KeptTrace, ...]


def moment_of(text: str) -> datetime:
    """A time of an item, such as 2024-03-01T09:00; a ValueError where it is none."""
    return plain(datetime.fromisoformat(text.strip()))


def plain(moment: datetime) -> datetime:
    """Story time has no zones: what the clock showed."""
    return moment.replace(tzinfo=None)


def cursor_of(moment: datetime) -> str:
    """A moment as a cursor: a day alone is that day's beginning."""
    midnight = moment == datetime.combine(moment.date(), time())
    return f"@{(moment.date() if midnight else moment).isoformat()}"
