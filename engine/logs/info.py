"""What a log is and what it holds: `whoknew log info`."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from whoknew.engine.opening import reading
from whoknew.engine.travel.replay import facts_of
from whoknew.eventlog import Log
from whoknew.eventlog.shown_address import without_password
from whoknew.eventlog.stores.store import World


class WorldInfo(Struct, frozen=True):
    """A world in figures. `own` leaves out what a fork shares with its parent."""

    name: str
    head: int
    own: int
    parent: str | None
    forked_at: int | None
    characters: int
    episodes: int
    begins: datetime | None
    ends: datetime | None
    recorded: datetime | None


class LogInfo(Struct, frozen=True):
    """`durability` is None where whoever writes chooses it."""

    address: str
    store: str
    engine: str
    schema: int | None
    size: int | None
    durability: str | None
    worlds: tuple[WorldInfo, ...]


async def info(address: str) -> LogInfo:
    async with reading(address) as log:
        facts = await log.store.facts()
        worlds = [await _world(log, one) for one in await log.worlds()]
        return LogInfo(
            address=without_password(address),
            store=facts.kind,
            engine=facts.engine,
            schema=facts.schema,
            size=facts.size,
            durability=facts.durability,
            worlds=tuple(worlds),
        )


async def _world(log: Log, world: World) -> WorldInfo:
    facts = await facts_of(log, world.name, world.head)
    ends = await log.director(world.name, f"#{world.head}")
    first, last = await ends.events(0, 1), await ends.last(1)
    return WorldInfo(
        name=world.name,
        head=world.head,
        own=world.head - world.forked_at,
        parent=world.parent,
        forked_at=world.forked_at if world.parent else None,
        characters=len(facts.characters),
        episodes=facts.episodes,
        begins=first[0].at if first else None,
        ends=last[0].at if last else None,
        recorded=last[0].recorded if last else None,
    )
