"""Stories for bookmarks: lines of a few people, and operators whose answers hang on every word they are
given."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from whoknew.agents.lines import Line
from whoknew.agents.memories.bookmarks.bookmark import (
    UNKNOWN,
    Bookmark,
    BookmarkKind,
    KeptAnswer,
    Proposal,
)
from whoknew.agents.memories.bookmarks.call_cost import CallCost
from whoknew.agents.memories.bookmarks.operators import Effect, Fit, Operators, SceneNow
from whoknew.agents.memories.bookmarks.told_lines import ToldLines
from whoknew.agents.memories.bookmarks.upkeep import Upkeep
from whoknew.eventlog import Draft, Log, View
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Acted, CharacterAdded
from whoknew.eventlog.stores.volatile import VolatileStore

BEGINS = datetime(1603, 1, 1, 12)

PEOPLE = ("Oda", "Bram", "Kit")

Spoken = tuple[str, str]
"""Who says what."""

WORDS = ("lamp", "rope", "Kit", "Oda", "sleeps", "the", "burns", "Who")

ASKED: dict[BookmarkKind, Proposal] = {
    "state": Proposal("Where does Kit sleep now?", "state"),
    "behavioral": Proposal("How does Oda talk?", "behavioral", "Oda"),
    "concept": Proposal("Who carries the lamp?", "concept"),
}


@asynccontextmanager
async def told(story: Sequence[Spoken], world: str = "w") -> AsyncIterator[Log]:
    """A log with a world in which everybody hears every line, each an event."""
    async with Log(VolatileStore()) as log:
        cast = [Draft(CharacterAdded(name), at=BEGINS) for name in PEOPLE]
        await log.append(world, [*cast, *(drafted(*one) for one in story)])
        yield log


def drafted(who: str, text: str, witnesses: Sequence[str] = PEOPLE) -> Draft:
    return Draft(Acted(text), at=BEGINS, episode=1, turn=1, actor=who, witnesses=tuple(witnesses))


async def upto(log: Log, line: int, who: str = "Oda", world: str = "w") -> tuple[View, ToldLines]:
    """The view of somebody up to a line of a story that it heard all of."""
    view, happened = await log.view(world, who, AtSeq(len(PEOPLE) + line)), ToldLines()
    await happened.catch_up(view)
    return view, happened


class HangingOperators(Operators):
    """Whatever they are given decides what they say: a line more, less or elsewhere, or another answer so
    far, and they say something else. They count what they are asked."""

    def __init__(self, keyword: str = "lamp") -> None:
        self.asked, self.read = 0, 0
        self._keyword = keyword

    @property
    def spent(self) -> CallCost:
        """A token for each line."""
        return CallCost(self.asked, self.read)

    async def propose(self, scene: SceneNow) -> Sequence[Proposal]:
        raise NotImplementedError

    async def match(self, asked: Proposal, candidates: Sequence[Bookmark]) -> Sequence[Fit]:
        raise NotImplementedError

    async def effect(self, question: str, answer: str, lines: Sequence[Line]) -> Effect:
        effects: tuple[Effect, ...] = ("reset", "update", "none")
        return effects[self._drawn("effect", question, answer, *lines) % 3]

    async def update(self, question: str, answer: str, lines: Sequence[Line]) -> KeptAnswer:
        return self._written("update", question, answer, *lines)

    async def shows(self, question: str, action: Line, before: Sequence[Line]) -> bool:
        return self._drawn("shows", question, action, *before) % 2 == 0

    async def behavior(
        self, question: str, actions: Sequence[Line], answer: str = UNKNOWN
    ) -> KeptAnswer:
        return self._written("behavior", question, answer, *actions)

    async def keyword(self, question: str) -> str:
        self.asked += 1
        return self._keyword

    async def concept(self, question: str, lines: Sequence[Line]) -> KeptAnswer:
        return self._written("concept", question, *lines)

    def _written(self, *given: str) -> KeptAnswer:
        drawn, lines = self._drawn(*given), sum(isinstance(one, Line) for one in given)
        if drawn % 7 == 0:
            return KeptAnswer(UNKNOWN)
        return KeptAnswer(f"It is {drawn}.", tuple({drawn % lines, drawn // 7 % lines}))

    def _drawn(self, *given: str) -> int:
        self.asked += 1
        self.read += sum(isinstance(one, Line) for one in given)
        said = "\n".join(one.unnumbered if isinstance(one, Line) else one for one in given)
        return int(hashlib.sha256(said.encode()).hexdigest()[:8], 16)


async def brought(
    story: list[Spoken], stops: list[int], kind: BookmarkKind, operators: type[Operators]
) -> Bookmark:
    """A bookmark after each of the stops, which rise. What came to the first of them in one go took as much
    as it says that reading from the start takes."""
    bookmark = Bookmark(number=1, asked=ASKED[kind])
    async with told(story) as log:
        for stop in stops:
            view, happened = await upto(log, stop)
            asked, first = operators(), bookmark.synced == 0
            found = await Upkeep(happened, view, asked).upto(bookmark, stop)
            assert found.took == asked.spent and (not first or found.bookmark.anew == asked.spent)
            bookmark = found.bookmark
    return bookmark


async def check_reuse_is_fresh(
    story: list[Spoken], stops: list[int], kind: BookmarkKind, operators: type[Operators]
) -> None:
    reused = await brought(story, stops, kind, operators)
    assert reused == await brought(story, stops[-1:], kind, operators)
