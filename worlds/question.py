"""A question to a character at a cursor, as data: what it asks, and what is known of the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from whoknew.eventlog.cursor import parse
from whoknew.eventlog.errors import BadCursor
from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.stores.store import is_name
from whoknew.worlds import json_lines
from whoknew.worlds.document import Fault, joined

MOST_CHOICES = 26

EventName = int | str
"""An event of the question's world: its seq, or the id that it had in its source."""


class Question(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`evidence` are sets of events on which a right answer rests. The character is told nothing but
    the question and the choices, and by the method few-shot its `examples`, questions with replies to
    them: `labels` and all else are for judges and tables."""

    world: str
    character: str
    at: str
    question: str
    kind: str
    reference: str | None = None
    choices: tuple[str, ...] = ()
    correct: str | None = None
    evidence: tuple[tuple[EventName, ...], ...] = ()
    labels: dict[str, Any] = {}
    asked_by: str | None = None
    cluster: str | None = None
    tags: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()

    @property
    def id(self) -> str:
        """A digest of all that it holds, whatever the order of its keys."""
        return sha256(msgspec.json.encode(self, order="sorted")).hexdigest()[:16]


class QuestionFile(Struct, frozen=True):
    """The questions of a file, and the line of each."""

    source: str
    questions: tuple[Question, ...]
    lines: tuple[int, ...]


def cluster_of(who: str, world: str) -> str:
    """What all questions to one character of a world share, or on one of its episodes: by both names, or,
    where those are longer than a name may be, by a digest of them."""
    named = f"{who}, {world}"
    return named if is_name(named) else sha256(named.encode()).hexdigest()[:16]


def read(path: Path) -> QuestionFile:
    """The questions in a file; a BadDocument lists all that is wrong. To be called on a thread."""
    rows = json_lines.read(path, Question, faults)
    lines, questions = zip(*rows, strict=True)
    return QuestionFile(str(path), questions, lines)


def write(path: Path, questions: Sequence[Question]) -> None:
    """A new file of them. To be called on a thread."""
    json_lines.write(path, questions)


def faults(one: Question) -> Iterator[Fault]:
    """What can be wrong with one whose every value is of the right type."""
    for key, name in _names(one):
        if not is_name(name):
            yield key, f"is {name!r}: use 1 to 200 printable characters, no space at either end"
    yield from _empty("question", one.question)
    if one.reference is not None and not one.reference.strip():
        yield "reference", "is empty: write it, or leave the key out"
    yield from _cursor(one.at)
    yield from _choices(one)
    yield from _repeated("tags", one.tags)
    for number, pair in enumerate(one.examples):
        for place, text in enumerate(pair):
            yield from _empty(f"examples[{number}][{place}]", text)
    for number, some in enumerate(one.evidence):
        yield from _evidence(f"evidence[{number}]", some)


def _names(one: Question) -> Iterator[tuple[str, str]]:
    yield from (("world", one.world), ("character", one.character), ("kind", one.kind))
    if one.asked_by is not None:
        yield "asked_by", one.asked_by
    if one.cluster is not None:
        yield "cluster", one.cluster
    yield from ((f"tags[{number}]", tag) for number, tag in enumerate(one.tags))
    yield from ((joined("labels", name), name) for name in one.labels)


def _empty(key: str, text: str) -> Iterator[Fault]:
    if not text.strip():
        yield key, "is empty: write it"


def _cursor(at: str) -> Iterator[Fault]:
    try:
        parse(at)
    except BadCursor as error:
        yield "at", str(error)


def _choices(one: Question) -> Iterator[Fault]:
    if len(one.choices) == 1:
        yield "choices", "has 1 choice, but needs 2 at least"
    if len(one.choices) > MOST_CHOICES:
        yield (
            "choices",
            f"has {len(one.choices)} choices, but may have {MOST_CHOICES}: one a letter",
        )
    for number, choice in enumerate(one.choices):
        yield from _empty(f"choices[{number}]", choice)
    yield from _repeated("choices", [" ".join(one.casefold().split()) for one in one.choices])
    if one.correct is not None and not one.choices:
        yield "correct", "is right of which? Give `choices`"
    elif one.correct is not None and one.correct not in one.choices:
        yield "correct", f"{one.correct!r} is no choice: {nearest(one.correct, one.choices)}"


def _repeated(key: str, texts: Sequence[str]) -> Iterator[Fault]:
    known: set[str] = set()
    for number, text in enumerate(texts):
        if text in known:
            yield f"{key}[{number}]", "is as an earlier one is: leave it out"
        known.add(text)


def _evidence(key: str, some: Sequence[EventName]) -> Iterator[Fault]:
    if not some:
        yield key, "is a set of no events: name some, or leave it out"
    for number, name in enumerate(some):
        if isinstance(name, int) and name < 1:
            yield f"{key}[{number}]", f"is {name}, but the first event of a world is 1"
        if isinstance(name, str):
            yield from _empty(f"{key}[{number}]", name)
