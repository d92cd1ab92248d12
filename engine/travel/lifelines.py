"""The layout of a story: how high each character's line runs, from left to right.

Lines of people who are together lie side by side; all others keep to their own height. That is a
storyline chart. What has been published for it looks for the fewest crossings, in a time that grows
with the square of the story and more (StoryFlow, iStoryline), or is a plug-in of a version of D3 that
is gone; none is kept up, and none runs here. This is what they share, and takes a time that grows with
the story alone: lines have one order from top to bottom, found by barycentres (each line goes to the
mean of where those were with whom it was), of some tries the one with the fewest crossings; and in each
column people who are together are moved to the mean of their heights, no further than it takes for
nobody else to lie between (pool adjacent violators).
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from whoknew.engine.travel.gatherings import Gathering, Gatherings, Stretch, Together

COLUMNS = 160
"""As many as the eye tells apart: in a longer stretch of time those are together who mostly were."""

MOST = 60
"""Lines that are drawn, of those who are together with others the longest."""

CLOSE = 0.55
"""How far lines lie apart of people who are together; others lie 1 apart."""

TRIES = 10

AWAY = 0.05
"""How little it matters that somebody who is nowhere stays at its height."""


class Column(Struct, frozen=True, kw_only=True):
    """From the event `first` to the event `last`: who is together, and how high each line runs, in the
    order of the `people`; nothing before it begins."""

    first: int
    last: int
    episode: int
    together: Together
    heights: tuple[float | None, ...]


class Lifelines(Struct, frozen=True, kw_only=True):
    """Lines from top to bottom, and the columns between two events. `others` are not drawn. `highest`
    and `lowest` are the bounds of all heights, in whatever stretch of time."""

    people: tuple[str, ...]
    columns: tuple[Column, ...]
    others: int
    highest: float
    lowest: float


class _Span(Struct, frozen=True):
    """A column without heights."""

    first: int
    last: int
    episode: int
    together: Together


class Order(Struct, frozen=True, kw_only=True):
    """The lines from top to bottom, with the event from which on each is drawn, and the bounds of their
    heights; `others` are not drawn."""

    people: tuple[str, ...]
    since: tuple[int, ...]
    others: int
    highest: float
    lowest: float


def ordered(story: Gatherings) -> Order:
    """In which order the lines of a story cross each other seldom: one for all stretches of its time."""
    whole = _spans(story, story.begins, story.upto, COLUMNS)
    drawn, others = _people(whole)
    people = _order(drawn, whole)
    heights = _Heights(people)
    every = [height for one in whole for height in heights.of(one.together)]
    since = _since(story, people)
    return Order(
        people=people,
        since=tuple(since[name] for name in people),
        others=others,
        highest=min(every, default=0.0),
        lowest=max(every, default=0.0),
    )


def lifelines(
    story: Gatherings, order: Order, after: int, upto: int, columns: int = COLUMNS
) -> Lifelines:
    """The lines past one event and up to another."""
    heights = _Heights(order.people)
    spans = _spans(story, after, upto, columns)
    every = [height for one in spans for height in heights.of(one.together)]
    return Lifelines(
        people=order.people,
        columns=tuple(
            Column(
                first=one.first,
                last=one.last,
                episode=one.episode,
                together=one.together,
                heights=_begun(heights.of(one.together), order.since, one.last),
            )
            for one in spans
        ),
        others=order.others,
        highest=min(every, default=order.highest),
        lowest=max(every, default=order.lowest),
    )


def _begun(heights: Sequence[float], since: Sequence[int], last: int) -> tuple[float | None, ...]:
    """Nothing of the lines that begin later."""
    some = zip(heights, since, strict=True)
    return tuple(height if first <= last else None for height, first in some)


def _spans(story: Gatherings, after: int, upto: int, columns: int) -> list[_Span]:
    """So many columns at most; those side by side in which all is the same are one."""
    width = max(1, -(-(upto - after) // columns))
    spans: list[_Span] = []
    for some in _bins(story, after, upto, width):
        one = _mostly(some)
        if spans and (spans[-1].episode, spans[-1].together) == (one.episode, one.together):
            one = _Span(spans[-1].first, one.last, one.episode, one.together)
            spans.pop()
        spans.append(one)
    return spans


def _bins(story: Gatherings, after: int, upto: int, width: int) -> Iterator[list[Stretch]]:
    """The stretches of each column, cut where it begins and ends."""
    some: list[Stretch] = []
    end = after + width
    for stretch in story.stretches(after, upto):
        first = stretch.first
        while first <= stretch.last:
            if first > end:
                if some:
                    yield some
                some, end = [], end + width * -(-(first - end) // width)
            last = min(stretch.last, end)
            some.append(stretch._replace(first=first, last=last))
            first = last + 1
    if some:
        yield some


def _mostly(some: Sequence[Stretch]) -> _Span:
    """Who was where for most of the time."""
    first, last = some[0].first, some[-1].last
    if len(some) == 1:
        return _Span(first, last, some[0].episode, some[0].together)
    where: dict[str, Counter[tuple[object, ...]]] = {}
    hidden: Counter[str] = Counter()
    episodes: Counter[int] = Counter()
    for stretch in some:
        time = stretch.last - stretch.first + 1
        episodes[stretch.episode] += time
        for gathering in stretch.together:
            key = (stretch.episode, gathering.place)
            met = key if stretch.episode else (*key, gathering.people)
            for name in gathering.people:
                where.setdefault(name, Counter())[met] += time
            hidden.update(gathering.hidden)
    found: dict[tuple[object, ...], list[str]] = {}
    for name, keys in where.items():
        found.setdefault(keys.most_common(1)[0][0], []).append(name)
    together = tuple(_gathering(key, names, hidden) for key, names in found.items())
    return _Span(first, last, episodes.most_common(1)[0][0], together)


def _gathering(key: tuple[object, ...], names: list[str], hidden: Counter[str]) -> Gathering:
    place = key[1] if isinstance(key[1], str) else None
    return Gathering(place, tuple(names), tuple(name for name in names if hidden[name]))


def _people(whole: Sequence[_Span]) -> tuple[list[str], int]:
    """Those who are drawn, in the order of their coming, and how many are not."""
    times: Counter[str] = Counter()
    for one in whole:
        for gathering in one.together:
            times.update(dict.fromkeys(gathering.people, one.last - one.first + 1))
    chosen = {name for name, _ in times.most_common(MOST)}
    return [name for name in times if name in chosen], max(0, len(times) - MOST)


def _since(story: Gatherings, names: Sequence[str]) -> dict[str, int]:
    """Where the line of each begins."""
    waiting, since = set(names), dict[str, int]()
    for stretch in story.stretches(0, story.upto):
        if not waiting:
            break
        for gathering in stretch.together:
            for name in waiting.intersection(gathering.people):
                since[name] = stretch.first
        waiting.difference_update(since)
    return since


def _order(names: Sequence[str], whole: Sequence[_Span]) -> tuple[str, ...]:
    """From top to bottom, with few crossings."""
    order, best, fewest = list(names), tuple(names), _crossings(names, whole)
    for _ in range(TRIES):
        order = _by_company(order, whole)
        crossings = _crossings(order, whole)
        if crossings < fewest:
            best, fewest = tuple(order), crossings
    return best


def _by_company(order: Sequence[str], whole: Sequence[_Span]) -> list[str]:
    """Each at the mean of where those are with whom it is."""
    rank = {name: place for place, name in enumerate(order)}
    sums = dict.fromkeys(order, 0.0)
    times = dict.fromkeys(order, 0)
    for one in whole:
        time = one.last - one.first + 1
        for gathering in one.together:
            there = [name for name in gathering.people if name in rank]
            for name in there:
                sums[name] += time * sum(rank[other] for other in there) / len(there)
                times[name] += time
    return sorted(order, key=lambda name: (sums[name] / max(1, times[name]), rank[name]))


def _crossings(order: Sequence[str], whole: Sequence[_Span]) -> int:
    """How often one line crosses another, from each column to the next."""
    heights = _Heights(order)
    crossings, before = 0, tuple(float(place) for place in range(len(order)))
    for one in whole:
        now = heights.of(one.together)
        if now is not before:
            crossings += _inversions(before, now)
        before = now
    return crossings


def _inversions(before: Sequence[float], now: Sequence[float]) -> int:
    seen: list[float] = []
    found = 0
    for _, height in sorted(zip(before, now, strict=True)):
        found += len(seen) - bisect_right(seen, height)
        insort(seen, height)
    return found


class _Heights:
    """How high lines run, by who is together; reckoned once for each company."""

    def __init__(self, order: Sequence[str]) -> None:
        self._rank = {name: place for place, name in enumerate(order)}
        self._known: dict[Together, tuple[float, ...]] = {}

    def of(self, together: Together) -> tuple[float, ...]:
        if together not in self._known:
            self._known[together] = self._found(together)
        return self._known[together]

    def _found(self, together: Together) -> tuple[float, ...]:
        rank = self._rank
        groups = [sorted(rank[name] for name in one.people if name in rank) for one in together]
        there = {place for group in groups for place in group}
        units = [group for group in groups if group]
        units += [[place] for place in range(len(rank)) if place not in there]
        units.sort(key=lambda unit: (sum(unit) / len(unit), unit))
        weights = [float(len(unit)) if unit[0] in there else AWAY for unit in units]
        heights = [0.0] * len(rank)
        for unit, middle in zip(units, _apart(units, weights), strict=True):
            top = middle - CLOSE * (len(unit) - 1) / 2
            for place, line in enumerate(unit):
                heights[line] = round(top + CLOSE * place, 2)
        return tuple(heights)


def _apart(units: Sequence[Sequence[int]], weights: Sequence[float]) -> Iterator[float]:
    """The middles of units as near as can be to where they would be, at least 1 apart."""
    offsets: list[float] = []
    offset = 0.0
    for place, unit in enumerate(units):
        if place:
            offset += 1 + CLOSE * (len(unit) + len(units[place - 1]) - 2) / 2
        offsets.append(offset)
    pools: list[tuple[float, float, int]] = []
    for unit, weight, offset in zip(units, weights, offsets, strict=True):
        mean, size = sum(unit) / len(unit) - offset, 1
        while pools and pools[-1][0] >= mean:
            other, heavier, count = pools.pop()
            mean = (mean * weight + other * heavier) / (weight + heavier)
            weight, size = weight + heavier, size + count
        pools.append((mean, weight, size))
    starts = (mean for mean, _, size in pools for _ in range(size))
    return (start + offset for start, offset in zip(starts, offsets, strict=True))


def heights_at(lines: Lifelines, event: int) -> Mapping[str, float]:
    """How high each line runs at an event; nothing where it is not drawn."""
    place = bisect_right(lines.columns, event, key=lambda column: column.first)
    if not place:
        return {}
    found = lines.columns[place - 1].heights
    return {
        name: height for name, height in zip(lines.people, found, strict=True) if height is not None
    }
