"""Two readings of worlds side by side: two characters, two cursors, a fork and its parent."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.eventlog import Draft, Event, Kind, Knowledge, Known, Log
from whoknew.eventlog.cursor import Cursor, When
from whoknew.eventlog.kinds import EpisodeClosed
from whoknew.eventlog.story import of_story, renumbered

Sides = Literal["characters", "cursors", "worlds"]


class Gain(Struct, frozen=True):
    """Something that one character knows on the one side and not on the other."""

    event: Event
    known: Known


class Comparison(Struct, frozen=True, kw_only=True):
    """What only the one side holds, and what only the other: `left` and `right` say what they are.

    Of characters, events that one knows and the other does not. Of cursors, what happened between
    them. Of worlds, which share the first `shared` events, what happened since
    in the one and not in the other; `both` counts what happened in both. `gains`
    are earlier events that a character has been told of on the right side only, `losses` on the
    left.
    """

    kind: Sides
    left: str
    right: str
    only_left: tuple[Event, ...]
    only_right: tuple[Event, ...]
    gains: tuple[Gain, ...] = ()
    losses: tuple[Gain, ...] = ()
    both: int = 0
    shared: int | None = None
    characters: tuple[str, ...] = ()


async def compare(
    log: Log,
    world: str,
    other: str | None = None,
    at: When = "end",
    after: When | None = None,
    who: Sequence[str] = (),
) -> Comparison:
    """Whichever comparison these ask for: two worlds, two cursors, or two characters; a fork is
    compared with its parent where nothing else is said."""
    if other is None and after is None and len(who) == 2:
        return await compare_characters(log, world, who[0], who[1], at)
    if other is None and after is not None and len(who) < 2:
        return await compare_cursors(log, world, after, at, who[0] if who else None)
    if after is None and len(who) < 2:
        if other is None:
            other, world = world, (await log.lineage.find(world)).parent or ""
        if world:
            return await compare_worlds(log, world, other, at, who[0] if who else None)
        raise BadQuestion(
            f"{other!r} is no fork: name another world, two characters (`who` A,B), or another "
            "moment to compare with"
        )
    raise BadQuestion(
        "compare two characters (`who` A,B), two moments, or two worlds, one of these at a time; "
        "moments and worlds for one character with `who` A"
    )


async def compare_characters(
    log: Log, world: str, one: str, other: str, at: When = "end"
) -> Comparison:
    """What one of two characters perceived and the other did not; and what each was told of it."""
    cursor = await log.cursor(world, at)
    views = [await log.view(world, name, cursor) for name in (one, other)]
    left, right = [await asyncio.to_thread(set, view.seqs()) for view in views]
    knowledge = await log.knowledge(world, cursor)
    gains = await _told(log, knowledge, other, left - right)
    losses = await _told(log, knowledge, one, right - left)
    return Comparison(
        kind="characters",
        left=one,
        right=other,
        only_left=await _events(log, cursor, left - right),
        only_right=await _events(log, cursor, right - left),
        gains=gains,
        losses=losses,
        both=len(left & right),
        characters=(one, other),
    )


async def compare_cursors(
    log: Log, world: str, earlier: When, later: When, character: str | None = None
) -> Comparison:
    """What happened between two cursors, for all or for one; and who was told then of what was
    before."""
    first, last = await log.cursor(world, earlier), await log.cursor(world, later)
    if first.seq > last.seq:
        first, last = last, first
    if character is None:
        events = await (await log.director(world, last)).events(first.seq)
    else:
        view = await log.view(world, character, last)
        events = await view.events(view.before(first.seq + 1))
    knowledge = await log.knowledge(world, last)
    names = knowledge.characters if character is None else (character,)
    told = await _told_since(knowledge, names, first.seq)
    return Comparison(
        kind="cursors",
        left=f"#{first.seq}",
        right=f"#{last.seq}",
        only_left=(),
        only_right=tuple(await _of_story(events)),
        gains=await _gains(log, knowledge, told),
        both=first.seq,
        characters=names,
    )


async def compare_worlds(
    log: Log, one: str, other: str, at: When = "end", character: str | None = None
) -> Comparison:
    """What two worlds of one origin do not share; and who was told in the one, not in the other,
    of what they share. For one character: as far as it perceived them."""
    shared = await _shared(log, one, other)
    cursors = [await log.cursor(name, at) for name in (one, other)]
    sides = [await _since(log, cursor, shared, character) for cursor in cursors]
    known = [await log.knowledge(cursor.world, cursor) for cursor in cursors]
    everybody = dict.fromkeys(name for each in known for name in each.characters)
    whose = tuple(everybody) if character is None else (character,)
    left, right = [await _told_since(each, whose, shared) for each in known]
    losses, gains = _only(left, right), _only(right, left)
    happening = _happening if character is None else _perceived
    mine, its, alike = await asyncio.to_thread(_apart, sides[0], sides[1], happening)
    return Comparison(
        kind="worlds",
        left=one,
        right=other,
        only_left=mine,
        only_right=its,
        gains=await _gains(log, known[1], gains),
        losses=await _gains(log, known[0], losses),
        both=alike,
        shared=shared,
        characters=whose,
    )


async def _since(log: Log, cursor: Cursor, seq: int, character: str | None) -> list[Event]:
    """The events of the story past a seq; or those that a character perceived."""
    if character is None:
        events = await (await log.director(cursor.world, cursor)).events(seq)
    else:
        view = await log.view(cursor.world, character, cursor)
        events = await view.events(view.before(seq + 1))
    return await _of_story(events)


async def _of_story(events: Iterable[Event]) -> list[Event]:
    """Those of the story. On a thread: a server answers others meanwhile."""
    return await asyncio.to_thread(lambda: [event for event in events if of_story(event)])


def _apart(
    left: list[Event], right: list[Event], happening: Callable[[Event], Hashable]
) -> tuple[tuple[Event, ...], tuple[Event, ...], int]:
    """What of two stories is not in the other, in its order; and how many events are in both. The
    time that it takes grows with their length, whatever is in them."""
    spare = Counter(map(happening, right))
    shared: Counter[Hashable] = Counter()
    mine: list[Event] = []
    for event in left:
        what = happening(event)
        if spare[what] > shared[what]:
            shared[what] += 1
        else:
            mine.append(event)
    both = shared.total()
    its: list[Event] = []
    for event in right:
        what = happening(event)
        if shared[what]:
            shared[what] -= 1
        else:
            its.append(event)
    return tuple(mine), tuple(its), both


def _happening(event: Event) -> Hashable:
    """What happened, whenever it did: as much of an event as can be the same in two worlds."""
    return _alike(event, event.body), event.witnesses


def _perceived(event: Event) -> Hashable:
    """The same, whoever else witnessed it; why an episode ended nobody in it is told."""
    closed = isinstance(event.body, EpisodeClosed)
    return _alike(event, EpisodeClosed("") if closed else event.body)


def _alike(event: Event, body: Kind) -> Hashable:
    """All that a body says, but for the seqs that it names: these are others in another world."""
    said = renumbered(Draft(body), lambda seq: 0).body
    return _encode(said), event.episode, event.actor, event.place


_encode = msgspec.json.Encoder(order="deterministic").encode


async def _shared(log: Log, one: str, other: str) -> int:
    """How many events two worlds have in common, before they part."""
    ours, theirs = await log.lineage.lineage(one), await log.lineage.lineage(other)
    if ours[0].world != theirs[0].world:
        raise BadQuestion(
            f"{one!r} and {other!r} have no past in common: compare a fork with its parent, or two "
            "forks of one world"
        )
    shared = min([(await log.lineage.find(name)).head for name in (one, other)])
    for mine, its in zip(ours, theirs, strict=False):
        shared = min(shared, mine.upto, its.upto)
        if mine != its:
            break
    return shared


async def _told(
    log: Log, knowledge: Knowledge, who: str, seqs: Collection[int]
) -> tuple[Gain, ...]:
    """Which of these events of the story somebody was told of."""

    def found() -> list[Known]:
        told = knowledge.told(who)
        return [told[seq] for seq in sorted(told) if seq in seqs]

    gains = await _gains(log, knowledge, await asyncio.to_thread(found))
    return tuple(gain for gain in gains if of_story(gain.event))


async def _told_since(knowledge: Knowledge, names: Sequence[str], since: int) -> list[Known]:
    """Who was told, after a seq, of what was before it, in the order of the tellings. On a thread:
    it takes as long as there are tellings, and a server answers others meanwhile."""

    def found() -> list[Known]:
        told = (one for name in names for one in knowledge.told(name).values())
        news = [one for one in told if one.event <= since < (one.at or 0)]
        return sorted(news, key=lambda one: (one.at, one.event))

    return await asyncio.to_thread(found)


def _only(mine: Iterable[Known], theirs: Iterable[Known]) -> list[Known]:
    """Who was told of what on the one side, and not on the other."""
    there = {(one.event, one.character) for one in theirs}
    return [one for one in mine if (one.event, one.character) not in there]


async def _gains(log: Log, knowledge: Knowledge, told: Sequence[Known]) -> tuple[Gain, ...]:
    events = await log.lineage.pick(knowledge.cursor.world, sorted({one.event for one in told}))
    by_seq = {event.seq: event for event in events}
    return tuple(Gain(by_seq[one.event], one) for one in told)


async def _events(log: Log, cursor: Cursor, seqs: set[int]) -> tuple[Event, ...]:
    """The events of the story at some seqs."""
    if not seqs:
        return ()
    director = await log.director(cursor.world, cursor)
    low, high = min(seqs) - 1, max(seqs)
    events = await director.events(low, high)
    return tuple(await _of_story(event for event in events if event.seq in seqs))
