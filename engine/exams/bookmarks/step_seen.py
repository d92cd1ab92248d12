"""The step by which bookmarks came to the mind of somebody who was asked: which, where each came from, what
was read for it, and what that saved. It is taken again, with what a model answered then."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Literal

from msgspec import Struct

from whoknew.agents.errors import AgentError
from whoknew.agents.life import Life
from whoknew.agents.memories.bookmarks.bookmark import Bookmark, BookmarkKind
from whoknew.agents.memories.bookmarks.bookmarks import Bookmarks
from whoknew.agents.memories.bookmarks.kept_bank import STRATEGY
from whoknew.agents.memories.bookmarks.record import BookmarkChange, Fate, StepCosts
from whoknew.agents.memories.bookmarks.step_taken import StepTaken
from whoknew.agents.memories.bookmarks.tally import saved_part
from whoknew.agents.memories.memory import Memory, Occasion
from whoknew.agents.models.model import Model
from whoknew.engine.asking.putting import past_of, worded
from whoknew.engine.exams.cells import Cell
from whoknew.engine.exams.noted_life import NotedLife
from whoknew.engine.exams.remembered_life import StoryLife
from whoknew.engine.exams.sitting import seat_of
from whoknew.eventlog import View

Origin = Fate | Literal["near"]
"""What became of a proposal; or it was not asked, and brought up to date shortly before."""

UNCHANGED = BookmarkChange(number=0)


class BookmarkSeen(Struct, frozen=True, kw_only=True):
    """A bookmark of a step. `asked` is what was proposed, where that is worded otherwise, and `parent` the
    question from which it was derived. Of all lines so many were `new` to it, and so many `read`; the
    answer rests on these events."""

    number: int
    kind: BookmarkKind
    question: str
    origin: Origin
    asked: str = ""
    derived_from: int
    parent: str = ""
    answer: str
    rests_on: tuple[int, ...]
    new: int
    read: int


class StepSeen(Struct, frozen=True, kw_only=True):
    """The step of `who`, after so many `lines` of what happened: `passing`, where it was taken for this
    question, and nothing of it was kept. `saved` is the part of all that reading each question from the
    start goes through which was not new; `costs` are the calls for it, beside those of reading so, where they were
    counted."""

    who: str
    lines: int
    passing: bool
    bookmarks: tuple[BookmarkSeen, ...]
    new: int
    read: int
    scratch: int
    costs: StepCosts | None = None

    @property
    def saved(self) -> float | None:
        return saved_part(self.new, self.scratch)


async def step_seen(
    cell: Cell, view: View, life: NotedLife | StoryLife, again: Model
) -> StepSeen | None:
    """That of a cell, up to the end of its plain view; None where its memory keeps no bookmarks, or not all
    of it is on the log. `again` answers as the model did."""
    kept, seat = cell.arm.memory, seat_of(cell)
    if kept is None or kept.keeps != STRATEGY:
        return None
    question = cell.unit.asked.question
    told = worded(question.question, question.choices)
    with suppress(AgentError):
        if isinstance(life, StoryLife):
            behind = life.noted.behind
            return await life.asked(
                view, told, again, seat.budget, lambda memory, now: _seen(memory, now, behind)
            )
        seen = life.view(len(view))

        async def use(lived: Life, memory: Memory) -> StepSeen | None:
            if not isinstance(memory, Bookmarks):
                return None  # another's, whose notes are called so too
            now = Occasion(view=seen, life=lived, model=again, about=told, question=told)
            return await _seen(memory, now, life.behind)

        return await past_of(question.character, seat).upto(seen, use)
    return None


async def _seen(
    memory: Bookmarks, now: Occasion, behind: Callable[[Iterable[int]], Iterable[int]]
) -> StepSeen | None:
    _, taken = await memory.stepped(now)
    if taken is None:
        return None
    record = taken.record
    return StepSeen(
        who=record.who,
        lines=record.at,
        passing=record is not memory.bank.newest,
        bookmarks=tuple(_bookmarks(taken, memory, behind)),
        new=record.unseen,
        read=record.read,
        scratch=record.scratch,
        costs=record.costs,
    )


def _bookmarks(
    taken: StepTaken, memory: Bookmarks, behind: Callable[[Iterable[int]], Iterable[int]]
) -> Iterable[BookmarkSeen]:
    """Those that it is about, as they were proposed; and what is near."""
    changes = {one.number: one for one in taken.record.changes}
    proposed = {one.number: one for one in reversed(taken.record.proposed)}
    every: dict[int, Bookmark] = {one.number: one for one in (*taken.active, *taken.near)}
    for one in every.values():
        asked, change = proposed.get(one.number), changes.get(one.number, UNCHANGED)
        said = asked.asked.question if asked else one.question
        yield BookmarkSeen(
            number=one.number,
            kind=one.kind,
            question=one.question,
            origin=asked.fate if asked else "near",
            asked=said if said != one.question else "",
            derived_from=one.parent,
            parent=memory.bank[one.parent].question if one.parent else "",
            answer=one.answer.text,
            rests_on=tuple(behind(memory.places(one))),
            new=change.unseen,
            read=change.read,
        )
