"""What every importer gives: worlds as drafts, ready to append, and what could not be kept."""

from __future__ import annotations

from msgspec import Struct

from whoknew.eventlog import Draft


class Remark(Struct, frozen=True):
    """What could not be kept as it is, or was strange: of which record, and why."""

    source: str
    record: str
    what: str

    def __str__(self) -> str:
        return f"{self.source}: {self.record}: {self.what}"


class ImportedWorld(Struct, frozen=True):
    """A world to append whole."""

    name: str
    drafts: tuple[Draft, ...]
    remarks: tuple[Remark, ...] = ()
