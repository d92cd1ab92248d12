"""What came of the scenes of an exam: one fold of its log, and of the worlds that they were played in."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence

from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog, key_of
from whoknew.engine.exams.folding import Folding
from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.results import ExamResults
from whoknew.engine.exams.scenes.scene import SceneCell, chain_of, scene_cells
from whoknew.engine.exams.scenes.scene_tally import SceneTally
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.running.fitting import parted
from whoknew.eventlog import Event, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import ScenePlayed

FEW = 3
"""So many worlds that do not count are told of one by one."""


async def scene_result(log: ExamLog, exam: LoadedExam, cell: SceneCell) -> CellResult:
    """One of the scenes of an exam, as its log has it."""
    fold = SceneFold(exam, [cell])
    for key in (cell.key, *cell.reviews(exam.judges)):
        for event in await log.all_of(key):
            fold.take(event)
    await fold.look(log.log)
    return fold.cells[cell.key].result()


class SceneFold(Folding):
    """All scenes of an exam, by their keys, as far as its log and their worlds were read."""

    def __init__(self, exam: LoadedExam, cells: Iterable[SceneCell]) -> None:
        super().__init__()
        self._exam = exam
        self.cells = {cell.key: SceneTally(cell, exam) for cell in cells}
        self.others = Counter[str]()
        self._parted: dict[str, str] = {}
        """Of the worlds that another plan played, how that differs."""
        self._units = {one.cell.unit.id for one in self.cells.values()}
        self._arms = {arm.digest for arm in exam.arms}
        self._repeats = exam.plan.repeats
        self._reviews = {
            key: (one, judge.name)
            for one in self.cells.values()
            for key, judge in one.cell.reviews(exam.judges).items()
        }

    @classmethod
    def of(cls, exam: LoadedExam, units: Sequence[SceneUnit]) -> SceneFold:
        return cls(exam, scene_cells(exam, units))

    async def go_on(self, log: ExamLog) -> None:
        await super().go_on(log)
        await self.look(log.log)

    async def look(self, log: Log) -> None:
        """Read on in each world that has gone on since."""
        heads = {world.name: world.head for world in await log.worlds()}
        for one in self.cells.values():
            if (head := heads.get(one.cell.world, 0)) != one.upto or one.cell.world in self._parted:
                await self._take_in(one, log, head)

    async def _take_in(self, one: SceneTally, log: Log, head: int) -> None:
        """Take in what is new in the world of a scene. One that is named by its arm alone, not by all
        that decides it, may have been played by another plan: then it is none of this exam, and what
        differs is said."""
        world = one.cell.world
        self._parted.pop(world, None)
        if one.upto and await _hash(log, world, min(one.upto, head)) != one.hash:
            one.forget_world()  # it is another one under the same name
        if not head:
            return
        if not one.cell.heard and (how := await parted(log, chain_of(self._exam, one.cell))):
            one.forget_world()
            self._parted[world] = "; ".join(how)
            return
        if head > one.upto:
            events = [event async for event in log.read(world, AtSeq(one.upto), AtSeq(head))]
            await asyncio.to_thread(one.look, events)
            one.hash = await _hash(log, world, one.upto)

    async def results(self, log: Log) -> ExamResults:
        assert isinstance(self._exam.kind, SceneKind)
        cells = await asyncio.to_thread(lambda: [one.result() for one in self.cells.values()])
        findings = await self._exam.kind.findings(log, cells)
        remarks = _few(
            [
                f"{world} was played by another plan, and does not count: {how}"
                for world, how in self._parted.items()
            ]
        )
        return ExamResults(cells, self.others, findings=findings, remarks=remarks)

    def take(self, event: Event) -> None:
        key = key_of(event)
        if one := self.cells.get(key):
            one.outcome(event)
        elif found := self._reviews.get(key):
            found[0].review(event, found[1])
        elif isinstance(event.body, ScenePlayed):
            self.others[self._why(event.body)] += 1

    def _why(self, played: ScenePlayed) -> str:
        """What about a scene that was played is not of this exam as its plan now is."""
        if played.arm not in self._arms:
            return "arms"
        if played.unit not in self._units:
            return "scenes"
        return "repeats" if played.repeat > self._repeats else "seeds"


def _few(remarks: Sequence[str]) -> tuple[str, ...]:
    left = len(remarks) - FEW
    more = [f"{left} more worlds were played by another plan, and do not count"] if left > 0 else []
    return (*remarks[:FEW], *more)


async def _hash(log: Log, world: str, seq: int) -> bytes:
    """What vouches for all of a world up to a seq; nothing where it does not reach so far."""
    record = await log.lineage.record(world, seq) if seq else None
    return b"" if record is None else record.hash
