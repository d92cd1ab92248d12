"""Operators by rule: no model is asked. They say what `offline:` would."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from whoknew.agents.lines import Line
from whoknew.agents.memories.bookmarks.bookmark import UNKNOWN, Bookmark, KeptAnswer, Proposal
from whoknew.agents.memories.bookmarks.operators import Effect, Fit, Operators, SceneNow
from whoknew.agents.models.bookmarking import (
    addressed,
    best_line,
    five,
    keyword_of,
    newest,
    quoting,
    shows,
)


class RuleOperators(Operators):
    """Five questions are proposed at each step, always worded alike; a question is found again where it is
    asked in the same words. The newest line that shares most words with a question answers it."""

    async def propose(self, scene: SceneNow) -> Sequence[Proposal]:
        found = five(scene.who, addressed(scene.who, scene.lines))
        return [msgspec.convert({"question": one, "kind": kind}, Proposal) for one, kind in found]

    async def match(self, asked: Proposal, candidates: Sequence[Bookmark]) -> Sequence[Fit]:
        return ["reuse" if one.asked.same == asked.same else "none" for one in candidates]

    async def effect(self, question: str, answer: str, lines: Sequence[Line]) -> Effect:
        return "none" if best_line(question, lines) is None else "update"

    async def update(self, question: str, answer: str, lines: Sequence[Line]) -> KeptAnswer:
        return _quoted(question, lines, [best_line(question, lines)])

    async def shows(self, question: str, action: Line, before: Sequence[Line]) -> bool:
        return shows(question, action)

    async def behavior(
        self, question: str, actions: Sequence[Line], answer: str = UNKNOWN
    ) -> KeptAnswer:
        return _quoted(question, actions, newest(actions))

    async def keyword(self, question: str) -> str:
        return keyword_of(question)

    async def concept(self, question: str, lines: Sequence[Line]) -> KeptAnswer:
        return _quoted(question, lines, [best_line(question, lines)])


def _quoted(question: str, lines: Sequence[Line], numbers: Sequence[int | None]) -> KeptAnswer:
    text, some = quoting(question, lines, numbers)
    return KeptAnswer(text, tuple(some))
