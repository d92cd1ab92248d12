"""What stands in weights is trained for all questions of an exam, and none of them is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from whoknew.engine.exams.arms import ExamArm
from whoknew.engine.exams.cells import Unit
from whoknew.engine.exams.shards import Shard, Work
from whoknew.engine.exams.sitting import Sitting
from whoknew.engine.plan.faults import entry_in_weights


class TrainSitting(Sitting):
    """The first part of a sitting, of the arms whose memory stands in weights: their steps go onto the log
    under the same keys, so that a sitting finds them there."""

    def cell_parts(self) -> Iterator[tuple[Unit, ExamArm, int]]:
        return (parts for parts in super().cell_parts() if in_weights(parts[1]))

    def survey(self) -> None:
        self.progress.lives = sum(1 for _ in self.works())

    def works(self) -> Iterator[Work]:
        return self.remembering()

    def shards(self) -> Iterator[Shard]:
        """The same shards as in a sitting, of which nothing is done but what comes first."""
        for one in self.life_shards(trained_arms(self.exam.arms)):
            yield Shard(lease=one.lease, works=partial(_first, one))


def _first(shard: Shard) -> Iterator[Work]:
    if first := shard.first():
        yield first


def in_weights(arm: ExamArm) -> bool:
    return arm.memory is not None and entry_in_weights(arm.seat)


def trained_arms(arms: Iterable[ExamArm]) -> list[ExamArm]:
    """Those whose memory is trained."""
    return [arm for arm in arms if in_weights(arm)]
