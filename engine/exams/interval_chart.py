"""Means with their intervals, arm by arm, as a picture: a panel for each score, a line for each arm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from whoknew.engine.exams.control import is_unsafe
from whoknew.engine.exams.plots import AXIS, SIZE, TITLE, plain, stacked, width_of
from whoknew.engine.exams.ticks import reach, ticks
from whoknew.engine.travel.svg import Element, element, picture, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, LINE, HEAD, LEFT = 760, 22, 34, 210
"""In pixels: the picture, a line, what stands above the lines of a panel, and beside them."""

SIGN = 7.5
"""Pixels of one sign of a figure, in the widest of the fonts that it may be shown in."""

SIGNS = 28
"""Of the name of an arm so many are shown; its title gives all."""

STYLE = """
text { font: 12px system-ui, "Segoe UI", Roboto, sans-serif; fill: #22251f }
.paper { fill: #fff } .head { font-weight: 600 } .soft { fill: #666b60; font-size: 11px }
.warning { fill: #a5302a; font-weight: 600 } .axis { stroke: #dfdbd0 }
.sure { stroke: #3b6fb6; stroke-width: 2 } .mean { fill: #3b6fb6 }
@media (prefers-color-scheme: dark) {
  text { fill: #e8e6dd } .paper { fill: #181818 } .soft { fill: #9fa497 } .axis { stroke: #44483f }
  .warning { fill: #ef8a80 } .sure { stroke: #8ab4f8 } .mean { fill: #8ab4f8 }
}
"""


RED, INK = "#a5302a", "#222222"
"""In pictures of matplotlib."""


class IntervalLine(Struct, frozen=True, kw_only=True):
    """An arm: its mean, and from where to where that may lie. None where it has none."""

    name: str
    mean: float | None
    low: float | None
    high: float | None
    number: int


class IntervalPanel(Struct, frozen=True):
    """A score: the lines of all arms, on one scale."""

    score: str
    lines: tuple[IntervalLine, ...]
    ends: tuple[float, float] | None = None
    """The least and the most that a score can be, where that is known."""

    @property
    def scale(self) -> tuple[float, float]:
        shown = [
            end
            for line in self.lines
            for end in (line.mean, line.low, line.high)
            if end is not None
        ]
        return reach(shown, self.ends)


class IntervalChart(Struct, frozen=True):
    """What is drawn. A `warning` stands first, where there is one."""

    title: str
    note: str
    panels: tuple[IntervalPanel, ...]
    warning: str = ""


def svg(chart: IntervalChart) -> bytes:
    """As the text of an SVG file, for light and dark screens."""
    top = 62 + (20 if chart.warning else 0)
    height = top + sum(_height(panel) for panel in chart.panels) + 8
    told = " ".join(_sentences(chart))
    drawn = (*_heading(chart), *_panels(chart.panels, top))
    return picture(chart.title, told, STYLE, (WIDTH, height), *drawn)


def png(chart: IntervalChart) -> Figure:
    """The same by matplotlib."""
    heights = [0.3 * len(panel.lines) + TITLE + AXIS for panel in chart.panels] or [1.0]
    names = {_name(line) for panel in chart.panels for line in panel.lines}
    figure, axes = stacked(8, heights, left=min(width_of(names) + 0.25, 5), above=0.7)
    for panel, axis in zip(chart.panels, axes, strict=False):
        _axis(axis, panel)
    words = "\n".join(filter(None, (chart.warning, chart.title, chart.note)))
    top = 1 - 0.08 / figure.get_figheight()
    figure.suptitle(plain(words), y=top, fontsize=SIZE, color=RED if chart.warning else INK)
    return figure


def _name(line: IntervalLine) -> str:
    return plain(line.name[:60])


def _axis(axis: Axes, panel: IntervalPanel) -> None:
    axis.set_title(plain(panel.score), loc="left", y=1.0, fontsize=SIZE)
    axis.set_yticks(range(len(panel.lines)), [_name(one) for one in panel.lines])
    for label, one in zip(axis.get_yticklabels(), panel.lines, strict=True):
        label.set_color(RED if is_unsafe(one.name) else INK)
    axis.set_ylim(len(panel.lines) - 0.4, -0.6)
    axis.set_xlim(*panel.scale)
    for place, line in enumerate(panel.lines):
        if line.low is not None and line.high is not None:
            axis.plot([line.low, line.high], [place, place], color="#3b6fb6")
        if line.mean is not None:
            axis.plot([line.mean], [place], "o", color="#3b6fb6")


def _sentences(chart: IntervalChart) -> Iterator[str]:
    if chart.warning:
        yield f"{chart.warning}."
    yield f"{chart.note}."
    for panel in chart.panels:
        told = "; ".join(f"{line.name} {_figure(line)}" for line in panel.lines)
        yield f"{panel.score}: {told}."


def _heading(chart: IntervalChart) -> Iterator[Element]:
    y = 24
    if chart.warning:
        yield element("text", *wrapped(chart.warning, 100), class_="warning", x=14, y=y)
        y += 20
    yield element("text", *wrapped(chart.title, 100), class_="head", x=14, y=y)
    yield element("text", *wrapped(chart.note, 118), class_="soft", x=14, y=y + 18)


def _panels(panels: Sequence[IntervalPanel], top: float) -> Iterator[Element]:
    for panel in panels:
        yield from _panel(panel, top)
        top += _height(panel)


def _height(panel: IntervalPanel) -> int:
    return HEAD + LINE * len(panel.lines) + 18


def _panel(panel: IntervalPanel, top: float) -> Iterator[Element]:
    least, most = panel.scale
    end = WIDTH - 24 - SIGN * max((len(_figure(line)) for line in panel.lines), default=0)
    bottom = top + HEAD + LINE * len(panel.lines)

    def across(value: float) -> float:
        return round(LEFT + (value - least) / (most - least) * (end - LEFT), 2)

    yield element("text", *wrapped(panel.score, 90), class_="head", x=14, y=top + 16)
    for value in ticks(least, most):
        x = across(value)
        yield element("line", class_="axis", x1=x, x2=x, y1=top + HEAD - 8, y2=bottom)
        yield element("text", f"{value:g}", class_="soft", x=x, y=bottom + 12, text_anchor="middle")
    for place, line in enumerate(panel.lines):
        y = top + HEAD + LINE * place + 8
        told = element("title", f"{line.name}: {_figure(line)}")
        name = wrapped(line.name, SIGNS)
        red = {"class_": "warning"} if is_unsafe(line.name) else {}
        yield element("text", told, *name, x=LEFT - 12, y=y + 4, text_anchor="end", **red)
        if line.low is not None and line.high is not None:
            ends = {"x1": across(line.low), "x2": across(line.high)}
            yield element("line", class_="sure", y1=y, y2=y, **ends)
        if line.mean is not None:
            yield element("circle", told, class_="mean", cx=across(line.mean), cy=y, r=4.5)
        yield element("text", _figure(line), class_="soft", x=end + 12, y=y + 4)


def _figure(line: IntervalLine) -> str:
    if line.mean is None:
        return "no score"
    if line.low is None or line.high is None:
        return f"{line.mean:.3f}"
    return f"{line.mean:.3f} ({line.low:.3f} to {line.high:.3f})"
