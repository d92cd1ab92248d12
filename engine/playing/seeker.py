"""What the rule finds of tellings while a chain is played: written behind each turn, in one batch with
it. So what is on the log of a turn is all of it, wherever the process is killed (law 8)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Self

from whoknew.engine.finding.finder import Finder, Found
from whoknew.engine.finding.giving_way import giving_way
from whoknew.engine.finding.records import RULE, Records, is_heard
from whoknew.engine.playing.unwritten import event_of
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import EpisodeClosed, TellingsSought

PAGE = 500
"""Events that are heard at a time when a world is gone on with: on a thread, so that no other chain
waits for it."""


class Seeker:
    """Hears all that a chain writes, before it is written."""

    def __init__(self, world: str) -> None:
        self._world = world
        self._finder, self._records = Finder(), Records()
        self._missing: list[Found] = []
        """What it found in what was played before, by a run that did not look."""

    @classmethod
    async def of(cls, log: Log, world: str) -> Self:
        """One that has heard what is on the log."""
        seeker = cls(world)
        if await log.store.find(world) is None:
            return seeker
        head = (await log.lineage.find(world)).head
        for after in range(0, head, PAGE):
            upto = AtSeq(min(after + PAGE, head))
            events = [event async for event in log.read(world, AtSeq(after), upto)]
            await asyncio.to_thread(seeker._hear_all, events)
        return seeker

    def behind(self, batch: Sequence[Draft], head: int) -> list[Draft]:
        """What is written behind a batch that is appended after `head`. Up to where tellings were
        looked for is said with them, and at the end of an episode."""
        found = self._missing
        self._missing = []
        for seq, draft in enumerate(batch, start=head + 1):
            if is_heard(draft):
                found += self._finder.hear(event_of(self._world, seq, draft))
        drafts = self._records.new(found)
        if drafts or any(isinstance(draft.body, EpisodeClosed) for draft in batch):
            drafts.append(Draft(TellingsSought(head + len(batch), RULE)))
        for draft in drafts:
            self._records.take(draft)
        return drafts

    def _hear_all(self, events: Sequence[Event]) -> None:
        for event in giving_way(events):
            self._records.take(event)
            if is_heard(event):
                self._missing += self._finder.hear(event)
