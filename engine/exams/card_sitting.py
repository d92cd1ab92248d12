"""Judges hear answers that were planted, and nobody else is asked anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from whoknew.engine.asking.putting import Response
from whoknew.engine.exams.arms import ExamJudge, arm_of
from whoknew.engine.exams.cells import Unit, cell_of
from whoknew.engine.exams.plan import ExamSeat
from whoknew.engine.exams.planted import PLANTED, Planted, judged
from whoknew.engine.exams.session import SessionParts
from whoknew.engine.exams.shards import Shard, Work
from whoknew.engine.exams.sitting import CellAnswer, Sitting
from whoknew.eventlog import Log
from whoknew.eventlog.logger import logged_with


class CardSitting(Sitting):
    """Planted answers are nobody's: what a judge says of them stands beside the judge, and is the same
    whatever the arms are. To one that asks what comes to mind all does."""

    def __init__(
        self,
        parts: SessionParts,
        *,
        units: Sequence[Unit],
        material: Log,
        plants: Sequence[Planted],
    ) -> None:
        super().__init__(replace(parts, asks=False), units=units, material=material)
        self._plants = plants
        self._nobodys = arm_of(PLANTED, ExamSeat(memory="entire"))

    def survey(self) -> None:
        self.progress.reviews = sum(
            1 for judge in self.exam.judges for _ in self._unheard_plants(judge)
        )

    def shards(self) -> Iterator[Shard]:
        """Each judge is heard by one process."""
        for judge in self.exam.judges:
            name = f"{self.exam.plan.name}: planted answers, judge {judge.digest}"
            yield Shard(lease=name, works=partial(self._works_of, judge))

    def works(self) -> Iterator[Work]:
        for judge in self.exam.judges:
            yield from self._works_of(judge)

    def _works_of(self, judge: ExamJudge) -> Iterator[Work]:
        for plant in self._unheard_plants(judge):
            yield partial(self._hear, judge, plant)

    def _unheard_plants(self, judge: ExamJudge) -> Iterator[Planted]:
        for plant in judged(judge, self._plants):
            if self._lacks(plant.key(judge)):
                yield plant

    async def _hear(self, judge: ExamJudge, plant: Planted) -> None:
        cell = cell_of(plant.unit, self._nobodys, 1)
        with logged_with(world=plant.unit.asked.question.world):
            view = await self._view(cell)
            places = [place for seq in plant.rests_on if (place := view.place(seq))]
            response = Response(plant.answer, tuple(await view.pick(places)))
            answer = CellAnswer(
                self.log.seq_of(judge), view, response, self._mind(cell, view, response)
            )
            await self.judged(cell, judge, answer, plant.key(judge))
