"""A file of LIFESTATE-BENCH, read: whatever form its text allows, every mistake with its path.

The authors' file is not public. What their paper says of it leaves several readings open, so that the
same may be a list or an object, under one name or another; what is written down after that is the one
form that we write (`form.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from whoknew.eventlog.stores.store import is_name
from whoknew.worlds import json_lines
from whoknew.worlds.errors import BadDocument, BadSource, Mistake
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.lifestate.form import LifestateForm, PlayedEpisode, RoleCard
from whoknew.worlds.importers.lifestate.keys import CARD, EPISODE, PARTS, named
from whoknew.worlds.importers.lifestate.lines import LineReader
from whoknew.worlds.importers.lifestate.questions import QuestionReader, holds_questions
from whoknew.worlds.importers.lifestate.values import FormMistakes, items, name_of, text_of
from whoknew.worlds.importers.records import files_of
from whoknew.worlds.whole_file import whole

LARGEST = 200_000_000
"""Bytes of a file."""

WHOSE = ("background", "personality")
"""What no more than a role card has."""


def read(path: Path) -> tuple[LifestateForm, list[Remark]]:
    """The form in a file, or in the files of a folder together; a BadDocument lists all that is
    wrong."""
    found = FormMistakes([], [])
    parts: dict[str, list[tuple[str, Any]]] = {name: [] for name in PARTS}
    for file in files_of(path, "*.json"):
        for part, where, value in _parts(_data(file), file.name, found):
            parts[part].append((where, value))
    found.check()
    form = _Reader(found).form(parts)
    found.check()
    return form, found.remarks


def _data(file: Path) -> Any:
    try:
        raw = whole(file, LARGEST)
    except OSError as error:
        raise BadSource(f"{file} cannot be read: {error.strerror or error}") from None
    try:
        data = json_lines.decoded(raw)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise BadDocument(
            [Mistake(str(file), line, "", json_lines.what_is_no_json(error))]
        ) from None
    if wrong := list(json_lines.unfit(data)):
        raise BadDocument([Mistake(str(file), None, key, what) for key, what in wrong])
    return data


def _parts(data: Any, file: str, found: FormMistakes) -> Iterator[tuple[str, str, Any]]:
    """What a file holds: its parts by name, or one of them alone."""
    known = {key: named(key, PARTS) for key in data} if isinstance(data, dict) else {}
    if {"roles", "episodes", "questions"} & set(known.values()):
        for key, part in known.items():
            if part is None:
                found.odd(f"{file}: {key}", "is no part of the form: left out")
            else:
                yield part, f"{file}: {key}", data[key]
        return
    one = next((value for _, value in items(data)), None)
    keys = list(one) if isinstance(one, dict) else []
    if any(named(key, EPISODE) in ("dialogues", "narration") for key in keys):
        yield "episodes", file, data
    elif isinstance(one, str) or any(named(key, CARD) in WHOSE for key in keys):
        yield "roles", file, data
    elif holds_questions(one):
        yield "questions", file, data
    else:
        found.wrong(file, "holds neither episodes, nor roles, nor questions")


class _Reader:
    """Makes the form of what was found; each name as it is written first."""

    def __init__(self, found: FormMistakes) -> None:
        self._found = found
        self._names: dict[str, str] = {}

    def form(self, parts: Mapping[str, list[tuple[str, Any]]]) -> LifestateForm:
        roles = {
            name: card
            for where, value in parts["roles"]
            for name, card in self._roles(where, value)
        }
        episodes: dict[str, PlayedEpisode] = {}
        within: list[tuple[str, Any]] = []
        for where, value in parts["episodes"]:
            for place, (key, data) in enumerate(items(value), start=1):
                at = f"{where}.{key}" if isinstance(key, str) else f"{where}[{key}]"
                name, episode, asked = self._episode(at, key, place, data)
                if name in episodes:
                    self._found.wrong(at, f"is {name!r}, as an earlier episode is")
                episodes[name] = episode
                within += [(at, {name: asked})] if asked is not None else []
        if not episodes:
            self._found.wrong("episodes", "there are none: what was asked about is missing")
        reader = QuestionReader(self._found, self._names, episodes)
        questions = reader.read([*within, *parts["questions"]]) if episodes else {}
        title = next((text_of(value) for _, value in parts["title"]), None) or ""
        return LifestateForm(title=title, roles=roles, episodes=episodes, questions=questions)

    def _roles(self, where: str, value: Any) -> Iterator[tuple[str, RoleCard]]:
        for key, data in items(value):
            at = f"{where}.{key}" if isinstance(key, str) else f"{where}[{key}]"
            fields = self._found.fields(at, data, CARD) if isinstance(data, dict) else {}
            name = name_of(fields.get("name", key if isinstance(key, str) else None))
            if name is None or not is_name(name):
                self._found.wrong(at, "has no `name`: whose card is it?")
                continue
            name = self._names.setdefault(name.casefold(), name)
            if not isinstance(data, dict):
                fields = {"background": data}
            known = fields.get("relationships", "")
            relations: dict[str, str] | str = ""
            if isinstance(known, dict):
                relations = {
                    " ".join(other.split()): self._text(f"{at}.relationships.{other}", told)
                    for other, told in known.items()
                }
            else:
                relations = self._text(f"{at}.relationships", known)
            yield (
                name,
                RoleCard(
                    background=self._text(f"{at}.background", fields.get("background")),
                    personality=self._text(f"{at}.personality", fields.get("personality")),
                    relationships=relations,
                ),
            )

    def _episode(
        self, at: str, key: str | int, place: int, data: Any
    ) -> tuple[str, PlayedEpisode, Any]:
        if not isinstance(data, dict):
            data = {"dialogues": data}
        fields = self._found.fields(at, data, EPISODE)
        name = (key if isinstance(key, str) else text_of(fields.get("id"))) or f"E{place}"
        people = self._people(f"{at}.participants", fields.get("participants"))
        lines = LineReader(self._found, self._names, people)
        actions = list(lines.actions(f"{at}.actions", fields.get("actions")))
        spoken = list(lines.read(f"{at}.dialogues", fields.get("dialogues")))
        if not actions and not spoken:
            self._found.wrong(at, "has no `dialogues`: what is said in it?")
        episode = PlayedEpisode(
            title=self._text(f"{at}.title", fields.get("title")),
            location=self._text(f"{at}.location", fields.get("location")),
            time=self._text(f"{at}.time", fields.get("time")),
            narration=self._text(f"{at}.narration", fields.get("narration")),
            participants=tuple(people),
            dialogues=(*actions, *spoken),
        )
        return name, episode, fields.get("questions")

    def _people(self, at: str, value: Any) -> list[str]:
        some = value.split(",") if isinstance(value, str) else [one for _, one in items(value)]
        if isinstance(value, dict):
            some = list(value)
        found: list[str] = []
        for one in some:
            name = name_of(one)
            if name is None or not is_name(name):
                self._found.wrong(at, f"{one!r} is no name")
                continue
            name = self._names.setdefault(name.casefold(), name)
            if name not in found:
                found.append(name)
        return found

    def _text(self, at: str, value: Any) -> str:
        text = text_of(value)
        if text is None:
            self._found.wrong(at, f"is {repr(value)[:40]}, where a text should be")
        return text or ""
