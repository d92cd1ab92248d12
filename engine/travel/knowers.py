"""Events by who knows of them: those that only some know of, those that some know nothing of."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.finding.searching import pages
from whoknew.eventlog import Knowledge, Log
from whoknew.eventlog.kinds import (
    Acted,
    Became,
    Entered,
    GoalGiven,
    Kind,
    Left,
    Narrated,
    Traced,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HAPPENINGS: tuple[type[Kind], ...] = (
    Acted,
    Narrated,
    Traced,
    Entered,
    Left,
    Became,
    GoalGiven,
)
"""What was done, said, thought, written and wanted. The rest is not asked for: who and what there is
in a world, where an episode begins and ends, feelings, memories of what happened before; and that
somebody was seen to speak, which the speech itself stands for; and evidence, which nobody witnesses."""

KnownTo = Literal["most", "fewest"]
"""By what events are ordered: those first that most know of, or fewest."""

TAGS = frozenset(str(kind.__struct_config__.tag) for kind in HAPPENINGS)


class Knowers(Struct, frozen=True, kw_only=True):
    """Whose knowledge is asked for: what all of `only` know and none of the `others`; or what none
    of `unaware` know and some of the `others` do."""

    only: tuple[str, ...] = ()
    unaware: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def everybody(self) -> tuple[str, ...]:
        return (*self.only, *self.unaware, *self.others)


def knowers(
    knowledge: Knowledge, only: Sequence[str], unaware: Sequence[str], who: Sequence[str]
) -> Knowers:
    """The others are those `who` are named, or else all that there are."""
    if only and unaware:
        raise BadQuestion("ask either what only some know (`only`) or what some do not (`not`)")
    named = frozenset((*only, *unaware))
    return Knowers(
        only=tuple(dict.fromkeys(only)),
        unaware=tuple(dict.fromkeys(unaware)),
        others=tuple(name for name in who or knowledge.characters if name not in named),
    )


async def known_to(
    log: Log,
    knowledge: Knowledge,
    whose: Knowers,
    secrets: Collection[int],
    among: Collection[int] | None = None,
) -> list[int]:
    """The events that these know of, as it is asked for: secrets first, then what most of the others
    know of, then in order. Each character's knowledge is gone through once."""
    seqs, others = await asyncio.to_thread(_candidates, knowledge, whose, among)
    happened = await _happenings(log, knowledge, seqs)

    def ordered() -> list[int]:
        known = others.tolist()
        return sorted(happened, key=lambda seq: (seq not in secrets, -known[seq], seq))

    return await asyncio.to_thread(ordered)


async def by_spread(
    knowledge: Knowledge, seqs: Sequence[int], names: Sequence[str], order: KnownTo
) -> list[int]:
    """Events by how many of these know of them, otherwise in the order that they had."""

    def ordered() -> list[int]:
        import numpy as np

        reached = _reached(knowledge, frozenset(names))
        counts = _count(knowledge, names, reached)
        among = np.asarray(seqs, np.int64)
        known = np.where(among < len(counts), counts[np.minimum(among, len(counts) - 1)], 0)
        ranks = known if order == "fewest" else -known
        return [int(seq) for seq in among[np.argsort(ranks, kind="stable")]]

    return await asyncio.to_thread(ordered) if len(seqs) else []


def _candidates(
    knowledge: Knowledge, whose: Knowers, among: Collection[int] | None
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The events that are known so, of whatever kind; and how many of the others know of each event
    of the world, at its seq."""
    import numpy as np

    reached = _reached(knowledge, frozenset(whose.everybody))
    others = _count(knowledge, whose.others, reached)
    if whose.only:
        held = (_count(knowledge, whose.only, reached) == len(whose.only)) & (others == 0)
    else:
        held = (_count(knowledge, whose.unaware, reached) == 0) & (others > 0)
    seqs = np.flatnonzero(held)
    if among is not None:
        seqs = seqs[np.isin(seqs, np.asarray(among, np.int64))]
    return seqs, others


def _reached(knowledge: Knowledge, names: frozenset[str]) -> dict[str, list[int]]:
    """The events that tellings told these characters of, who may have been there themselves."""
    found: dict[str, list[int]] = {name: [] for name in names}
    for event, hearers in knowledge.reached().items():
        for name in hearers & names:
            found[name].append(event)
    return found


def _count(
    knowledge: Knowledge, names: Sequence[str], reached: dict[str, list[int]]
) -> NDArray[np.int32]:
    """How many of these know of each event, at its seq."""
    import numpy as np

    counts = np.zeros(knowledge.cursor.seq + 1, np.int32)
    for name in names:
        known = np.zeros(len(counts), bool)
        known[np.asarray(knowledge.perceived(name), np.int64)] = True
        known[np.asarray(reached[name], np.int64)] = True
        counts += known
    return counts


class _Body(Struct):
    kind: str


class _Kinded(Struct):
    body: _Body


_kinded = msgspec.json.Decoder(_Kinded).decode


async def _happenings(log: Log, knowledge: Knowledge, seqs: NDArray[np.int64]) -> list[int]:
    """Those of these events in which something happened."""
    found: list[int] = []
    first = 1

    def of_page(bodies: Sequence[bytes]) -> list[int]:
        here = seqs[seqs.searchsorted(first) : seqs.searchsorted(first + len(bodies))]
        return [seq for seq in here.tolist() if _kinded(bodies[seq - first]).body.kind in TAGS]

    async for bodies in pages(log, knowledge.cursor):
        found += await asyncio.to_thread(of_page, bodies)
        first += len(bodies)
    return found
