"""Finding tellings by rule: what an event costs where nobody misses anything and where most do, the
longest that one event takes, and how all of it grows with a world's length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from time import perf_counter, process_time

from figure import Figure, Reach, percentile
from growth import LINEAR, grown
from recalls import vocabulary
from session import Session
from story import BEGINNING

from whoknew.engine.finding.finder import Finder
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, CharacterAdded

CAST = tuple(f"person{number}" for number in range(8))
PAIR = CAST[:2]
HEAR = 4
"""So many of the cast witness each event."""

MOST = 0.025
"""Milliseconds: a tenth of what a turn of the offline model takes."""

LONGEST = 5.0
"""Milliseconds that a chain may hold up all others for."""


def figures(session: Session) -> Iterator[Figure]:
    words = vocabulary(Random(3))
    count = session.size(3_000, 300)
    everybody = story(words, PAIR, 2, count)
    yield Figure(
        "tellings: an event that everybody there is witnesses",
        "ms",
        [_each(everybody) for _ in range(session.runs)],
        reach=Reach(MOST, "most"),
    )
    some = story(words, CAST, HEAR, count)
    yield Figure(
        f"tellings: an event that {HEAR} of {len(CAST)} witness",
        "ms",
        [_each(some) for _ in range(session.runs)],
    )
    yield Figure(
        f"tellings: one event that {HEAR} of {len(CAST)} witness, p99.9",
        "ms",
        [percentile(_waits(some), 0.999) * 1e3 for _ in range(session.runs)],
        reach=Reach(LONGEST, "most"),
    )
    sizes = [1_000, 10_000] if session.quick else [1_000, 10_000, 100_000]
    took = [_each(story(words, CAST, HEAR, size)) * size / 1e3 for size in sizes]
    yield grown("tellings of a world of so many events", "s", sizes, [took], LINEAR)


def story(words: Sequence[str], cast: Sequence[str], hear: int, count: int) -> list[Event]:
    """Each speaks to some others, mostly in common words."""
    random = Random(9)
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    said = random.choices(words, weights, k=20 * count)
    events = [
        Event("w", seq, BEGINNING, BEGINNING, CharacterAdded(name))
        for seq, name in enumerate(cast, start=1)
    ]
    for number in range(count):
        witnesses = tuple(random.sample(cast, hear))
        text = " ".join(said[20 * number : 20 * number + 20]) + "."
        seq = len(events) + 1
        body = Acted(text)
        events.append(
            Event("w", seq, BEGINNING, BEGINNING, body, actor=witnesses[0], witnesses=witnesses)
        )
    return events


def _each(events: Sequence[Event]) -> float:
    """CPU for each event, in milliseconds."""
    finder = Finder()
    began = process_time()
    for event in events:
        finder.hear(event)
    return (process_time() - began) / len(events) * 1e3


def _waits(events: Sequence[Event]) -> list[float]:
    finder, waits = Finder(), []
    for event in events:
        began = perf_counter()
        finder.hear(event)
        waits.append(perf_counter() - began)
    return waits
