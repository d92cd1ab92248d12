"""The worlds of a log, and how each stands: `whoknew ls`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import Struct

from whoknew.engine.opening import reading
from whoknew.engine.playing.tally import Tally
from whoknew.engine.running.stop import absolute, running
from whoknew.eventlog import Log
from whoknew.eventlog.fork import no_origin
from whoknew.eventlog.stores.store import World


class Listed(Struct, frozen=True, kw_only=True):
    """A world in figures, which are the fields of `ls --json`; a fork with those that it shares with
    its parent. `cells` are those of an exam that were answered, or played: None of all others. `planned` episodes are None where nobody said (then it is over when none is going
    on), `money` where some of its calls have no known price. `asked` are calls for questions that
    were put to it afterwards, which the other figures leave out."""

    name: str
    state: str
    events: int
    planned: int | None
    opened: int
    closed: int
    cells: int | None
    turns: int
    acts: int
    calls: int
    tokens: int
    money: float | None
    asked: int
    failures: int
    failed: dict[str, int]
    """Of which kind: a call, a turn, a memory, a review, an answer."""
    last: datetime | None


async def roster(address: str) -> list[Listed]:
    """Every world, in the order in which they began."""
    playing = {
        world: one for one in running() if one.log == absolute(address) for world in one.worlds
    }
    async with reading(address) as log:
        worlds = await log.worlds()
        tallies = await tallied(log, worlds)
    return [_listed(one, tallies[one.name], one.name in playing) for one in worlds]


async def tallied(log: Log, worlds: Iterable[World]) -> dict[str, Tally]:
    """Every world's, from one reading of the log: to look each world up takes far longer where
    there are very many. A fork begins with what its parent had come to where it parted."""
    by_name = {one.name: one for one in worlds}
    forks = _forks(by_name)
    tallies = {name: Tally() for name in by_name}
    left = sum(one.head - one.forked_at for one in by_name.values())
    async for placed in log.read_all():
        event = placed.event
        world = by_name.get(event.world)
        if world is None or event.seq > world.head:
            continue  # it came meanwhile
        tallies[world.name].take(event)
        for fork in forks.get((world.name, event.seq), ()):
            tallies[fork] = tallies[world.name].copy()
        left -= 1
        if not left:
            break
    return tallies


def _forks(worlds: Mapping[str, World]) -> dict[tuple[str, int], list[str]]:
    """The forks that part at an event, under the world whose own it is, and its seq."""
    forks: dict[tuple[str, int], list[str]] = defaultdict(list)
    for one in worlds.values():
        if one.parent:
            if one.parent not in worlds:
                raise no_origin(one)
            forks[one.parent, one.forked_at].append(one.name)
    return forks


def _listed(world: World, tally: Tally, playing: bool) -> Listed:
    return Listed(
        name=world.name,
        state=_state(tally, playing=playing),
        events=world.head,
        planned=tally.planned,
        opened=tally.opened,
        closed=tally.closed,
        cells=tally.cells if tally.origin == "exam" else None,
        turns=tally.turns,
        acts=tally.acts,
        calls=tally.spent.calls,
        tokens=tally.spent.tokens,
        money=tally.money,
        asked=tally.asked.calls,
        failures=tally.failures,
        failed=dict(tally.failed),
        last=tally.last,
    )


def _state(tally: Tally, *, playing: bool) -> str:
    """One that is over is not running, though others of its run are: but an exam is never over."""
    planned = tally.opened if tally.planned is None else tally.planned
    over = tally.closed >= planned
    if playing and (tally.origin == "exam" or not over):
        return "running"
    return tally.origin or ("finished" if over else "suspended")
