"""A mark from 0 to 10, as a model gives it to an answer beside a reference, with its reason."""

from __future__ import annotations

from typing import Any, ClassVar

from whoknew.agents.errors import BadAnswer
from whoknew.engine.judges.dimensions import Score
from whoknew.engine.judges.model_judge import ModelJudgeEntry, Read, Rubric, answer
from whoknew.engine.playing.judge import Judged, Needed

MARK = "mark"

LEAST, MOST = 0, 10

Marks = answer("Marks", {MARK: Score})


def marked(found: Any) -> Read:
    given: Score = getattr(found, MARK)
    if not LEAST <= given.score <= MOST:
        raise BadAnswer(f'"{MARK}" is {given.score:g}, but should be {LEAST} to {MOST}.')
    return {MARK: float(given.score)}, {MARK: given.reason}


BESIDE_A_REFERENCE = Rubric("judge.marks", Marks, marked)


class MarksEntry(ModelJudgeEntry, frozen=True):
    """a model, a mark from 0 to 10 beside a reference"""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("reference",)
    scale: ClassVar[tuple[float, float]] = (LEAST, MOST)
    rubric: ClassVar[Rubric] = BESIDE_A_REFERENCE
