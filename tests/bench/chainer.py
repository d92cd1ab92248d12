"""Our side of the bench of episodes, as a program of its own.

    python chainer.py MODEL MEMORY CHAINS AT_ONCE EPISODES_OF_A_CHAIN TURNS [LOG [alone | REQUESTS]]

It plays chains of two at once into a new SQLite log (FULL), or into the one of an address, perhaps beside
others of its kind, and prints what that took as JSON. A warm-up of its own, with the same model and into
the same log, is not in it. `alone` it writes a log on PostgreSQL as one writes a file: with no lease, and nothing
that others would have to know. Of so many `REQUESTS` a minute all processes together make no more.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections import Counter
from datetime import datetime
from pathlib import Path
from time import perf_counter, process_time, time

import msgspec
import processes
from msgspec import Struct
from warming import WARMING

from whoknew.engine.plan.plan import Episodes, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import Run
from whoknew.engine.running.models import ModelPool
from whoknew.engine.running.progress import Progress
from whoknew.engine.terminal.garbage import collect_seldom
from whoknew.eventlog import Draft, Event, Log, open_log
from whoknew.eventlog.kinds import Acted, EpisodeClosed
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


class Size(Struct, frozen=True):
    chains: int
    at_once: int
    episodes: int
    """Of each chain."""
    turns: int


WARM_UP = Size(chains=max(1, WARMING // 5), at_once=64, episodes=1, turns=5)
"""The same for all, so that it tilts nothing that is measured of many sizes."""


class Took(Struct, frozen=True):
    wall: float
    cpu: float
    """Of this process, and of one that sends its calls."""
    turns: int
    calls: int
    """Of the model, those of the warm-up included."""
    rss: float
    """The most memory that was in use, in MB, of both."""
    by_episode: tuple[float, ...]
    """When each episode of the first chain was over, in CPU seconds of the process."""
    acts: dict[int, int]
    """How many turns were had in each second, by the clock."""
    in_flight: float
    """When so many chains as may be at once had their first turn."""
    ending: float
    """When the first episode was over."""


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


def program(name: str, seat: Seat, size: Size, requests: int | None = None) -> Program:
    plan = Plan(
        world="bench",
        name=name,
        chains=size.chains,
        at_once=size.at_once,
        episodes=Episodes(turns=size.turns, stale=2),
        agents={"everyone": seat},
        models={seat.model: ModelSettings(requests_per_minute=requests)},
    )
    return Program.of(plan, setting(size.episodes), "")


def opened(address: str, how: str) -> Log:
    """The log of an address; on PostgreSQL also as one process writes it that is `alone`."""
    if how != "alone":
        return open_log(address)
    from whoknew.eventlog.stores.postgres import PostgresStore

    class Alone(PostgresStore):
        leases = None

    return Log(Alone(address))


async def played(warm_up: Program, program: Program, log: Log | None = None) -> Took:
    """Play both, one after the other, and tell of the second."""
    over, closed, acts = list[float](), list[float](), Counter[int]()
    began: dict[str, float] = {}

    def heard(world: str, event: Event | Draft) -> None:
        if isinstance(event.body, Acted):
            acts[int(now := time())] += 1
            began.setdefault(world, now)
        elif isinstance(event.body, EpisodeClosed):
            closed.append(time())
            if world == program.worlds[0]:
                over.append(process_time())

    before, progress = Progress(), Progress(heard=heard)
    chains = [*warm_up.chains, *program.chains]
    with tempfile.TemporaryDirectory() as folder:
        async with (
            ModelPool(chains, at_once=program.at_once) as wiring,
            log or open_log(Path(folder) / "log.db") as written,
        ):
            await _finished(Run(warm_up, written, wiring, before))
            begun, cpu, before_it = perf_counter(), process_time(), processes.seconds()
            await _finished(Run(program, written, wiring, progress))
            wall, used = perf_counter() - begun, processes.seconds() - before_it
            rss = processes.most()
    calls = before.spent.calls + progress.spent.calls
    ends = tuple(at - cpu for at in over)
    first = sorted(began.values())[: program.at_once]
    return Took(
        wall=wall,
        cpu=used,
        turns=progress.tally.turns,
        calls=calls,
        rss=rss,
        by_episode=ends,
        acts=dict(acts),
        in_flight=first[-1],
        ending=closed[0],
    )


async def _finished(run: Run) -> None:
    await run.survey()
    report = await run.play()
    assert report.finished, report


if __name__ == "__main__":
    collect_seldom()  # as the command line does
    model, memory, *numbers = sys.argv[1:]
    seat = Seat(model=model, memory=memory)  # type: ignore[arg-type]
    size, (address, how) = Size(*map(int, numbers[:4])), (*numbers[4:], "", "")[:2]
    requests = int(how) if how.isdecimal() else None
    named = ((f"warm-up-{os.getpid()}", WARM_UP), ("bench", size))
    plays = [program(name, seat, one, requests) for name, one in named]
    took = asyncio.run(played(*plays, opened(address, how) if address else None))
    print(msgspec.json.encode(took).decode())
