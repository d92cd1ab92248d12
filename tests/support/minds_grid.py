"""A world played by one memory and one method, cut off somewhere, and gone on with elsewhere; and what is
asked of it by all methods."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from acknowledging_log import AcknowledgingLog
from memories_here import HERE
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.models.address import OFFLINE
from whoknew.agents.models.offline import Offline
from whoknew.engine.asking.putting import put, respondent
from whoknew.engine.plan.plan import EVERYONE, Episodes, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import Run
from whoknew.engine.running.models import ModelPool
from whoknew.engine.running.progress import Progress
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Event, Log
from whoknew.eventlog.archive import copy_world
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.stores.volatile import VolatileStore
from whoknew.eventlog.story import story_digest
from whoknew.worlds import shelf

WORLD = "midnight-diner"

SETTINGS: dict[str, dict[str, Any]] = {
    "mem0": {"embedder": "offline:"},
    "langmem": {"embedder": "offline:"},
    "profile": {"every": 2},
}
"""Those that a memory or a method needs here."""

BY_VECTORS = {f"{name} by vectors": name for name in ("recall", "flat", "facts", "notes")}

KINDS = [*HERE, *BY_VECTORS]
"""Memories, and those that can search by vectors, too."""


class Cut(Struct, frozen=True, kw_only=True):
    """By which memory and method, and after what part of all that is written."""

    memory: str
    method: str
    budget: int | None
    part: float
    question: str

    @classmethod
    def of(cls, chance: Random, memory: str, method: str) -> Cut:
        return cls(
            memory=memory,
            method=method,
            budget=chance.choice((None, 60, 400)),
            part=chance.random(),
            question=chance.choice(
                ("Who was there?", "What happened to the soup?", "What is new?")
            ),
        )

    @property
    def seat(self) -> Seat:
        memory = BY_VECTORS.get(self.memory, self.memory)
        named = {name: SETTINGS[name] for name in (memory, self.method) if name in SETTINGS}
        if memory != self.memory:
            named[memory] = {"embedder": OFFLINE}
        return Seat(memory=memory, method=self.method, budget=self.budget, settings=named)

    @property
    def program(self) -> Program:
        setting = shelf.find(WORLD)
        play = tuple(one.name for one in setting.scenarios[:3])
        plan = Plan(
            world=WORLD,
            agents={EVERYONE: self.seat},
            episodes=Episodes(play=play, turns=6),
            scan_prompts=1.0,
        )
        return Program.of(plan, setting, ":memory:")


async def goes_on(cut: Cut, log: Log) -> None:
    """Played to its end in memory; cut off, and gone on with in this log."""
    async with AcknowledgingLog() as whole, log:
        events = await _played(cut, whole)
        upto = whole.heads[int(cut.part * len(whole.heads))]
        await copy_world(whole, WORLD, upto, log)
        before = await _answer(cut, log, upto)
        rest = await _played(cut, log)
        assert story_digest(rest) == story_digest(events), cut
        assert _calls(rest) == _calls(events), cut
        assert await _answer(cut, log, upto) == await _answer(cut, whole, upto) == before, cut
        assert (await rerun(log, WORLD)).agrees, cut


async def answers(cut: Cut, methods: Sequence[str]) -> None:
    """What was played by one method is asked of one of its people by all: the same at an earlier moment,
    whatever came later."""
    async with AcknowledgingLog() as whole, Log(VolatileStore()) as log:
        await _played(cut, whole)
        upto = whole.heads[int(cut.part * len(whole.heads))]
        await copy_world(whole, WORLD, upto, log)
        for method in methods:
            asked = replace(cut, method=method)
            short, long = [await _answer(asked, one, upto, people=1) for one in (log, whole)]
            assert short == long, asked


async def _played(cut: Cut, log: Log) -> list[Event]:
    program = cut.program
    async with ModelPool(program.chains, models={OFFLINE: Offline()}) as pool:
        run = Run(program, log, pool, Progress())
        await run.survey()
        report = await run.play()
    assert report.finished, (cut, report)
    return [event async for event in log.read(WORLD)]


def _calls(events: Sequence[Event]) -> list[str]:
    """What was asked, and answered: each once."""
    bodies = [event.body for event in events if isinstance(event.body, Called)]
    assert all(body.reply is not None for body in bodies)
    return sorted(body.digest for body in bodies)


async def _answer(cut: Cut, log: Log, upto: int, people: int | None = None) -> tuple[str, ...]:
    """What everybody answers there, and what each was asked, to the byte; or so many of them. What experts
    say hangs on the whole story: of them only the question is looked at."""
    found = []
    for one in shelf.find(WORLD).characters[:people]:
        view = await log.view(WORLD, one.name, AtSeq(upto))
        if len(view):
            asked = respondent(one.name, cut.seat, Offline())
            found.append((await asked.request(view, cut.question)).digest)
            if cut.method != "experts":
                found.append((await put(asked, view, cut.question)).answer)
    return tuple(found)
