"""How a bookmark is brought up to date: by what is new only, and to the same answer as if all had been read
anew."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import compress

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.lines import Line
from whoknew.agents.memories.bookmarks.bookmark import Bookmark, Fold, KeptAnswer
from whoknew.agents.memories.bookmarks.call_cost import NO_CALLS, CallCost
from whoknew.agents.memories.bookmarks.grid import CHUNK, cuts
from whoknew.agents.memories.bookmarks.operators import Operators
from whoknew.agents.memories.bookmarks.record import kept_folds
from whoknew.agents.memories.bookmarks.spans import lines_of
from whoknew.agents.memories.bookmarks.told_lines import ToldLines
from whoknew.agents.settling import side_by_side
from whoknew.eventlog import View

WINDOW = 10
"""So many lines before an action are its scene."""

SHOWING = 64
"""So many actions that show a behavior are read for an answer, the newest."""

RESTING = 64
"""What is changed again and again rests on so many lines at most, the newest: else what is written down of
each step, and kept of each bookmark, would grow with the story."""

AT_ONCE = 8
"""So many actions are looked at side by side: none of these questions hangs on what another is answered."""

NOTHING = KeptAnswer()


class UpToDate(Struct, frozen=True):
    """A bookmark as it is now; how many lines were put before an operator for that; behind which position
    lines were new to it; and what asking took."""

    bookmark: Bookmark
    read: int
    after: int
    took: CallCost = NO_CALLS


class Upkeep:
    """Brings bookmarks up to a position. `verified`: what shows a behavior is gathered action by action, and
    the answer written from all of it; else it is rewritten by what is new, from the answer before."""

    def __init__(
        self, happened: ToldLines, view: View, operators: Operators, *, verified: bool = True
    ) -> None:
        self._happened, self._view, self._operators = happened, view, operators
        self._verified = verified

    async def upto(self, bookmark: Bookmark, at: int, *, begun: bool = False) -> UpToDate:
        """`begun`: it was derived just now, and its answer is that of another question."""
        before = self._operators.spent
        match bookmark.kind:
            case "state":
                found = await self._state(bookmark, at, begun=begun)
            case "behavioral" if self._verified:
                found = await self._behavior(bookmark, at, begun=begun)
            case "behavioral":
                found = await self._portrayed(bookmark, at)
            case "concept":
                found = await self._concept(bookmark, at, begun=begun)
        took = self._operators.spent - before
        return replace(found, bookmark=replace(found.bookmark, synced=at), took=took)

    async def _state(self, bookmark: Bookmark, at: int, *, begun: bool) -> UpToDate:
        """Stretch by stretch of the grid, from the last on that is on the way: when a chunk is full, it
        is read anew as a whole. To what is derived all is new that lies behind the last full chunk: only
        up to there it has the answer of the other."""
        ends = list(cuts(at))
        folds = [one for one in bookmark.folds if one.upto in ends]
        begins = folds[-1].upto if folds else 0
        kept = folds[-1] if folds else Fold(0, NOTHING, NO_CALLS)
        for end in (one for one in ends if one > begins):
            before, stretch = self._operators.spent, range(kept.upto + 1, end + 1)
            answer = await self._effected(bookmark.question, kept.answer, stretch)
            took = self._operators.spent - before
            kept = Fold(end, answer, None if kept.anew is None else kept.anew + took)
            folds.append(kept)
        folded = replace(bookmark, answer=kept.answer, folds=kept_folds(folds, at), anew=kept.anew)
        return UpToDate(folded, at - begins, begins if begun else bookmark.synced)

    async def _effected(self, question: str, kept: KeptAnswer, positions: range) -> KeptAnswer:
        lines = await self._lines(positions)
        effect = await self._operators.effect(question, kept.text, lines)
        if effect == "none":
            return kept
        before = kept if effect == "update" else NOTHING
        written = await self._operators.update(question, before.text, lines)
        found = _resting(written, positions)
        return replace(found, rests=_rising(before.rests, found.rests)) if found.known else found

    async def _behavior(self, bookmark: Bookmark, at: int, *, begun: bool) -> UpToDate:
        question, who, spent = bookmark.question, bookmark.asked.character, self._operators.spent
        actions = self._happened.actions(who, bookmark.synced, at)
        scenes = [range(max(1, action - WINDOW), action + 1) for action in actions]
        works = [partial(self._shows, question, scene) for scene in scenes]
        shown = await side_by_side(works, AT_ONCE)
        showing, read = list(compress(actions, shown)), sum(map(len, scenes))
        now = self._gathered(bookmark.hit(showing), spent)
        if not (showing or begun):
            return UpToDate(now, read, bookmark.synced)
        spent = self._operators.spent
        answer = NOTHING
        if newest := now.hits[-SHOWING:]:
            answer = await self._operators.behavior(question, await self._lines(newest))
            answer, read = _resting(answer, newest), read + len(newest)
        return UpToDate(self._written(replace(now, answer=answer), spent), read, bookmark.synced)

    async def _shows(self, question: str, scene: range) -> bool:
        *before, done = await self._lines(scene)
        return await self._operators.shows(question, done, before)

    async def _portrayed(self, bookmark: Bookmark, at: int) -> UpToDate:
        """The same, written in the same way, without evidence: by the answer before, and all that was done
        since. What that would take from the start is not known: it would be written in other stretches."""
        question, kept = bookmark.question, bookmark.answer
        actions = self._happened.actions(bookmark.asked.character, bookmark.synced, at)
        for first in range(0, len(actions), CHUNK):
            positions = actions[first : first + CHUNK]
            lines = await self._lines(positions)
            written = await self._operators.behavior(question, lines, kept.text)
            found = _resting(written, positions)
            kept = replace(found, rests=_rising(kept.rests, found.rests)) if found.known else found
        return UpToDate(replace(bookmark, answer=kept, anew=None), len(actions), bookmark.synced)

    async def _concept(self, bookmark: Bookmark, at: int, *, begun: bool) -> UpToDate:
        """All hits are kept. Of the best of what lies around them the answer is written anew where that
        is not the same any more. What is derived has the hits of the other, and those of a keyword of its
        own, which is looked up from the start."""
        question, spent = bookmark.question, self._operators.spent
        keyword = bookmark.keyword
        if begun or not keyword:
            keyword = await self._operators.keyword(question)
        after = bookmark.synced if keyword == bookmark.keyword else 0
        known = frozenset(bookmark.hits) if after < bookmark.synced else frozenset[int]()
        found = [one for one in self._happened.having(keyword, after, at) if one not in known]
        now = replace(self._gathered(bookmark.hit(found), spent), keyword=keyword)
        read = 0
        best = now.spans.best(at)
        if begun or best != bookmark.spans.best(bookmark.synced):
            positions, spent = lines_of(best), self._operators.spent
            answer, read = NOTHING, len(positions)
            if positions:
                written = await self._operators.concept(question, await self._lines(positions))
                answer = _resting(written, positions)
            now = self._written(replace(now, answer=answer), spent)
        return UpToDate(now, read, after)

    def _gathered(self, bookmark: Bookmark, before: CallCost) -> Bookmark:
        """With what it took to look for more, since so much was spent."""
        took = self._operators.spent - before
        return replace(bookmark, anew=None if bookmark.anew is None else bookmark.anew + took)

    def _written(self, bookmark: Bookmark, before: CallCost) -> Bookmark:
        """With what it took to write it anew: from the start that is done once."""
        took = self._operators.spent - before
        anew = None if bookmark.anew is None else bookmark.anew - bookmark.written + took
        return replace(bookmark, anew=anew, written=took)

    async def _lines(self, positions: Sequence[int]) -> list[Line]:
        return await self._happened.lines(self._view, positions)


def _resting(written: KeptAnswer, positions: Sequence[int]) -> KeptAnswer:
    """What was written, resting on positions, where it names numbers of lines; on nothing, where nothing
    is known."""
    if not written.known:
        return NOTHING
    named = [positions[number] for number in sorted(set(written.rests))]
    return KeptAnswer(written.text, tuple(named or positions))


def _rising(some: Sequence[int], others: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted({*some, *others})[-RESTING:])
