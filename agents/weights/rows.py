"""What a character lived through as rows to train a model on: episode by episode, from its view alone.

A row is what somebody says to a model and what it is to answer. There are two sorts: `dialogue`, a line
and the line that came after it, and `statement`, the beginning of a sentence and its last words. Rows of
an episode are made of its own events and nothing else, so that no row changes by what comes later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from whoknew.agents.lines import Line, line
from whoknew.agents.models.model import Message
from whoknew.agents.prompts.text import filled
from whoknew.eventlog import Event
from whoknew.eventlog.words import sentences

Sort = Literal["dialogue", "statement"]

SORTS: tuple[Sort, ...] = ("dialogue", "statement")

FEWEST = 4
"""Words. A shorter sentence says too little for its end to follow from its beginning."""

ENDS = 4
"""Words, at most a third of a sentence: so much of it is asked for."""


class Row(Struct, frozen=True):
    """`asked` and `reply`, of an episode by its character's own count, and the `place` in the view of
    what the reply says."""

    sort: Sort
    episode: int
    asked: str
    reply: str
    place: int


class EpisodeRows(Struct, frozen=True):
    """The rows of one episode, and the places of the view that they rest on."""

    number: int
    rows: tuple[Row, ...]
    places: tuple[int, ...]


def rows_of(events: Iterable[Event], sorts: Sequence[Sort] = SORTS) -> list[EpisodeRows]:
    """The rows of a view's events, from its first one on."""
    return [_rows(number, lines, sorts) for number, lines in _episodes(events)]


def chat(who: str, row: Row) -> tuple[Message, Message, Message]:
    """A row as a chat: whom the model is to be, what it is asked, what it answers."""
    return (*question(who, row.asked), Message("assistant", row.reply))


def question(who: str, asked: str) -> tuple[Message, Message]:
    """What a model is asked that was trained on rows, in the form that they have."""
    return Message("system", filled("lived", name=who)), Message("user", asked)


def encoded(who: str, row: Row) -> bytes:
    """A row as a line of a file, in the form in which others train: `messages`, and what it is of."""
    known: dict[str, Any] = {"messages": chat(who, row), "sort": row.sort, "episode": row.episode}
    return msgspec.json.encode(known)


def _episodes(events: Iterable[Event]) -> Iterator[tuple[int, list[Line]]]:
    """The lines of each episode; what stands outside of episodes belongs to none."""
    number, world_episode, lines = 0, 0, list[Line]()
    for place, event in enumerate(events, 1):
        if not event.episode:
            continue
        if event.episode != world_episode:
            if lines:
                yield number, lines
            number, world_episode, lines = number + 1, event.episode, []
        if told := line(place, event):
            lines.append(told)
    if lines:
        yield number, lines


def _rows(number: int, lines: Sequence[Line], sorts: Sequence[Sort]) -> EpisodeRows:
    rows = [row for at in range(len(lines)) for row in _of_line(number, lines, at, sorts)]
    return EpisodeRows(number, tuple(rows), tuple(one.place for one in lines))


def _of_line(number: int, lines: Sequence[Line], at: int, sorts: Sequence[Sort]) -> Iterator[Row]:
    now = lines[at]
    if "dialogue" in sorts and at and now.act and now.text:
        yield Row("dialogue", number, lines[at - 1].unnumbered, now.unnumbered, now.place)
    if "statement" in sorts and not now.written:
        for sentence in sentences(now.text):
            words = sentence.split()
            if len(words) >= FEWEST:
                ends = min(ENDS, max(1, len(words) // 3))
                asked, reply = " ".join(words[:-ends]), " ".join(words[-ends:])
                yield Row("statement", number, _told(now.who, asked), reply, now.place)


def _told(who: str, asked: str) -> str:
    return f"{who}: {asked}" if who else asked
