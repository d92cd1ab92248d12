"""The seven dimensions of Sotopia, as a model scores them, with its reasons."""

from __future__ import annotations

from msgspec import Struct

from whoknew.agents.errors import BadAnswer
from whoknew.agents.models.model import Model, Sampling
from whoknew.engine.judges.asked import answer, request, verdict
from whoknew.engine.judges.case import Case
from whoknew.engine.judges.judge import Verdict
from whoknew.engine.judges.scales import DIMENSIONS, OVERALL, out_of_range, overall


class Score(Struct, frozen=True):
    reason: str
    score: float


Scores = answer("Scores", dict.fromkeys(DIMENSIONS, Score))


class Dimensions:
    """With the seven goes their mean."""

    def __init__(self, model: Model, sampling: Sampling, reasks: int) -> None:
        self._model, self._sampling, self._reasks = model, sampling, reasks

    async def review(self, case: Case) -> list[Verdict]:
        return [await self._of(case, who) for who in case.people]

    async def _of(self, case: Case, who: str) -> Verdict:
        asked = await request(case, who, "judge.dimensions", Scores, self._sampling)
        return await verdict(who, self._model, asked, _read, self._reasks)


def _read(found: Struct) -> tuple[dict[str, float], dict[str, str]]:
    given: dict[str, Score] = {name: getattr(found, name) for name in DIMENSIONS}
    scores = {name: float(one.score) for name, one in given.items()}
    if wrong := out_of_range(scores):
        raise BadAnswer(f"{wrong}.")
    reasons = {name: one.reason for name, one in given.items()}
    return {**scores, OVERALL: overall(scores)}, reasons
