"""Who knows what at a moment: events by characters, and how the knowledge came."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.finding.records import looked_through
from whoknew.engine.finding.searching import search
from whoknew.engine.travel.knowers import Knowers, KnownTo, by_spread, knowers, known_to
from whoknew.engine.travel.mark import marks
from whoknew.engine.travel.replay import WorldFacts, facts_of
from whoknew.engine.travel.seq_range import seq_range
from whoknew.eventlog import Event, Knowledge, Known, Log
from whoknew.eventlog.cursor import Cursor, When
from whoknew.eventlog.knowledge import SURE

LIMIT = 20
"""Rows that are shown where nobody says how many: a screen of them."""


class KnowsRow(Struct, frozen=True, omit_defaults=True):
    """One event, and what each of the characters knows of it. `chains` are the ways by which it
    reached those who were told, teller by teller."""

    event: Event
    cells: tuple[Known, ...]
    chains: tuple[tuple[Known, ...], ...] = ()
    mark: str = ""


class Matrix(Struct, frozen=True, kw_only=True):
    """The `rows` past the first `skipped` of the `total` events that are meant. Of all of these
    some of the characters were told of `told`, `knowing` know of any, and each of the characters, in
    their order, of as many as `counts` says. `doubtful`: only events are
    meant of which it is open who witnessed them. `only`: those that these know of, and nobody else of
    the characters; `unaware`: those that some of the characters know of, but none of these. Told
    is who was told by tellings at least so `sure`; `looked`: tellings were looked for in all that had
    happened, and not only declared."""

    facts: WorldFacts
    cursor: int
    about: str
    characters: tuple[str, ...]
    total: int
    skipped: int
    told: int
    knowing: tuple[str, ...]
    rows: tuple[KnowsRow, ...]
    doubtful: bool = False
    only: tuple[str, ...] = ()
    unaware: tuple[str, ...] = ()
    sure: float = SURE
    looked: bool = False
    counts: tuple[int, ...] = ()


async def knows(
    log: Log,
    world: str,
    at: When = "end",
    *,
    about: str | None = None,
    who: Sequence[str] = (),
    only: Sequence[str] = (),
    unaware: Sequence[str] = (),
    doubtful: bool = False,
    limit: int = LIMIT,
    skip: int = 0,
    order: KnownTo | None = None,
    sure: float = SURE,
    recorded_at: When | None = None,
) -> Matrix:
    """Who knows of the events that a text or a range of seqs means; of the marked secrets, where
    none is given. Some pick events among those that a text means, or among all: `doubtful` those of
    which it is open who witnessed them, those first that most is at stake with; `only` those that
    these characters know of, and nobody else of `who`; `unaware` those that some of `who` know of,
    but none of these: secrets first, then what most know of.
    With an `order` they come by how many of the characters know of each.
    `sure` and `recorded_at` as in `Log.knowledge`."""
    knowledge = await log.knowledge(world, at, sure=sure, recorded_at=recorded_at)
    whose = knowers(knowledge, only, unaware, who)
    picked = bool(only or unaware)
    if picked and doubtful:
        raise BadQuestion("doubtful events are asked for by themselves: leave out `only` and `not`")
    if doubtful:
        meant = await _doubtful(log, knowledge, about, who)
    elif picked:
        meant = await _known_to(log, knowledge, about, whose)
    else:
        meant = await _named(log, knowledge, about)
    seqs = meant.seqs
    characters = whose.everybody if picked and who else tuple(who) or knowledge.characters
    if order is not None:
        seqs = await by_spread(knowledge, seqs, characters, order)
    rows = await _rows(log, knowledge, characters, meant, seqs[skip : skip + limit])
    # On a thread: it takes as long as there are tellings, and a server answers others meanwhile.
    told, counts = await asyncio.to_thread(_known, knowledge, seqs, characters)
    cursor = knowledge.cursor
    return Matrix(
        facts=await facts_of(log, world, cursor.seq),
        cursor=cursor.seq,
        about=about or "",
        characters=characters,
        total=len(seqs),
        skipped=skip,
        told=told,
        knowing=tuple(name for name in characters if counts[name]),
        rows=rows,
        doubtful=doubtful,
        only=whose.only,
        unaware=whose.unaware,
        sure=sure,
        looked=await looked_through(log, world, knowledge.sought, cursor.seq),
        counts=tuple(counts[name] for name in characters),
    )


class _Meant(Struct, frozen=True):
    """The events that are asked about, in the order in which they are shown; and what some of them are
    called."""

    seqs: Sequence[int]
    names: Mapping[int, str] = {}


async def _named(log: Log, knowledge: Knowledge, about: str | None) -> _Meant:
    """What a text means; without one, the marked secrets."""
    if about is not None:
        return _Meant(await _about(log, knowledge.cursor, about))
    names = await _secrets(log, knowledge.cursor.world)
    return _Meant(list(names), names)


async def _known_to(log: Log, knowledge: Knowledge, about: str | None, whose: Knowers) -> _Meant:
    """Of what a text means, or of all, that which only some know of."""
    among = None if about is None else await _about(log, knowledge.cursor, about)
    names = await secrets(log, knowledge.cursor.world)
    return _Meant(await known_to(log, knowledge, whose, names, among), names)


async def _doubtful(
    log: Log, knowledge: Knowledge, about: str | None, who: Sequence[str]
) -> _Meant:
    """The events of which it is open who witnessed them, the most consequential first: those that are
    marked as secret, then those where most words may have been heard by most of these doubtful
    witnesses."""
    world = knowledge.cursor.world
    meant = None if about is None else frozenset(await _about(log, knowledge.cursor, about))
    marked = await secrets(log, world)
    stake: dict[int, int] = {}
    for seq in knowledge.doubtful():
        doubts = [name for name in knowledge.doubts(seq) if not who or name in who]
        if doubts and (meant is None or seq in meant):
            stake[seq] = len(doubts)
    for event in await log.lineage.pick(world, list(stake)):
        stake[event.seq] *= len(event.text.split())
    return _Meant(sorted(stake, key=lambda seq: (seq not in marked, -stake[seq], seq)))


async def _rows(
    log: Log,
    knowledge: Knowledge,
    characters: Sequence[str],
    meant: _Meant,
    page: Sequence[int],
) -> tuple[KnowsRow, ...]:
    events = await log.lineage.pick(knowledge.cursor.world, sorted(page))
    by_seq = {event.seq: event for event in events}

    def rows() -> tuple[KnowsRow, ...]:
        return tuple(_row(knowledge, by_seq[seq], characters, meant.names) for seq in page)

    return await asyncio.to_thread(rows)


def _row(
    knowledge: Knowledge, event: Event, characters: Sequence[str], names: Mapping[int, str]
) -> KnowsRow:
    cells = knowledge.row(event.seq, characters)
    chains = [
        tuple(knowledge.trace(event.seq, one.character)) for one in cells if one.answer == "told"
    ]
    return KnowsRow(event, cells, tuple(chains), names.get(event.seq, ""))


def _known(
    knowledge: Knowledge, seqs: Sequence[int], characters: Sequence[str]
) -> tuple[int, dict[str, int]]:
    """Of how many of these events somebody was told, and of how many each knows."""
    meant = seqs if isinstance(seqs, range) else frozenset(seqs)
    counts = {name: knowledge.how_many(name, meant) for name in characters}
    told, everybody = 0, frozenset(characters)
    for seq, names in knowledge.reached().items():
        if seq in meant:
            heard = [one for one in names & everybody if not knowledge.witnessed(one, (seq,))]
            told += bool(heard)
            for one in heard:
                counts[one] += 1
    return told, counts


async def secrets(log: Log, world: str) -> dict[int, str]:
    """The names of the events that are marked as secrets."""
    names: dict[int, list[str]] = {}
    for one in await marks(log, world):
        if one.secret:
            names.setdefault(one.cursor, []).append(one.name)
    return {seq: ", ".join(some) for seq, some in names.items()}


async def _secrets(log: Log, world: str) -> dict[int, str]:
    marked = await secrets(log, world)
    if not marked:
        raise BadQuestion(
            f"{world!r} has no secrets marked: search for some words (`about` TEXT), name seqs "
            "(`about` 12-20), or mark an event as a secret"
        )
    return marked


async def _about(log: Log, cursor: Cursor, about: str) -> Sequence[int]:
    """The events that a text means, in order, or the best match first."""
    if seqs := seq_range(about):
        first, last = seqs
        head = (await log.lineage.find(cursor.world)).head
        if not 0 < first <= last <= head:
            raise BadQuestion(f"{about!r} names seqs that {cursor.world!r} has not: 1 to {head}")
        return range(first, last + 1)
    return await search(log, cursor, about)
