"""Operators by a model: it proposes, compares and writes what rests on much. What only looks over lines, one
stretch after another, a smaller one can do: such requests have a purpose of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from whoknew.agents import briefing
from whoknew.agents.errors import BadAnswer
from whoknew.agents.lines import Line, quoted
from whoknew.agents.memories.bookmarks.bookmark import (
    UNKNOWN,
    Bookmark,
    BookmarkKind,
    KeptAnswer,
    Proposal,
)
from whoknew.agents.memories.bookmarks.call_cost import CallCost, MeteredModel
from whoknew.agents.memories.bookmarks.operators import Effect, Fit, Operators, SceneNow
from whoknew.agents.memories.writing import Number, check_number, cut, numbered
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import LOOK, Model
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import Sections
from whoknew.agents.understand import understand
from whoknew.eventlog.words import words

Asked = TypeVar("Asked", bound=Struct)
T = TypeVar("T")

REMEMBER = "remember"

WORDS = 60
"""An answer has so many at most."""

QUESTION_WORDS = 40
"""A question has so many at most."""

PROMPTS = tuple(
    f"bookmarks.{one}"
    for one in (
        *("propose", "propose.asked", "match", "effect", "update"),
        *("shows", "behavior", "keyword", "concept"),
    )
)


class BookmarkWanted(Struct, frozen=True):
    question: str
    kind: BookmarkKind


class BookmarksWanted(Struct, frozen=True):
    """What a model answers that proposes."""

    bookmarks: Annotated[list[BookmarkWanted], Meta(min_length=1)]


class FitsGiven(Struct, frozen=True):
    """What a model answers that compares: the numbers of those that fit. What it does not name does not."""

    reuse: list[Number]
    derive: list[Number]


class EffectGiven(Struct, frozen=True):
    effect: Effect


class StateWritten(Struct, frozen=True):
    """How things stand, and the lines that say so."""

    state: str
    lines: list[Number] = []


class BehaviorWritten(Struct, frozen=True):
    behavior: str
    lines: list[Number] = []


class ConceptWritten(Struct, frozen=True):
    concept: str
    lines: list[Number] = []


class ShowsGiven(Struct, frozen=True):
    shows: bool


class KeywordGiven(Struct, frozen=True):
    keyword: str


class ModelOperators(Operators):
    """What keeps an answer up to date is asked in prompts that hold lines and no numbers of a view, and say
    nothing of who keeps it."""

    def __init__(self, model: Model, reasks: int) -> None:
        self._model, self._reasks = MeteredModel(model), reasks

    @property
    def spent(self) -> CallCost:
        return self._model.spent

    async def propose(self, scene: SceneNow) -> Sequence[Proposal]:
        which = "bookmarks.propose.asked" if scene.question else "bookmarks.propose"
        near = [_noted(one) for one in scene.near]
        near += [Line(f"{quoted(one)}: {UNKNOWN}") for one in scene.fruitless]
        sections = Sections(
            who=scene.who,
            myself=scene.portrait,
            memory=tuple(near),
            here=tuple(one.worded(one.unnumbered) for one in scene.lines),
            question=scene.question or None,
        )
        rules = filled(which, name=scene.who, most=scene.most, unknown=UNKNOWN)

        def read(found: BookmarksWanted) -> list[Proposal]:
            some = [one for one in found.bookmarks if one.question.strip()]
            if not some:
                raise BadAnswer("no question is asked: give some.")
            return [Proposal(cut(one.question.strip(), QUESTION_WORDS), one.kind) for one in some]

        return await self._ask(REMEMBER, rules, sections, BookmarksWanted, read)

    async def match(self, asked: Proposal, candidates: Sequence[Bookmark]) -> Sequence[Fit]:
        shown = numbered([_noted(one) for one in candidates])
        sections = Sections(who="", memory=shown, question=asked.question)

        def read(found: FitsGiven) -> list[Fit]:
            for number in (*found.reuse, *found.derive):
                check_number(number, shown, "question")
            fits: list[Fit] = ["none"] * len(shown)
            for number in found.derive:
                fits[number] = "derive"
            for number in found.reuse:
                fits[number] = "reuse"
            return fits

        rules = filled("bookmarks.match", kind=asked.kind)
        return await self._ask(REMEMBER, rules, sections, FitsGiven, read)

    async def effect(self, question: str, answer: str, lines: Sequence[Line]) -> Effect:
        sections = _over(question, lines, answer)
        rules = filled("bookmarks.effect", unknown=UNKNOWN)
        return await self._ask(LOOK, rules, sections, EffectGiven, lambda found: found.effect)

    async def update(self, question: str, answer: str, lines: Sequence[Line]) -> KeptAnswer:
        def read(found: StateWritten) -> KeptAnswer:
            return _kept("state", found.state, found.lines, lines)

        rules = filled("bookmarks.update", unknown=UNKNOWN, words=WORDS)
        return await self._ask(LOOK, rules, _over(question, lines, answer), StateWritten, read)

    async def shows(self, question: str, action: Line, before: Sequence[Line]) -> bool:
        sections = _over(question, [*before, action])
        rules = filled("bookmarks.shows", last=len(before))
        return await self._ask(LOOK, rules, sections, ShowsGiven, lambda found: found.shows)

    async def behavior(
        self, question: str, actions: Sequence[Line], answer: str = UNKNOWN
    ) -> KeptAnswer:
        def read(found: BehaviorWritten) -> KeptAnswer:
            return _kept("behavior", found.behavior, found.lines, actions)

        rules = filled("bookmarks.behavior", unknown=UNKNOWN, words=WORDS)
        sections = _over(question, actions, None if answer == UNKNOWN else answer)
        return await self._ask(REMEMBER, rules, sections, BehaviorWritten, read)

    async def keyword(self, question: str) -> str:
        def read(found: KeywordGiven) -> str:
            if not words(found.keyword):
                raise BadAnswer('"keyword" is empty: give the word or the name that it is about.')
            return cut(found.keyword.strip(), QUESTION_WORDS)

        rules = filled("bookmarks.keyword")
        sections = Sections(who="", question=question)
        return await self._ask(REMEMBER, rules, sections, KeywordGiven, read)

    async def concept(self, question: str, lines: Sequence[Line]) -> KeptAnswer:
        def read(found: ConceptWritten) -> KeptAnswer:
            return _kept("concept", found.concept, found.lines, lines)

        rules = filled("bookmarks.concept", unknown=UNKNOWN, words=WORDS)
        return await self._ask(REMEMBER, rules, _over(question, lines), ConceptWritten, read)

    async def _ask(
        self,
        purpose: str,
        rules: str,
        sections: Sections,
        answer: type[Asked],
        read: Callable[[Asked], T],
    ) -> T:
        await asyncio.sleep(0)  # `offline:` waits for nothing, and it may be asked a thousand times
        request = briefing.request(purpose, rules, sections, answer, shared=True)
        return await insist(
            self._model, request, lambda text: read(understand(text, answer)), self._reasks
        )


def _over(question: str, lines: Sequence[Line], answer: str | None = None) -> Sections:
    """Lines to be looked over for a question, each behind its number, from 0 on; with the answer so
    far."""
    memory = () if answer is None else (Line(quoted(answer), text=answer),)
    return Sections(who="", memory=memory, here=numbered(lines), question=question)


def _noted(bookmark: Bookmark) -> Line:
    answer = bookmark.answer.text
    return Line(f"{quoted(bookmark.question)}: {quoted(answer)}", text=bookmark.question)


def _kept(field: str, text: str, named: Sequence[int], lines: Sequence[Line]) -> KeptAnswer:
    for number in named:
        check_number(number, lines, "line")
    if not text.strip():
        raise BadAnswer(f'"{field}" is empty: say "{UNKNOWN}" where nothing is known.')
    return KeptAnswer(cut(text.strip(), WORDS), tuple(sorted(set(named))))
