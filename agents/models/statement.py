"""What `offline:` makes of the lines that it is given; how it notes them in a summary, and reads that
again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from whoknew.agents.lines import Line

_NOTED = re.compile(r"^\[(\d{1,9})\] (.*)$", re.MULTILINE)
_JSON_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"')


class Statement(NamedTuple):
    """Who said or did what; nobody, where it is only told that somebody came, went or waited."""

    place: int
    who: str
    text: str


def statements(lines: Iterable[str]) -> Iterator[Statement]:
    """What lines tell. A summary tells what is noted in it."""
    for line in lines:
        if not isinstance(line, Line):
            continue
        if line.written:
            yield from _read(line.text)
        elif line.text:
            yield Statement(line.place, line.who, line.text)
        else:
            yield Statement(line.place, "", line.unnumbered)


def noted(statement: Statement) -> str:
    who = f"{statement.who}: " if statement.who else ""
    return f"[{statement.place}] {who}{msgspec.json.encode(statement.text).decode()}"


def _read(summary: str) -> Iterator[Statement]:
    """What was noted, also where it was cut short; of what somebody else wrote into it, the lines with a
    number."""
    for place, told in _NOTED.findall(summary):
        who, mark, rest = told.partition('"')
        quoted = _JSON_TEXT.match(mark + rest)
        try:
            text = msgspec.json.decode(quoted.group() if quoted else f'{mark}{rest}"', type=str)
        except msgspec.DecodeError:
            yield Statement(int(place), "", told)
        else:
            yield Statement(int(place), who.removesuffix(": "), text)
