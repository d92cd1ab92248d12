"""Names for moments, and for the secrets that one wants to follow."""

from __future__ import annotations

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.cursor import When
from whoknew.eventlog.kinds import MarkPlaced


class Marked(Struct, frozen=True):
    """A moment with a name. Of a secret one it can be asked who knows of it."""

    world: str
    name: str
    cursor: int
    secret: bool


async def mark(
    log: Log, world: str, name: str, at: When = "end", *, secret: bool = False
) -> Marked:
    """Give a moment a name; the name is then a cursor. A secret is the event at that cursor."""
    cursor = await log.cursor(world, at)
    if cursor.seq == 0:
        raise BadQuestion(f"{world!r} #0 is before its first event: there is nothing to mark")
    if not name.strip() or not name.isprintable():
        raise BadQuestion(f"{name!r} cannot be a mark: give it a name in one line")
    for one in await marks(log, world):
        if one.name == name:
            raise BadQuestion(f'"{name}" marks #{one.cursor} in {world!r}: take another name')
    await log.append(world, [Draft(MarkPlaced(name, cursor.seq, secret))])
    return Marked(world, name, cursor.seq, secret)


async def marks(log: Log, world: str) -> list[Marked]:
    """The marks of a world, in the order in which they were placed."""
    head = (await log.lineage.find(world)).head
    return [
        Marked(world, event.body.name, event.body.upto or event.seq, event.body.secret)
        for event in await log.landmarks(world, head)
        if isinstance(event.body, MarkPlaced)
    ]
