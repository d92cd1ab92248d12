"""The examples that TimeChara's authors show before a question: of each character at each of its moments
four questions with their replies, one of each type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from whoknew.eventlog.words import words
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.records import decoded, files_of
from whoknew.worlds.question import Question

GivenReply = tuple[str, str]
"""A question, and the reply to it."""

RUN = 6
"""So many words in a row of a summary give away what it tells of."""

_PAIR = re.compile(r"\s*Question:(.*?)\nResponse:(.*)", re.DOTALL)
_ALL = "at the end of the scene"
"""What stands for a moment that is the end of a book."""


class FewShotFile:
    """All examples of a file, or of the files of a folder, by whom and when they are for."""

    def __init__(self, path: Path) -> None:
        self._given: dict[str, tuple[GivenReply, ...]] = {}
        for file in files_of(path, "*.json"):
            told: dict[str, str] = decoded(file, dict[str, str], "file of TimeChara's examples")
            for key, text in told.items():
                self._given[_folded(key)] = tuple(_pairs(file, key, text))

    def of(self, character: str, moment: str) -> tuple[GivenReply, ...]:
        """Those of a character at a moment, such as "2nd-year / on halloween": none where it has none."""
        book, _, day = moment.partition("/")
        number = re.search(r"\d+", book)
        key = f"{character}-{number[0] if number else ''}-{day.strip() or _ALL}"
        return self._given.get(_folded(key), ())

    def of_others(self, characters: Sequence[str]) -> tuple[GivenReply, ...]:
        """The first of somebody who is none of these."""
        known = tuple(f"{_folded(one)}-" for one in characters)
        return next((some for key, some in self._given.items() if not key.startswith(known)), ())


def _folded(key: str) -> str:
    return " ".join(key.casefold().split())


def _pairs(file: Path, key: str, text: str) -> Iterator[GivenReply]:
    for part in text.split("\n***\n"):
        found = _PAIR.fullmatch(part)
        if found is None or not all(one.strip() for one in found.groups()):
            raise BadSource(f"{file}: {key!r} holds no question with its reply: {part[:60]!r}")
        reply = {"answer": found[2].strip(), "rests_on": list[int]()}
        yield found[1].strip(), msgspec.json.encode(reply).decode()


class ShownExamples:
    """Which examples are shown before the questions of a series: the authors' for that character at that
    moment. In the place of one that tells of a scene which it cannot know then stands the one of the same
    type from another series, where there is any, and where that tells nothing either."""

    def __init__(
        self,
        given: FewShotFile,
        characters: Sequence[str],
        summaries: Sequence[str],
        known: Callable[[str, str], set[int]],
    ) -> None:
        """Of the series its main characters, what is told of its scenes, and which of those, by number,
        somebody knows at a moment."""
        self._given, self._known = given, known
        self._telltales = Telltales(summaries)
        self._others = given.of_others(characters)
        self._shown: dict[tuple[str, str], tuple[GivenReply, ...]] = {}
        self._tell = self._lack = 0

    def before(self, one: Question) -> Question:
        """A question with its examples."""
        moment = (one.character, str(one.labels["point"]))
        if moment not in self._shown:
            self._shown[moment] = tuple(self._fitting(*moment))
        return replace(one, examples=self._shown[moment])

    def _fitting(self, character: str, moment: str) -> Iterator[GivenReply]:
        known, own = self._known(character, moment), self._given.of(character, moment)
        self._lack += not own
        for place, pair in enumerate(own or self._others):
            some = [pair, *self._others[place : place + 1]]
            quiet = [one for one in some if self._telltales.told(" ".join(one)) <= known]
            self._tell += pair not in quiet
            yield from quiet[:1]

    def remarks(self) -> Iterator[str]:
        """What of the authors' examples is not shown."""
        if self._tell:
            yield f"{self._tell:,} tell of what their character cannot know then, and are not shown"
        if self._lack:
            yield f"{self._lack:,} moments have none of their own: those of another series are shown"


class Telltales:
    """Rows of words that stand in one summary only."""

    def __init__(self, summaries: Sequence[str]) -> None:
        self._rows: dict[tuple[str, ...], int] = {}
        often: set[tuple[str, ...]] = set()
        for number, text in enumerate(summaries):
            for row in set(_rows(text)):
                if self._rows.setdefault(row, number) != number:
                    often.add(row)
        for row in often:
            del self._rows[row]

    def told(self, text: str) -> set[int]:
        """Of which of them, by number, a text tells."""
        return {self._rows[row] for row in _rows(text) if row in self._rows}


def _rows(text: str) -> Iterator[tuple[str, ...]]:
    spoken = words(text)
    for start in range(len(spoken) - RUN + 1):
        yield tuple(spoken[start : start + RUN])
