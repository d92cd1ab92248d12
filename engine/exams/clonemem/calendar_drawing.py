"""The calendar of a life as a picture: week by week what was written, how it was inside, where arcs stood,
and when it was asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby

from whoknew.engine.exams.clonemem.life_calendar import DAYS, LifeCalendar, LifeWeek
from whoknew.engine.exams.page import link
from whoknew.engine.travel.svg import Element, element, picture, wrapped
from whoknew.eventlog.counted import counted

WIDTH, LEFT, RIGHT, TOP, ROW, INSIDE, GAP = 920, 150, 14, 46, 16, 64, 14
"""In pixels: the picture, what is beside and above its columns; a row, the curves of what is inside, and the
room between parts."""

SIGN = 6.6
"""Pixels of one sign of a text in a band."""

SHADES = 4
"""So many shades tell how much was written in a week."""

STYLE = """
text { font: 12px system-ui, "Segoe UI", Roboto, sans-serif; fill: #22251f }
.cal-paper { fill: #fff } .cal-head { font-weight: 600 } .cal-soft { fill: #666b60; font-size: 11px } .cal-in { font-size: 11px }
.cal-axis { stroke: #dfdbd0 } .cal-trace { fill: #3f8f5a } .cal-arc { fill: #3b6fb6 }
.cal-mood { fill: #7a6a4f } .cal-asked { fill: #a5459b } .cal-week { fill: transparent }
.cal-week:hover { fill: #8883 } .cal-energy, .cal-stress { fill: none; stroke-width: 1.6 }
.cal-energy { stroke: #3f8f5a } .cal-stress { stroke: #c23b3b; stroke-dasharray: 5 3 }
@media (prefers-color-scheme: dark) {
  text { fill: #e8e6dd } .cal-paper { fill: #181818 } .cal-soft { fill: #9fa497 }
  .cal-axis { stroke: #44483f } .cal-trace { fill: #6cc48c } .cal-arc { fill: #8ab4f8 }
  .cal-mood { fill: #c9b48c } .cal-asked { fill: #d98bd0 }
  .cal-energy { stroke: #6cc48c } .cal-stress { stroke: #ef8a80 }
}
"""

Asked = Mapping[date, tuple[str, int]]
"""The days on which it was asked: where the first question stands on the page, and how many there are."""


def svg(calendar: LifeCalendar, asked: Asked, viewer: str) -> bytes:
    """As the text of an SVG file. A week leads to its end in the viewer, a mark to what was asked then."""
    return _Calendar(calendar, asked, viewer).drawn()


class _Calendar:
    def __init__(self, calendar: LifeCalendar, asked: Asked, viewer: str) -> None:
        self._calendar, self._asked, self._viewer = calendar, asked, viewer
        self._weeks = calendar.weeks
        self._first = self._weeks[0].begins
        self._step = (WIDTH - LEFT - RIGHT) / len(self._weeks)
        self._written = TOP
        self._inside = self._written + ROW * len(calendar.media) + GAP
        self._arcs = self._inside + INSIDE + ROW + GAP
        self._end = self._arcs + ROW * len(calendar.arcs) + GAP

    def drawn(self) -> bytes:
        name = self._calendar.world
        parts = (*self._months(), *self._traces(), *self._moods(), *self._bands(), *self._links())
        head = element("text", *wrapped(name, 90), class_="cal-head", x=14, y=20)
        size = (WIDTH, self._end + ROW + 8)
        paper = element("rect", class_="cal-paper", width=size[0], height=size[1])
        told = " ".join(self._sentences())
        return picture(
            f"Calendar of {name}", told, STYLE, size, paper, head, *parts, *self._marks()
        )

    def _sentences(self) -> Iterator[str]:
        """To whoever cannot see it."""
        traces = sum(sum(week.traces.values()) for week in self._weeks)
        yield f"{len(self._weeks):,} weeks from {self._first}, {traces:,} traces."
        for arc in self._calendar.arcs:
            yield f"{arc}: {', then '.join(self._calendar.states(arc))}."

    def _across(self, week: float) -> float:
        return round(LEFT + week * self._step, 1)

    def _months(self) -> Iterator[Element]:
        """A line where a month begins, named where there is room."""
        room = -100.0
        for number, week in enumerate(self._weeks):
            if week.begins.day > DAYS:
                continue
            x = self._across(number)
            yield element("line", class_="cal-axis", x1=x, x2=x, y1=TOP - 6, y2=self._end)
            if x - room >= 52:
                told = f"{week.begins:%Y}-{week.begins:%m}"
                yield element("text", told, class_="cal-soft", x=x + 2, y=TOP - 8)
                room = x

    def _named(self, name: str, row: float) -> Element:
        return element(
            "text",
            element("title", name),
            *wrapped(name, 20),
            x=LEFT - 8,
            y=round(row + ROW - 4, 1),
            text_anchor="end",
        )

    def _traces(self) -> Iterator[Element]:
        """Of each medium a row: the darker, the more was written. A path for each shade keeps it small."""
        wide, high = round(max(self._step - 0.6, 0.8), 1), ROW - 3
        for place, medium in enumerate(self._calendar.media):
            row = self._written + ROW * place
            yield self._named(medium, row)
            counts = [week.traces.get(medium, 0) for week in self._weeks]
            most = max(counts)
            for shade in range(1, SHADES + 1):
                cells = [
                    f"M{self._across(number)} {row + 1}h{wide}v{high}h-{wide}z"
                    for number, count in enumerate(counts)
                    if count and -(-count * SHADES // most) == shade
                ]
                if cells:
                    yield element(
                        "path", class_="cal-trace", d="".join(cells), fill_opacity=shade / SHADES
                    )

    def _moods(self) -> Iterator[Element]:
        """Energy and stress as curves, and the emotion below them, as long as it lasts."""
        if all(week.energy is None and week.stress is None for week in self._weeks):
            return
        for name, label, place in (("energy", "energy ——", 0), ("stress", "stress - -", 1)):
            yield self._named(label, self._inside + ROW * place)
            values = [getattr(week, name) for week in self._weeks]
            yield element("path", class_=f"cal-{name}", d=self._curve(values))
        row = self._inside + INSIDE
        yield self._named("emotion", row)
        yield from self._runs([week.emotion for week in self._weeks], row, "cal-mood")

    def _curve(self, values: Sequence[float | None]) -> str:
        """From 0, at the foot, to 1; broken where nothing is known."""
        drawn, pen = [], "M"
        for number, value in enumerate(values):
            if value is None:
                pen = "M"
                continue
            height = round(self._inside + (1 - min(1.0, max(0.0, value))) * (INSIDE - 6), 1)
            drawn.append(f"{pen}{self._across(number + 0.5)} {height}")
            pen = "L"
        return "".join(drawn)

    def _bands(self) -> Iterator[Element]:
        for place, arc in enumerate(self._calendar.arcs):
            row = self._arcs + ROW * place
            yield self._named(arc, row)
            yield from self._runs([week.arcs.get(arc, "") for week in self._weeks], row, "cal-arc")

    def _runs(self, texts: Sequence[str], row: float, style: str) -> Iterator[Element]:
        """As long as a text stays the same, a band that says it; a new one is of another shade."""
        shades = {text: place for place, text in enumerate(dict.fromkeys(filter(None, texts)))}
        number = 0
        for text, same in groupby(texts):
            weeks = len(list(same))
            begins, x = self._weeks[number].begins, self._across(number)
            number += weeks
            if not text:
                continue
            wide = round(self._across(number) - x - 0.8, 1)
            told = element("title", f"{text}: from the week of {begins}, {weeks} weeks")
            shade = 0.15 + 0.11 * (shades[text] % 5)
            at = {"x": x, "y": row + 1, "width": max(wide, 0.8), "height": ROW - 3}
            yield element("rect", told, class_=style, fill_opacity=round(shade, 2), **at)
            signs = int(wide / SIGN) - 1
            if signs > 5:
                told_in = wrapped(text, signs)
                yield element("text", *told_in, class_="cal-in", x=x + 4, y=row + ROW - 4)

    def _links(self) -> Iterator[Element]:
        high = self._end - TOP
        for number, week in enumerate(self._weeks):
            at = {
                "x": self._across(number),
                "y": TOP,
                "width": round(self._step, 1),
                "height": high,
            }
            column = element("rect", element("title", _told(week)), class_="cal-week", **at)
            where = link(self._viewer, self._calendar.world, week.seq)
            yield element("a", column, href=where)

    def _marks(self) -> Iterator[Element]:
        """When it was asked, and how often: each leads to what."""
        if not self._asked:
            return
        yield self._named("asked", self._end)
        for day, (where, count) in sorted(self._asked.items()):
            x = self._across((day - self._first).days / DAYS)
            many = f"{counted(count, 'question')} on {day}"
            mark = element(
                "path",
                element("title", many),
                class_="cal-asked",
                d=f"M{x} {self._end + 2}l5 10h-10z",
            )
            yield element("a", mark, href=f"#{where}")


def _told(week: LifeWeek) -> str:
    """A week in words."""
    many = ", ".join(f"{count} {medium}" for medium, count in week.traces.items())
    parts = [f"the week of {week.begins}: {many or 'nothing written'}"]
    if week.energy is not None:
        parts.append(f"energy {week.energy:.2f}")
    if week.stress is not None:
        parts.append(f"stress {week.stress:.2f}")
    return "; ".join([*parts, *filter(None, [week.emotion])])
