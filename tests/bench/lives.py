"""A life of a million tokens: made by rule and held against all checks, brought into a log, and asked at 50
dates without a model: by the process that wrote it, and by another, which opens the log anew and reads at each
date what was written since the last one. What is asked for the first time is indexed; what is asked again is."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import process_time

import msgspec
from figure import Figure, Reach
from life_asker import AskedLife, Round, asked
from peer import run
from session import Session

from whoknew.engine.exams.clonemem.drawing import drawn
from whoknew.engine.exams.clonemem.question_faults import question_faults
from whoknew.eventlog import open_log
from whoknew.worlds.lives.checks import life_faults
from whoknew.worlds.lives.life import LifeGraph
from whoknew.worlds.lives.life_world import world_of_life
from whoknew.worlds.lives.making import life_of

HERE = Path(__file__).parent

DATES = 50

EACH = 2
"""Questions of each kind in each dimension."""


def figures(session: Session) -> Iterator[Figure]:
    length = "short" if session.quick else "longest"
    begun = process_time()
    life = life_of(1, length)
    made = process_time() - begun
    faults = list(life_faults(life))
    begun = process_time()
    questions = drawn(life, each=EACH, seed=1)
    drawing = process_time() - begun
    faults += question_faults(life, questions.questions)
    assert not faults, faults[:3]
    tokens = sum(len(one.text.encode()) for one in life.traces) // 4
    size = {"traces": f"{len(life.traces):,}", "faults": "0"}
    yield Figure(f"a life of {tokens:,} tokens by rule: CPU", "s", [made], notes=size)
    yield Figure(
        f"questions about it, from {questions.candidates:,} that could be asked: CPU",
        "s",
        [drawing],
    )
    yield from asyncio.run(_asked(session, life))


async def _asked(session: Session, life: LifeGraph) -> list[Figure]:
    file, other = str(session.file("lives.db")), life_of(2, "short")
    lives = [_to_ask(other), _to_ask(life)]
    async with open_log(file) as log:
        for one in map(world_of_life, (other, life)):
            await log.append(one.name, one.drafts)
        _, here = [
            await asked(log, one, "recall") for one in lives
        ]  # the first loads all that it takes
    asker = [sys.executable, HERE / "life_asker.py", file, msgspec.json.encode(lives).decode()]
    first, again, running = msgspec.json.decode(run(asker), type=list[Round])
    grown = running.memory[-1] - first.memory[-1]
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
                f"the same, once it has been read: {name}, CPU",
                "ms",
                [median(one.took)],
                reach=Reach(20, "most"),
                notes={"most": f"{max(one.took):,.0f}"},
            )
            for name, one in (("recall", again), ("running", running))
        ),
        Figure(
            "memory that asking twice more takes",
            "MB",
            [max(0.0, grown)],
            reach=Reach(30, "most"),
            notes={"at the first date": f"{first.memory[0]:,.0f} MB"},
        ),
    ]


def _to_ask(life: LifeGraph) -> AskedLife:
    span = (life.ends - life.begins).days
    days = [life.begins + timedelta(days=span * number // DATES) for number in range(1, DATES + 1)]
    return AskedLife(life.name, life.persona.name, days)
