"""What calls on the log of an exam took, by arm, judge and memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from whoknew.agents.models.model import EMBED
from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.cells import Cell
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.eventlog.kinds import Called, MemoryAdded, MemoryDerived, NothingDerived


class CallSums(Struct):
    """Calls that were made, added up."""

    cells: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def add(self, called: Called) -> None:
        self.calls += 1
        self.tokens_in += called.tokens_in or 0
        self.tokens_out += called.tokens_out or 0


Sums = Mapping[str, CallSums]
"""By the digest of an arm or a judge. The vectors that the memory of an arm asks for are apart, for they
are another model's: under `embedding_key`."""


def embedding_key(digest: str) -> str:
    return f"{digest} {EMBED}"


async def call_sums(
    log: ExamLog, cells: Sequence[Cell], judges: Sequence[ExamJudge]
) -> dict[str, CallSums]:
    """What the calls of these cells and their reviews took, by arm and judge."""
    sums: dict[str, CallSums] = defaultdict(CallSums)
    whose: dict[str, str] = {}
    for cell in cells:
        whose[cell.key] = cell.arm.digest
        sums[cell.arm.digest].cells += log.done(cell.key)
        for judge in judges:
            whose[cell.review(judge)] = judge.digest
            sums[judge.digest].cells += log.done(cell.review(judge))
    memories: dict[int, str] = {}
    steps = set[str]()
    async for event in log.read():
        body = event.body
        if isinstance(body, MemoryAdded):
            memories[event.seq] = body.digest
        key = (event.key or "")[:32]
        digest = whose.get(key) or memories.get(event.cause or 0)
        if digest and isinstance(body, MemoryDerived | NothingDerived) and key not in steps:
            steps.add(key)
            sums[digest].cells += 1
        if digest and isinstance(body, Called) and body.reply is not None:
            aside = body.purpose == EMBED and key in whose
            sums[embedding_key(digest) if aside else digest].add(body)
    for arm in {cell.arm.digest for cell in cells}:
        sums[embedding_key(arm)].cells = sums[arm].cells
    return sums
