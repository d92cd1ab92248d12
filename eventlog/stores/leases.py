"""Leases: who plays which world, where several processes write one log.

A lease has an epoch, which grows each time that somebody claims it, and runs out by the clock of the
database where it is not renewed. What a holder appends to its world states the epoch, and the store
refuses it where the lease is another's by then: so who was frozen, or cut off, or comes back late
writes nothing more, whatever it still believes.

A lease is of a world, and stated with all that its holder appends to it; or of a part of what several
write into one world, and stated with what is appended `under` it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Any

from msgspec import Struct

from whoknew.eventlog.errors import LeaseLost
from whoknew.eventlog.stores import postgres_schema as schema
from whoknew.eventlog.stores.patience import Patience
from whoknew.eventlog.stores.slices import Slices
from whoknew.eventlog.stores.tokens import TokenRows
from whoknew.eventlog.stores.turns import OpenTurns
from whoknew.eventlog.stores.workers import Workers


class Holding(Struct, frozen=True):
    """What a process states of a lease that it claimed."""

    lease: str
    epoch: int


_UNDER: ContextVar[Holding | None] = ContextVar("whoknew.under", default=None)


@contextmanager
def under(holding: Holding | None) -> Iterator[None]:
    """Whatever is appended in here, also by tasks that begin in here, states this lease: once it is
    another's the store refuses it."""
    before = _UNDER.set(holding)
    try:
        yield
    finally:
        _UNDER.reset(before)


def stated() -> Holding | None:
    """The lease under which something is appended here."""
    return _UNDER.get()


class Lease(Struct, frozen=True):
    """Somebody holds a world, for so many seconds more; it ran out where they are none."""

    world: str
    holder: str
    epoch: int
    seconds: float


class Leases:
    """The leases of a log, and those of them that this process holds."""

    def __init__(self, fetch: Callable[..., Awaitable[list[Any]]], patience: Patience) -> None:
        self._fetch = fetch
        self.patience = patience
        """How long the store is waited for."""
        self.epochs: dict[str, int] = {}
        """Of each world that this process holds, or believes to hold: it is stated with each append."""
        self.slices = Slices(fetch, self.epochs)
        """The limits that its holders keep together."""
        self.workers = Workers(fetch)
        self.tokens = TokenRows(fetch)
        """What all servers of the log accept."""
        self.turns = OpenTurns(fetch)
        """Whose turn it is, of the people who play."""

    async def claim(
        self,
        worlds: Sequence[str],
        holder: str,
        seconds: float,
        most: int = 1,
        again: Collection[str] = (),
    ) -> list[str]:
        """Hold the first of these worlds that nobody holds, so many at most. None, where each is
        held, or was given back as ended; those that are to be played `again` are held even so."""
        length, again = timedelta(seconds=seconds), list(again)
        while rows := await self._fetch(schema.CLAIM, worlds, holder, length, most, again):
            if claimed := {world: epoch for world, epoch in rows if epoch is not None}:
                self.epochs |= claimed
                return list(claimed)
        return []

    async def renew(self, seconds: float) -> list[str]:
        """Hold all that this process holds for so long from now on; those that are another's by
        now."""
        stated = dict(self.epochs)
        length = timedelta(seconds=seconds)
        rows = await self._fetch(schema.RENEW, list(stated), list(stated.values()), length)
        return sorted(stated.keys() - {world for (world,) in rows})

    async def release(self, worlds: Iterable[str], ended: Collection[str] = ()) -> None:
        """Hold these no longer, and state nothing any more: whoever plays them has stopped, and has come to
        the end of those that are `ended`."""
        held = {world: self.epochs.pop(world) for world in worlds if world in self.epochs}
        if held:
            await self._fetch(schema.RELEASE, list(held), list(held.values()), list(ended))

    async def ended(self, worlds: Collection[str]) -> list[str]:
        """Those of these worlds that were given back as ended."""
        return [world for (world,) in await self._fetch(schema.ENDED, list(worlds))]

    def is_first(self, world: str) -> bool:
        """Whether this process holds a lease that nobody has held before."""
        return self.epochs.get(world) == 1

    def holding(self, world: str) -> Holding | None:
        """What this process states of a lease, where it holds it."""
        epoch = self.epochs.get(world)
        return None if epoch is None else Holding(world, epoch)

    async def check(self, world: str, under: Holding | None = None) -> None:
        """LeaseLost, where this process believes to hold what is another's by now: a world, or what it
        was to be appended under."""
        for one in {self.holding(world), under} - {None}:
            assert one is not None
            holder, now = (await self._fetch(schema.ONE_LEASE, one.lease))[0]
            if now != one.epoch:
                raise LeaseLost(one.lease, one.epoch, now, holder)

    async def all(self) -> list[Lease]:
        """What is held, and what ran out without being given back."""
        return [Lease(*row) for row in await self._fetch(schema.LEASES)]
