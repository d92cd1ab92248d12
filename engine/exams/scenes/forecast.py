"""What an exam of scenes would play and may cost, before it does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

from msgspec.structs import replace

from whoknew.engine.exams.cells import spread
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.material import scenes_of
from whoknew.engine.exams.scenes.scene import SceneCell, chain_of, scene_cells
from whoknew.engine.exams.scenes.sitters import absences, due, missed
from whoknew.engine.opening import reading_begun
from whoknew.engine.plan.program import Chain, Program
from whoknew.engine.running.forecast import Forecast, OldReview, forecast

TRIED = 4
"""So many scenes are rehearsed by each arm, from all over those that have not begun."""


async def forecast_scenes(
    exam: LoadedExam, limit: int | None = None, *, again: bool = False
) -> Forecast:
    """As of a run in which the exam's judges sit in each scene; with what they have not said yet of
    episodes that are over."""
    plan, judges = exam.plan, {one.name: one.judging for one in exam.judges}
    cells = {cell.world: cell for cell in scene_cells(exam, scenes_of(exam, limit))}
    chains = [
        Chain(played.world, replace(played.plan, judges=judges), played.setting)
        for played in (chain_of(exam, cell) for cell in cells.values())
    ]

    def tried(some: list[Chain]) -> list[Chain]:
        arms = [[one for one in some if cells[one.world].arm == arm] for arm in exam.arms]
        return [one for some in arms for one in spread(some, TRIED)]

    program = Program(chains, plan.address, plan.at_once, plan.limit, plan.may_fail, judged=False)
    return await forecast(program, tried, [one async for one in _old(exam, cells, again=again)])


async def _old(
    exam: LoadedExam, cells: Mapping[str, SceneCell], *, again: bool
) -> AsyncIterator[OldReview]:
    """What judges that ask a model are still to say of episodes that are over."""
    async with reading_begun(exam.plan.address) as opened:
        if opened is None:
            return
        log = await ExamLog.of(opened, exam.plan.name)
        for world in [one.name for one in await opened.worlds() if one.name in cells]:
            cell, away = cells[world], await absences(opened, world, exam.judges)
            failed = await missed(opened, world, exam.judges) if again else {}
            for one in due(cell, exam.judges, frozenset().union(*away.values()), failed):
                if one.judge.judging.asks and log.lacks(one.key, again=again):
                    lacking = [number for number, names in away.items() if one.judge.name in names]
                    for number in [one.episode] if one.episode else lacking:
                        yield OldReview(world, one.judge.judging, number, len(one.missed))
