"""The seven dimensions of Sotopia, as a model scores them, with its reasons."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from whoknew.agents.errors import BadAnswer
from whoknew.engine.judges.model_judge import ModelJudgeEntry, Read, Rubric, answer
from whoknew.engine.judges.scales import DIMENSIONS, OVERALL, out_of_range, overall


class Score(Struct, frozen=True):
    reason: str
    score: float


Scores = answer("Scores", dict.fromkeys(DIMENSIONS, Score))


def scored(found: Any) -> Read:
    """The seven, each inside its range, or it is refused; with them goes their mean."""
    given: dict[str, Score] = {name: getattr(found, name) for name in DIMENSIONS}
    scores = {name: float(one.score) for name, one in given.items()}
    if wrong := out_of_range(scores):
        raise BadAnswer(f"{wrong}.")
    return {**scores, OVERALL: overall(scores)}, {name: one.reason for name, one in given.items()}


SEVEN = Rubric("judge.dimensions", Scores, scored)


class DimensionsEntry(ModelJudgeEntry, frozen=True):
    """a model, seven scores"""

    rubric: ClassVar[Rubric] = SEVEN
