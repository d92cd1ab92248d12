"""What if somebody had heard it, or had not: the events of a fork that has other witnesses."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import (
    Acted,
    Amended,
    Became,
    Entered,
    Left,
    Narrated,
    Planned,
    Seen,
    TellingFound,
    TellingsSought,
    Traced,
)
from whoknew.worlds.hearing import reheard

HEARD = (Acted, Narrated, Traced)
"""The kinds that one can be said to have heard or not."""

WHY = "what if"

DEED = 8
"""No deed takes more events than these."""


class Rehearing(Struct, frozen=True):
    """Of the event `seq`: these heard it after all, and these did not."""

    seq: int
    heard: tuple[str, ...] = ()
    unheard: tuple[str, ...] = ()


def rehearings(
    heard: Sequence[tuple[int, str]], unheard: Sequence[tuple[int, str]]
) -> list[Rehearing]:
    """What is said of each event, in order."""
    seqs = sorted({seq for seq, _ in (*heard, *unheard)})
    return [
        Rehearing(
            seq,
            _of(seq, heard),
            _of(seq, unheard),
        )
        for seq in seqs
    ]


def _of(seq: int, named: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    """Each who is named with an event, once."""
    return tuple(dict.fromkeys(name for at, name in named if at == seq))


async def last_of(log: Log, world: str, changed: Sequence[Rehearing]) -> int:
    """Up to where a fork can go in which people heard otherwise. What was imported is as it was, whoever
    hears it; what was played was decided by people who had heard it so."""
    head = (await log.lineage.find(world)).head
    first = changed[0].seq
    if not 0 < first <= changed[-1].seq <= head:
        raise BadQuestion(f"{world!r} has no #{changed[-1].seq}: name one of 1-{head}")
    plans = [
        event.seq for event in await log.landmarks(world, head) if isinstance(event.body, Planned)
    ]
    if not plans or plans[0] > changed[-1].seq:
        return plans[0] - 1 if plans else head
    if len(changed) > 1:
        raise BadQuestion(
            f"{world!r} was played: who hears #{first} otherwise decides otherwise from there on, so "
            f"#{changed[-1].seq} would never come. Name one event, go on in the fork, and fork that"
        )
    return await _end_of_deed(log, world, first, head)


async def _end_of_deed(log: Log, world: str, seq: int, head: int) -> int:
    """Where the events end that came with it at once: that it was seen, that one went."""
    deed, *others = await (await log.director(world, f"#{head}")).events(seq - 1, seq - 1 + DEED)
    for event in others:
        same = (event.episode, event.turn, event.actor) == (deed.episode, deed.turn, deed.actor)
        if not same or not isinstance(event.body, Seen | Left | Entered | Became):
            break
        seq = event.seq
    return seq


async def heard_otherwise(
    log: Log, world: str, changed: Sequence[Rehearing], upto: int
) -> list[tuple[int, Draft]]:
    """The events from the first that is heard otherwise on, each with its seq there, and what was found
    of tellings in them."""
    first = changed[0].seq
    events = await (await log.director(world, f"#{upto}")).events(first - 1)
    for one in changed:
        event = events[one.seq - first]
        if not isinstance(event.body, HEARD):
            kind = event.body.__struct_config__.tag
            raise BadQuestion(
                f"#{one.seq} of {world!r} is of kind {kind}, which nobody hears: take a speech, an "
                "action, a narration or a letter"
            )
        for name in (*one.heard, *one.unheard):
            await log.view(world, name, f"#{one.seq}")  # it is somebody of that time
        if both := [name for name in one.heard if name in one.unheard]:
            raise BadQuestion(
                f"{both[0]} is to have heard #{one.seq} and not to have heard it: leave one out"
            )
        for name in one.heard:
            if name in event.witnesses:
                raise BadQuestion(f"{name} witnessed #{one.seq} as it is: leave `heard` out")
        for name in one.unheard:
            if name == event.actor:
                raise BadQuestion(f"#{one.seq} is {name}'s own: it cannot have missed it")
            if name not in event.witnesses:
                raise BadQuestion(
                    f"{name} did not witness #{one.seq} as it is: leave `unheard` out"
                )
    later = [
        event
        for event in await log.lineage.all_tellings(world, upto)
        if isinstance(event.body, TellingFound) and first <= (event.cause or 0) <= upto
    ]
    found = reheard(
        (
            (event.seq, event.draft)
            for event in (*events, *later)
            if not isinstance(event.body, TellingsSought)
        ),
        {
            one.seq: dict.fromkeys(one.heard, True) | dict.fromkeys(one.unheard, False)
            for one in changed
        },
        {one.seq: [Amended(WHY, one.heard, one.unheard)] for one in changed},
    )
    return list(found)
