"""The worlds of a log, and how each stands: `whoknew ls`."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from whoknew.engine.limits import Spent
from whoknew.engine.opening import reading
from whoknew.engine.running import absolute, running
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import (
    Acted,
    Called,
    EpisodeClosed,
    EpisodeOpened,
    Failed,
    Imported,
    WorldForked,
    WorldOpened,
)
from whoknew.eventlog.stores.store import World


class Listed(Struct, frozen=True):
    """A world in figures; a fork with those that it shares with its parent. `planned` episodes
    are None where nobody said (then it is over when none is going on), `money` where some of its
    calls have no known price."""

    name: str
    state: str
    events: int
    planned: int | None
    opened: int
    closed: int
    turns: int
    calls: int
    tokens: int
    money: float | None
    failures: int
    last: datetime | None


async def roster(address: str) -> list[Listed]:
    """Every world, in the order in which they began."""
    playing = {
        world: one for one in running() if one.log == absolute(address) for world in one.worlds
    }
    async with reading(address) as log:
        return [await _listed(log, one, one.name in playing) for one in await log.worlds()]


async def _listed(log: Log, world: World, playing: bool) -> Listed:
    opened = closed = turns = failures = 0
    planned: int | None = None
    kind, spent, last = "", Spent(), None
    async for event in await log.director(world.name):
        last = event.recorded
        match event.body:
            case Called() as called:
                spent.add(called)
                failures += called.reply is None
            case Acted():
                turns += 1
            case Failed():
                failures += 1
            case EpisodeOpened():
                opened += 1
            case EpisodeClosed():
                closed += 1
            case WorldOpened():
                planned = event.body.planned
            case Imported():
                kind = "imported"
            case WorldForked():
                kind = "fork"
    over = opened == closed if planned is None else closed >= planned
    return Listed(
        world.name,
        _state(kind, playing=playing, over=over),
        world.head,
        planned,
        opened,
        closed,
        turns,
        spent.calls,
        spent.tokens,
        None if spent.unpriced else spent.money,
        failures,
        last,
    )


def _state(kind: str, *, playing: bool, over: bool) -> str:
    """One that is over is not running, though others of its run are."""
    if playing and not over:
        return "running"
    return kind or ("finished" if over else "suspended")
