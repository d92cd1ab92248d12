"""What came to be known to a character in an episode, a turn, or a span of events: what it was told,
by whom and in which words, and what it witnessed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.travel.knows import LIMIT, secrets
from whoknew.engine.travel.replay import WorldFacts, facts_of
from whoknew.engine.travel.seq_range import seq_range
from whoknew.eventlog import Event, Knowledge, Known, Log
from whoknew.eventlog.cursor import AtEpisode, AtSeq, When, parse
from whoknew.eventlog.kinds import EpisodeOpened
from whoknew.eventlog.knowledge import SURE

SPANS = "an episode (E4), a turn (E4.T5), an event (#126) or several (#90-126)"


class LearntRow(Struct, frozen=True, omit_defaults=True):
    """One event that came to be known, and how. `speech` is the event that told of it."""

    event: Event
    known: Known
    speech: Event | None = None
    mark: str = ""


class Learnt(Struct, frozen=True, kw_only=True):
    """The `rows` past the first `skipped` of all that came to be known to a character after the
    seq `after` and up to `cursor`. First the `told` events that it was told of and had not known of,
    in the order of the tellings; then the `witnessed` ones."""

    facts: WorldFacts
    character: str
    new: str
    after: int
    cursor: int
    total: int
    told: int
    witnessed: int
    skipped: int
    rows: tuple[LearntRow, ...]


async def learnt(
    log: Log,
    world: str,
    character: str,
    new: str,
    at: When = "end",
    *,
    limit: int = LIMIT,
    skip: int = 0,
    sure: float = SURE,
    recorded_at: When | None = None,
) -> Learnt:
    """What came to be known to a character in the span `new`, as far as that had happened `at` a
    cursor. An episode counts from the end of the one before it, so nothing is between two."""
    after, last = await _span(log, world, new)
    upto = min(last, (await log.cursor(world, at)).seq)
    knowledge = await log.knowledge(world, AtSeq(upto), sure=sure, recorded_at=recorded_at)
    told, witnessed = await asyncio.to_thread(_news, knowledge, character, after)
    page = [*told[skip : skip + limit]]
    there = witnessed[max(0, skip - len(told)) : max(0, skip + limit - len(told))]
    page += await asyncio.to_thread(lambda: [knowledge.of(seq, character) for seq in there])
    return Learnt(
        facts=await facts_of(log, world, upto),
        character=character,
        new=new,
        after=after,
        cursor=upto,
        total=len(told) + len(witnessed),
        told=len(told),
        witnessed=len(witnessed),
        skipped=skip,
        rows=await _rows(log, world, page),
    )


def _news(knowledge: Knowledge, character: str, after: int) -> tuple[list[Known], Sequence[int]]:
    perceived = knowledge.perceived(character)
    told = [known for known in knowledge.told(character).values() if (known.at or 0) > after]
    told.sort(key=lambda known: (known.at, known.event))
    return told, [seq for seq in perceived if seq > after]


async def _rows(log: Log, world: str, page: Sequence[Known]) -> tuple[LearntRow, ...]:
    names = await secrets(log, world)
    seqs = {known.event for known in page} | {known.at for known in page if known.at is not None}
    events = {event.seq: event for event in await log.lineage.pick(world, sorted(seqs))}
    return tuple(
        LearntRow(
            events[known.event],
            known,
            events.get(known.at or 0) if known.answer == "told" else None,
            names.get(known.event, ""),
        )
        for known in page
    )


async def _span(log: Log, world: str, new: str) -> tuple[int, int]:
    """The seqs past which the span begins, and where it ends."""
    if seqs := seq_range(new):
        first, last = seqs
        return max(first, 1) - 1, (await log.cursor(world, AtSeq(last))).seq
    match when := parse(new):
        case AtEpisode(episode, turn):
            last = (await log.cursor(world, when)).seq
            begins = (
                AtEpisode(episode, turn - 1) if turn else await _before(log, world, episode, last)
            )
            return (await log.cursor(world, begins)).seq, last
        case _:
            raise BadQuestion(f"{new!r} is a moment: name what it was new in: {SPANS}")


async def _before(log: Log, world: str, episode: int, upto: int) -> When:
    """The end of the episode before one, whatever its number; before the first the beginning."""
    begun = [
        event.episode
        for event in await log.landmarks(world, upto)
        if isinstance(event.body, EpisodeOpened)
    ]
    place = begun.index(episode)
    return AtEpisode(begun[place - 1]) if place else AtSeq(0)
