"""What a story is drawn of: pieces of lines, bent from one height to the next, in points."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from whoknew.engine.travel.svg import wrapped
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted

NAME, LETTER = 20, 6.6
"""Columns that a name may take, and how wide a letter is. Titles give what is cut."""

BEND = 11
"""Over how much room a line goes from one height to another, at most, to either side."""


class Box(NamedTuple):
    """Where the lines run: between these, in points. The page lays its cursor over them."""

    left: float
    right: float
    top: float
    bottom: float


class Frame(NamedTuple):
    """A part of a page, which says itself whose story it is: the picture fills it, as far as lines can
    still be told apart. Names are initials where there is little room."""

    width: int
    height: int


class LinePiece(NamedTuple):
    """A stretch of one line, at one height, of one kind."""

    begins: float
    ends: float
    height: float
    style: str


def path(pieces: Sequence[LinePiece], before: LinePiece | None) -> str:
    """From piece to piece, bent where the height is another."""
    first = pieces[0]
    if before is not None and before.height != first.height:
        drawn = f"M{written(before.ends - _room(before, first))} {written(before.height)}"
        drawn += _bend(before, first)
    else:
        drawn = f"M{written(first.begins)} {written(first.height)}"
    for one, other in pairwise(pieces):
        if one.height != other.height:
            drawn += f"H{written(one.ends - _room(one, other))}" + _bend(one, other)
    return drawn + f"H{written(pieces[-1].ends)}"


def _room(one: LinePiece, other: LinePiece) -> float:
    return min(BEND, (one.ends - one.begins) / 2, (other.ends - other.begins) / 2)


def _bend(one: LinePiece, other: LinePiece) -> str:
    middle, begins, ends = written(one.ends), written(one.height), written(other.height)
    return f"C{middle} {begins} {middle} {ends} {written(one.ends + _room(one, other))} {ends}"


def is_private(event: Event) -> bool:
    """What its actor thinks, writes, or says to some of those who are there alone."""
    body = event.body
    if not isinstance(body, Acted):
        return False
    return body.act == "none" or bool(
        body.to and set(event.witnesses) <= {event.actor, *body.also, *body.to}
    )


def within(least: float, wanted: float, most: float) -> float:
    return max(least, min(wanted, most))


def short_name(name: str) -> str:
    return (wrapped(name, NAME) or ["?"])[0]


def written(number: float) -> str:
    return f"{number:g}" if abs(number) < 100_000 else f"{number:.1f}"


def spread(heights: Sequence[float], gap: float, lowest: float) -> list[float]:
    """Heights in rising order, moved no further than it takes to lie so far apart."""
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + gap) if moved else height)
    for place in range(len(moved) - 1, -1, -1):
        most = lowest if place == len(moved) - 1 else moved[place + 1] - gap
        moved[place] = min(moved[place], most)
    return moved
