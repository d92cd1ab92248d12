"""What it takes to look for tellings while a world is played: CPU of a turn, beside one without."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count
from time import process_time

from figure import Figure, Reach
from session import Session

from whoknew.engine.plan.plan import Episodes, Plan
from whoknew.engine.running.run import play

WORLDS = (("midnight-diner", 5), ("harbour", 10), ("flatmates", 10))
"""Each so many times through, played offline with memory `summary`."""

_NUMBERS = count()


def figures(session: Session) -> Iterator[Figure]:
    _turn(session, WORLDS[0][0], 1, looking=True)  # what is loaded at first is not measured
    for world, times in WORLDS:
        repeat = session.size(times, 1)
        pairs = session.interleaved(
            lambda world=world, repeat=repeat: _turn(session, world, repeat, looking=True),
            lambda world=world, repeat=repeat: _turn(session, world, repeat, looking=False),
        )
        yield Figure(
            f"CPU of a turn of {world} with tellings looked for, beside one without",
            "x",
            [looking / without for looking, without in pairs],
            reach=Reach(1.1, "most"),
        )


def _turn(session: Session, world: str, repeat: int, *, looking: bool) -> float:
    """CPU seconds of a turn."""
    file = session.folder / f"seeking-{next(_NUMBERS)}.db"
    plan = Plan(world=world, episodes=Episodes(repeat=repeat), tellings=looking)
    begun = process_time()
    report = asyncio.run(play(plan, str(file)))
    return (process_time() - begun) / sum(chain.turns for chain in report.chains)
