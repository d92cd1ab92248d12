"""A bank as it stands in its owner's view: what happened there, and the steps that were written down."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from whoknew.agents.agent import Note
from whoknew.agents.memories.bookmarks.bank import BookmarkBank
from whoknew.agents.memories.bookmarks.bookmark import Bookmark
from whoknew.agents.memories.bookmarks.record import StepRecord, packed, unpacked
from whoknew.agents.memories.bookmarks.told_lines import ToldLines
from whoknew.agents.memories.event_pages import event_by_event
from whoknew.eventlog import View
from whoknew.eventlog.kinds import Remembered

STRATEGY = "bookmarks"

LONGEST = 2**22
"""Bytes. No record of a step is as long; what is packed and comes to more is not read."""


class KeptBank:
    """The fold of a view, event by event (law 5): the same made anew as one that lived through it."""

    def __init__(self) -> None:
        self.happened, self.bank = ToldLines(), BookmarkBank()
        self._upto = 0

    async def catch_up(self, view: View) -> None:
        """Go on to the end of a view, which must not end before this does."""
        async for event in event_by_event(view, self._upto):
            self._upto += 1
            self.happened.take(event)
            body = event.body
            if isinstance(body, Remembered) and body.strategy == STRATEGY:
                record = read_record(body.packed) if body.owner == view.character else None
                if record and record.at <= len(self.happened) and self.bank.fits(record):
                    self.bank.take(record)

    def note(self, record: StepRecord) -> Note:
        """What is written down of the next step: in words what it asked first, and what it found out,
        with what that rests on. The record is packed: bytes stand on the log in letters, four for three, and
        a record in words would take the place of three and more."""
        found = self.bank.changed(record)
        new = [one.number for one in record.changes if one.answer or one.begun]
        some = [found[number] for number in new]
        text = "\n".join(f"{one.question} {one.answer.text}" for one in some)
        return Note(STRATEGY, text, self.places(some), zlib.compress(packed(record)))

    def places(self, some: Iterable[Bookmark]) -> tuple[int, ...]:
        """What the answers of bookmarks rest on, as places in the view."""
        return self.happened.places(sorted({one for each in some for one in each.answer.rests}))


def read_record(data: bytes) -> StepRecord | None:
    """None where what is packed is no record of a step: somebody else wrote it."""
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(data, LONGEST)
    except zlib.error:
        return None
    return None if unpacking.unconsumed_tail else unpacked(found)
