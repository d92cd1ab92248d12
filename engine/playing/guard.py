"""The guard of a chain: it has heard all that happened, and refuses lines that give away what whoever
speaks them cannot know. Nothing of why comes to a character: only that a line was refused (law 4)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Self

from whoknew.agents.methods.guarded import LineGuard
from whoknew.engine.finding.giving_way import giving_way
from whoknew.engine.finding.hearsay import Hearsay
from whoknew.engine.finding.leaks import NEVER, Leak, LeakFinder, SpokenLine
from whoknew.engine.playing.ledger import Ledger
from whoknew.engine.playing.unwritten import event_of
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import TellingFound
from whoknew.eventlog.machinery import LineRefused
from whoknew.eventlog.story import of_story

PAGE = 500
"""Events that are heard at a time when a world is gone on with."""


class ChainGuard:
    """Hears all that a chain writes, and looks at lines: on a thread, so that nobody waits for it but
    who has said them. The time for a line does not grow with the world."""

    def __init__(self, world: str) -> None:
        self._world, self._head = world, 0
        self._hearsay = Hearsay()
        self._finder = LeakFinder((), self._hearsay.told)
        self._unheard: list[Event] = []
        self._one_by_one = asyncio.Lock()

    @classmethod
    async def of(cls, log: Log, world: str) -> Self:
        """One that has heard what is on the log."""
        guard = cls(world)
        if await log.store.find(world) is None:
            return guard
        guard._head = (await log.lineage.find(world)).head
        for after in range(0, guard._head, PAGE):
            upto = AtSeq(min(after + PAGE, guard._head))
            events = [event async for event in log.read(world, AtSeq(after), upto)]
            await asyncio.to_thread(guard._hear, events)
        return guard

    def take(self, seq: int, draft: Event | Draft) -> None:
        """The next event of the log. It is looked at before the next line is."""
        if seq <= self._head:
            return  # it was on the log when this began
        self._head = seq
        if of_story(draft) or type(draft.body) is TellingFound:
            seen = draft if isinstance(draft, Event) else event_of(self._world, seq, draft)
            self._unheard.append(seen)

    async def look(self, who: str, text: str) -> Leak | None:
        """What a line would give away, if somebody said it now."""
        async with self._one_by_one:
            unheard, self._unheard = self._unheard, []
            return await asyncio.to_thread(self._look, unheard, who, text)

    def _look(self, unheard: Sequence[Event], who: str, text: str) -> Leak | None:
        self._hear(unheard)
        return self._finder.look(SpokenLine(NEVER, who, text, self._head))

    def _hear(self, events: Iterable[Event]) -> None:
        for event in giving_way(events):
            self._hearsay.hear(event)
            if of_story(event):
                self._finder.read(event)


class SeatGuard(LineGuard):
    """The guard of one character. What it refuses is on the log behind the call that it came of; what
    stands there of a turn that is played again is refused again."""

    def __init__(self, who: str, sure: float, guard: ChainGuard, ledger: Ledger) -> None:
        self._who, self._sure, self._guard, self._ledger = who, sure, guard, ledger

    async def refuses(self, text: str, *, kept: bool) -> bool:
        if self._ledger.was_refused(self._who, text):
            return True
        leak = await self._guard.look(self._who, text)
        if leak is None or leak.score < self._sure:
            return False
        self._ledger.refuse(self._who, refusal(leak, kept=kept))
        return True


class RecordedGuard(LineGuard):
    """Refuses what was refused, in the order in which it was."""

    def __init__(self, refused: Iterable[str]) -> None:
        self._refused = deque(refused)

    @classmethod
    def of(cls, who: str, events: Iterable[Event]) -> Self:
        """What is on the log of one character."""
        return cls(
            event.body.text
            for event in events
            if isinstance(event.body, LineRefused) and event.actor == who
        )

    async def refuses(self, text: str, *, kept: bool) -> bool:
        found = bool(self._refused) and self._refused[0] == text
        if found:
            self._refused.popleft()
        return found


def refusal(leak: Leak, *, kept: bool = False) -> LineRefused:
    """A leak as it is written down."""
    who, of = leak.line.who, leak.of.seq
    said = ", ".join(f'"{phrase}"' for phrase in leak.phrases)
    unknown = "comes later" if leak.later else f"{who} neither witnessed nor was told of"
    return LineRefused(
        text=leak.line.text,
        fact=of,
        score=leak.score,
        phrases=leak.phrases,
        why=f"says {said}, as #{of} does, which {unknown}",
        kept=kept,
    )
