"""A world as it stood at a moment: all of it, or what one character had perceived by then."""

from __future__ import annotations

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.playing.tally import Tally
from whoknew.eventlog import Director, Event, Log, View
from whoknew.eventlog.cursor import When

WINDOW = 500
"""So many events are replayed where nobody says from where: a person reads no more at once."""


class WorldFacts(Struct, frozen=True):
    """What a world is at a seq: its title, who is in it, how many episodes it has begun."""

    world: str
    title: str
    characters: tuple[str, ...]
    episodes: int


class Replayed(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The newest events up to `cursor`, `earlier` ones left out; or all past the cursor `after`.

    For a `character` they are those that it perceived, `unperceived` the others; in its prompts, and
    where it refers to them, they are numbered from `numbered_from` on. `told` are earlier
    events that it had not perceived, under the seq of the event by which it learnt of them.
    """

    facts: WorldFacts
    cursor: int
    head: int
    events: tuple[Event, ...]
    after: int | None = None
    earlier: int = 0
    character: str | None = None
    unperceived: int = 0
    numbered_from: int = 0
    told: dict[int, tuple[Event, ...]] = {}


async def replay(
    log: Log,
    world: str,
    at: When = "end",
    *,
    character: str | None = None,
    after: When | None = None,
    window: int | None = WINDOW,
) -> Replayed:
    """What had happened by a cursor: all of it, or as much as a character had perceived. Without
    `after`, the newest events: a window of them, or all without one."""
    cursor = await log.cursor(world, at)
    low = None if after is None else (await log.cursor(world, after)).seq
    if low is not None and low > cursor.seq:
        raise BadQuestion(
            f"{world!r} from {after} (#{low}) to {at} (#{cursor.seq}) runs backwards: exchange the two"
        )
    facts = await facts_of(log, world, cursor.seq)
    head = (await log.lineage.find(world)).head
    director = await log.director(world, cursor)
    view = None if character is None else await log.view(world, character, cursor)
    seen = director if view is None else view
    earlier = 0
    if low is not None:
        passed = low if view is None else view.before(low + 1)
    else:
        passed = earlier = 0 if window is None else max(0, len(seen) - window)
    events = await seen.events(passed)
    return Replayed(
        facts=facts,
        cursor=cursor.seq,
        head=head,
        events=tuple(events),
        after=low,
        earlier=earlier,
        character=character,
        unperceived=0 if view is None else cursor.seq - (low or 0) - len(events) - earlier,
        numbered_from=0 if view is None else passed + 1,
        told={} if view is None else await told_to(view, director, events),
    )


async def told_to(
    view: View, director: Director, events: list[Event]
) -> dict[int, tuple[Event, ...]]:
    """Of what each of these events told the character that it had not witnessed itself."""
    told: dict[int, tuple[Event, ...]] = {}
    for event in events:
        seqs = [seq for seq in event.about if seq not in view]
        if seqs and event.teller != view.character:
            told[event.seq] = tuple([(await director.events(seq - 1, seq))[0] for seq in seqs])
    return told


async def facts_of(log: Log, world: str, upto: int) -> WorldFacts:
    """The few figures of a tally for which its first event and its landmarks are enough."""
    tally = Tally()
    for event in [
        *await (await log.director(world, "#1")).events(),
        *await log.landmarks(world, upto),
    ]:
        tally.take(event)
    return WorldFacts(world, tally.title or world, tuple(tally.characters), tally.opened)
