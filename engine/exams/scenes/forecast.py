"""What an exam of scenes would play and may cost, before it does."""

from __future__ import annotations

from msgspec.structs import replace

from whoknew.engine.exams.cells import spread
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.material import scenes_of
from whoknew.engine.exams.scenes.scene import chain_of, scene_cells
from whoknew.engine.plan.program import Chain, Program
from whoknew.engine.running.forecast import Forecast, forecast

TRIED = 4
"""So many scenes are rehearsed by each arm, from all over those that have not begun."""


async def forecast_scenes(exam: LoadedExam, limit: int | None = None) -> Forecast:
    """As of a run in which the exam's judges sit in each scene."""
    plan, judges = exam.plan, {one.name: one.judging for one in exam.judges}
    cells = {cell.world: cell for cell in scene_cells(exam, scenes_of(exam, limit))}
    chains = [
        Chain(played.world, replace(played.plan, judges=judges), played.setting)
        for played in (chain_of(exam, cell) for cell in cells.values())
    ]

    def tried(new: list[Chain]) -> list[Chain]:
        arms = [[one for one in new if cells[one.world].arm == arm] for arm in exam.arms]
        return [one for some in arms for one in spread(some, TRIED)]

    program = Program(chains, plan.address, plan.at_once, plan.limit, plan.may_fail)
    return await forecast(program, tried)
