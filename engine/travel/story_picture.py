"""A story as a picture in SVG: time to the right, a line for each character, lines side by side where
people are together. Where an event is chosen, the lines of those who know of it are coloured from then on,
with an arrow from teller to told. It says the same in words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from whoknew.engine.travel.gatherings import Gathering
from whoknew.engine.travel.lifelines import Column
from whoknew.engine.travel.people import colour, initials
from whoknew.engine.travel.story_drawing import Drawing
from whoknew.engine.travel.story_shapes import (
    LETTER,
    Box,
    Frame,
    LinePiece,
    is_private,
    path,
    short_name,
    spread,
    within,
    written,
)
from whoknew.engine.travel.story_style import STYLE
from whoknew.engine.travel.story_words import sentences
from whoknew.engine.travel.svg import Element, element, labelled, wrapped

LANE, TOP, FOOT = 24, 84, 52
NARROWEST, WIDEST = 900, 6000
STEP, EVENT = 26, 4.0
"""How wide a picture is for each column, and at least for each event that is drawn."""

NARROWEST_BAND = 3
"""Points that an episode has on the average: with less, episodes are not told apart."""

SMALL_TOP, NARROW = 34, 700
"""Of a picture in a page: where its lines begin, and below which width there are no names."""


def picture(drawing: Drawing) -> str:
    """The text of an SVG file, for light and dark screens."""
    return f"{StoryPicture(drawing).drawn()}\n"


class StoryPicture:
    """What is drawn, in points: `box` is where the lines run."""

    def __init__(self, drawing: Drawing, frame: Frame | None = None) -> None:
        self._drawing, self._lines, self._frame = drawing, drawing.lines, frame
        self._known = {one.character: one for one in drawing.fact.learnt} if drawing.fact else {}
        columns = drawing.lines.columns
        self._there = [frozenset(n for one in c.together for n in one.people) for c in columns]
        self._hidden = [frozenset(n for one in c.together for n in one.hidden) for c in columns]
        self._firsts = [column.first for column in columns]
        self._row = {name: place for place, name in enumerate(self._lines.people)}
        self._names = self._named()
        side = round(20 + LETTER * max(map(len, self._names.values()), default=0))
        rows = self._lines.lowest - self._lines.highest + 1
        self._width = frame.width if frame else self._fitting(side)
        top = TOP if frame is None else SMALL_TOP
        self._lane = LANE if frame is None else within(9, (frame.height - top - 12) / rows, LANE)
        bottom = top + self._lane * rows
        self.box = Box(
            side, max(side + 60, self._width - (side if frame is None else 8)), top, bottom
        )
        self.size = self._width, round(bottom + (FOOT if frame is None else 8))
        self._scale = (self.box.right - self.box.left) / max(1, drawing.upto - drawing.after)

    def _named(self) -> dict[str, str]:
        if self._frame is not None and self._frame.width < NARROW:
            letters = initials(self._drawing.characters)
            return {name: letters.get(name) or short_name(name) for name in self._row}
        return {name: short_name(name) for name in self._row}

    def _fitting(self, side: int) -> int:
        """So wide that nothing has to be guessed, as far as a wall is wide."""
        columns = STEP * len(self._lines.columns)
        events = (
            EVENT * (self._drawing.upto - self._drawing.after) if self._drawing.happenings else 0
        )
        return round(within(NARROWEST, 2 * side + max(columns, events), WIDEST))

    def drawn(self) -> Element:
        return labelled(
            self._title(),
            " ".join(sentences(self._drawing)),
            STYLE,
            self.size,
            *(self._heading() if self._frame is None else ()),
            *self._episodes(),
            *self._scenes(),
            *(part for name in self._row for part in self._line(name)),
            *self._said(),
            *self._learnt(),
            *self._labels(),
            *(self._legend() if self._frame is None else ()),
        )

    def _title(self) -> str:
        drawing = self._drawing
        whose = f", as {drawing.character} perceived it" if drawing.character else ""
        return f"{drawing.title}{whose}"

    def _heading(self) -> Iterator[Element]:
        drawing, columns = self._drawing, int((self._width - 28) // 8)
        title = element("title", self._title())
        yield element("text", title, *wrapped(self._title(), columns), class_="head", x=14, y=24)
        under = f"{drawing.world} at #{drawing.cursor}"
        if fact := drawing.fact:
            of = f" (of {fact.meant:,} found)" if fact.meant > 1 else ""
            under = f"Who knows of #{fact.event}{of}: {fact.text}"
        title = element("title", under)
        yield element("text", title, *wrapped(under, columns + 20), class_="soft", x=14, y=44)

    def _episodes(self) -> Iterator[Element]:
        """Bands behind the lines, with their numbers."""
        box = self.box
        if len(self._drawing.episodes) * NARROWEST_BAND > box.right - box.left:
            return
        for episode in self._drawing.episodes:
            begins = self._x(episode.first - 1)
            ends = self._x(self._drawing.upto if episode.last is None else episode.last)
            words = f"E{episode.number} {episode.name}".strip()
            title = element("title", words)
            band = {"x": begins, "y": box.top - 14, "width": max(1.0, ends - begins)}
            height = box.bottom - box.top + 22
            if episode.number % 2:
                yield element("rect", title, class_="band", height=height, **band)
            yield element(
                "line", class_="episode", x1=begins, x2=begins, y1=box.top - 14, y2=box.bottom + 8
            )
            fits = int((ends - begins - 4) // LETTER)
            if fits >= len(f"E{episode.number}"):
                label = wrapped(words, fits)[0] if fits >= 8 else f"E{episode.number}"
                yield element("text", title, label, class_="soft", x=begins + 3, y=box.top - 20)

    def _scenes(self) -> Iterator[Element]:
        """A shape behind those who are together, with the place."""
        for column, last, one in self._gatherings():
            heights = [
                height
                for name in one.people
                if (height := self._height_of(column, name)) is not None
            ]
            if len(heights) < 2:
                continue
            begins, ends = self._x(column.first - 1), self._x(last)
            edge = self._lane / 3
            top, bottom = self._y(min(heights)) - edge, self._y(max(heights)) + edge
            place = one.place or ""
            says = f"{place}: {', '.join(one.people)}" if place else ", ".join(one.people)
            inset = min(3.0, (ends - begins) / 4)
            yield element(
                "rect",
                element("title", says),
                class_="scene",
                x=begins + inset,
                y=top,
                width=max(1.0, ends - begins - 2 * inset),
                height=bottom - top,
                rx=7,
            )
            fits = max(1, int((ends - begins - 12) // 5.6))
            if place and wrapped(place, fits) == [place]:
                yield element("text", place, class_="soft small on", x=begins + 8, y=bottom + 10)

    def _gatherings(self) -> Iterator[tuple[Column, int, Gathering]]:
        """Each, from the column where it begins to the event where it ends."""
        open_: dict[tuple[int, Gathering], tuple[Column, int]] = {}
        for column in self._lines.columns:
            going = {}
            for one in column.together:
                key = (column.episode, one)
                begun = open_.pop(key, None)
                same = begun is not None and begun[1] == column.first - 1
                same = same and self._stays(begun[0], column, one) if begun else False
                if begun is not None and not same:
                    yield *begun, one
                going[key] = (begun[0] if begun is not None and same else column, column.last)
            for (_, one), begun in open_.items():
                yield *begun, one
            open_ = going
        for (_, one), begun in open_.items():
            yield *begun, one

    def _stays(self, before: Column, now: Column, one: Gathering) -> bool:
        """Whether those who are together are as high as before."""
        rows = [self._row[name] for name in one.people if name in self._row]
        return all(before.heights[row] == now.heights[row] for row in rows)

    def _line(self, name: str) -> Iterator[Element]:
        """Thick where it is with others or at a place, thin where it is nowhere, dotted where it is
        hidden; coloured by what is known from then on."""
        place = self._drawing.characters.index(name) if name in self._drawing.characters else 0
        own = {} if self._drawing.fact else {"style": f"stroke: {colour(place)}"}
        title = element("title", name)
        pieces = self._pieces(name)
        begun = 0
        for end in range(1, len(pieces) + 1):
            if end < len(pieces) and pieces[end].style == pieces[begun].style:
                continue
            way = path(pieces[begun:end], pieces[begun - 1] if begun else None)
            yield element("path", title, class_=f"line {pieces[begun].style}", d=way, **own)
            begun = end

    def _pieces(self, name: str) -> list[LinePiece]:
        row, known = self._row[name], self._known.get(name)
        pieces = []
        for place, column in enumerate(self._lines.columns):
            height = column.heights[row]
            if height is None:
                continue
            base = "" if name in self._there[place] else " away"
            base += " hidden" if name in self._hidden[place] else ""
            y = self._y(height)
            begins, ends = self._x(column.first - 1), self._x(column.last)
            kind = "plain" if self._drawing.fact else "own"
            if known is None or known.at > column.last:
                pieces.append(LinePiece(begins, ends, y, kind + base))
                continue
            knows = f"knows {known.how}{base}"
            if known.at > column.first:
                middle = self._x(known.at)
                pieces.append(LinePiece(begins, middle, y, kind + base))
                begins = middle
            pieces.append(LinePiece(begins, ends, y, knows))
        return pieces

    def _said(self) -> Iterator[Element]:
        """Each thing that was said or done, on the line of who did it; what was private drawn apart."""
        for event in self._drawing.happenings:
            y = self._at(event.actor, event.seq)
            if y is None:
                continue
            x, private = self._x(event.seq), is_private(event)
            title = element(
                "title",
                f"#{event.seq} {wrapped(event.text, 160, 1)[0] if event.text.strip() else ''}",
            )
            if not private:
                yield element("circle", title, class_="said", cx=x, cy=y, r=1.7)
                continue
            for name in event.witnesses:
                other = self._at(name, event.seq)
                if name != event.actor and other is not None:
                    bow = 5 if other > y else -5
                    yield element(
                        "path",
                        class_="whisper",
                        d=f"M{written(x)} {written(y)}q{bow} {written((other - y) / 2)} 0 {written(other - y)}",
                    )
            yield element("circle", title, class_="private", cx=x, cy=y, r=2.6)

    def _learnt(self) -> Iterator[Element]:
        if not (fact := self._drawing.fact):
            return
        for one in fact.learnt:
            y = self._at(one.character, one.at)
            if y is None or not self._drawing.after < one.at <= self._drawing.upto:
                continue
            x = self._x(one.at)
            teller = self._at(one.by, one.at)
            false = " false" if one.how == "otherwise" else ""
            if teller is not None:
                down = 1 if y > teller else -1
                style = f"arrow{' doubtful' if one.doubt else ''}{false}"
                yield element(
                    "path",
                    class_=style,
                    d=f"M{written(x)} {written(teller)}V{written(y - 11 * down)}",
                )
                tip = f"M{written(x)} {written(y - 5 * down)}l-4 {-7 * down}h8z"
                yield element("path", class_=f"tip{false}", d=tip)
            style = f"node {one.how}" + (" open" if one.how == "present" and one.doubt else "")
            says = f"{one.character}: {one.how} at #{one.at}"
            yield element("circle", element("title", says), class_=style, cx=x, cy=y, r=4.5)
            yield element("text", f"#{one.at}", class_="small on", x=x + 6, y=y - 5)

    def _labels(self) -> Iterator[Element]:
        """The names: at the left of each line, or where it begins; of a picture of its own, at the right
        as well."""
        if not self._lines.columns:
            return
        first, last = self._lines.columns[0], self._lines.columns[-1]
        for name, y in self._beside(first):
            yield self._label(name, x=self.box.left - 8, y=y + 4, text_anchor="end")
        for name, row in self._row.items():
            some = (column for column in self._lines.columns if column.heights[row] is not None)
            begins = next(some, first)
            if begins is not first:
                y = self._y(begins.heights[row] or 0)
                yield self._label(name, class_="on", x=self._x(begins.first - 1), y=y - 4)
        if self._frame is None:
            for name, y in self._beside(last):
                yield self._label(name, x=self.box.right + 8, y=y + 4)

    def _beside(self, column: Column) -> Iterator[tuple[str, float]]:
        """Names beside a column, so far apart that each can be read."""
        found = [
            (height, name)
            for name in self._row
            if (height := self._height_of(column, name)) is not None
        ]
        heights = [self._y(height) for height, _ in sorted(found)]
        moved = spread(heights, min(11, self._lane), self.box.bottom)
        return ((name, round(y, 1)) for (_, name), y in zip(sorted(found), moved, strict=True))

    def _label(self, name: str, **where: str | float) -> Element:
        small = {"style": "font-size: 9.5px"} if self._lane < 11 else {}
        return element("text", element("title", name), self._names[name], **where, **small)

    def _legend(self) -> Iterator[Element]:
        y, x = self.box.bottom + 34, 20.0
        for style, text in self._signs():
            if style.startswith("node"):
                yield element("circle", class_=style, cx=x, cy=y - 4, r=4.5)
            elif style in ("private", "said"):
                yield element("circle", class_=style, cx=x, cy=y - 4, r=2.6)
            else:
                yield element("path", class_=style, d=f"M{written(x - 8)} {written(y - 4)}h16")
            yield element("text", text, class_="soft", x=x + 14, y=y)
            x += 34 + LETTER * len(text)

    def _signs(self) -> list[tuple[str, str]]:
        signs = [("line plain", "there"), ("line plain away", "elsewhere")]
        if any(one.hidden for column in self._lines.columns for one in column.together):
            signs.append(("line plain hidden", "unseen"))
        if any(map(is_private, self._drawing.happenings)):
            signs.append(("private", "in private"))
        if fact := self._drawing.fact:
            kinds = {one.how for one in fact.learnt}
            doubts = {one.how for one in fact.learnt if one.doubt}
            signs += [("node present", "was there")] if "present" in kinds else []
            signs += [("node present open", "left open")] if "present" in doubts else []
            signs += [("node told", "was told")] if "told" in kinds else []
            signs += [("arrow doubtful", "found, not declared")] if "told" in doubts else []
            signs += [("node otherwise", "told otherwise")] if "otherwise" in kinds else []
        return signs

    def _at(self, name: str | None, event: int) -> float | None:
        place = bisect_right(self._firsts, event)
        if name is None or not place:
            return None
        height = self._height_of(self._lines.columns[place - 1], name)
        return None if height is None else self._y(height)

    def _height_of(self, column: Column, name: str) -> float | None:
        row = self._row.get(name)
        return None if row is None else column.heights[row]

    def _x(self, event: float) -> float:
        return round(self.box.left + self._scale * (event - self._drawing.after), 1)

    def _y(self, height: float) -> float:
        return round(self.box.top + self._lane * (height - self._lines.highest + 0.5), 1)
