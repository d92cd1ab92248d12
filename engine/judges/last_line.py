"""Judges that have a model think first, and write its verdict on the last line, which holds nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar, TypeVar

from whoknew.agents import briefing
from whoknew.agents.errors import BadAnswer
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Message, Model, Request, Sampling
from whoknew.agents.sections import JudgedAnswer, JudgedMemory, Sections
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry

V = TypeVar("V")

NONE = "none"

_NUMBERS = re.compile(r"[0-9]{1,4}(?:, ?[0-9]{1,4})*")


class LastLineJudge(Judge[AnswerCase]):
    """What they share: a call, and as many more as it takes until the last line can be read."""

    def __init__(self, model: Model, sampling: Sampling, reasks: int) -> None:
        self._model, self._sampling, self._reasks = model, sampling, reasks

    @classmethod
    def of(cls, bench: Bench) -> LastLineJudge:
        return cls(bench.model, bench.sampling, bench.reasks)

    async def asked(
        self,
        case: AnswerCase,
        rules: str,
        judged: JudgedAnswer | JudgedMemory,
        read: Callable[[str], V],
    ) -> tuple[V, str]:
        """What its last line comes to, and the reasons above it. `read` gives a BadAnswer where that is no
        verdict."""
        sections = Sections(who=case.character, question=case.question, judged=judged)
        messages = (Message("system", rules), Message("user", briefing.told(sections)))
        request = Request("judge", messages, None, self._sampling, sections)

        def understood(reply: str) -> tuple[V, str]:
            reasons, _, last = reply.strip().rpartition("\n")
            return read(last.strip()), " ".join(reasons.split())

        return await insist(self._model, request, understood, self._reasks)


def one_of(*wanted: str) -> Callable[[str], float]:
    """Reads a last line that is one of these numbers."""

    def read(last: str) -> float:
        if last not in wanted:
            raise not_alone(last, f"{', '.join(wanted[:-1])} or {wanted[-1]}")
        return float(last)

    return read


def some_of(most: int) -> Callable[[str], frozenset[int]]:
    """Reads a last line that names some of so many, by their numbers, or none."""

    def read(last: str) -> frozenset[int]:
        if last == NONE:
            return frozenset()
        found = [int(one) for one in last.split(",")] if _NUMBERS.fullmatch(last) else []
        if not found or len(set(found)) < len(found) or not 1 <= min(found) <= max(found) <= most:
            raise not_alone(last, f"some of the numbers 1 to {most}, or {NONE!r},")
        return frozenset(found)

    return read


def not_alone(last: str, wanted: str) -> BadAnswer:
    """What is said of a last line that is no verdict."""
    return BadAnswer(f"the last line is {last[:60]!r}, but should be {wanted} and nothing else.")


class LastLineEntry(JudgeEntry, frozen=True):
    """How a plan names one of them."""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    asks: ClassVar[bool] = True
    judge: ClassVar[type[LastLineJudge]]

    def make(self, bench: Bench) -> LastLineJudge:
        return self.judge.of(bench)
