"""What some words are about: the one search for the events of a world, wherever it is asked for. Who
searches again and again in a world as a whole has `story_index.py`."""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from heapq import merge
from typing import NamedTuple

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.eventlog import Event, Log
from whoknew.eventlog.codec import Codec
from whoknew.eventlog.cursor import Cursor
from whoknew.eventlog.errors import missing
from whoknew.eventlog.kinds import Acted, EpisodeOpened, Narrated, Traced
from whoknew.eventlog.ranking import RANKING
from whoknew.eventlog.words import terms, words

SHARED = (Acted, Narrated, Traced, EpisodeOpened)
"""What others can come to know of; goals, memories and feelings are found by their seqs."""

PAGE = 5000

_PHRASE = re.compile('["“”]([^"“”]*)["“”]')


class Wanted(Struct, frozen=True):
    """What is searched for: words by their stems, and phrases that must stand there word for word.
    What holds the unquoted words as they stand (`whole`) comes first."""

    stems: frozenset[str]
    phrases: tuple[str, ...]
    whole: str
    beginnings: tuple[bytes, ...]
    """One of these stands in all that is wanted, as far as that is plain ASCII."""


class Hit(NamedTuple):
    """An event that holds some of the words: how often each, among how many of its own."""

    seq: int
    whole: bool
    often: Counter[str]
    length: int


async def search(log: Log, cursor: Cursor, text: str) -> list[int]:
    """The seqs of all events of the story that hold some of the words and all of the phrases, the
    best match first: what holds the most of the words, and of equals what says them most."""
    sought = wanted(text)
    hits: list[Hit] = []
    async for bodies in pages(log, cursor):
        hits += await asyncio.to_thread(_held, log.codec, bodies, sought)
    if not hits:
        raise BadQuestion(f"nothing in {cursor} holds {text!r}: try other words, or a seq")
    return await asyncio.to_thread(ranked, hits, cursor.seq)


def wanted(text: str) -> Wanted:
    """What a text asks for. Words that stand everywhere mean themselves where there are no others."""
    plain = _PHRASE.sub(" ", text)
    phrases = [run_of(quoted) for quoted in _PHRASE.findall(text)]
    stems, whole = frozenset(terms(plain)), run_of(plain)
    if not stems and not any(map(str.strip, phrases)):
        phrases.append(whole)
    phrases = [phrase for phrase in phrases if phrase.strip()]
    if not stems and not phrases:
        raise BadQuestion(f"{text!r} holds no word to search for")
    return Wanted(stems, tuple(phrases), whole, _beginnings(stems, phrases))


def _beginnings(stems: frozenset[str], phrases: Sequence[str]) -> tuple[bytes, ...]:
    """Of a phrase its longest word is enough; a stem is its words' beginning but for its last
    letter (happy, happi). Of what is not ASCII nothing can be said."""
    of_phrase = [max(phrase.split(), key=len) for phrase in phrases[:1]]
    found = of_phrase or [stem[:-1] or stem for stem in stems]
    return tuple(map(str.encode, found)) if all(map(str.isascii, found)) else (b"",)


async def pages(log: Log, cursor: Cursor) -> AsyncIterator[list[bytes]]:
    """All events up to a cursor as they are stored, many at a time."""
    after = 0
    while after < cursor.seq:
        bodies = await log.lineage.read(cursor.world, after, cursor.seq, PAGE)
        if not bodies:
            raise missing(cursor.world, after + 1)
        yield bodies
        after += len(bodies)


def _held(codec: Codec, bodies: Sequence[bytes], sought: Wanted) -> list[Hit]:
    """Most need not be decoded to see that they hold nothing."""
    likely = (body for body in bodies if _may_hold(body, sought))
    hits = (_hit(codec.decode(body), sought) for body in likely)
    return [hit for hit in hits if hit is not None]


def _may_hold(body: bytes, sought: Wanted) -> bool:
    lower = body.lower()
    return not body.isascii() or any(one in lower for one in sought.beginnings)


def _hit(event: Event, sought: Wanted) -> Hit | None:
    if not isinstance(event.body, SHARED):
        return None
    run = run_of(event.text)
    if not all(phrase in run for phrase in sought.phrases):
        return None
    stems = terms(event.text)
    often = Counter(stem for stem in stems if stem in sought.stems)
    if not often and not sought.phrases:
        return None
    return Hit(event.seq, sought.whole in run, often, len(stems))


def ranked(hits: Sequence[Hit], events: int) -> list[int]:
    """By BM25 among those that hold as many of the words."""
    holding = Counter(stem for hit in hits for stem in hit.often)
    rarity = {stem: math.log(1 + events / count) for stem, count in holding.items()}
    mean = sum(hit.length for hit in hits) / len(hits) or 1.0

    def score(hit: Hit) -> float:
        length = hit.length / mean
        counts = hit.often.items()
        return sum((rarity[stem] * RANKING.bm25(count, length) for stem, count in counts), 0.0)

    keys = [(not hit.whole, -len(hit.often), -score(hit), hit.seq) for hit in hits]
    # A hundred thousand sorted in one go would hold up everybody else for a tenth of a second.
    runs = [sorted(keys[n : n + PAGE]) for n in range(0, len(keys), PAGE)]
    return [key[-1] for key in merge(*runs)]


def run_of(text: str) -> str:
    """The words of a text one after another, so that a part of it is a part of this."""
    return f" {' '.join(words(text))} "
