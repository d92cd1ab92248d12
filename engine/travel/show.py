"""A world as it was lived: `whoknew show WORLD`."""

from __future__ import annotations

from msgspec import Struct

from whoknew.engine.opening import reading
from whoknew.engine.playing.tally import Tally
from whoknew.eventlog import Event
from whoknew.eventlog.errors import NoSuchMoment
from whoknew.eventlog.story import story_digest


class History(Struct, frozen=True, kw_only=True):
    """The events of a world, or of one of its episodes, in order, and who is in it. `digest` is that
    of the whole story: the same for the same story, whenever and wherever it was told."""

    world: str
    title: str
    characters: tuple[str, ...]
    episodes: int
    digest: str
    events: tuple[Event, ...]


async def history(address: str, world: str, episode: int | None = None) -> History:
    async with reading(address) as log:
        whole = await (await log.director(world)).events()
    tally = Tally()
    for event in whole:
        tally.take(event)
    events = [event for event in whole if episode is None or event.episode == episode]
    if episode is not None and not events:
        raise NoSuchMoment(f"{world!r} has no episode {episode}: it has {tally.opened}")
    return History(
        world=world,
        title=tally.title or world,
        characters=tuple(tally.characters),
        episodes=tally.opened,
        digest=story_digest(whole),
        events=tuple(events),
    )
