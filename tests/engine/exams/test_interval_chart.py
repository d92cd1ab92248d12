"""Scores of arms with their intervals, drawn side by side."""

from __future__ import annotations

import re

from whoknew.engine.exams.interval_chart import IntervalChart, IntervalLine, IntervalPanel, svg
from whoknew.engine.exams.ticks import reach


def test_each_figure_of_a_chart_has_room_beside_it() -> None:
    line = IntervalLine(name="a", mean=-1234.5, low=-12345.678, high=12345.678, number=3)
    drawn = svg(IntervalChart("t", "n", (IntervalPanel("words.overlap", (line,)),))).decode()
    width = int(re.search(r'width="(\d+)"', drawn)[1])
    figures = re.findall(r'<text class="soft" x="([\d.]+)"[^>]*>([-\d., ()to]+\))<', drawn)
    assert len(figures) == 1
    assert all(float(x) + 7 * len(text) <= width for x, text in figures)


def test_where_all_arms_have_the_same_score_the_axis_is_the_scale_of_the_judge() -> None:
    line = IntervalLine(name="a", mean=1.0, low=None, high=None, number=3)

    def marks(ends: tuple[float, float] | None) -> list[str]:
        drawn = svg(IntervalChart("t", "n", (IntervalPanel("right", (line,), ends),))).decode()
        return re.findall(r'text-anchor="middle">([-\d.]+)<', drawn)

    assert marks((0.0, 1.0)) == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert marks(None)[-1] == "1.4"
    assert reach([0.25, 0.75], (0.0, 1.0)) == (0.225, 0.775)
