"""Arms beside one another, in pairs, on the same cells: is a difference more than chance?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from math import ceil, floor, log2, sqrt
from statistics import NormalDist

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.exams.figures import Floats, Places, ScoreTable, clustered_error, student
from whoknew.eventlog.counted import counted

DRAWS = 10_000
"""Of a permutation, and of a bootstrap; of a permutation more where there are many comparisons."""

ROUNDS = 100
"""So often as many are drawn at most."""

SELDOM = 10
"""As long as chance alone gave a difference as large less often, more is drawn: until the least p that could
come of it, corrected for all comparisons, is by so many times below what is told."""

MOST = 4_000
"""More clusters than that are joined by lot into so many: what is drawn costs no more then, and is as
good, since any number of independent clusters is one, and beyond this many it hardly matters."""

AT_ONCE = 4_000_000
"""Numbers held at a time."""

CHANCE = 0.05
"""How often chance alone may pass for a difference, over all comparisons of a table together."""

POWER = 0.8
"""How often cells that "would tell" do tell."""


class ArmComparison(Struct, frozen=True, kw_only=True):
    """Two arms on the cells that both have a score of. `difference` is the first's mean less the
    second's, from `low` to `high` in 95 of 100; `p` how often chance alone gives one as large, `holm`
    the same for all `comparisons` of an exam together, of whatever score. `more` cells would tell a difference of this
    size. None where it cannot be said: of one cluster there is no chance to be seen."""

    first: str
    second: str
    cells: int
    clusters: int
    comparisons: int = 1
    difference: float | None = None
    error: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    holm: float | None = None
    more: int | None = None

    @property
    def tells(self) -> bool:
        """Whether the two differ by more than chance."""
        return self.holm is not None and self.holm < CHANCE

    @property
    def least(self) -> int:
        """Of fewer clusters no difference is told, however large: signs that are drawn by lot are all
        the same too often."""
        return _least(self.comparisons)


class _Pair(Struct):
    """The differences of a pair, added up by cluster."""

    first: int
    second: int
    cells: int
    clusters: Places
    """Which clusters they are of, rising."""
    sums: Floats
    counts: Floats
    difference: float = 0.0
    error: float | None = None


class _Stack(Struct):
    """Pairs of one table that have their cells of the same clusters, and where in what is `found` of
    the table each stands."""

    found: list[ArmComparison]
    places: list[int]
    pairs: list[_Pair]

    @property
    def sums(self) -> Floats:
        return np.column_stack([pair.sums for pair in self.pairs])

    @property
    def counts(self) -> Floats:
        return np.column_stack([pair.counts for pair in self.pairs])


def compared(
    tables: Sequence[ScoreTable], seed: int, draws: int = DRAWS
) -> list[tuple[ArmComparison, ...]]:
    """In each table each arm with each later one. What comes of a pair hangs on its own cells, the seed,
    and how many comparisons there are in all tables together: by that it is corrected, and the more
    there are, the more is drawn where chance alone seldom gives a difference as large."""
    every: list[list[ArmComparison]] = []
    alike: dict[bytes, list[_Stack]] = {}
    for table in tables:
        pairs = [_pair(table, *columns) for columns in combinations(range(len(table.arms)), 2)]
        found = [_comparison(table, pair) for pair in pairs]
        every.append(found)
        for clusters, places in _alike(pairs).items():
            joined = [_joined(pairs[place], seed) for place in places]
            alike.setdefault(clusters, []).append(_Stack(found, places, joined))
    rounds = _rounds(sum(one.clusters > 1 for some in every for one in some), draws)
    for stacks in alike.values():
        for some in _parted(stacks, max(1, AT_ONCE // draws)):
            _draw(some, seed, draws, rounds)
    corrected = iter(_corrected([one for some in every for one in some]))
    return [tuple(islice(corrected, len(some))) for some in every]


def _comparison(table: ScoreTable, pair: _Pair) -> ArmComparison:
    """What can be said of a pair before anything is drawn."""
    return ArmComparison(
        first=table.arms[pair.first],
        second=table.arms[pair.second],
        cells=pair.cells,
        clusters=len(pair.clusters),
        difference=pair.difference if pair.cells else None,
        error=pair.error,
    )


def _parted(stacks: Iterable[_Stack], most: int) -> Iterator[list[_Stack]]:
    """So many pairs at a time that memory does not grow with them: the same is drawn for all."""
    some, left = list[_Stack](), most
    for stack in stacks:
        places, pairs = stack.places, stack.pairs
        while pairs:
            some.append(_Stack(stack.found, places[:left], pairs[:left]))
            places, pairs, left = places[left:], pairs[left:], left - min(left, len(pairs))
            if not left:
                yield some
                some, left = [], most
    if some:
        yield some


def _rounds(comparisons: int, draws: int) -> int:
    """How often as many are drawn, so that the correction leaves something to tell."""
    return max(1, min(ROUNDS, ceil(SELDOM * comparisons / CHANCE / draws)))


def _draw(stacks: Sequence[_Stack], seed: int, draws: int, rounds: int) -> None:
    """What chance says of pairs whose cells are of the same clusters: it is drawn once for all."""
    intervals, chances = _intervals(stacks, seed, draws), _chances(stacks, seed, draws, rounds)
    for stack, between, likely in zip(stacks, intervals, chances, strict=True):
        for place, (low, high), p in zip(stack.places, between, likely, strict=True):
            stack.found[place] = replace(stack.found[place], low=low, high=high, p=p)


ONE_CLUSTER = (
    "all cells are of one cluster (a world, where questions name none): whether a difference is chance "
    "cannot be told, for that takes several"
)


def of_one_cluster(every: Iterable[ArmComparison]) -> bool:
    """Whether that is all that there is to be said of chance."""
    known = [one for one in every if one.difference is not None]
    return bool(known) and all(one.p is None for one in known)


def worded(one: ArmComparison, *, known: bool = False, fault: bool = False) -> str:
    """What can be said of two arms. "Better" is said only of what is more than chance, and never where the
    score counts a `fault`. Where it is `known` that all is of one cluster, that is not said again."""
    pair = f"{one.first} and {one.second}"
    if one.difference is None:
        return f"{pair} have no cells in common that both have a score of"
    if one.p is None or one.holm is None:
        why = ", all of one cluster: whether that is chance cannot be told"
        figures = f"{one.difference:+.3f} on {counted(one.cells, 'cell')}"
        return f"{pair}: {figures}{'' if known else why}"
    if one.tells:
        more, less = (one.first, one.second) if one.difference > 0 else (one.second, one.first)
        if fault:
            return f"{more} has more of it than {less}: {_figured(one)}"
        return f"{more} is better than {less}: {_figured(one)}"
    told = f"{pair} cannot be told apart: {_figured(one, turned=False)}"
    if few := too_few_clusters([one]):
        return f"{told}, {few}"
    return f"{told}; about {_rounded(one.more):,} more cells would tell" if one.more else told


def too_few_clusters(some: Sequence[ArmComparison]) -> str | None:
    """Where none of these could have told anything, however large a difference: how many clusters it takes."""
    clusters, least = max(one.clusters for one in some), some[0].least
    if clusters >= least:
        return None
    return f"of {clusters} clusters: it takes {least} at least to tell anything"


def _figured(one: ArmComparison, *, turned: bool = True) -> str:
    """The figures of a pair: `turned`, of what its better half has more."""
    assert one.difference is not None and one.low is not None and one.high is not None
    assert one.holm is not None
    figures = one.difference, one.low, one.high
    if turned and one.difference < 0:
        figures = -one.difference, -one.high, -one.low
    difference, low, high = figures
    interval = f"{low:+.3f} to {high:+.3f}"
    return (
        f"{difference:+.3f} on {counted(one.cells, 'cell')} ({interval}, p {_worded_p(one.holm)})"
    )


def _least(comparisons: int) -> int:
    return floor(log2(2 * comparisons / CHANCE)) + 1


def _worded_p(p: float) -> str:
    return "below 0.001" if p < 0.001 else f"{p:.3f}"


def _rounded(count: int) -> int:
    """Its first two digits: more is not known of what is to come."""
    return int(float(f"{count:.1e}"))


def _pair(table: ScoreTable, first: int, second: int) -> _Pair:
    differences = table.scores[:, first] - table.scores[:, second]
    both = ~np.isnan(differences)
    differences = differences[both]
    clusters, codes = np.unique(table.clusters[both], return_inverse=True)
    pair = _Pair(
        first=first,
        second=second,
        cells=len(differences),
        clusters=clusters,
        sums=np.bincount(codes, differences, len(clusters)).astype(np.float64),
        counts=np.bincount(codes, minlength=len(clusters)).astype(np.float64),
    )
    if pair.cells:
        pair.difference = float(differences.mean())
        shares = (differences - pair.difference) / pair.cells
        pair.error = clustered_error(shares, codes)
    return pair


def _alike(pairs: Sequence[_Pair]) -> dict[bytes, list[int]]:
    """Pairs that have their cells of the same clusters, two at least, by these."""
    groups: dict[bytes, list[int]] = {}
    for place, pair in enumerate(pairs):
        if len(pair.clusters) > 1:
            groups.setdefault(pair.clusters.tobytes(), []).append(place)
    return groups


def _joined(pair: _Pair, seed: int) -> _Pair:
    """The same where it has no more clusters than can be drawn from."""
    count = len(pair.clusters)
    if count <= MOST:
        return pair
    lots = np.random.default_rng([seed, 0]).permutation(count) % MOST
    sums, counts = np.bincount(lots, pair.sums), np.bincount(lots, pair.counts)
    return replace(pair, clusters=np.arange(MOST), sums=sums, counts=counts)


def _chances(stacks: Sequence[_Stack], seed: int, draws: int, rounds: int) -> list[list[float]]:
    """For each pair how often a difference is as large where chance alone says which arm of a cluster
    is which: all ways to say it, where these are not more than the draws."""
    sums = np.column_stack([stack.sums for stack in stacks])
    clusters = len(sums)
    if 2**clusters <= draws:
        likely = _large(_every_sign(clusters), sums) / 2**clusters
    else:
        likely = _drawn(sums, seed, draws, rounds)
    ends = np.cumsum([len(stack.pairs) for stack in stacks])
    return [some.tolist() for some in np.split(likely, ends[:-1])]


def _drawn(sums: Floats, seed: int, draws: int, rounds: int) -> Floats:
    """The same where they are drawn: round after round, each with those that were seldom as large."""
    chance = np.random.default_rng([seed, 1])
    large, drawn = np.zeros(sums.shape[1]), np.zeros(sums.shape[1])
    some = np.arange(sums.shape[1])
    for _ in range(rounds):
        large[some] += _large(_signs(len(sums), chance, draws), sums[:, some])
        drawn[some] += draws
        some = some[large[some] < SELDOM]
        if not len(some):
            break
    return (large + 1) / (drawn + 1)


def _large(every: Iterable[Floats], sums: Floats) -> Floats:
    """For each pair by how many of these signs its difference is as large as it is."""
    least = np.abs(sums.sum(axis=0)) - 1e-9 * np.abs(sums).sum(axis=0)
    """Sums that are equal may differ in their last digits."""
    large = np.zeros(sums.shape[1])
    for signs in every:
        large += (np.abs(signs @ sums) >= least).sum(axis=0)
    return large


def _every_sign(clusters: int) -> Iterator[Floats]:
    numbers = np.arange(2**clusters)[:, None]
    yield (numbers >> np.arange(clusters) & 1).astype(np.float64) * 2 - 1


def _signs(clusters: int, chance: np.random.Generator, draws: int) -> Iterator[Floats]:
    width = ceil(clusters / 8)
    for count in _portions(draws, clusters):
        drawn = np.frombuffer(chance.bytes(count * width), dtype=np.uint8)
        bits = np.unpackbits(drawn.reshape(count, width), axis=1, count=clusters)
        yield bits.astype(np.float64) * 2 - 1


def _intervals(stacks: Sequence[_Stack], seed: int, draws: int) -> list[list[tuple[float, float]]]:
    """For each pair the middle of what it comes to where its clusters are drawn anew, with each as
    often as it comes: 95 of 100, and a little more of few clusters, which vary more than it seems."""
    every = [(stack.sums, stack.counts) for stack in stacks]
    clusters = len(every[0][0])
    found: list[list[Floats]] = [[] for _ in stacks]
    chance = np.random.default_rng([seed, 2])
    for count in _portions(draws, clusters):
        picks = chance.integers(0, clusters, (count, clusters))
        picks += np.arange(count)[:, None] * clusters
        times = np.bincount(picks.ravel(), minlength=count * clusters).reshape(count, clusters)
        weights = times.astype(np.float64)
        for some, (sums, counts) in zip(found, every, strict=True):
            some.append((weights @ sums) / (weights @ counts))
    tail = _tail(clusters)
    tails = [np.quantile(np.concatenate(some), [tail, 1 - tail], axis=0) for some in found]
    return [
        [(float(least), float(most)) for least, most in zip(low, high, strict=True)]
        for low, high in tails
    ]


def _portions(draws: int, clusters: int) -> Iterator[int]:
    """So many draws at a time that memory does not grow with them."""
    most = max(1, AT_ONCE // clusters)
    for done in range(0, draws, most):
        yield min(most, draws - done)


def _tail(clusters: int) -> float:
    """What lies on each side of an interval: a fortieth, and less of few clusters, as the t
    distribution is wider than the normal one, and a sample's spread too small by (n - 1) / n."""
    return NormalDist().cdf(-student(clusters) * sqrt(clusters / (clusters - 1)))


def _corrected(found: Sequence[ArmComparison]) -> list[ArmComparison]:
    """With p for all comparisons together (Holm): none of them is then more often wrong than one."""
    known = sorted((one.p, place) for place, one in enumerate(found) if one.p is not None)
    count = max(1, len(known))
    told = [replace(one, comparisons=count, more=_more(one, count)) for one in found]
    highest = 0.0
    for rank, (p, place) in enumerate(known):
        highest = max(highest, min(1.0, p * (count - rank)))
        told[place] = replace(told[place], holm=highest)
    return told


def _more(one: ArmComparison, comparisons: int) -> int | None:
    """How many more cells, of as many more clusters, would tell the difference that is seen. None
    where there is none to tell, or no chance to be seen."""
    if one.clusters < _least(comparisons) or not one.error:
        return None
    if one.difference is None or abs(one.difference) < 1e-12:
        return None
    normal = NormalDist()
    needed = normal.inv_cdf(1 - CHANCE / (2 * comparisons)) + normal.inv_cdf(POWER)
    whole = one.cells * (needed * one.error / one.difference) ** 2
    return max(0, ceil(whole) - one.cells)
