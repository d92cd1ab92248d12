"""Storylines as Bookmarks reads them: titles in story order, each a list of actions.

A storyline says who acts, not who is there: all who act under a title witness all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from whoknew.eventlog import Draft, Kind
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    Imported,
    Narrated,
    WorldOpened,
)
from whoknew.worlds.importers.imported import ImportedWorld, ImporterEntry, Remark
from whoknew.worlds.importers.records import decoded, files_of

FORMAT = "storyline"
BEGINS = datetime(2000, 1, 1, 12)
STEP, GAP = timedelta(seconds=20), timedelta(hours=1)
NOBODY = {"Environment", "Other", ""}
"""Whom a storyline names where no character acts."""

_FILE = re.compile(r"^title2action_series\.")


class Step(msgspec.Struct):
    """One action; the older form names one character, the newer several."""

    action: str
    characters: list[str] = []
    character: str = ""

    @property
    def people(self) -> tuple[str, ...]:
        named = [*self.characters, self.character]
        return tuple(dict.fromkeys(name for name in named if name not in NOBODY))


def worlds_of(path: Path) -> Iterator[ImportedWorld]:
    """A world for each storyline: a file, or those in a folder."""
    yield from map(world_of, files_of(path, "title2action_series.*.json"))


def world_of(path: Path) -> ImportedWorld:
    """The storyline in a file as a world."""
    story = decoded(path, dict[str, list[Step]], "storyline: titles, each with a list of actions")
    work = _FILE.sub("", path.stem)
    everybody = dict.fromkeys(
        name for steps in story.values() for one in steps for name in one.people
    )
    drafts = [Draft(WorldOpened(work, planned=len(story)), BEGINS)]
    drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in everybody]
    at = BEGINS
    for number, (title, steps) in enumerate(story.items(), start=1):
        drafts += _episode(number, title, steps, at)
        at = (drafts[-1].at or at) + GAP
    drafts.append(Draft(Imported(FORMAT, work)))
    remarks = (
        Remark(path.name, work, "has no clock: it begins at noon on 1 January 2000"),
        Remark(path.name, work, "does not say who is there: all who act under a title witness it"),
    )
    return ImportedWorld(f"storyline-{_slug(work)}", tuple(drafts), remarks)


def _episode(number: int, title: str, steps: list[Step], at: datetime) -> Iterator[Draft]:
    there = tuple(dict.fromkeys(name for one in steps for name in one.people))

    def draft(body: Kind, turn: int, actor: str | None = None) -> Draft:
        source = f"{title}#{turn}" if turn else title
        when = at + turn * STEP
        return Draft(
            body,
            at=when,
            episode=number,
            turn=turn,
            actor=actor,
            place=None,
            witnesses=there,
            source=source,
        )

    yield draft(EpisodeOpened(title, there, "as-written", name=title), 0)
    for turn, one in enumerate(steps, start=1):
        people = one.people
        if not people:
            yield draft(Narrated(one.action.strip("[]")), turn)
            continue
        speaker, colon, words = one.action.partition(": ")
        spoken = colon and set(re.split(r", | and ", speaker)) <= set(people)
        body = Acted(words) if spoken else Acted(one.action, "action")
        yield draft(msgspec.structs.replace(body, also=people[1:]), turn, people[0])
    yield draft(EpisodeClosed("the title ends"), len(steps))


def _slug(work: str) -> str:
    return re.sub(r"[^\w]+", "-", work.casefold()).strip("-") or "storyline"


class StorylineEntry(ImporterEntry, frozen=True):
    """storylines, as Bookmarks reads them"""

    def read(self, path: Path) -> Iterator[ImportedWorld]:
        return worlds_of(path)
