"""The eight checks of believability, as a model answers them, with its reasons."""

from __future__ import annotations

from msgspec import Struct

from whoknew.agents.models.model import Model, Sampling
from whoknew.engine.judges.asked import answer, request, verdict
from whoknew.engine.judges.case import Case
from whoknew.engine.judges.judge import Verdict
from whoknew.engine.judges.scales import CHECKS, FAILED, PASSED


class Check(Struct, frozen=True):
    reason: str
    passed: bool


Checks = answer("Checks", dict.fromkeys(CHECKS, Check))


class Checklist:
    """1 where a check is passed, 0 where it is failed: for all eight alike."""

    def __init__(self, model: Model, sampling: Sampling, reasks: int) -> None:
        self._model, self._sampling, self._reasks = model, sampling, reasks

    async def review(self, case: Case) -> list[Verdict]:
        return [await self._of(case, who) for who in case.people]

    async def _of(self, case: Case, who: str) -> Verdict:
        asked = await request(case, who, "judge.checklist", Checks, self._sampling)
        return await verdict(who, self._model, asked, _read, self._reasks)


def _read(found: Struct) -> tuple[dict[str, float], dict[str, str]]:
    given: dict[str, Check] = {name: getattr(found, name) for name in CHECKS}
    scores = {name: PASSED if one.passed else FAILED for name, one in given.items()}
    return scores, {name: one.reason for name, one in given.items()}
