"""Who knows what at a moment: events by characters, and how the knowledge came."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.travel.marking import marks
from whoknew.engine.travel.replaying import Facts, facts_of
from whoknew.eventlog import Event, Knowledge, Known, Log
from whoknew.eventlog.cursor import Cursor, Moment
from whoknew.eventlog.errors import missing
from whoknew.eventlog.kinds import Acted, EpisodeOpened, EvidenceNoted, Narrated, Traced
from whoknew.eventlog.words import STOP_WORDS

MOST = 12
"""Events that a search finds, the ones that hold most of its words."""

SHARED = (Acted, Narrated, Traced, EvidenceNoted, EpisodeOpened)
"""What others can come to know of; goals, memories and feelings are found by their seqs."""

PAGE = 5000

_RANGE = re.compile(r"#?(\d+)(?:\s*(?:-|\.\.)\s*#?(\d+))?")
_WORD = re.compile(r"\w+")


class Row(Struct, frozen=True, omit_defaults=True):
    """One event, and what each of the characters knows of it. `chains` are the ways by which it
    reached those who were told, teller by teller."""

    event: Event
    cells: tuple[Known, ...]
    chains: tuple[tuple[Known, ...], ...] = ()
    mark: str = ""


class Matrix(Struct, frozen=True):
    facts: Facts
    cursor: int
    about: str
    characters: tuple[str, ...]
    rows: tuple[Row, ...]


async def knows(
    log: Log,
    world: str,
    at: Moment = "end",
    *,
    about: str | None = None,
    who: Sequence[str] = (),
    most: int = MOST,
) -> Matrix:
    """Who knows of the events that a text or a range of seqs means; of the marked secrets, where
    none is given."""
    cursor = await log.cursor(world, at)
    knowledge = await log.knowledge(world, cursor)
    names = {} if about is not None else await _secrets(log, world)
    seqs = list(names) if about is None else await _meant(log, cursor, about, most)
    characters = tuple(who) or knowledge.characters
    rows = [await _row(log, knowledge, seq, characters, names.get(seq, "")) for seq in seqs]
    facts = await facts_of(log, world, cursor.seq)
    return Matrix(facts, cursor.seq, about or "", characters, tuple(rows))


async def _row(
    log: Log, knowledge: Knowledge, seq: int, characters: Sequence[str], mark: str
) -> Row:
    (event,) = await (await log.director(knowledge.cursor.world, f"#{seq}")).events(seq - 1)
    cells = tuple(knowledge.of(seq, name) for name in characters)
    chains = [tuple(knowledge.trace(seq, one.character)) for one in cells if one.answer == "told"]
    return Row(event, cells, tuple(chains), mark)


async def _secrets(log: Log, world: str) -> dict[int, str]:
    secrets = {one.cursor: one.name for one in await marks(log, world) if one.secret}
    if not secrets:
        raise BadQuestion(
            f"{world!r} has no secrets marked: search for some words (--about TEXT), name seqs "
            f"(--about 12-20), or mark one: whoknew mark {world} NAME --at SEQ --secret"
        )
    return secrets


async def _meant(log: Log, cursor: Cursor, about: str, most: int) -> list[int]:
    if match := _RANGE.fullmatch(about.strip()):
        first, last = int(match[1]), int(match[2] or match[1])
        head = (await log.past.find(cursor.world)).head
        if not 0 < first <= last <= head:
            raise BadQuestion(f"{about!r} names seqs that {cursor.world!r} has not: 1 to {head}")
        return list(range(first, last + 1))
    return await search(log, cursor, about, most)


async def search(log: Log, cursor: Cursor, words: str, most: int) -> list[int]:
    """The seqs of the events of the story that hold most of the words, in order."""
    said = {word.casefold() for word in _WORD.findall(words)}
    wanted = said - STOP_WORDS or said
    if not wanted:
        raise BadQuestion(f"{words!r} holds no word to search for")
    found: list[tuple[int, int]] = []
    async for body in _holding(log, cursor, wanted):
        event = log.codec.decode(body)
        if isinstance(event.body, SHARED):
            text = event.text.casefold()
            if count := sum(word in text for word in wanted):
                found.append((-count, event.seq))
    if not found:
        raise BadQuestion(f"nothing in {cursor} holds {words!r}: try other words, or a seq")
    best = [pair for pair in found if pair[0] == min(found)[0]]
    return sorted(seq for _, seq in best[:most])


async def _holding(log: Log, cursor: Cursor, words: set[str]) -> AsyncIterator[bytes]:
    """The events in whose bytes some of the words stand: most need not be decoded."""
    plain = [word.encode() for word in words if word.isascii()]
    every = len(plain) < len(words)
    after = 0
    while after < cursor.seq:
        bodies = await log.past.read(cursor.world, after, cursor.seq, PAGE)
        if not bodies:
            raise missing(cursor.world, after + 1)
        after += len(bodies)
        for body in bodies:
            lower = body.lower()
            if every or any(word in lower for word in plain):
                yield body
