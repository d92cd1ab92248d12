"""A step: what would be good to know is proposed, looked for in the bank, and brought up to date."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.memories.bookmarks.bank import BookmarkBank, is_of
from whoknew.agents.memories.bookmarks.bookmark import Bookmark, Proposal
from whoknew.agents.memories.bookmarks.call_cost import CallCost
from whoknew.agents.memories.bookmarks.operators import Fit, Operators, SceneNow
from whoknew.agents.memories.bookmarks.record import (
    BookmarkChange,
    Fate,
    Proposed,
    StepRecord,
    difference,
)
from whoknew.agents.memories.bookmarks.step_taken import StepTaken
from whoknew.agents.memories.bookmarks.told_lines import ToldLines
from whoknew.agents.memories.bookmarks.upkeep import WINDOW, Upkeep
from whoknew.eventlog import View

FRUITLESS = 5
"""So many questions that could not be answered are told of, the newest."""


class StepWays(Struct, frozen=True, kw_only=True):
    """How steps are taken. `derives`, `reuses`, `near` and `verified` can be left out to see what they are
    worth. `first_fits`, `stale` and `forgets` are what the authors' code does: the first candidate that
    fits in any way is taken, also where a later one has that very question; what is derived begins from
    where its parent stood before this step; and without what showed its parent's behavior."""

    most: int = 5
    derives: bool = True
    reuses: bool = True
    near: bool = True
    verified: bool = True
    first_fits: bool = False
    stale: bool = False
    forgets: bool = False


WAYS = StepWays()


class Stepping(Struct, frozen=True, kw_only=True):
    """What a step is taken with: the bank as it is, which it leaves so; what happened, and the view to
    look it up in; and operators."""

    bank: BookmarkBank
    happened: ToldLines
    view: View
    operators: Operators
    ways: StepWays = WAYS

    async def step(self, who: str, portrait: str = "", question: str = "") -> StepTaken:
        """The step of who is about to act, or is asked a question."""
        at = len(self.happened)
        asked = await self._proposed(who, at, portrait, question)
        placed = [await self._placed(one) for one in asked]
        record, now = await self._kept(who, at, placed)
        active = tuple(now[number] for number in record.active)
        near = [one for one in reversed(now.values()) if is_of(one, who)]
        near += [one for one in self.bank.near(at, who) if one.number not in now]
        return StepTaken(record, active, tuple(near if self.ways.near else ()))

    async def _proposed(
        self, who: str, at: int, portrait: str, question: str
    ) -> Sequence[Proposal]:
        """Each once, and no more than are wanted; how somebody behaves is asked of who acts now."""
        scene = SceneNow(
            who=who,
            lines=await self.happened.lines(self.view, range(max(1, at - WINDOW + 1), at + 1)),
            portrait=portrait,
            near=tuple(one for one in self.bank.near(at, who) if one.answer.known),
            fruitless=self.bank.fruitless(FRUITLESS),
            question=question,
            most=self.ways.most,
        )
        found: dict[tuple[str, str, str], Proposal] = {}
        for one in await self.operators.propose(scene):
            asked = replace(one, character=who if one.kind == "behavioral" else "")
            found.setdefault(asked.same, asked)
        return list(found.values())[: self.ways.most]

    async def _placed(self, asked: Proposal) -> _Placed:
        """Which bookmark of the bank fits a proposal best, and how."""
        ways = self.ways
        before = self.operators.spent
        candidates = self.bank.candidates(asked) if ways.reuses or ways.derives else []
        fits = await self.operators.match(asked, candidates) if candidates else ()
        matched = self.operators.spent - before
        fates: dict[Fit, Fate] = {}
        if ways.reuses:
            fates["reuse"] = "reused"
        if ways.derives:
            fates["derive"] = "derived"
        found = [
            _Placed(asked, matched, fates[fit], one)
            for fit, one in zip(fits, candidates, strict=True)
            if fit in fates
        ]
        if not ways.first_fits:
            found.sort(key=lambda one: one.fate != "reused")
        return found[0] if found else _Placed(asked, matched)

    async def _kept(
        self, who: str, at: int, placed: Sequence[_Placed]
    ) -> tuple[StepRecord, dict[int, Bookmark]]:
        """What is to be written down, and what was brought up to date."""
        touched, numbers = _Touched(self, at), list[int]()
        for one in placed:
            new = one.fate != "reused"
            numbers.append(self.bank.next_number + len(touched.begun) if new else one.number)
            if new:
                touched.begun[numbers[-1]] = one
        if (
            self.ways.stale
        ):  # matched and begun, all of them, before any other is brought up to date
            for number, one in touched.begun.items():
                if one.other:
                    await touched.begin(number)
        for number in numbers:
            await touched.reach(number)
        proposed = [
            Proposed(one.asked, number, one.fate, one.matched)
            for one, number in zip(placed, numbers, strict=True)
        ]
        changes = tuple(touched.changes)
        record = StepRecord(who=who, at=at, proposed=tuple(proposed), changes=changes)
        return record, touched.now


class _Placed(Struct, frozen=True):
    """A proposal, and the bookmark that it fits."""

    asked: Proposal
    matched: CallCost
    fate: Fate = "new"
    other: Bookmark | None = None

    @property
    def number(self) -> int:
        return self.other.number if self.other else 0


class _Touched:
    """What is brought up to date by a step, each once, and those of it that it begins."""

    def __init__(self, stepping: Stepping, at: int) -> None:
        self._at, self._bank, self._ways = at, stepping.bank, stepping.ways
        self._upkeep = Upkeep(
            stepping.happened, stepping.view, stepping.operators, verified=stepping.ways.verified
        )
        self.begun: dict[int, _Placed] = {}
        self.now: dict[int, Bookmark] = {}
        self.changes: list[BookmarkChange] = []

    async def reach(self, number: int) -> Bookmark:
        if number in self.now:
            return self.now[number]
        if number in self.begun:
            return await self.begin(number)
        return await self._bring(self._bank[number])

    async def begin(self, number: int) -> Bookmark:
        placed = self.begun[number]
        if placed.other is None:
            return await self._bring(Bookmark(number=number, asked=placed.asked), begun=True)
        parent = placed.other if self._ways.stale else await self.reach(placed.other.number)
        child = parent.child(number, placed.asked, hits=not self._drops(parent))
        return await self._bring(child, begun=True)

    async def _bring(self, before: Bookmark, *, begun: bool = False) -> Bookmark:
        found = await self._upkeep.upto(before, self._at, begun=bool(begun and before.parent))
        change = difference(
            before,
            found.bookmark,
            unseen=self._at - found.after,
            read=found.read,
            took=found.took,
        )
        if begun:
            drops = bool(before.parent) and self._drops(before)
            change = replace(change, begun=before.asked, parent=before.parent, drops=drops)
        self.changes.append(change)
        self.now[before.number] = found.bookmark
        return found.bookmark

    def _drops(self, parent: Bookmark) -> bool:
        """Whether what is derived begins without hits."""
        return self._ways.forgets and parent.kind == "behavioral"
