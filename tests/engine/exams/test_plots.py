"""Figures of many panels: each has its place, and what is written beside it has room."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

from matplotlib.figure import Figure

from whoknew.engine.exams import curve_chart, interval_chart
from whoknew.engine.exams.curves import CurvePoint, ExamCurve
from whoknew.engine.exams.figures import Estimate
from whoknew.engine.exams.interval_chart import IntervalChart, IntervalLine, IntervalPanel
from whoknew.engine.exams.plots import as_bytes, set_up

set_up()


def intervals(panels: int, *names: str) -> IntervalChart:
    lines = tuple(
        IntervalLine(name=name, mean=0.5, low=0.25, high=0.75, number=9) for name in names
    )
    some = tuple(IntervalPanel(f"score.{place}", lines) for place in range(panels))
    return IntervalChart("title", "note", some)


def estimate(mean: float) -> Estimate:
    return Estimate(mean=mean, deviation=0.3, error=0.1, number=9, clusters=9)


def curves(count: int) -> list[ExamCurve]:
    points = tuple(CurvePoint(number, estimate(number / 4)) for number in range(4))
    return [ExamCurve(f"score {place}", "recall", points) for place in range(count)]


@pytest.mark.parametrize(
    "drawn",
    [
        lambda: interval_chart.png(intervals(40, "none", "recall")),
        lambda: curve_chart.png(curves(40)),
    ],
    ids=["intervals", "curves"],
)
def test_panels_stand_below_one_another_and_are_not_drawn_to_find_out_where(
    drawn: Callable[[], Figure],
) -> None:
    """A layout of matplotlib's draws all of it several times: half a minute for a hundred panels."""
    figure = drawn()
    assert figure.get_layout_engine() is None
    boxes = [axis.get_position() for axis in figure.axes]
    assert len(boxes) == 40
    assert all(above.y0 > below.y1 for above, below in pairwise(boxes))
    assert boxes[0].y1 < 1 and boxes[-1].y0 > 0
    assert all(0 < box.x0 < box.x1 < 1 for box in boxes)


@pytest.mark.parametrize("name", ["a", "unsafe:recall-late", "M" * 40, "iiii", "世" * 20])
@pytest.mark.filterwarnings("ignore:Glyph")
def test_the_name_of_an_arm_has_room_beside_its_line(name: str) -> None:
    figure = interval_chart.png(intervals(2, "b", name))
    assert as_bytes(figure, "png").startswith(b"\x89PNG")
    figure.draw_without_rendering()
    for axis in figure.axes:
        assert all(label.get_window_extent().x0 >= 0 for label in axis.get_yticklabels())
        assert axis.get_window_extent().width > 100
