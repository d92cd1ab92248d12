"""Our side of the bench of episodes, as a program of its own.

    python chainer.py MODEL CHAINS AT_ONCE [EPISODES_OF_A_CHAIN] [TURNS]

It plays chains of two at once into a new SQLite log (FULL), and prints what that took as JSON.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from time import perf_counter, process_time

import msgspec
from memory import most
from msgspec import Struct

from whoknew.engine.garbage import collect_seldom
from whoknew.engine.program import Program
from whoknew.engine.run import open_run
from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import EpisodeClosed
from whoknew.worlds.plan import Episodes, Plan, Seat
from whoknew.worlds.setting import Character, Relation, Scenario, Setting

PEOPLE = (
    Character(
        "Amara Hill",
        age=29,
        gender="woman",
        occupation="biologist",
        public="Spends her evenings counting owls, and is known for it in three villages.",
        nature="Open, patient, and slow to trust. Decides by looking twice.",
        secret="She has sold a map of the nests.",
    ),
    Character(
        "Jonas Brandt",
        age=41,
        gender="man",
        occupation="baker",
        public="Bakes before dawn and talks until noon.",
        nature="Warm and stubborn. Would rather be liked than right.",
        secret="He is about to close the shop.",
    ),
)


class Took(Struct, frozen=True):
    wall: float
    cpu: float
    turns: int
    rss: float
    """The most memory that was in use, in MB."""
    by_episode: tuple[float, ...]
    """When each episode of the first chain was over, in CPU seconds of the process."""


def setting(episodes: int) -> Setting:
    names = tuple(one.name for one in PEOPLE)
    goals = {names[0]: "Get the larger half of the cake.", names[1]: "Part as friends."}
    return Setting(
        "bench",
        "Bench",
        datetime(2000, 1, 1),
        PEOPLE,
        tuple(
            Scenario(f"cake {n}", "Two people share a cake.", names, goals) for n in range(episodes)
        ),
        relations=(Relation("friend", between=names),),
    )


async def played(model: str, chains: int, at_once: int, episodes: int, turns: int) -> Took:
    plan = Plan(
        world="bench",
        chains=chains,
        at_once=at_once,
        episodes=Episodes(turns=turns, stale=2),
        agents={"everyone": Seat(model=model, memory="summary" if episodes > 1 else "none")},
    )
    over: list[float] = []

    def heard(world: str, event: Event | Draft) -> None:
        if isinstance(event.body, EpisodeClosed) and (chains == 1 or world.endswith("-1")):
            over.append(process_time())

    with tempfile.TemporaryDirectory() as folder:
        async with open_run(
            Program.of(plan, setting(episodes), str(Path(folder) / "log.db"))
        ) as run:
            run.progress.heard = heard if episodes > 1 else None
            await run.survey()
            begun, cpu = perf_counter(), process_time()
            report = await run.play()
            wall, used = perf_counter() - begun, process_time() - cpu
    assert report.finished, report
    return Took(wall, used, run.progress.turns, most(), tuple(at - cpu for at in over))


if __name__ == "__main__":
    collect_seldom()  # as the command line does
    model, chains, at_once, *rest = sys.argv[1:]
    episodes, turns = int(rest[0]) if rest else 1, int(rest[1]) if len(rest) > 1 else 20
    print(
        msgspec.json.encode(
            asyncio.run(played(model, int(chains), int(at_once), episodes, turns))
        ).decode()
    )
