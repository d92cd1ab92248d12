"""Forks: a world that shares another's log up to a cursor. A row, no copying.

`Lineage` reads a store as if every world had all of its own past: to its readers a fork is a
world like any other, however many forks it comes from.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, zip_longest
from typing import Protocol

from whoknew.eventlog.chain import GENESIS, link
from whoknew.eventlog.codec import Codec
from whoknew.eventlog.errors import Damaged, LogError, NoSuchWorld, UnknownKind, missing
from whoknew.eventlog.event import Event
from whoknew.eventlog.kinds import CharacterAdded
from whoknew.eventlog.stamp import Tip
from whoknew.eventlog.stores.store import PORTION, Record, Segment, Store, World, is_name

FOREVER = 2**62

MANY, LARGE = 2000, 4 * 2**20
"""More events, or more bytes of them, are decoded on a thread: on the loop all others would wait for it."""


class Lineage:
    """A store, read across the seams of forks."""

    def __init__(self, store: Store, codec: Codec) -> None:
        self._store, self._codec = store, codec
        self._known: dict[str, World] = {}
        """Worlds as they were found: where they come from never changes, and they never go back."""

    def know(self, worlds: Iterable[World]) -> None:
        """Take these as they were found just now, so that the store need not be asked for each."""
        self._known |= {one.name: one for one in worlds if one.head > one.forked_at}

    def reaches(self, world: str, seq: int) -> bool:
        """Whether a world is known to have come so far."""
        known = self._known.get(world)
        return known is not None and seq <= known.head

    async def find(self, world: str) -> World:
        found = await self._store.find(world) if is_name(world) else None
        if not found:
            names = [one.name for one in await self._store.worlds()]
            if world not in names:
                raise NoSuchWorld(world, names)
            found = await self._store.find(world)  # it may have been begun in between
            if not found:
                raise Damaged(f"{world!r} is in the log, and is not found by its name")
        if found.head <= found.forked_at:
            raise missing(world, found.forked_at + 1)
        if found.forked_at and not found.parent:
            raise missing(world, 1)
        self._known[world] = found
        return found

    async def lineage(self, world: str, after: int = 0, upto: int = FOREVER) -> tuple[Segment, ...]:
        """The stretches that make up the world between two seqs, from its root to its own.

        No parent is looked at whose events are not among them.
        """
        stretches: list[Segment] = []
        child = await self._origin(world)
        while True:
            if child.forked_at < upto:
                stretches.append(Segment(child.name, max(child.forked_at, after), upto))
            if child.parent is None or child.forked_at <= after:
                return tuple(reversed(stretches))
            upto = min(upto, child.forked_at)
            child = await self._parent(child)

    async def owner(self, world: str, seq: int) -> str:
        """The world whose own event this is: where it happened, in the lineage of `world`."""
        [stretch] = await self.lineage(world, seq - 1, seq)
        return stretch.world

    async def events(
        self, world: str, after: int, upto: int, limit: int, *, backward: bool = False
    ) -> list[Event]:
        events = await self.decoded(await self.read(world, after, upto, limit, backward=backward))
        check_all(world, events, count(upto, -1) if backward else count(after + 1))
        return events

    async def read(
        self, world: str, after: int, upto: int, limit: int, *, backward: bool = False
    ) -> list[bytes]:
        """At most `limit` bodies past `after` up to `upto`, and about a portion of them: who asks goes on
        behind them, until nothing comes."""
        segments = await self.lineage(world, after, upto)
        bodies: list[bytes] = []
        for segment in reversed(segments) if backward else segments:
            wanted = limit - len(bodies)
            some = await self._store.read(*segment, wanted, backward=backward)
            bodies += some
            whole = len(some) == segment.upto - segment.after
            if not whole or len(some) == wanted or _size(bodies) >= PORTION:
                break
        return bodies

    async def several(self, asked: Sequence[Segment]) -> list[tuple[str, list[Event]]]:
        """The events of each of several stretches, with the world of which they were asked for."""
        own = [await self.lineage(*stretch) for stretch in asked]
        bodies = await self._store.read_several([one for stretches in own for one in stretches])
        events = await self.decoded(bodies)
        found: list[tuple[str, list[Event]]] = []
        start = 0
        for (world, after, upto), stretches in zip(asked, own, strict=True):
            some = events[start : start + upto - after]
            due = (
                (one.world, seq) for one in stretches for seq in range(one.after + 1, one.upto + 1)
            )
            for (name, seq), event in zip_longest(due, some):
                if event is None or event.seq != seq or event.world != name:
                    raise missing(world, seq)
            found.append((world, some))
            start += len(some)
        return found

    async def pick(self, world: str, seqs: Sequence[int]) -> list[Event]:
        """The events at these rising seqs."""
        if not seqs:
            return []
        bodies: list[bytes] = []
        first = 0
        for segment in await self.lineage(world, seqs[0] - 1, seqs[-1]):
            last = bisect_right(seqs, segment.upto)
            if first < last:
                bodies += await self._store.pick(segment.world, seqs[first:last])
            first = last
        events = await self.decoded(bodies)
        check_all(world, events, seqs)
        if len(events) < len(seqs):
            raise missing(world, seqs[len(events)])
        return events

    async def landmarks(self, world: str, after: int, upto: int) -> list[bytes]:
        return [
            body
            for segment in await self.lineage(world, after, upto)
            for body in await self._store.landmarks(*segment)
        ]

    async def tellings(self, world: str, after: int, upto: int, limit: int) -> list[Event]:
        """The oldest of what is on record of tellings, past a seq and up to another."""
        bodies: list[bytes] = []
        for segment in await self.lineage(world, after, upto):
            if wanted := limit - len(bodies):
                bodies += await self._store.tellings(*segment, wanted)
        events = await self.decoded(bodies)
        for event in events:
            if event.seq <= after:
                raise Damaged(
                    f"{world!r} #{event.seq} is there twice: see what `whoknew log verify` says"
                )
            after = event.seq
        return events

    async def all_tellings(self, world: str, after: int) -> list[Event]:
        """All that is on record of tellings past a seq."""
        found: list[Event] = []
        while page := await self.tellings(world, after, FOREVER, MANY):
            found += page
            after = page[-1].seq
        return found

    async def record(self, world: str, seq: int) -> Record | None:
        for segment in await self.lineage(world, seq - 1, seq):
            for record in await self._store.records(*segment, 1):
                return record
        return None

    async def tip(self, world: str, seq: int) -> Tip:
        """The world as it stood after this event, for what comes next."""
        if seq == 0:
            return Tip(world=world)
        record = await self.record(world, seq)
        if record is None:
            raise missing(world, seq)
        newest = await self.decoded([record.body])
        landmarks = await self.decoded(await self.landmarks(world, 0, seq))
        cast = frozenset(one.body.name for one in landmarks if isinstance(one.body, CharacterAdded))
        return Tip(
            world=world,
            seq=seq,
            hash=record.hash,
            at=newest[0].at,
            recorded=newest[0].recorded,
            cast=cast,
        )

    async def decoded(self, bodies: Sequence[bytes]) -> list[Event]:
        """Bodies as events. One of a kind that is not known was written by a later version where
        its bytes are the ones that were hashed; otherwise it is damaged."""
        decode = self._codec.decode_all
        try:
            if len(bodies) > MANY or _size(bodies) > LARGE:
                return await asyncio.to_thread(decode, bodies)
            return decode(bodies)
        except UnknownKind as unknown:
            if await self._is_hashed(unknown.world, unknown.seq, unknown.body):
                raise
            raise Damaged(
                f"{unknown.world!r} #{unknown.seq} is not what was written: "
                "see what `whoknew log verify` says"
            ) from None

    async def _is_hashed(self, world: str, seq: int, body: bytes) -> bool:
        if not 0 < seq < FOREVER:
            return False
        try:
            record = await self.record(world, seq)
            before = await self.record(world, seq - 1) if seq > 1 else None
        except LogError:
            return False
        previous = before.hash if before else GENESIS
        return record is not None and link(previous, body) == record.hash

    async def _origin(self, world: str) -> World:
        """The world as far as it never changes: where it comes from."""
        return self._known.get(world) or await self.find(world)

    async def _parent(self, child: World) -> World:
        """Where the event happened that a fork goes on from: so it is an own event of its parent,
        and each step towards the root comes to an earlier seam."""
        assert child.parent is not None
        try:
            parent = await self._origin(child.parent)
        except NoSuchWorld:
            raise no_origin(child) from None
        if parent.forked_at >= child.forked_at:
            raise no_origin(child, f"which has no event of its own before #{parent.forked_at + 1}")
        return parent


def _size(bodies: Sequence[bytes]) -> int:
    return sum(map(len, bodies))


class HasSeq(Protocol):
    @property
    def seq(self) -> int: ...


def check_all(world: str, found: Iterable[HasSeq], due: Iterable[int]) -> None:
    """That nothing is missing of what is due, and nothing else is there in its place."""
    for seq, one in zip(due, found, strict=False):
        if one.seq != seq:
            raise missing(world, seq)


def paged(segments: Iterable[Segment], size: int) -> Iterator[list[Segment]]:
    """The same stretches, so many events of them at once."""
    page: list[Segment] = []
    room = size
    for world, after, upto in segments:
        while after < upto:
            end = min(upto, after + room)
            page.append(Segment(world, after, end))
            room -= end - after
            after = end
            if room == 0:
                yield page
                page, room = [], size
    if page:
        yield page


def no_origin(child: World, why: str = "which the log does not have") -> Damaged:
    return Damaged(f"{child.name!r} is forked from {child.parent!r} #{child.forked_at}, {why}")
