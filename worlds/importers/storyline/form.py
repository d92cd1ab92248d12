"""The form of storylines: titles in story order, each a list of actions; and beside them the file that
says who the major characters are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import Acted, Became, Entered, Left, Narrated, Seen

FORMAT = "storyline"

ENVIRONMENT = "Environment"
NOBODY = {ENVIRONMENT, "Other", ""}
"""Whom a storyline names where no character acts."""

CHARACTERS = "all_characters.json"
"""The name of the file of casts."""

CAST, UNTOLD = "cast", "untold"
"""What stands beside the story of an imported world: its cast, and those of its actions that its events do
not tell as they were written, by their ids."""

_FILE = re.compile(r"^title2action_series\.")


class Step(msgspec.Struct, omit_defaults=True):
    """One action; the older form names one character, the newer several."""

    action: str
    characters: list[str] | None = None
    character: str | None = None

    @property
    def named(self) -> list[str]:
        return [*(self.characters or ()), *([self.character] if self.character else ())]

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for name in self.named if name not in NOBODY))


class Cast(msgspec.Struct, frozen=True):
    """The characters of a work."""

    major: tuple[str, ...] = ()
    minor: tuple[str, ...] = ()


Happened = Event | Draft
"""What happened in a world, or is about to."""

Story = Mapping[str, list[Step]]
"""A storyline: under each title what is done there."""


def work_of(path: Path) -> str:
    """What the storyline in a file is called."""
    return _FILE.sub("", path.stem)


def file_name(work: str) -> str:
    return f"title2action_series.{work}.json"


def step_of(event: Happened) -> Step | None:
    """An event as a storyline tells it; nothing where that has no place for it."""
    body, actor = event.body, event.actor
    if isinstance(body, Acted) and actor and body.text:
        people = [actor, *body.also]
        if body.act in ("speak", "leave"):
            return Step(f"{_listed(people)}: {body.text}", people)
        told = body.text if body.text.startswith(actor) else f"{actor} {body.text}"
        return Step(told, people)
    if isinstance(body, Narrated):
        return Step(f"[{body.text}]", [ENVIRONMENT])
    if isinstance(body, Entered | Left | Became | Seen) and body.words:
        return Step(f"[{actor or ''} {body.words}]".replace("[ ", "["), [ENVIRONMENT])
    return None


def _listed(names: list[str]) -> str:
    return " and ".join([*([", ".join(names[:-1])] if len(names) > 1 else ()), names[-1]])
