"""A life of a million tokens: made by rule and held against all checks, brought into a log, and asked at 50
dates without a model: by the process that wrote it, and by one that has opened the log anew, which reads at each
date what was written since the last one. What is asked for the first time is indexed; what is asked again is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from statistics import median
from time import process_time

from figure import Figure, Reach
from memory import now
from msgspec import Struct
from session import Session

from whoknew.agents.answering import FoldedLife, Respondent
from whoknew.agents.methods.plain import Plain
from whoknew.agents.models.offline import Offline
from whoknew.agents.parts import Owner
from whoknew.engine.exams.clonemem.drawing import drawn
from whoknew.engine.exams.clonemem.question_faults import question_faults
from whoknew.engine.registry import MEMORIES
from whoknew.eventlog import Log, open_log
from whoknew.worlds.lives.checks import life_faults
from whoknew.worlds.lives.life import LifeGraph
from whoknew.worlds.lives.life_world import world_of_life
from whoknew.worlds.lives.making import life_of

DATES = 50

EACH = 2
"""Questions of each kind in each dimension."""

QUESTION = "What keeps you awake, and how do things stand with your father?"


class Round(Struct):
    """What each of the questions took, in ms of the processor, and the memory of the process after it."""

    took: list[float] = []
    memory: list[float] = []


def figures(session: Session) -> Iterator[Figure]:
    length = "short" if session.quick else "longest"
    begun = process_time()
    life = life_of(1, length)
    made = process_time() - begun
    faults = list(life_faults(life))
    begun = process_time()
    asked = drawn(life, each=EACH, seed=1)
    drawing = process_time() - begun
    faults += question_faults(life, asked.questions)
    assert not faults, faults[:3]
    tokens = sum(len(one.text.encode()) for one in life.traces) // 4
    size = {"traces": f"{len(life.traces):,}", "faults": "0"}
    yield Figure(f"a life of {tokens:,} tokens by rule: CPU", "s", [made], notes=size)
    yield Figure(
        f"questions about it, from {asked.candidates:,} that could be asked: CPU", "s", [drawing]
    )
    yield from asyncio.run(_asked(session, life))


async def _asked(session: Session, life: LifeGraph) -> list[Figure]:
    file, world, days = str(session.file("lives.db")), world_of_life(life), _dates(life)
    other = life_of(2, "short")
    rounds: dict[str, Round] = {}
    async with open_log(file) as log:
        for one in (world_of_life(other), world):
            await log.append(one.name, one.drafts)
        await _round(log, other, "recall", _dates(other))  # then all that it takes is loaded
        rounds["written here"] = await _round(log, life, "recall", days)
    async with open_log(file, read_only=True) as log:
        for name in ("recall", "recall again", "running"):
            rounds[name] = await _round(log, life, name.split()[0], days)
    here, first = rounds["written here"], rounds["recall"]
    grown = rounds["running"].memory[-1] - first.memory[-1]
    return [
        Figure(
            f"a question at one of {DATES} dates of it, asked where it was written, CPU",
            "ms",
            [median(here.took)],
            reach=Reach(20, "most"),
            notes={"all of them": f"{sum(here.took):,.0f} ms", "most": f"{max(here.took):,.0f}"},
        ),
        Figure(
            "the same, of a log that was opened anew, asked for the first time, CPU",
            "ms",
            [median(first.took)],
            reach=Reach(20, "most"),
            notes={"all of them": f"{sum(first.took):,.0f} ms", "most": f"{max(first.took):,.0f}"},
        ),
        *(
            Figure(
                f"the same, once it has been read: {name.split()[0]}, CPU",
                "ms",
                [median(rounds[name].took)],
                reach=Reach(20, "most"),
                notes={"most": f"{max(rounds[name].took):,.0f}"},
            )
            for name in ("recall again", "running")
        ),
        Figure(
            "memory that asking twice more takes",
            "MB",
            [max(0.0, grown)],
            reach=Reach(30, "most"),
            notes={"at the first date": f"{first.memory[0]:,.0f} MB"},
        ),
    ]


def _dates(life: LifeGraph) -> Sequence[date]:
    span = (life.ends - life.begins).days
    return [life.begins + timedelta(days=span * number // DATES) for number in range(1, DATES + 1)]


async def _round(log: Log, life: LifeGraph, memory: str, days: Sequence[date]) -> Round:
    """As an exam asks: one date after another, of one life that is folded on."""
    who, found = life.persona.name, Round()
    past = FoldedLife(lambda: MEMORIES.made(memory, {}).make(Owner(who=who)))
    asked = Respondent(Offline(), past, Plain())
    for day in days:
        begun = process_time()
        view = await log.view(life.name, who, f"@{day.isoformat()}")
        await asked.request(view, QUESTION)
        found.took.append(1000 * (process_time() - begun))
        found.memory.append(now())
    return found
