"""Searching a long life at a random cursor, for words that one of its events holds."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from time import perf_counter

from figure import Figure, Reach, percentile
from session import Session
from story import opening

from whoknew.eventlog import Cursor, Draft, Log
from whoknew.eventlog.kinds import Acted
from whoknew.eventlog.stores.sqlite import SqliteStore
from whoknew.eventlog.words import STOP_WORDS

VOCABULARY = 20_000

CAST = ("Horatio", "Ophelia")

Life = list[tuple[int, list[str]]]
"""The seqs that a character witnessed, with their words."""


def figures(session: Session) -> Iterator[Figure]:
    count = session.size(100_000, 2_000)
    random = Random(11)
    bare = vocabulary(random)
    # In a language about half of what is said is stop words; a query then holds some as well.
    spoken = [*sorted(STOP_WORDS), *bare][:VOCABULARY]
    yield from asyncio.run(_recalled(session, "no stop words", bare, count, (1.0, 5.0)))
    yield from asyncio.run(_recalled(session, "stop words commonest", spoken, count, (None, None)))


async def _recalled(
    session: Session, what: str, words: Sequence[str], count: int, most: Sequence[float | None]
) -> list[Figure]:
    random = Random(5)
    path = session.file("recall.db")
    async with Log(SqliteStore(path, durability="normal"), keep_events=2 * count) as log:
        life = await _live(log, random, words, count)
        word = life[-1][1][0]
        await (await log.view("world", CAST[0])).recall(word)
        queries = session.size(1000, 100)
        runs = [await _round(log, random, life, queries) for _ in range(session.runs)]
    indexed = [len(life) / await _indexed(path, word) for _ in range(session.size(3, 1))]
    return [
        Figure(
            f"recall in {count:,}, {what}, p{share * 100:.0f}",
            "ms",
            ours=[percentile(waits, share) * 1e3 for waits in runs],
            reach=Reach(bound, "most") if bound else None,
        )
        for share, bound in zip((0.5, 0.95), most, strict=True)
    ] + [Figure(f"index of recall in a log just opened, {what}", ours=indexed)]


async def _indexed(path: Path, word: str) -> float:
    """How long the first search takes, which reads and indexes all that was witnessed."""
    async with Log(SqliteStore(path)) as log:
        view = await log.view("world", CAST[0])
        began = perf_counter()
        await view.recall(word)
        return perf_counter() - began


async def _live(log: Log, random: Random, words: Sequence[str], count: int) -> Life:
    """A world in which the first character witnesses half of what happens."""
    frequencies = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    last = (await log.append("world", opening(CAST))).last
    life: Life = []
    while last < count:
        drafts = []
        for seq in range(last + 1, last + 1001):
            said = random.choices(words, cum_weights=frequencies, k=random.randint(15, 35))
            witnesses = CAST if random.random() < 0.5 else CAST[1:]
            if witnesses == CAST:
                life.append((seq, said))
            drafts.append(Draft(Acted(" ".join(said)), actor=CAST[1], witnesses=witnesses))
        last = (await log.append("world", drafts)).last
    return life


async def _round(log: Log, random: Random, life: Life, queries: int) -> list[float]:
    waits = []
    for _ in range(queries):
        cursor = Cursor("world", random.randint(life[0][0], life[-1][0]))
        past = bisect_right(life, cursor.seq, key=lambda event: event[0])
        said = life[random.randrange(past)][1]
        query = " ".join(random.sample(said, random.randint(4, 8)))
        began = perf_counter()
        view = await log.view("world", CAST[0], cursor)
        await view.recall(query)
        waits.append(perf_counter() - began)
    return waits


def vocabulary(random: Random) -> list[str]:
    """Words that can be spoken, the commonest first; common ones tend to be short."""
    syllables = [a + b for a in "bdfghjklmnprstvw" for b in "aeiou"]
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        length = 1 if len(words) < 40 else 2 if len(words) < 2000 else 3
        words["".join(random.choices(syllables, k=length)) + random.choice("lmnrst")] = None
    return list(words)
