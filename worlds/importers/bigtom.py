"""BigToM's stories: does one who witnesses the event know of it, and one who does not, not?

Each row is four worlds: with the event that matters, or with a random one in its place, and either
one witnessed by the character or not.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from whoknew.eventlog import Draft, Kind
from whoknew.eventlog.counted import counted
from whoknew.eventlog.kinds import (
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    Imported,
    Narrated,
    WorldOpened,
)
from whoknew.eventlog.words import sentences
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.imported import ImportedWorld, ImporterEntry
from whoknew.worlds.importers.records import text_of
from whoknew.worlds.question import Question

FORMAT = "bigtom"
BEGINS = datetime(2000, 1, 1, 12)
STEP = timedelta(minutes=1)

COLUMNS = (
    "story", "aware of event", "not aware of event", "action if aware", "action if not aware",
    "belief question", "desire question", "action question", "belief answer if aware",
    "desire answer if aware", "action answer if aware", "belief answer if not aware",
    "desire answer if not aware", "action answer if not aware", "random event",
    "aware of random event", "not aware of random event",
)  # fmt: skip
AWARE = "aware of event"
"""The column that begins with the name of whoever the story is about."""

SENTENCES = 5
"""Setting, desire, action or percept, belief, and the event that matters."""


def worlds_of(path: Path) -> Iterator[ImportedWorld]:
    """Four worlds for each row of a file."""
    for number, row in _rows(path):
        if not row:
            continue
        if len(row) < len(COLUMNS):
            raise BadSource(
                f"{path}, row {number}: has {counted(len(row), 'column')}, expected were {len(COLUMNS)} or "
                "more, with semicolons between: is this BigToM's bigtom.csv?"
            )
        story = sentences(row[0].strip())
        if len(story) != SENTENCES:
            raise BadSource(
                f"{path}, row {number}: its story has {len(story)} sentences, expected {SENTENCES}"
            )
        if not row[COLUMNS.index(AWARE)].split():
            raise BadSource(
                f"{path}, row {number}: its column {AWARE!r} is empty: it names who acts"
            )
        for event in ("", "random-"):
            for aware in (True, False):
                yield _world(number, row, story, random=bool(event), aware=aware)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    number, rows = 0, csv.reader(io.StringIO(text_of(path)), delimiter=";")
    try:
        for number, row in enumerate(rows, start=1):
            yield number, row
    except csv.Error as error:
        raise BadSource(
            f"{path}, row {number + 1}: cannot be divided into columns: {error}: is this BigToM's bigtom.csv?"
        ) from None


def _world(
    number: int, row: list[str], story: list[str], *, random: bool, aware: bool
) -> ImportedWorld:
    fields: dict[str, str] = dict(zip(COLUMNS, row, strict=False))
    who = fields[AWARE].split()[0]
    name = f"bigtom-{number:03}-{'random-' if random else ''}{'aware' if aware else 'unaware'}"
    *before, event = story
    drafts = [
        Draft(WorldOpened(f"BigToM {number}"), BEGINS),
        Draft(CharacterAdded(who), witnesses=(who,)),
    ]

    def add(body: Kind, column: str, *, witnessed: bool = True) -> None:
        at, source = BEGINS + len(drafts) * STEP, f"row {number}, {column}"
        witnesses = (who,) if witnessed else ()
        drafts.append(
            Draft(
                body,
                at=at,
                episode=1,
                turn=len(drafts) - 2,
                actor=None,
                place=None,
                witnesses=witnesses,
                source=source,
            )
        )

    add(EpisodeOpened(before[0], (who,), "as-written", name=name), "story, sentence 1")
    for place, sentence in enumerate(before[1:], start=2):
        add(Narrated(sentence), f"story, sentence {place}")
    if random:
        add(Narrated(fields["random event"]), "random event", witnessed=aware)
    else:
        add(Narrated(event), f"story, sentence {SENTENCES}", witnessed=aware)
    column = f"{'' if aware else 'not '}aware of {'random ' if random else ''}event"
    add(Narrated(fields[column]), column, witnessed=aware)
    add(EpisodeClosed("the story ends"), "story")
    drafts.append(Draft(Imported(FORMAT, str(number), {**fields, "aware": aware})))
    questions = _questions(name, who, number, fields, random=random, aware=aware)
    return ImportedWorld(name, tuple(drafts), questions=tuple(questions))


def _questions(
    world: str, who: str, number: int, fields: dict[str, str], *, random: bool, aware: bool
) -> Iterator[Question]:
    """What the character believes, wants and does then. A random event changes nothing: whoever sees
    it is as one who saw nothing of the event that matters."""
    for kind in ("belief", "desire", "action"):
        knowing, other = (
            fields[f"{kind} answer if {state}"].strip() for state in ("aware", "not aware")
        )
        right = knowing if aware and not random else other
        choices = tuple(sorted({knowing, other}))
        yield Question(
            world=world,
            character=who,
            at="E1",
            question=fields[f"{kind} question"].strip(),
            kind=kind,
            reference=right,
            choices=choices if len(choices) > 1 else (),
            correct=right if len(choices) > 1 else None,
            labels={"aware": aware, "random": random},
            cluster=f"bigtom-{number:03}",
            tags=("random" if random else "causal", "aware" if aware else "unaware"),
        )


class BigtomEntry(ImporterEntry, frozen=True):
    """BigToM's stories"""

    def read(self, path: Path) -> Iterator[ImportedWorld]:
        return worlds_of(path)
