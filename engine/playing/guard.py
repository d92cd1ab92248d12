"""The guard of a chain: it has heard all that happened, and refuses lines that give away what whoever
speaks them cannot know. Nothing of why comes to a character: only that a line was refused (law 4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Self

from whoknew.agents.methods.guarded import LineGuard
from whoknew.engine.finding.giving_way import giving_way
from whoknew.engine.finding.hearsay import Hearsay
from whoknew.engine.finding.leaks import NEVER, Leak, LeakFinder, SpokenLine
from whoknew.engine.playing.ledger import Ledger
from whoknew.engine.playing.listening import ChainListener
from whoknew.engine.playing.state import ChainState
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import TellingFound
from whoknew.eventlog.machinery import LineRefused
from whoknew.eventlog.story import of_story


class ChainGuard(ChainListener):
    """Looks at lines of a chain. The time for a line does not grow with the world."""

    def __init__(self, log: Log, world: str, state: ChainState) -> None:
        super().__init__(log, world, state)
        self._hearsay = Hearsay()
        self._finder = LeakFinder((), self._hearsay.told)

    def hears(self, event: Event) -> bool:
        return of_story(event) or type(event.body) is TellingFound

    def hear(self, events: Sequence[Event]) -> None:
        for event in giving_way(events):
            self._hearsay.hear(event)
            if of_story(event):
                self._finder.read(event)

    async def leak(self, who: str, text: str) -> Leak | None:
        """What a line would give away, if somebody said it now."""
        line = SpokenLine(NEVER, who, text, self._state.head)
        return await self.look(lambda: self._finder.look(line))


class SeatGuard(LineGuard):
    """The guard of one character. What it refuses is on the log behind the call that it came of; what
    stands there of a turn that is played again is refused again."""

    def __init__(self, who: str, sure: float, guard: ChainGuard, ledger: Ledger) -> None:
        self._who, self._sure, self._guard, self._ledger = who, sure, guard, ledger

    async def refuses(self, text: str, *, kept: bool) -> bool:
        if self._ledger.was_refused(self._who, text):
            return True
        leak = await self._guard.leak(self._who, text)
        if leak is None or leak.score < self._sure:
            return False
        self._ledger.refuse(self._who, refusal(leak, kept=kept))
        return True


class RecordedGuard(LineGuard):
    """Refuses what was refused, in the order in which it was."""

    def __init__(self, refused: Iterable[str]) -> None:
        self._refused = deque(refused)

    @classmethod
    def of(cls, who: str, events: Iterable[Event], before: Iterable[tuple[str, str]] = ()) -> Self:
        """What is on the log of one character; and what was refused `before` in the turn that these
        events go on with, each line with who was to say it."""
        refused = [line for one, line in before if one == who]
        refused += [
            event.body.text
            for event in events
            if type(event.body) is LineRefused and event.actor == who
        ]
        return cls(refused)

    async def refuses(self, text: str, *, kept: bool) -> bool:
        found = bool(self._refused) and self._refused[0] == text
        if found:
            self._refused.popleft()
        return found


def refusal(leak: Leak, *, kept: bool = False) -> LineRefused:
    """A leak as it is written down."""
    who, of = leak.line.who, leak.fact
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
