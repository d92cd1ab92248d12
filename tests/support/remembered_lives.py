"""Lives that are remembered in exams: worlds with episodes, letters between them and people who miss
some of it; and what an exam asks about them, and derives, to the byte."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from memories_here import HERE
from msgspec import Struct
from small_worlds import NIGHT, WATCH, opened
from store_places import Place, VolatilePlace, log_at, place_for
from watch_exams import ByPrompt, exam_in, sat

from whoknew.agents.models.model import Reply, Request
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.registry import MEMORIES
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.kinds import (
    Acted,
    Called,
    EpisodeClosed,
    EpisodeOpened,
    MemoryDerived,
    Probed,
    Remembered,
    Traced,
)
from whoknew.eventlog.stores.store import Store
from whoknew.testing.stub_models import ByDigest
from whoknew.worlds.question import Question

WORLD = "lives"

NAMES = HERE

PLAN = f"""
exam = "questions"
name = "watch"
material = "lives.db"
questions = "questions.jsonl"
at_once = 8
[grid]
memories = {json.dumps(NAMES)}
[agents.everyone]
summary = {{ words = 30 }}
profile = {{ every = 2 }}
"""

WRITTEN = [
    name
    for name in NAMES
    if MEMORIES.made(name, {}).calls_an_episode or MEMORIES.made(name, {}).before_turns
]
"""Those that are derived where a world holds none."""


def plan_of(*memories: str) -> str:
    return PLAN.replace(json.dumps(NAMES), json.dumps(memories))


SUMMARY = plan_of("summary")

WORDS = [
    "lamp",
    "oil",
    "ghost",
    "tower",
    "letter",
    "snow",
    "bread",
    "debt",
    "sister",
    "boat",
    "night",
    "key",
    "wine",
    "cup",
    "war",
    "crown",
]


class Seen(Struct, frozen=True):
    """What one character was asked by each arm at a cursor, by digest (calls that are made at once have
    no order), and what it remembers by then."""

    asked: dict[str, tuple[str, ...]]
    notes: tuple[tuple[str, int, tuple[int, ...]], ...]


class Kept(Struct, frozen=True):
    """Where the two logs of an exam are kept: its material, and its own."""

    material: Place
    exam: Place

    def renew(self) -> None:
        self.material.renew()
        self.exam.renew()


@contextmanager
def kept_on(kind: str, folder: Path, request: Any) -> Iterator[Kept]:
    """Both on stores of one kind."""
    for name in ("material", "exam"):
        (folder / name).mkdir()
    with (
        place_for(kind, folder / "material", request) as material,
        place_for(kind, folder / "exam", request) as exam,
    ):
        yield Kept(material, exam)


class Stub(ByPrompt):
    """Says of each prompt what that decides, in whatever form is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._by_digest = ByDigest()

    async def complete(self, request: Request) -> Reply:
        self.asked[request.digest] += 1
        return await self._by_digest.complete(request)


def lives(chance: Random, episodes: int, *, own: bool = False, letters: int = 2) -> list[Draft]:
    """So many episodes of the watch, each with who is there; with letters between them, and where `own`,
    with summaries that somebody wrote while it was played."""
    drafts = opened(*WATCH)
    for number in range(1, episodes + 1):
        at = NIGHT + timedelta(days=number)
        cast = tuple(chance.sample(WATCH, chance.randint(2, 3)))
        begun = EpisodeOpened(f"Night {number}", cast)
        drafts.append(Draft(begun, at, episode=number, witnesses=cast))
        for turn in range(1, chance.randint(2, 6)):
            who, heard = chance.choice(cast), chance.sample(cast, chance.randint(1, len(cast)))
            drafts.append(
                Draft(
                    Acted(_words(chance)),
                    episode=number,
                    turn=turn,
                    actor=who,
                    witnesses=tuple(dict.fromkeys([who, *heard])),
                )
            )
        for who in cast if own and chance.random() < 0.5 else ():
            note = Remembered(who, "summary", _words(chance), (len(drafts),), len(drafts))
            if who in drafts[-1].witnesses and not isinstance(drafts[-1].body, Remembered):
                drafts.append(Draft(note, episode=number, actor=who, witnesses=(who,)))
        left = tuple(one for one in cast if chance.random() < 0.8)
        drafts.append(Draft(EpisodeClosed("over"), episode=number, witnesses=left))
        for _ in range(chance.randint(0, letters)):
            who = chance.choice(WATCH)
            drafts.append(Draft(Traced("letter", _words(chance)), actor=who, witnesses=(who,)))
    return drafts


def _words(chance: Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(2, 9))).capitalize() + "."


@asynccontextmanager
async def logged(drafts: Sequence[Draft], at: Place | None = None) -> AsyncIterator[Log]:
    """A world of these, as if it had been recorded in one moment: so that the same gives the same."""
    at = at or VolatilePlace()
    async with log_at(at, clock=lambda: datetime(2026, 11, 20, tzinfo=UTC)) as log:
        await log.append(WORLD, drafts)
        yield log


def asking(places: Iterable[tuple[str, int]]) -> list[Question]:
    """A question to each of these, at a seq."""
    return [
        Question(
            world=WORLD,
            character=who,
            at=f"#{seq}",
            question="Who spoke of the lamp, and to whom?",
            kind="fact",
        )
        for who, seq in dict.fromkeys(places)
    ]


def exam_about(folder: Path, places: Iterable[tuple[str, int]], plan: str = PLAN) -> LoadedExam:
    folder.mkdir(parents=True, exist_ok=True)
    return exam_in(folder, plan, asking(places))


async def seen(
    folder: Path,
    drafts: Sequence[Draft],
    places: Sequence[tuple[str, int]],
    *,
    kept: Kept | None = None,
    plan: str = PLAN,
) -> dict[tuple[str, int], Seen]:
    """What an exam that is sat to its end asked, at each of these places."""
    kept = kept or Kept(VolatilePlace(), VolatilePlace())
    kept.renew()
    exam = exam_about(folder, places, plan)
    async with logged(drafts, kept.material) as material:
        progress = await sat(exam, material, kept.exam.store(), Stub())
        assert progress.answered + progress.failed + progress.before == progress.cells
    events = await events_on(kept.exam.store())
    return {place: _seen(exam, events, *place) for place in places}


async def events_on(kept: Store) -> list[Event]:
    async with Log(kept) as log:
        return [placed.event async for placed in log.read_all()]


def _seen(exam: LoadedExam, events: Sequence[Event], who: str, seq: int) -> Seen:
    arms = {arm.digest: arm.name for arm in exam.arms}
    keys = {
        event.key: arms[event.body.arm]
        for event in events
        if isinstance(event.body, Probed) and (event.body.character, event.body.upto) == (who, seq)
    }
    asked: dict[str, list[str]] = {}
    for event in events:
        key = (event.key or "").partition("/")[0]
        if isinstance(event.body, Called) and key in keys:
            asked.setdefault(keys[key], []).append(event.body.digest)
    notes = sorted(
        (event.body.text, event.body.upto, event.body.sources)
        for event in events
        if isinstance(event.body, MemoryDerived) and event.body.owner == who
    )
    return Seen(
        {arm: tuple(sorted(digests)) for arm, digests in asked.items()},
        tuple(note for note in notes if note[1] < seq),
    )


def notes_of(events: Sequence[Event]) -> list[MemoryDerived]:
    return [event.body for event in events if isinstance(event.body, MemoryDerived)]
