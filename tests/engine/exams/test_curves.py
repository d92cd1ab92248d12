"""Curves of questions that are put at the ends of episodes: what each came to, and where that is."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from watch_exams import ByPrompt, asked, came_to, exam_in, material, sat, units

from whoknew.engine.exams.curve_chart import Scale, svg
from whoknew.engine.exams.curves import curves
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.figures import mean_of_means
from whoknew.engine.exams.material import AskedUnits
from whoknew.engine.exams.report import table_of
from whoknew.engine.exams.results import ExamFold
from whoknew.eventlog import Log
from whoknew.eventlog.stores.volatile import VolatileStore


async def test_a_point_leads_to_where_its_questions_were_put(tmp_path: Path) -> None:
    exam, kept = exam_in(tmp_path, questions=asked("E1", "E2")), VolatileStore()
    async with material() as about:
        await sat(exam, about, kept, ByPrompt())
        found = curves((await came_to(exam, about, kept)).cells)
    ends = {1: (("elsinore", 9),), 2: (("elsinore", 14),)}
    assert found and all(
        point.behind == ends[point.episode] for one in found for point in one.points
    )
    assert b"world=elsinore&amp;at=%2314" in svg(found, "http://viewer")


async def test_one_and_the_same_score_is_drawn_on_the_scale_of_its_judge(tmp_path: Path) -> None:
    exam, kept = exam_in(tmp_path, questions=asked("E1", "E2")), VolatileStore()
    async with material() as about, Log(kept) as log:
        await sat(exam, about, kept, ByPrompt())
        there, examined = await units(exam, about), await ExamLog.of(log, exam.plan.name)
        fold = ExamFold(exam, there)
        await fold.go_on(examined)
        table = (await table_of(exam, AskedUnits(there), examined, fold)).table
    assert {one.measured: one.scale for one in table.curves} == {
        name: arms[0].micro.scale for name, arms in table.figures.items()
    }
    for curve in table.curves:
        point = replace(curve.points[0], figure=mean_of_means([[3.0]]))
        axis = Scale.of([replace(curve, points=(point,), scale=(0.0, 10.0))], 1)
        assert (axis.least, axis.most) == (-0.5, 10.5)
