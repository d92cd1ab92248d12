"""What a memory brought for a question: how many points of a right answer it covers, and how much it helps.
The first two scores of CloneMem, by a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from whoknew.agents.errors import BadAnswer, BadReply
from whoknew.agents.models.model import tokens_of
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import JudgedMemory
from whoknew.engine.judges.last_line import LastLineEntry, LastLineJudge, one_of, some_of
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Needed, Verdict
from whoknew.eventlog import Event

POINTS, HELPFUL = "points", "helpful"

MARKS = ("0", "1", "2")
"""What came to mind misleads, helps in part, is enough."""

MOST = 20_000
"""Tokens of what came to mind that a model is shown: who brings more has left nothing out by choice, and
nothing is said of it."""


def marked(covered: float, mark: float) -> dict[str, float]:
    """The scores: the part of the points that are covered, and the mark as a part of the best."""
    return {POINTS: covered, HELPFUL: mark / 2}


async def points_of(case: AnswerCase) -> list[str]:
    """What a right answer rests on, set by set: as the question's label `points` says it; else what
    happened itself, as far as the character witnessed it."""
    said = case.labels.get(POINTS)
    if isinstance(said, Sequence) and not isinstance(said, str) and len(said) == len(case.evidence):
        return list(map(str, said))
    return [" ".join(event.text for event in await witnessed(case, some)) for some in case.evidence]


async def witnessed(case: AnswerCase, some: Sequence[int]) -> list[Event]:
    """The events of a set that the character witnessed."""
    places = [place for seq in sorted(set(some)) if (place := case.view.place(seq))]
    return await case.view.pick(places)


class RememberedJudge(LastLineJudge):
    """It is asked twice: which points stand in what came to mind, and how much of a help that is."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        brought = await case.brought() if case.brought else None
        if brought is None or tokens_of("\n".join(brought)) > MOST:
            return []
        points = tuple(await points_of(case))
        covered_of = filled(f"judge.{POINTS}", name=case.character)
        helpful_of = filled(f"judge.{HELPFUL}", name=case.character)
        memory = JudgedMemory(brought=brought, points=points)
        graded = JudgedMemory(brought=brought, points=points, scale=(0.0, 2.0))
        try:
            covered, what = await self.asked(case, covered_of, memory, some_of(len(points)))
            mark, why = await self.asked(case, helpful_of, graded, one_of(*MARKS))
        except (BadAnswer, BadReply) as error:
            return [Verdict(case.character, None, str(error))]
        told = f"{len(covered)} of {len(points)} points: {what}\n{HELPFUL} {mark:g}: {why}"
        return [Verdict(case.character, marked(len(covered) / len(points), mark), told)]


class RememberedEntry(LastLineEntry, frozen=True):
    """a model, which points came to mind before an answer, and how much that helps: 0 to 1"""

    needs: ClassVar[tuple[Needed, ...]] = ("evidence",)
    judge: ClassVar = RememberedJudge

    def prompts(self) -> tuple[str, ...]:
        return (f"judge.{POINTS}", f"judge.{HELPFUL}")

    def most_calls(self, reasks: int) -> int:
        return 2 * (1 + reasks)
