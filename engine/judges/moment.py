"""Whether an answer keeps to the moment and the place of who gives it: TimeChara's two scores, 0 or 1, and
their product, by a model."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from whoknew.agents import briefing
from whoknew.agents.errors import BadAnswer, BadReply
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Message, Model, Request, Sampling
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import JudgedAnswer, Sections
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict

RIGHT, SPATIAL, TEMPORAL = "right", "spatial", "temporal"


class _Scored(Struct, frozen=True):
    score: float
    reason: str


class MomentJudge(Judge[AnswerCase]):
    """It asks of the place first, where the labels say anything of that: what is wrong there is wrong,
    and the other is not asked."""

    def __init__(self, model: Model, sampling: Sampling, reasks: int) -> None:
        self._model, self._sampling, self._reasks = model, sampling, reasks

    async def review(self, case: AnswerCase) -> list[Verdict]:
        if not isinstance(case.labels.get(TEMPORAL), str):
            return [Verdict(case.character, None, NO_LABEL)]
        scores: dict[str, float] = {RIGHT: 1.0}
        reasons: list[str] = []
        for name in (SPATIAL, TEMPORAL):
            if scores[RIGHT] and isinstance(case.labels.get(name), str):
                try:
                    found = await self._asked(case, name)
                except (BadAnswer, BadReply) as error:
                    return [Verdict(case.character, None, f"{name}: {error}")]
                scores[name] = found.score
                scores[RIGHT] *= found.score
                reasons.append(f"{name} {found.score:g}: {found.reason}")
        return [Verdict(case.character, scores, "\n".join(reasons))]

    async def _asked(self, case: AnswerCase, name: str) -> _Scored:
        rules = filled(f"judge.{name}", name=case.character)
        judged = JudgedAnswer(case.answer, None, labels={name: case.labels[name]}, scale=(0.0, 1.0))
        sections = Sections(who=case.character, question=case.question, judged=judged)
        messages = (Message("system", rules), Message("user", briefing.told(sections)))
        request = Request("judge", messages, None, self._sampling, sections)
        return await insist(self._model, request, _read, self._reasks)


NO_LABEL = "the question has no label `temporal` that says what holds at its moment"


def _read(reply: str) -> _Scored:
    """The score on the last line, which holds nothing else."""
    reasons, _, last = reply.strip().rpartition("\n")
    if last.strip() not in ("0", "1"):
        raise BadAnswer(
            f"the last line is {last.strip()[:60]!r}, but should be 0 or 1 and nothing else."
        )
    return _Scored(float(last), " ".join(reasons.split()))


class MomentEntry(JudgeEntry, frozen=True):
    """a model, whether an answer keeps to its moment and its place: 0 or 1"""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("labels",)
    asks: ClassVar[bool] = True

    def prompts(self) -> tuple[str, ...]:
        return (f"judge.{SPATIAL}", f"judge.{TEMPORAL}")

    def most_calls(self, reasks: int) -> int:
        return 2 * (1 + reasks)

    def make(self, bench: Bench) -> MomentJudge:
        return MomentJudge(bench.model, bench.sampling, bench.reasks)
