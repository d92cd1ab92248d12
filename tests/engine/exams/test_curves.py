"""Curves of questions that are put at the ends of episodes: what each came to, and where that is."""

from __future__ import annotations

from pathlib import Path

from watch_exams import ByPrompt, asked, came_to, exam_in, material, sat

from whoknew.engine.exams.curve_chart import svg
from whoknew.engine.exams.curves import curves
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
