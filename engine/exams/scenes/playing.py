"""Playing the scenes of an exam that its log lacks, and hearing judges on them, many at once."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from functools import partial

from whoknew.engine.exams.arms import ExamArm
from whoknew.engine.exams.calls import CellCalls
from whoknew.engine.exams.cells import parts_of
from whoknew.engine.exams.scenes.cases import ClosedEpisode, cases_of
from whoknew.engine.exams.scenes.scene import SceneCell, chain_of, scene_cell
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.exams.scenes.sitters import Missed, due
from whoknew.engine.exams.session import DueReview, ExamSession, Failure, SessionParts
from whoknew.engine.exams.shards import Shard
from whoknew.engine.exams.shared_sitting import SharedSitting
from whoknew.engine.playing.panel import reviewed
from whoknew.engine.running.chains import Run
from whoknew.eventlog.kinds import Failed, Kind, Reviewed, ScenePlayed
from whoknew.eventlog.stores.leases import Leases


class ScenePlaying(ExamSession[SceneCell]):
    """One start of an exam of scenes. `run` plays those that are lacking, each in a world of its own
    beside the exam's."""

    def __init__(
        self,
        parts: SessionParts,
        *,
        units: Sequence[SceneUnit],
        run: Run,
        absent: Mapping[str, Container[str]],
        missed: Mapping[str, Missed],
    ) -> None:
        """Where the judges of an exam sit in the episodes of a world, `absent` are those who did not in
        each of them: they are heard when it is over. Then those, too, who `missed` somebody."""
        super().__init__(parts)
        self._units, self._run = units, run
        self._absent, self._missed = absent, missed
        self.progress.done = "played"

    def cell_parts(self) -> Iterator[tuple[SceneUnit, ExamArm, int]]:
        return parts_of(self._units, self.exam.arms, self.exam.plan.repeats)

    def cell(self, unit: SceneUnit, arm: ExamArm, repeat: int) -> SceneCell:
        return scene_cell(self.exam, unit, arm, repeat)

    def shards(self) -> Iterator[Shard]:
        """Each scene, by the lease of its world."""
        for cell in self.cells():
            yield self.shard(cell.world, partial(iter, [cell]))

    def reviews(self, cell: SceneCell) -> Iterator[DueReview]:
        return due(
            cell,
            self.exam.judges,
            self._absent.get(cell.world, ()),
            self._missed.get(cell.world, {}),
        )

    async def sit(self) -> None:
        if self._run.program.chains:
            await self._run.survey()
        await super().sit()

    def share(self, leases: Leases, scenes: Collection[str] = ()) -> SharedSitting:
        shared = super().share(leases, scenes or [cell.world for cell in self.cells()])
        self._run.share(shared.sharing)
        return shared

    async def look(self) -> None:
        await self._run.look()
        await super().look()

    async def do(self, cell: SceneCell) -> None:
        if not self.log.done(cell.key) and not await self._played(cell):
            return
        unheard = list(self._unheard(cell))
        if unheard and self._sharing is not None:
            await self._sharing.played(cell.world)
        chain = chain_of(self.exam, cell)
        cases = await cases_of(self.log.log, chain, self.exam.judges) if unheard else []
        for one in unheard:
            played = self.log.seq(cell.key)
            await self.review(one.judge, one.key, played, partial(self._heard, cell, one, cases))

    async def _played(self, cell: SceneCell) -> bool:
        """Play it to its end. What ended before that, and not because all of it is to stop, failed."""
        result = await self._run.chain(chain_of(self.exam, cell))
        finished = result.state == "finished"
        if not finished and result.state == "suspended" and self.control.reason is not None:
            return False
        body: Kind
        if finished:
            head = await self.log.log.head(cell.world)
            body = ScenePlayed(
                unit=cell.unit.id,
                arm=cell.arm.digest,
                repeat=cell.repeat,
                played=cell.world,
                upto=head.seq,
                hash=head.hash.hex(),
            )
        else:
            body = Failed("scene", result.reason or result.state)
        await self.log.played(cell.key, body, failed=not finished)
        self.progress.answered += finished
        self.progress.failed += not finished
        self.control.count("scenes", 1, not finished)
        return finished

    async def _heard(
        self, cell: SceneCell, due: DueReview, cases: Sequence[ClosedEpisode], calls: CellCalls
    ) -> Sequence[Reviewed] | Failure:
        """What a judge says of each who was in each of the episodes in which it did not sit, by their
        sides; or in one of those whom it missed there. Where it fails to say something of one, its
        scores of the others are none, either: arms are compared on both."""
        await calls.resume()
        judge = due.judge
        plan = chain_of(self.exam, cell).plan
        judging = self.judging(judge, calls, plan.seat)
        found: list[Reviewed] = []
        for episode in cases:
            if not (episode.number == due.episode if due.episode else judge.name in episode.absent):
                continue
            for _, one in await reviewed({judge.name: judging}, episode.case):
                if due.missed and one.character not in due.missed:
                    continue
                if one.scores is None:
                    return Failure(f"{one.reason} (of {one.character})")
                side = cell.unit.role(one.character)
                scores = {f"{side}.{name}": score for name, score in one.scores.items()}
                said = f"E{episode.number}, {one.character}: {one.reason}" if one.reason else ""
                found.append(
                    Reviewed(judge.name, scores, said, judge.digest, episode=episode.number)
                )
        return found
