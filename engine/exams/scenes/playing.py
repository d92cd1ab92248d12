"""Playing the scenes of an exam that its log lacks, and hearing judges on them, many at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whoknew.agents.mind import Mind
from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.calls import CellCalls
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.scenes.cases import cases_of
from whoknew.engine.exams.scenes.scene import SceneCell, chain_of, scene_cells
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.exams.session import ExamProgress, ExamSession, Failure, Roles
from whoknew.engine.playing.case import EpisodeCase
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.judge import Judge
from whoknew.engine.playing.ledger import NOBODY
from whoknew.engine.playing.panel import REVIEW, reviewed
from whoknew.engine.running.chains import Run
from whoknew.engine.running.models import Silent, judge_of, mind
from whoknew.eventlog.kinds import Failed, Kind, Reviewed, ScenePlayed


class ScenePlaying(ExamSession[SceneCell]):
    """One start of an exam of scenes. `run` plays those that are lacking, each in a world of its own
    beside the exam's."""

    def __init__(
        self,
        *,
        exam: LoadedExam,
        units: Sequence[SceneUnit],
        log: ExamLog,
        run: Run,
        roles: Roles,
        control: Control,
        progress: ExamProgress,
        asks: bool = True,
        again: bool = False,
    ) -> None:
        super().__init__(
            exam=exam,
            log=log,
            roles=roles,
            control=control,
            progress=progress,
            asks=asks,
            again=again,
        )
        self._units, self._run = units, run
        progress.done = "played"

    def cells(self) -> Iterator[SceneCell]:
        return scene_cells(self.exam, self._units)

    async def sit(self) -> None:
        if self._run.program.chains:
            await self._run.survey()
        await super().sit()

    async def do(self, cell: SceneCell) -> None:
        if not self.log.done(cell.key) and not await self._played(cell):
            return
        unheard = list(self._unheard(cell))
        cases = await cases_of(self.log.log, chain_of(self.exam, cell)) if unheard else []
        for judge in unheard:
            await self._review(cell, judge, cases)

    async def _played(self, cell: SceneCell) -> bool:
        """Play it to its end. What ended before that, and not because all of it is to stop, failed."""
        result = await self._run.chain(chain_of(self.exam, cell))
        finished = result.state == "finished"
        if not finished and result.state == "suspended" and self.control.reason is not None:
            return False
        self.progress.answered += finished
        self.progress.failed += not finished
        self.control.count("scenes", 1, not finished)
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
        return finished

    async def _review(
        self, cell: SceneCell, judge: ExamJudge, cases: Sequence[EpisodeCase]
    ) -> None:
        key, played = cell.review(judge), self.log.seq(cell.key)
        calls = self.calls(key, played)
        found = await self.tried(calls, self._heard(cell, judge, cases, calls))
        if found is None:
            return
        failed = isinstance(found, Failure)
        self.progress.reviewed += not failed
        self.progress.unreviewed += failed
        self.control.count(f"reviews of {judge.name}", 1, failed)
        bodies: Sequence[Kind]
        if isinstance(found, Failure):
            bodies = [Failed(REVIEW, f"{judge.name}: {found.why}")]
        else:
            bodies = found
        with calls.written() as held:
            await self.log.concluded(key, played, [*held, *bodies], failed=failed)

    async def _heard(
        self, cell: SceneCell, judge: ExamJudge, cases: Sequence[EpisodeCase], calls: CellCalls
    ) -> list[Reviewed] | Failure:
        """What a judge says of each who was in each of its episodes, by their sides. Where it fails to
        say something of one, its scores of the others are none, either: arms are compared on both."""
        await calls.resume()
        plan = chain_of(self.exam, cell).plan

        def remembering(who: str) -> Mind:
            return mind(who, plan.seat(who), Silent())

        judging: Judge[EpisodeCase] = judge_of(
            judge.judging, lambda address: self.model(NOBODY, address, calls), remembering
        )
        found: list[Reviewed] = []
        for number, case in enumerate(cases, start=1):
            for _, one in await reviewed({judge.name: judging}, case):
                if one.scores is None:
                    return Failure(f"{one.reason} (of {one.character})")
                side = cell.unit.role(one.character)
                scores = {f"{side}.{name}": score for name, score in one.scores.items()}
                said = f"E{number}, {one.character}: {one.reason}"
                found.append(Reviewed(judge.name, scores, said, judge.digest))
        return found or [
            Reviewed(judge.name, {}, "there is nothing to be said of it", judge.digest)
        ]
