"""How one event came to be known, as a picture: time to the right, a line for each character, an
arrow for each telling."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from whoknew.engine.errors import BadQuestion
from whoknew.engine.opening import check_picture
from whoknew.engine.travel.knows import Matrix
from whoknew.engine.travel.spread import Spread, Told, spread, was_found
from whoknew.engine.travel.svg import Element, element, labelled, wrapped
from whoknew.eventlog import Event, Known, Log
from whoknew.eventlog.archive import becoming
from whoknew.eventlog.cursor import AtSeq, When

TOP, STEP, LANE = 112, 92, 34
"""Where the lines of characters begin, below the words of the event; from one telling to the next; from
line to line."""

NARROWEST = 380
"""So that the words and the legend have room."""

SIGN = 126
"""From one sign of the legend to the next."""

NAME, LETTER = 20, 8
"""Columns that a name may take, and how wide a letter is. Titles give what is cut."""

STYLE = """
text { font: 12px system-ui, "Segoe UI", Roboto, sans-serif; fill: #22251f }
.paper { fill: #faf8f3 } .head { font-size: 13.5px }
.soft { fill: #666b60 } .small { font-size: 10.5px }
.lane { stroke: #dfdbd0; stroke-dasharray: 2 4 } .then { stroke: #dfdbd0 }
.knows, .arrow { fill: none; stroke-width: 2 }
.knows.present { stroke: #2f7d54 } .knows.told, .arrow { stroke: #a86a00 }
.arrow.found { stroke-dasharray: 5 3 } .arrow.false, .node.false { stroke: #a5302a } .tip.false { fill: #a5302a }
.node.false { fill: #faf8f3 } .node { stroke-width: 2 } .node.present { fill: #2f7d54; stroke: #2f7d54 }
.node.told { fill: #a86a00; stroke: #a86a00 } .tip { fill: #a86a00 }
.node.open { fill: #faf8f3 } .node.absent { fill: #faf8f3; stroke: #a5302a }
@media (prefers-color-scheme: dark) {
  text { fill: #e8e6dd } .paper { fill: #161814 } .soft { fill: #9fa497 }
  .lane, .then { stroke: #363a32 }
  .knows.present { stroke: #74c594 } .knows.told, .arrow { stroke: #e0a83e }
  .node.present { fill: #74c594; stroke: #74c594 } .node.told { fill: #e0a83e; stroke: #e0a83e }
  .tip { fill: #e0a83e } .node.open { fill: #161814 } .node.absent, .node.false { fill: #161814; stroke: #ef8a80 }
  .arrow.false { stroke: #ef8a80 } .tip.false { fill: #ef8a80 }
}
"""


async def draw(log: Log, found: Matrix, file: Path, *, recorded_at: When | None = None) -> None:
    """Draw the one event that was found into a new file: all of it or nothing; by tellings as sure as
    those that were asked for."""
    check_picture(file)
    if found.total != 1 or not found.rows:
        raise BadQuestion(
            f"a graph is of one event, and this finds {found.total:,}: name its seq, --about SEQ"
        )
    facts, event = found.facts, found.rows[0].event
    at = AtSeq(found.cursor)
    text = picture(
        await spread(log, facts.world, event.seq, at, sure=found.sure, recorded_at=recorded_at)
    )
    with becoming(file) as partial:
        partial.write_text(text, "utf-8")


def picture(found: Spread) -> str:
    """The picture as the text of an SVG file, for light and dark screens; it says in words what it
    shows."""
    return f"{_Picture(found).drawn()}\n"


def sentences(found: Spread) -> list[str]:
    """The same in words: who was there, then each telling."""
    there = ", ".join(_doubted(cell) for cell in found.present) or "nobody"
    words = [f"Present at {moment(found.event)}: {there}."]
    words += [_told(told) for told in found.tellings]
    if not found.tellings:
        words.append("Nobody is known to have been told of it.")
    if found.absent:
        words.append(f"Absent: {', '.join(found.absent)}.")
    words.append(
        f"Tellings that are not declared were looked for up to #{found.sought}."
        if found.sought
        else "Tellings that are not declared were not looked for: whoknew tellings does."
    )
    return words


def moment(event: Event) -> str:
    """Where an event stands, as cursors name it."""
    return f"#{event.seq} E{event.episode}.T{event.turn}" if event.episode else f"#{event.seq}"


def _doubted(cell: Known) -> str:
    return f"{cell.character} (left open: {cell.doubt})" if cell.doubt else cell.character


def _told(told: Told) -> str:
    teller = told.by or "a page"
    if told.unknowing:
        teller += ", who could not know of it,"
    if told.otherwise:
        misled = ", ".join(cell.character for cell in told.to)
        return f"{moment(told.speech)}: {teller} tells {misled} otherwise: {told.otherwise}."
    hearers = ", ".join(f"{cell.character} ({cell.how})" for cell in told.to)
    return f"{moment(told.speech)}: {teller} tells {hearers}."


class _Picture:
    def __init__(self, found: Spread) -> None:
        self._found = found
        self._since: dict[str, tuple[int, str]] = {}
        """Of each who is drawn, the column from which on it knows, and how."""
        for cell in found.present:
            self._since[cell.character] = 0, "present"
        for column, told in enumerate(found.tellings, start=1):
            if told.by is not None and (told.unknowing or told.otherwise):
                self._since.setdefault(told.by, (column, "absent"))
            for cell in told.to:
                self._since[cell.character] = column, "absent" if told.otherwise else "told"
        self._row = {name: row for row, name in enumerate(self._since)}
        longest = max((len(_short(name)) for name in self._row), default=0)
        self._left = 40 + LETTER * longest
        self._width = max(self._left + STEP * (len(found.tellings) + 1), NARROWEST)
        self._bottom = TOP + LANE * len(self._row)
        rows = -(-len(self._legend()) // max(1, self._width // SIGN))
        self._height = self._bottom + 18 + 20 * rows

    def drawn(self) -> Element:
        return labelled(
            f"How #{self._found.event.seq} came to be known",
            " ".join(sentences(self._found)),
            STYLE,
            (self._width, self._height),
            *self._heading(),
            *self._columns(),
            *(part for name in self._row for part in self._lane(name)),
            *self._tellings(),
            *self._nodes(),
            *self._legend_drawn(),
        )

    def _heading(self) -> Iterator[Element]:
        event = self._found.event
        head = f"{self._found.mark}: {event.text}" if self._found.mark else event.text
        for line, words in enumerate(wrapped(head, (self._width - 28) // LETTER, 3)):
            title = element("title", head)
            yield element("text", title, words, class_="head", x=14, y=22 + 17 * line)
        facts = self._found.facts
        where = f"At #{self._found.cursor} of {facts.title} ({facts.world})"
        yield element("text", *wrapped(where, self._width // 6), class_="soft small", x=14, y=74)

    def _columns(self) -> Iterator[Element]:
        """When each thing happened, above it."""
        for column, event in enumerate(
            [self._found.event, *(t.speech for t in self._found.tellings)]
        ):
            x = self._x(column)
            yield element("line", class_="then", x1=x, x2=x, y1=TOP - 14, y2=self._bottom)
            turn = f"E{event.episode}.T{event.turn}" if event.episode else f"{event.at:%d %b}"
            yield _middle(turn, x, TOP - 22, "soft small")

    def _lane(self, name: str) -> Iterator[Element]:
        """A character: dotted as long as it does not know, a line from then on."""
        y, (column, how) = self._y(name), self._since[name]
        title, label = element("title", name), _short(name)
        yield element("text", title, label, x=self._left - 14, y=y + 4, text_anchor="end")
        end = self._width - 24
        yield element("line", class_="lane", x1=self._left, x2=end, y1=y, y2=y)
        if how != "absent":
            yield element("line", class_=f"knows {how}", x1=self._x(column), x2=end, y1=y, y2=y)

    def _tellings(self) -> Iterator[Element]:
        for column, told in enumerate(self._found.tellings, start=1):
            if told.by is None:
                continue
            x, begins = self._x(column), self._y(told.by)
            for cell in told.to:
                ends = self._y(cell.character)
                down = 1 if ends > begins else -1
                tip = ends - 7 * down
                style = "arrow found" if was_found(cell) else "arrow"
                false = " false" if told.otherwise else ""
                way = f"M{x} {begins}V{tip - 6 * down}"
                yield element("path", class_=f"{style}{false}", d=way)
                yield element("path", class_=f"tip{false}", d=f"M{x} {tip}l-5 {-8 * down}h10z")

    def _nodes(self) -> Iterator[Element]:
        for cell in self._found.present:
            style = "node present open" if cell.doubt else "node present"
            why = f"{cell.character}: present at {moment(self._found.event)}"
            why += f", left open: {cell.doubt}" if cell.doubt else ""
            yield from self._node(0, cell.character, style, why, f"#{self._found.event.seq}")
        for column, told in enumerate(self._found.tellings, start=1):
            why = f"{_told(told)} {told.speech.text}"
            if told.by is not None:
                style = "node absent" if told.unknowing else f"node {self._since[told.by][1]}"
                y = self._y(told.by)
                title = element("title", why)
                yield element("circle", title, class_=style, cx=self._x(column), cy=y, r=4)
            for cell in told.to:
                at = f"#{told.speech.seq} {cell.how}" if was_found(cell) else f"#{told.speech.seq}"
                style = "node false" if told.otherwise else "node told"
                yield from self._node(column, cell.character, style, why, at)

    def _node(self, column: int, name: str, style: str, why: str, at: str) -> Iterator[Element]:
        """Where somebody came to know of it, with its cursor."""
        x, y = self._x(column), self._y(name)
        yield element("circle", element("title", why), class_=style, cx=x, cy=y, r=6)
        yield element("text", at, class_="small", x=x + 10, y=y - 6)

    def _legend(self) -> list[tuple[str, str]]:
        """The signs that are used, with their meaning, and how many never came to know of it."""
        found = self._found
        told = [cell for one in found.tellings if not one.otherwise for cell in one.to]
        false = any(one.otherwise for one in found.tellings)
        parts = [
            ("node present", "was there", any(not cell.doubt for cell in found.present)),
            ("node present open", "left open", any(cell.doubt for cell in found.present)),
            ("node told", "was told", bool(told)),
            ("arrow found", "found, not declared", any(map(was_found, told))),
            ("node false", "told otherwise", false),
            ("node absent", "could not know", any(one.unknowing for one in found.tellings)),
            ("", f"{len(found.absent):,} absent", bool(found.absent)),
        ]
        return [(style, text) for style, text, used in parts if used]

    def _legend_drawn(self) -> Iterator[Element]:
        across = max(1, self._width // SIGN)
        for place, (style, text) in enumerate(self._legend()):
            x = 20 + SIGN * (place % across)
            y = self._bottom + 26 + 20 * (place // across)
            if style.startswith("node"):
                yield element("circle", class_=style, cx=x, cy=y - 4, r=5)
            elif style:
                yield element("path", class_=style, d=f"M{x - 6} {y - 4}h13")
            yield element("text", text, class_="soft small", x=x + 12, y=y)

    def _x(self, column: int) -> int:
        return self._left + 20 + STEP * column

    def _y(self, name: str) -> int:
        return TOP + LANE // 2 + LANE * self._row[name]


def _short(name: str) -> str:
    return "".join(wrapped(name, NAME))


def _middle(text: str, x: float, y: float, style: str) -> Element:
    return element("text", text, class_=style, x=x, y=y, text_anchor="middle")
