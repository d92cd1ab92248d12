"""What calls on the log of an exam took, by arm, judge and memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from whoknew.agents.models.model import EMBED
from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.cells import Cell
from whoknew.engine.exams.exam_log import ExamLog, key_of
from whoknew.eventlog.kinds import Called, MemoryAdded, MemoryDerived, NothingDerived


class CallSums(Struct):
    """Calls that were made, added up."""

    cells: int = 0
    calls: float = 0
    tokens_in: float = 0
    tokens_out: float = 0

    def add(self, called: Called, share: float = 1) -> None:
        """A call, or a part of it."""
        self.calls += share
        self.tokens_in += share * (called.tokens_in or 0)
        self.tokens_out += share * (called.tokens_out or 0)


Sums = Mapping[str, CallSums]
"""By the digest of an arm, a judge or a memory. The vectors that a memory asks for are apart, for they may
be another model's: under `embedding_key`. So are cells behind which their character is asked again, under
`earlier_key`: what a step takes for them that a memory keeps is often paid for with that step."""


def embedding_key(digest: str) -> str:
    return f"{digest} {EMBED}"


def earlier_key(digest: str) -> str:
    return f"{digest} earlier"


def arm_keys(cells: Sequence[Cell]) -> dict[str, str]:
    """Of each cell, by its key, what it is added to."""
    last: dict[tuple[str, str, str], int] = {}
    for cell in cells:
        if cell.arm.memory and cell.arm.memory.before_turns:
            last[_line(cell)] = max(cell.unit.seq, last.get(_line(cell), 0))
    return {
        cell.key: earlier_key(cell.arm.digest)
        if cell.unit.seq < last.get(_line(cell), 0)
        else cell.arm.digest
        for cell in cells
    }


def _line(cell: Cell) -> tuple[str, str, str]:
    question = cell.unit.asked.question
    return cell.arm.digest, question.world, question.character


async def call_sums(
    log: ExamLog, cells: Sequence[Cell], judges: Sequence[ExamJudge]
) -> dict[str, CallSums]:
    """What the calls of these cells and their reviews took, by arm and judge. One that was made for several
    counts in equal parts: for those memories that asked it, which are written first, or else for the
    cells."""
    sums: dict[str, CallSums] = defaultdict(CallSums)
    whose = arm_keys(cells)
    for cell in cells:
        sums[whose[cell.key]].cells += log.done(cell.key)
        for judge in judges:
            whose[cell.review(judge)] = judge.digest
            sums[judge.digest].cells += log.done(cell.review(judge))
    memories: dict[int, str] = {}
    asked: dict[int, tuple[Called, list[str]]] = {}
    steps = set[str]()
    async for event in log.read():
        body = event.body
        if isinstance(body, MemoryAdded):
            memories[event.seq] = body.digest
        key = key_of(event)
        digest = whose.get(key) or memories.get(event.cause or 0)
        if digest and isinstance(body, MemoryDerived | NothingDerived) and key not in steps:
            steps.add(key)
            sums[digest].cells += 1
        if digest and isinstance(body, Called) and body.reply is not None:
            made = asked.setdefault(body.answered_by or event.seq, (body, []))
            made[1].append(embedding_key(digest) if body.purpose == EMBED else digest)
    keeping = {one for digest in memories.values() for one in (digest, embedding_key(digest))}
    for called, some in asked.values():
        payers = [one for one in some if one in keeping] or some
        for one in payers:
            sums[one].add(called, 1 / len(payers))
    for digest in list(sums):
        if not digest.endswith(f" {EMBED}"):
            sums[embedding_key(digest)].cells = sums[digest].cells
    return sums
