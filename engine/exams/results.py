"""What came of an exam: one fold of its log, from which each figure is taken."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, field

from whoknew.engine.exams.arms import memories_of
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.cells import Cell, Unit, cells_of
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import FAILED, ExamLog, key_of
from whoknew.engine.exams.findings import Findings
from whoknew.engine.exams.folding import Folding
from whoknew.engine.exams.judge_card import CardFold, JudgeCard
from whoknew.engine.exams.kind import QuestionKind
from whoknew.engine.exams.planted import PLANTED
from whoknew.engine.exams.writing.kept_texts import KeptFold, KeptTexts
from whoknew.engine.playing.spent import NO_COST, Cost, Spent
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import (
    Answered,
    Called,
    Failed,
    JudgeAdded,
    MemoryAdded,
    MemoryDerived,
    NothingDerived,
    Probed,
    QuestionsWritten,
    Reviewed,
    WriterAdded,
)
from whoknew.eventlog.machinery import LineRefused


class StepsResult(Struct):
    """What it took to derive a memory, or to have questions written, for whomever: how many steps are
    `done`, and how many failed and were not done since."""

    done: int = 0
    failed: int = 0
    spent: Spent = field(default_factory=Spent)


class WriterResult(Struct, kw_only=True):
    """Of the questions that a `model` wrote so many were `kept`, so many `refused`."""

    model: str
    digest: str
    kept: int
    refused: int
    texts: dict[str, KeptTexts]
    took: StepsResult


class ExamResults(Struct):
    """All cells of an exam, in order; by their digests its memories; and all that ever wrote questions of
    it. `others` counts answers on its log that are of none of its cells, by why they are not; `remarks`
    say what else does not count, and why."""

    cells: list[CellResult]
    others: Counter[str]
    memories: dict[str, StepsResult] = {}
    writers: tuple[WriterResult, ...] = ()
    cards: tuple[JudgeCard, ...] = ()
    findings: Findings = Findings()
    remarks: tuple[str, ...] = ()
    lost: Cost = NO_COST
    """What calls may have cost that were started and have no answer."""


async def result_of(log: ExamLog, exam: LoadedExam, cell: Cell) -> tuple[CellResult, list[Event]]:
    """One cell, and the events of it: without those of its reviews."""
    fold = ExamFold(exam, ())
    fold.expect(cell)
    events = await log.all_of(cell.key)
    for key in (cell.key, *(cell.review(judge) for judge in exam.judges)):
        for event in await log.all_of(key):
            fold.take(event)
    return fold.cells[cell.key], events


class _StepsFold:
    def __init__(self) -> None:
        self._done: set[str] = set()
        self._failed: set[str] = set()
        self._spent = Spent()

    def take(self, event: Event, key: str) -> None:
        match event.body:
            case Called() as called:
                self._spent.add(called)
            case Failed():
                self._failed.add(key)
            case MemoryDerived() | NothingDerived() | QuestionsWritten():
                self._done.add(key)

    def result(self) -> StepsResult:
        return StepsResult(len(self._done), len(self._failed - self._done), self._spent)


class _WriterFold(_StepsFold):
    def __init__(self, added: WriterAdded) -> None:
        super().__init__()
        self._added, self._kept, self._refused = added, 0, 0
        self._texts = KeptFold()

    def take(self, event: Event, key: str) -> None:
        super().take(event, key)
        if isinstance(event.body, QuestionsWritten):
            self._kept += len(event.body.questions)
            self._refused += len(event.body.refused)
            self._texts.take(event.body)

    def written(self) -> WriterResult:
        return WriterResult(
            model=self._added.name,
            digest=self._added.digest,
            kept=self._kept,
            refused=self._refused,
            texts=self._texts.texts,
            took=self.result(),
        )


class ExamFold(Folding):
    """The results of an exam of questions, as far as its log was read."""

    def __init__(self, exam: LoadedExam, units: Sequence[Unit]) -> None:
        super().__init__()
        self.cells: dict[str, CellResult] = {}
        self.others = Counter[str]()
        self._reviews: dict[str, tuple[CellResult, str]] = {}
        self._memories = {one.digest: _StepsFold() for one in memories_of(exam.arms)}
        self._writers: list[_WriterFold] = []
        self._looked = exam.kind.steps(units) if isinstance(exam.kind, QuestionKind) else None
        self._arms_of = exam.arms
        self._digests: dict[int, str] = {}
        """Of the memories, by their seqs."""
        self._steps_of: dict[int, _StepsFold] = {}
        """By the seqs of the memories and writers."""
        self.cards = CardFold(units)
        self._units = {unit.id for unit in units}
        self._arms = {arm.digest: arm.name for arm in exam.arms}
        self._repeats = exam.plan.repeats
        self._judges = exam.judges
        for cell in cells_of(units, exam.arms, exam.plan.repeats):
            self.expect(cell)

    async def results(self, log: Log) -> ExamResults:
        """What stands in the log of the exam; its cells and cards are put together off the loop."""
        return await asyncio.to_thread(self._results)

    def _results(self) -> ExamResults:
        cells, cards = list(self.cells.values()), self.cards.cards(self._judges)
        writers = tuple(one.written() for one in self._writers)
        looked = self._looked.findings(self._arms_of, cells) if self._looked else Findings()
        return ExamResults(
            cells=cells,
            others=self.others,
            memories=self.memories(),
            writers=writers,
            cards=cards,
            findings=looked,
        )

    def expect(self, cell: Cell) -> None:
        self.cells[cell.key] = result = CellResult(cell=cell)
        for judge in self._judges:
            self._reviews[cell.review(judge)] = (result, judge.name)

    def take(self, event: Event) -> None:
        if event.key is None:
            return
        key = key_of(event)
        if result := self.cells.get(key):
            self._take(event, result)
        elif found := self._reviews.get(key):
            self._review(event, *found)
        elif isinstance(event.body, JudgeAdded) or event.key.startswith(PLANTED):
            self.cards.take(event)
        elif isinstance(event.body, MemoryAdded):
            if memory := self._memories.get(event.body.digest):
                self._steps_of[event.seq] = memory
                self._digests[event.seq] = event.body.digest
        elif isinstance(event.body, WriterAdded):
            self._writers.append(_WriterFold(event.body))
            self._steps_of[event.seq] = self._writers[-1]
        elif steps := self._steps_of.get(event.cause or 0):
            steps.take(event, key)
            if self._looked and (digest := self._digests.get(event.cause or 0)):
                self._looked.take(digest, event)
        elif isinstance(event.body, Probed) and FAILED not in event.key:
            self.others[self._why(event.body)] += 1

    def _take(self, event: Event, result: CellResult) -> None:
        body = event.body
        if type(body) is Called:
            result.asked.add(body)
            result.prompts += 1
            result.leaking += body.leaks > 0
            result.left_out = max(result.left_out, body.left_out)
            if self._looked:
                self._looked.called(result.cell.arm.digest, event)
        elif type(body) is LineRefused:
            result.refused += not body.kept
        elif type(body) is Probed:
            result.seq = event.seq
        elif type(body) is Answered:
            result.answer, result.hint, result.failure = body.text, body.hint, None
            result.cut_to = body.budget
        elif type(body) is Failed:
            result.failure = body.error

    def _review(self, event: Event, result: CellResult, judge: str) -> None:
        body = event.body
        if type(body) is Reviewed:  # anew: rows of an earlier table have the same dicts
            given = {f"{judge}.{name}": score for name, score in body.scores.items()}
            result.scores = {**result.scores, **given}
            result.reasons = {**result.reasons, judge: body.reason}
            if judge in result.unreviewed:
                result.unreviewed = _without(result.unreviewed, judge)
        elif type(body) is Called:
            result.judged.add(body)
        elif type(body) is Failed:
            why = body.error.partition(": ")[2]
            result.unreviewed = {**result.unreviewed, judge: why}

    def memories(self) -> dict[str, StepsResult]:
        return {digest: memory.result() for digest, memory in self._memories.items()}

    def _why(self, probed: Probed) -> str:
        """What about a cell that is on the log is not of this exam as its plan now is."""
        if probed.arm not in self._arms:
            return "arms"
        if probed.unit not in self._units:
            return "questions"
        return "repeats" if probed.repeat > self._repeats else "worlds"


def _without(some: dict[str, str], name: str) -> dict[str, str]:
    return {one: why for one, why in some.items() if one != name}
