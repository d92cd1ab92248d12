"""The dialogue of an episode, in any form that it may have: line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from whoknew.eventlog.stores.store import is_name
from whoknew.worlds.importers.lifestate.form import PlayedLine
from whoknew.worlds.importers.lifestate.keys import LINE, named
from whoknew.worlds.importers.lifestate.values import FormMistakes, items, name_of, text_of

_SAID = re.compile(r"(?P<who>[^:\[\](){}\n]{1,80}?)\s*[:\uff1a](?P<text>.*\S)", re.DOTALL)
_DIRECTION = re.compile(r"[\[(](?P<text>[^\[\]()]*)[\])]")


class LineReader:
    """Of one episode. Who speaks takes part."""

    def __init__(self, found: FormMistakes, names: dict[str, str], people: list[str]) -> None:
        self._found, self._names, self._people = found, names, people

    def actions(self, at: str, value: Any) -> Iterator[PlayedLine]:
        """What is told to be done, nobody says when: before all that is said."""
        some = [value] if isinstance(value, str) else [one for _, one in items(value)]
        for number, one in enumerate(some):
            if text := text_of(one):
                yield PlayedLine(action=text)
            elif text is None:
                yield from self._line(f"{at}[{number}]", one)

    def read(self, at: str, value: Any) -> Iterator[PlayedLine]:
        if isinstance(value, str):
            value = [one for one in value.splitlines() if one.strip()]
        for key, one in items(value):
            yield from self._line(f"{at}[{key}]", one)

    def _line(self, at: str, value: Any) -> Iterator[PlayedLine]:
        match value:
            case str():
                yield from self._spelt(value)
            case [str() | list() as who, str() as text]:
                yield from self._said(at, who, text)
            case dict() if len(value) == 1 and self._is_person(next(iter(value))):
                [(who, text)] = value.items()
                yield from self._said(at, who, text)
            case dict():
                yield from self._object(at, value)
            case _:
                self._found.wrong(at, "is no line: it should have a `speaker` and a `text`")

    def _spelt(self, text: str) -> Iterator[PlayedLine]:
        """ "NAME: words", or a stage direction."""
        text = text.strip()
        if direction := _DIRECTION.fullmatch(text):
            yield PlayedLine(action=direction["text"].strip())
        elif said := _SAID.fullmatch(text):
            yield PlayedLine(speaker=self._person(said["who"]), text=said["text"].strip())
        elif text:
            yield PlayedLine(action=text)

    def _said(self, at: str, who: Any, text: Any) -> Iterator[PlayedLine]:
        yield from self._object(at, {"speaker": who, "text": text})

    def _object(self, at: str, value: dict[str, Any]) -> Iterator[PlayedLine]:
        fields = self._found.fields(at, value, LINE)
        given = fields.get("speaker", ())
        speakers = [name_of(one) for one in (given if isinstance(given, list) else [given]) if one]
        if None in speakers or any(not is_name(one or "") for one in speakers):
            self._found.wrong(f"{at}.speaker", f"{given!r} is no name")
            return
        who = tuple(dict.fromkeys(self._person(one) for one in speakers if one))
        heard = fields.get("heard_by")
        if heard is not None:
            if not isinstance(heard, list) or any(name_of(one) is None for one in heard):
                self._found.wrong(f"{at}.heard_by", "is no list of names")
                return
            heard = tuple(self._person(name_of(one) or "") for one in heard)
        told = {key: text_of(fields.get(key)) for key in ("text", "action")}
        if None in told.values() or not any(told.values()):
            self._found.wrong(at, "has no `text`: what is said, or done?")
            return
        if told["text"] and not who:
            self._found.wrong(at, "has no `speaker`: who says it?")
            return
        speaker = who[0] if len(who) == 1 else who
        if told["action"]:
            yield PlayedLine(speaker=speaker, action=told["action"], heard_by=heard)
        if told["text"]:
            yield PlayedLine(speaker=speaker, text=told["text"], heard_by=heard)

    def _is_person(self, key: str) -> bool:
        """Whether a key is a name, and none of those that a line has."""
        return " ".join(key.split()).casefold() in self._names or named(key, LINE) is None

    def _person(self, name: str) -> str:
        name = self._names.setdefault(" ".join(name.split()).casefold(), " ".join(name.split()))
        if name not in self._people:
            self._people.append(name)
        return name
