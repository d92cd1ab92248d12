"""Curves of an exam as a picture: a panel for each score, a line for each arm, over the episodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from whoknew.engine.exams.curves import EPISODE, CurvePoint, ExamCurve, scores_of
from whoknew.engine.exams.page import link
from whoknew.engine.exams.plots import plain, stacked
from whoknew.engine.exams.ticks import reach, ticks
from whoknew.engine.travel.svg import Element, element, picture, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT, LEFT, RIGHT, HEAD, FOOT = 760, 150, 50, 20, 26, 22
"""In pixels: the picture, and of a panel its drawing, and what stands beside, above and below that."""

LEGEND, COLUMNS, SIGNS = 18, 4, 24
"""A line of the names of arms; so many names a line, and so many signs of each."""

COLOURS = ("#3b6fb6", "#d1762b", "#3f8f5a", "#a5459b", "#7a6a4f", "#c23b3b", "#4f9aa8", "#8a8a2f")
DASHES = ("", "6 3", "6 3 1 3", "1 3")
"""Arms that come to the same are seen all the same."""

STYLE = """
text { font: 12px system-ui, "Segoe UI", Roboto, sans-serif; fill: #22251f }
.paper { fill: #fff } .head { font-weight: 600 } .soft { fill: #666b60; font-size: 11px }
.axis { stroke: #dfdbd0 } .part { fill: #888; opacity: .12 } .band { opacity: .15 }
.curve { fill: none; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #e8e6dd } .paper { fill: #181818 } .soft { fill: #9fa497 } .axis { stroke: #44483f }
}
"""


class Scale(Struct, frozen=True):
    """From which value to which a panel goes, and from which episode, or place on another axis, to which."""

    least: float
    most: float
    first: int
    last: int

    @classmethod
    def of(cls, curves: Sequence[ExamCurve], last: int) -> Scale:
        """`last` is the last episode of all panels; another axis has ends of its own."""
        points = [point for one in curves for point in one.points]
        ends = list(chain.from_iterable(filter(None, map(_band, points))))
        least, most = reach(ends, curves[0].scale)
        first = 1
        if curves[0].axis != EPISODE:
            places = [one.episode for one in points]
            first, last = min(places), max(places)
        return cls(least, most, first, last)

    def across(self, episode: float) -> float:
        width = WIDTH - LEFT - RIGHT
        share = (episode - self.first + 0.5) / (self.last - self.first + 1)
        return round(LEFT + share * width, 2)

    def down(self, value: float) -> float:
        return round(HEAD + (self.most - value) / (self.most - self.least) * HEIGHT, 2)


def svg(curves: Sequence[ExamCurve], viewer: str) -> bytes:
    """As the text of an SVG file. Each point leads to where its episode closed in the first of the
    worlds that it is made of."""
    arms = list(dict.fromkeys(one.arm for one in curves))
    panels = [[one for one in curves if one.score == score] for score in scores_of(curves)]
    parts = {
        one.episode: one.part
        for curve in reversed(curves)
        if curve.axis == EPISODE
        for one in curve.points
    }
    legend = LEGEND * -(-len(arms) // COLUMNS) + 10
    each = HEAD + HEIGHT + FOOT
    height = legend + each * len(panels)
    told = f"{NOTE}. " + " ".join(_sentence(one) for one in curves)
    drawn = (
        element(
            "g",
            *_panel(panel, arms, parts, viewer),
            transform=f"translate(0 {legend + each * place})",
        )
        for place, panel in enumerate(panels)
    )
    size = (WIDTH, height)
    return picture("Scores over episodes", told, STYLE, size, *_legend(arms), *drawn)


NOTE = "by episode, or by what stands below: the mean, and one standard error to each side"


def png(curves: Sequence[ExamCurve]) -> Figure:
    """The same by matplotlib."""
    from matplotlib.ticker import MaxNLocator

    scores = scores_of(curves)
    arms = list(dict.fromkeys(one.arm for one in curves))
    legend = 0.2 * -(-len(arms) // 4) + 0.1
    figure, axes = stacked(9, [2.3] * len(scores), left=0.6, above=0.05, below=legend)
    for score, axis in zip(scores, axes, strict=True):
        panel = [one for one in curves if one.score == score]
        scale = Scale.of(panel, 1)
        axis.set_title(plain(score), loc="left", y=1.0)
        axis.set_ylim(scale.least, scale.most)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        for one in panel:
            _axis(axis, one, arms.index(one.arm))
            axis.set_xlabel(one.axis if one.axis != EPISODE else "")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, ncols=4, loc="lower center")
    if curves[-1].axis == EPISODE:
        axes[-1].set_xlabel(EPISODE)
    return figure


def _axis(axis: Axes, curve: ExamCurve, place: int) -> None:
    colour, styles = COLOURS[place % len(COLOURS)], ("-", "--", "-.", ":")
    banded = [(one.episode, band) for one in curve.points if (band := _band(one))]
    axis.fill_between(
        [episode for episode, _ in banded],
        [low for _, (low, _) in banded],
        [high for _, (_, high) in banded],
        color=colour,
        alpha=0.12,
        linewidth=0,
    )
    known = [(one.episode, one.figure.mean) for one in curve.points if one.figure.mean is not None]
    axis.plot(
        [episode for episode, _ in known],
        [mean for _, mean in known],
        styles[place % len(styles)],
        color=colour,
        linewidth=1.2,
        label=plain(curve.arm),
    )


def _legend(arms: Sequence[str]) -> Iterator[Element]:
    for place, arm in enumerate(arms):
        row, column = divmod(place, COLUMNS)
        x, y = 14 + column * (WIDTH - 28) // COLUMNS, 16 + row * LEGEND
        yield element("line", x1=x, x2=x + 24, y1=y - 4, y2=y - 4, **_stroke(place))
        yield element("text", *wrapped(arm, SIGNS), x=x + 30, y=y)


def _panel(
    panel: Sequence[ExamCurve], arms: Sequence[str], parts: Mapping[int, str], viewer: str
) -> Iterator[Element]:
    """One score. `parts` are those of all episodes of the picture: its panels have one scale of them."""
    scale, axis = Scale.of(panel, max(parts, default=1)), panel[0].axis
    yield from _frame(panel[0].score, scale, parts if axis == EPISODE else {})
    yield from _places(scale, axis)
    for curve in panel:
        place = arms.index(curve.arm)
        yield from _bands(curve, scale, COLOURS[place % len(COLOURS)])
        points = [
            (scale.across(one.episode), scale.down(one.figure.mean), one)
            for one in curve.points
            if one.figure.mean is not None
        ]
        line = " ".join(f"{x},{y}" for x, y, _ in points)
        yield element("polyline", class_="curve", points=line, **_stroke(place))
        for x, y, point in points:
            yield _dot(curve, point, x, y, COLOURS[place % len(COLOURS)], viewer)


def _frame(score: str, scale: Scale, parts: Mapping[int, str]) -> Iterator[Element]:
    """The name of a score, its scale, and what part of its episodes is another than the first."""
    yield element("text", *wrapped(score, 90), class_="head", x=14, y=14)
    first = parts[min(parts)] if parts else ""
    for episode in sorted(one for one, part in parts.items() if part != first):
        x, end = scale.across(episode - 0.5), scale.across(episode + 0.5)
        told = element("title", parts[episode])
        width = round(end - x, 2)
        yield element("rect", told, class_="part", x=x, y=HEAD, width=width, height=HEIGHT)
    for value in ticks(scale.least, scale.most):
        y = scale.down(value)
        yield element("line", class_="axis", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y)
        yield element("text", f"{value:g}", class_="soft", x=LEFT - 8, y=y + 4, text_anchor="end")


def _places(scale: Scale, axis: str) -> Iterator[Element]:
    """The marks of what a panel goes along; its name, where that is not episodes."""
    y = HEAD + HEIGHT + 14
    for place in _marked(scale.first, scale.last):
        x = scale.across(place)
        yield element("text", _place(place, axis), class_="soft", x=x, y=y, text_anchor="middle")
    if axis != EPISODE:
        head = WIDTH - RIGHT
        yield element("text", *wrapped(axis, 60), class_="soft", x=head, y=14, text_anchor="end")


def _place(place: int, axis: str) -> str:
    return f"E{place}" if axis == EPISODE else f"{place}"


def _marked(first: int, last: int) -> list[int]:
    """The first place, the last, and round ones between them that do not stand in their way."""
    between = (int(one) for one in ticks(first, last, whole=True))
    near = (last - first + 1) / 16
    return list(
        dict.fromkeys((first, *(one for one in between if first <= one < last - near), last))
    )


def _bands(curve: ExamCurve, scale: Scale, colour: str) -> Iterator[Element]:
    banded = [(scale.across(one.episode), band) for one in curve.points if (band := _band(one))]
    if len(banded) > 1:
        edge = [(x, scale.down(high)) for x, (_, high) in banded]
        edge += [(x, scale.down(low)) for x, (low, _) in reversed(banded)]
        points = " ".join(f"{x},{y}" for x, y in edge)
        yield element("polygon", class_="band", points=points, fill=colour)


def _dot(
    curve: ExamCurve, point: CurvePoint, x: float, y: float, colour: str, viewer: str
) -> Element:
    where = _place(point.episode, curve.axis)
    told = element("title", f"{curve.arm}, {where}: {point.figure.mean:.3f}")
    dot = element("circle", told, cx=x, cy=y, r=2.5, fill=colour)
    return element("a", dot, href=link(viewer, *point.behind[0])) if point.behind else dot


def _stroke(place: int) -> dict[str, str | float]:
    dashes = DASHES[place % len(DASHES)]
    stroke: dict[str, str | float] = {"stroke": COLOURS[place % len(COLOURS)], "stroke_width": 1.5}
    return {**stroke, "stroke_dasharray": dashes} if dashes else stroke


def _band(point: CurvePoint) -> tuple[float, float] | None:
    """One standard error to each side; the mean alone where there is none. Nothing without a mean."""
    if point.figure.mean is None:
        return None
    error = point.figure.error or 0.0
    return point.figure.mean - error, point.figure.mean + error


def _sentence(curve: ExamCurve) -> str:
    known = [one for one in curve.points if one.figure.mean is not None]
    told = (f"{_place(one.episode, curve.axis)} {one.figure.mean:.3g}" for one in known)
    return f"{curve.score} of {curve.arm}: {', '.join(told)}."
