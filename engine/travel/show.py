"""A world as it was lived: `whoknew show WORLD`."""

from __future__ import annotations

from msgspec import Struct

from whoknew.engine.opening import reading
from whoknew.engine.playing.tally import Tally
from whoknew.eventlog import Event
from whoknew.eventlog.errors import NoSuchMoment
from whoknew.eventlog.story import story_digest


class Told(Struct, frozen=True):
    """The events of a world, or of one of its episodes, in order, and who is in it. `digest` is that
    of the whole story: the same for the same story, whenever and wherever it was told."""

    world: str
    title: str
    characters: tuple[str, ...]
    episodes: int
    digest: str
    events: tuple[Event, ...]


async def tell(address: str, world: str, episode: int | None = None) -> Told:
    async with reading(address) as log:
        whole = await (await log.director(world)).events()
    tally = Tally()
    for event in whole:
        tally.take(event)
    events = [event for event in whole if episode is None or event.episode == episode]
    if episode is not None and not events:
        raise NoSuchMoment(f"{world!r} has no episode {episode}: it has {tally.opened}")
    return Told(
        world,
        tally.title or world,
        tuple(tally.characters),
        tally.opened,
        story_digest(whole),
        tuple(events),
    )
