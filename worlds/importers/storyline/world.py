"""A world of a storyline: titles in story order become its episodes.

A storyline says who acts, not who is there: all who act under a title witness all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

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
from whoknew.eventlog.stores.store import is_name
from whoknew.worlds.importers.imported import ImportedWorld, Remark, world_named
from whoknew.worlds.importers.records import decoded, files_of
from whoknew.worlds.importers.storyline.form import (
    CAST,
    CHARACTERS,
    FORMAT,
    UNTOLD,
    Cast,
    Happened,
    Step,
    Story,
    file_name,
    step_of,
    work_of,
)

BEGINS = datetime(2000, 1, 1, 12)
STEP, GAP = timedelta(seconds=20), timedelta(hours=1)


def worlds_of(path: Path) -> Iterator[ImportedWorld]:
    """A world for each storyline: a file, or those in a folder."""
    yield from map(world_of, files_of(path, file_name("*")))


def world_of(path: Path) -> ImportedWorld:
    """The storyline in a file as a world; with its cast, where the file of casts stands beside it."""
    story = decoded(path, dict[str, list[Step]], "storyline: titles, each with a list of actions")
    work = work_of(path)
    cast = casts_in(path.parent).get(work)
    remarks = (
        Remark(path.name, work, "has no clock: it begins at noon on 1 January 2000"),
        Remark(path.name, work, "does not say who is there: all who act under a title witness it"),
        *(Remark(path.name, work, what) for what in _unaskable(story)),
    )
    return ImportedWorld(world_named(FORMAT, work), tuple(drafts_of(work, story, cast)), remarks)


def _unaskable(story: Story) -> Iterator[str]:
    """Whose names are none that a question, or a seat, can have."""
    acting = {name for steps in story.values() for one in steps for name in one.people}
    for name in sorted(name for name in acting if not is_name(name)):
        shown = name if len(name) <= SHOWN else f"{name[:SHOWN]}... ({len(name):,} characters)"
        yield f"nobody can be asked as {shown!r}: {NAMES}"


NAMES = "names are of 1 to 200 printable characters, with no space at either end"

SHOWN = 40
"""So much of a long name is shown."""


def drafts_of(work: str, story: Story, cast: Cast | None = None) -> list[Draft]:
    """All that happens in a storyline."""
    everybody = dict.fromkeys(
        name for steps in story.values() for one in steps for name in one.people
    )
    drafts = [Draft(WorldOpened(work, planned=len(story)), BEGINS)]
    drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in everybody]
    untold: dict[str, Step] = {}
    at = BEGINS
    for number, (title, steps) in enumerate(story.items(), start=1):
        episode = list(_episode(number, title, steps, at))
        untold |= _untold(steps, episode[1:-1])
        drafts += episode
        at = (drafts[-1].at or at) + GAP
    rest: dict[str, Any] = {UNTOLD: untold} if untold else {}
    if cast:
        rest[CAST] = cast
    return [*drafts, Draft(Imported(FORMAT, work, msgspec.to_builtins(rest)))]


def casts_in(folder: Path) -> Mapping[str, Cast]:
    """The casts of all works in the file of a folder, if there is one."""
    file = folder / CHARACTERS
    if not file.is_file():
        return {}
    what = 'file of casts: works, each with its "major" and its "minor" characters'
    casts: Mapping[str, Cast] = decoded(file, dict[str, Cast], what)
    return casts


class StorySource(msgspec.Struct, frozen=True):
    """What stands beside the story of an imported storyline."""

    work: str
    cast: Cast | None = None
    untold: dict[str, Step] = {}


def source_of(events: Iterable[Happened]) -> StorySource | None:
    """Where a world comes from, if it came as a storyline."""
    for event in events:
        body = event.body
        if isinstance(body, Imported) and body.format == FORMAT:
            rest = {CAST: body.rest.get(CAST), UNTOLD: body.rest.get(UNTOLD, {})}
            with suppress(msgspec.ValidationError):
                return msgspec.convert({"work": body.id, **rest}, StorySource)
    return None


def _episode(number: int, title: str, steps: list[Step], at: datetime) -> Iterator[Draft]:
    there = tuple(dict.fromkeys(name for one in steps for name in one.people))

    def draft(body: Kind, turn: int, actor: str | None = None) -> Draft:
        return Draft(
            body,
            at=at + turn * STEP,
            episode=number,
            turn=turn,
            actor=actor,
            place=None,
            witnesses=there,
            source=f"{title}#{turn}" if turn else title,
        )

    yield draft(EpisodeOpened(title, there, "as-written", name=title), 0)
    for turn, one in enumerate(steps, start=1):
        people = one.people
        if not people:
            yield draft(Narrated(one.action.strip("[]")), turn)
            continue
        speaker, colon, words = one.action.partition(": ")
        spoken = colon and set(re.split(r", | and ", speaker)) <= set(people)
        who, *also = people
        done = one.action if also else one.action.removeprefix(f"{who} ")
        body = Acted(words) if spoken else Acted(done, "action")
        yield draft(msgspec.structs.replace(body, also=tuple(also)), turn, who)
    yield draft(EpisodeClosed("the title ends"), len(steps))


def _untold(steps: list[Step], drafts: list[Draft]) -> Iterator[tuple[str, Step]]:
    """The actions that their events do not tell as they are written, by the ids of those."""
    for step, draft in zip(steps, drafts, strict=True):
        if step_of(draft) != step:
            yield draft.source or "", step
