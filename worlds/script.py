"""A script: a world written down as TOML, all that happens in it given line by line.

`worlds/library/lantern.toml` shows all that a script can say. A beat is one thing that happens:
who, and one of says, whispers, does, gestures, thinks, writes, reads, narrates, enters, leaves or
mark. A beat with a `label` can be named in a later one's `about`, and by a `what_if`.
"""

from __future__ import annotations

import re
import tomllib
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from whoknew.worlds.errors import BadScript

DEEDS = (
    "says",
    "whispers",
    "does",
    "gestures",
    "thinks",
    "writes",
    "reads",
    "narrates",
    "enters",
    "leaves",
    "mark",
)


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of a script; a key that it does not know is a mistake, and said to be one."""


class Person(Part, frozen=True):
    name: str
    description: str = ""


class Place(Part, frozen=True):
    name: str
    description: str = ""


class Relation(Part, frozen=True):
    of: str
    to: str
    relation: str


class Beat(Part, frozen=True):
    """One thing that happens. `at` is a time of the day, or a date and time."""

    at: str | None = None
    who: str | None = None
    to: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    label: str | None = None
    says: str | None = None
    whispers: str | None = None
    does: str | None = None
    gestures: str | None = None
    thinks: str | None = None
    writes: str | None = None
    reads: str | None = None
    narrates: str | None = None
    enters: Literal["openly", "hidden"] | None = None
    leaves: Literal[True] | None = None
    mark: str | None = None

    @property
    def deeds(self) -> tuple[str, ...]:
        """Which of the things that can happen are given: to be played, exactly one."""
        return tuple(deed for deed in DEEDS if getattr(self, deed) is not None)


class Scene(Part, frozen=True):
    """An episode as it is scripted. `cast` are those in the room when it opens."""

    scenario: str
    begins: datetime
    cast: tuple[str, ...]
    beats: tuple[Beat, ...]
    place: str | None = None
    goals: dict[str, str] = {}


class WhatIf(Part, frozen=True):
    """Another way on from just before the beat `instead_of`, to the end of its episode."""

    world: str
    instead_of: str
    beats: tuple[Beat, ...]


class Written(Part, frozen=True):
    """A script as its file has it."""

    world: str
    title: str
    begins: datetime
    characters: tuple[Person, ...]
    episodes: tuple[Scene, ...]
    seed: int = 0
    places: tuple[Place, ...] = ()
    relations: tuple[Relation, ...] = ()
    what_if: WhatIf | None = None


class Script(Written, frozen=True):
    """A script, and what its errors need to name the place: where it is from, and its text."""

    source: str = ""
    text: str = ""

    def place(self, key: str) -> str:
        """Where a key such as `episodes[0].beats[1]` stands, as errors say it."""
        return f"{self.source}{_line(self.text, key)}, at {key}"


def bundled(name: str) -> Script:
    """A script that comes with Whoknew."""
    return read(files("whoknew.worlds.library").joinpath(f"{name}.toml").read_text("utf-8"), name)


def load(path: Path) -> Script:
    try:
        return read(path.read_text("utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise BadScript(f"{path} cannot be read: {error}") from None


def read(text: str, source: str) -> Script:
    """The script in a text; `source` is what errors call it."""
    try:
        written = msgspec.convert(tomllib.loads(text), Written)
        return Script(**msgspec.structs.asdict(written), source=source, text=text)
    except tomllib.TOMLDecodeError as error:
        raise BadScript(f"{source} is not TOML: {error}") from None
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$.")
        key = path.rstrip("`") or "the top"
        raise BadScript(f"{source}{_line(text, key)}, at {key}: {what}") from None


def _line(text: str, key: str) -> str:
    """On which line a beat stands, where each has a line of its own."""
    found = re.match(r"(?:episodes\[(\d+)\]|what_if)\.beats\[(\d+)\]", key)
    if not found:
        return ""
    header = "[[episodes]]" if found[1] else "[what_if]"
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.strip() == header]
    chosen = int(found[1] or 0)
    if chosen >= len(starts):
        return ""
    beats = [number for number in range(starts[chosen], len(lines)) if _is_beat(lines[number])]
    place = int(found[2])
    return f", line {beats[place] + 1}" if place < len(beats) else ""


def _is_beat(line: str) -> bool:
    return line.lstrip().startswith("{")
