"""How much of what a right answer rests on came to mind before it was given: the five recalls of the
paper CloneMem, of memories that choose what fits the question."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict

FLAT, ALL_ALL, ALL_ANY, ANY_ALL, ANY_ANY = "flat", "all-all", "all-any", "any-all", "any-any"


class RecallsJudge(Judge[AnswerCase]):
    """Nothing is said of a memory that tells the same to every question."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        if not any(case.evidence):
            return [Verdict(case.character, None, "there is no evidence to look for")]
        came = await case.came() if case.came else None
        if came is None:
            return []
        scores = recalls(came, case.evidence)
        needed = {seq for some in case.evidence for seq in some}
        reason = f"{len(needed & came)} of {len(needed)} came to mind, among {len(came)}"
        return [Verdict(case.character, scores, reason)]


def recalls(came: Collection[int], evidence: Sequence[Sequence[int]]) -> dict[str, float]:
    """Of all events of the evidence, which part came; whether all of all sets did, some of all, all of
    one, some of one."""
    known, sets = set(came), [set(some) for some in evidence]
    needed = set().union(*sets)
    whole, met = [some <= known for some in sets], [bool(some & known) for some in sets]
    return {
        FLAT: len(needed & known) / len(needed),
        ALL_ALL: float(all(whole)),
        ALL_ANY: float(all(met)),
        ANY_ALL: float(any(whole)),
        ANY_ANY: float(any(met)),
    }


class RecallsEntry(JudgeEntry, frozen=True):
    """which of the evidence came to mind, in five ways"""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("evidence",)

    def make(self, bench: Bench) -> RecallsJudge:
        return RecallsJudge()
