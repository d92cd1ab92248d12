"""The same as `remembered.py` by rule: a point is covered where a line that came to mind holds what shows it,
or says it in its words. It reads words, not sense."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from whoknew.agents.lines import quoted
from whoknew.engine.judges.reference import counted
from whoknew.engine.judges.remembered import marked, points_of, witnessed
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict

SAID = 2 / 3
"""A line says a point that has this share of its words, and two of them at least."""

SHOWN = 0.8
"""A line holds an event of which it has this share of the words, and three of them at least."""


class RememberedWordsJudge(Judge[AnswerCase]):
    """All points are enough, some help in part. That something misleads it does not see."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        brought = await case.brought() if case.brought else None
        if brought is None:
            return []
        points = await points_of(case)
        whole = "\n".join(brought)
        covered = 0
        for point, some in zip(points, case.evidence, strict=True):
            shown = [event.body.words for event in await witnessed(case, some)]
            covered += any(quoted(one)[1:-1] in whole for one in shown if one) or holds(
                brought, point, shown, case.character
            )
        mark = 2 if covered == len(points) else min(1, covered)
        told = f"{covered} of {len(points)} points came to mind"
        return [Verdict(case.character, marked(covered / len(points), mark), told)]


def holds(lines: Sequence[str], point: str, shown: Sequence[str], who: str) -> bool:
    """Whether one of the lines says a point, or holds an event that shows it, but for some words. The name
    of whose life it is counts for nothing."""
    name = _words(who)
    wanted = [(_words(point) - name, SAID, 2), *((_words(one), SHOWN, 3) for one in shown)]
    return any(
        len(words) >= least and len(words & _words(line)) >= share * len(words)
        for line in lines
        for words, share, least in wanted
    )


@lru_cache(4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(counted(text))


class RememberedWordsEntry(JudgeEntry, frozen=True):
    """by rule, which points came to mind before an answer, and how much that helps: 0 to 1"""

    version: ClassVar = 2
    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("evidence",)

    def make(self, bench: Bench) -> RememberedWordsJudge:
        return RememberedWordsJudge()
