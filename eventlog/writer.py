"""What appends to worlds: it keeps the tip of each, stamps drafts there, and hands them on.

Head, key, story time and witnesses are checked in memory, against the tip as it will be once all
that is queued is written: so one that loses loses alone. It is told when that is on the log, and can
read at once what it lost to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from datetime import datetime

import msgspec
from msgspec import Struct

from whoknew.eventlog.codec import Codec
from whoknew.eventlog.errors import Conflict, KeyReused, OtherHistory, Refused
from whoknew.eventlog.event import Draft, Event
from whoknew.eventlog.expected import ABSENT, Expected
from whoknew.eventlog.fork import Lineage
from whoknew.eventlog.key_table import KeyTable
from whoknew.eventlog.kinds import TellingFound, WorldForked
from whoknew.eventlog.portions import portions
from whoknew.eventlog.stamp import Tip, check_hearers, check_name, check_size, stamp
from whoknew.eventlog.stores.grouping import Grouping, Submission
from whoknew.eventlog.stores.leases import stated
from whoknew.eventlog.stores.store import Batch, Record, Store, World, is_name
from whoknew.eventlog.tellings import carried

Drafts = Sequence[Draft] | Callable[[int], Sequence[Draft]]
"""What is to be appended; or what makes it, given the seq that the first of it will have: for drafts
that name one another. It is asked again where another process comes first."""

AT_ONCE = 16
"""After so many batches that were written without waiting, other tasks get a turn of the loop. That costs a
tenth of an episode's turn, and nobody notices a wait of a millisecond or two."""


class Appended(Struct, frozen=True):
    """Where a batch went, and the hash of its last event."""

    world: str
    first: int
    last: int
    hash: bytes


class HeadQueue:
    """Appends that wait for the head of their world, which the first of them reads."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.waiting = 0
        self._read = asyncio.Event()

    async def read(self) -> None:
        """Wait until the first has read it, or failed to: all that waited go on one after another, and
        those who come while they do behind them."""
        if self._read.is_set():
            await asyncio.sleep(0)
        else:
            await self._read.wait()

    def leave(self) -> None:
        self.waiting -= 1
        self._read.set()


class Writer:
    """`committed` hears of every batch that went in, before whoever awaits it."""

    def __init__(
        self,
        store: Store,
        past: Lineage,
        codec: Codec,
        clock: Callable[[], datetime],
        committed: Callable[[list[Submission]], None],
    ) -> None:
        self._store, self._past, self._codec, self._clock = store, past, codec, clock
        self._tips: dict[str, Tip] = {}
        self._earlier_tips: dict[str, Tip] = {}
        """From which another process has gone on: what they know up to where they are settled holds."""
        self._lines: dict[str, HeadQueue] = {}
        self._failures = self._at_once = 0
        self._pending: dict[tuple[str, str], Submission] = {}
        self._grouping = Grouping(store, committed, self._lost, self._failed)

    async def append(
        self,
        world: str,
        drafts: Drafts,
        expected: Expected,
        key: str | None,
        written: Callable[[], None] | None,
    ) -> Appended:
        if not isinstance(expected, Expected):
            raise Refused(f"{world!r}: expect ANY, ABSENT or exactly(seq), not {expected!r}")
        if key is not None:
            check_name(key, "a key")
        while True:
            tip = None if world in self._lines else self._tips.get(world)
            if tip is None:
                tip = await self._in_line(world)
            if key is not None and (first := tip.place(key)) is not None:
                again = await self._first_result(tip, _made(drafts, first), key, first)
                if again:
                    return again
                continue
            try:
                batch = _made(drafts, tip.seq + 1)
                while TellingFound in [type(draft.body) for draft in batch]:
                    head = tip.seq
                    expected.check(world, head)  # by it the batch names its own speeches
                    await self._check_hearers(tip, batch)
                    if tip.seq == head:
                        break
                    batch = _made(drafts, tip.seq + 1)  # another came first
                expected.check(world, tip.seq)
                submitted = self._submit(tip, batch, key)
            except (Conflict, Refused):
                if await self._outdated(tip):
                    continue
                if self._store.leases is not None:  # whoever took it over has gone on
                    await self._store.leases.check(world, stated())
                raise
            try:
                appended = await self._settled(submitted)
            finally:
                if key is not None and self._pending.get((world, key)) is submitted:
                    del self._pending[world, key]
                if written is not None and submitted.went_in:
                    written()
            if appended:
                tip.settle(key, appended.last)
                return appended

    async def expect_new(self, worlds: Collection[str]) -> None:
        """Look together which of these worlds are not there yet: whoever begins one need not look again. Where
        another process begins it meanwhile, the append finds that out, as with any tip."""
        unknown = [one for one in worlds if one not in self._tips and is_name(one)]
        if not unknown:
            return
        failures = self._failures
        there = {one.name for one in await self._store.found(unknown)}
        if failures == self._failures:
            for world in unknown:
                if world not in there:
                    self._tips.setdefault(world, _unbegun(world))

    async def fork(self, parent: str, seq: int, child: str, drafts: Drafts) -> Appended:
        found = carried(await self._past.all_tellings(parent, seq), seq)
        more = _made(drafts, seq + 2 + len(found))
        # Of an event that the parent shares itself, the fork is made where it happened.
        parent = await self._past.owner(parent, seq)
        while True:
            ABSENT.check(child, (await self._tip(child)).seq)
            tip = await self._past.tip(parent, seq)
            tip.world, tip.opens = child, World(child, seq, parent, seq)
            batch = [Draft(WorldForked(parent, seq)), *found, *more]
            await self._check_hearers(tip, batch)
            ABSENT.check(child, (await self._tip(child)).seq)
            submitted = self._submit(tip, batch, None)
            self._tips[child] = tip
            if appended := await self._settled(submitted):
                return appended

    async def adopt(self, batches: Sequence[Batch]) -> None:
        """Write records as they are: what importing does, having checked their chain. Whoever reads them
        reads the store: they may be very many, and large."""
        submitted = []
        for batch in batches:
            for record in batch.records:
                check_size(batch.world, record.seq, record.body)
        for batch in batches:
            self._tips.pop(batch.world, None)
            submitted.append(self._grouping.put(batch))
        for batch, one in zip(batches, submitted, strict=True):
            if not await one.settled():
                raise OtherHistory(
                    f"{batch.world!r} was written to by another while it was being imported "
                    f"(at #{batch.after + 1}): stop that writer, then import again"
                )

    async def close(self) -> None:
        await self._grouping.close()

    def _submit(self, tip: Tip, drafts: Sequence[Draft], key: str | None) -> Submission:
        """Stamp a batch at the tip, and queue it: without waiting, so that nothing comes between."""
        stamped = stamp(tip, drafts, key, self._clock(), self._codec.encode)
        on = None if tip.opens else tip.hash
        batch = Batch(tip.world, tip.seq, stamped.records, tip.opens, on, under=stated())
        tip.advance(stamped)
        submission = self._grouping.put(batch, stamped.events)
        if key is not None:
            self._pending[tip.world, key] = submission
        return submission

    async def _check_hearers(self, tip: Tip, drafts: Sequence[Draft]) -> None:
        """That those whom a speech is found to have told had witnessed it. Of a speech that is still
        on its way to the store this is not asked: whoever reads tellings goes by the witnesses."""
        known: dict[int, Draft | Event] = dict(enumerate(drafts, start=tip.seq + 1))
        earlier = {one.cause for one in drafts if _is_found(one) and one.cause} - known.keys()
        if earlier and (stored := await self._store.find(tip.world)):
            wanted = sorted(seq for seq in earlier if 0 < seq <= stored.head)
            known |= {event.seq: event for event in await self._past.pick(tip.world, wanted)}
        for draft in drafts:
            if _is_found(draft) and draft.cause in known:
                check_hearers(draft, known[draft.cause], tip.world)

    async def _settled(self, submission: Submission) -> Appended | None:
        """Where it went; nothing where another process moved the head: to be tried anew. Also where
        each is written already, others have their turn after some of them."""
        if submission.outcome is None:
            self._at_once += 1
            if self._at_once % AT_ONCE == 0:
                await asyncio.sleep(0)
        batch = submission.batch
        if not await submission.settled():
            if self._store.leases is not None:
                await self._store.leases.check(batch.world, batch.under)
            return None
        first, last = batch.records[0], batch.records[-1]
        return Appended(batch.world, first.seq, last.seq, last.hash)

    async def _outdated(self, tip: Tip) -> bool:
        """Whether the log does not stand at the tip, when what is on its way there has been decided on: it
        failed, or another process has gone on. If so, the tip is forgotten."""
        await self._grouping.decided(tip.world)
        if self._tips.get(tip.world) is not tip:
            return True
        found = await self._store.find(tip.world)
        if found is None or found.head <= tip.seq:
            return False
        self._lost(tip.world)
        return True

    async def _first_result(
        self, tip: Tip, drafts: Sequence[Draft], key: str, first: int
    ) -> Appended | None:
        """What the batch under this key came to, which begins there; nothing where it failed after all."""
        pending = self._pending.get((tip.world, key))
        if pending is not None and pending.outcome is not None:
            await asyncio.wait([pending.outcome])
            if self._tips.get(tip.world) is not tip:
                return None
        records: list[Record] = []
        async for some in portions(self._store, tip.world, first - 1, first + len(drafts)):
            records += some
        stored = await self._past.decoded([record.body for record in records])
        batch = [event for event in stored if event.key == key]
        if len(batch) != len(drafts) or not all(map(_same, batch, drafts)):
            raise KeyReused(tip.world, key, first)
        last = records[len(batch) - 1]
        return Appended(tip.world, first, last.seq, last.hash)

    async def _in_line(self, world: str) -> Tip:
        """The tip of a world. Those who wait for it go on in the order in which they came, all at once:
        the next may expect the head that the one before it leaves behind."""
        line = self._lines.setdefault(world, HeadQueue())
        line.waiting += 1
        try:
            if line.waiting > 1:
                await line.read()
            if tip := self._tips.get(world):
                return tip
            async with line.turn:
                return await self._tip(world)
        finally:
            line.leave()
            if not line.waiting:
                del self._lines[world]

    async def _tip(self, world: str) -> Tip:
        """The tip of a world, read from the store the first time."""
        while world not in self._tips:
            check_name(world, "the name of a world")
            failures = self._failures
            found = await self._store.find(world)
            if found is None:
                tip = _unbegun(world)
            else:
                tip = await self._past.tip(world, found.head)
                tip.keys, tip.settled = await self._keys(world), found.head
            # What was read before a failure may already be older than the log.
            if failures == self._failures:
                self._tips.setdefault(world, tip)
        return self._tips[world]

    async def _keys(self, world: str) -> KeyTable:
        """All keys of a world: only those are read that came since it was known how it stands."""
        earlier = self._earlier_tips.pop(world, None)
        if earlier is None:  # maybe very many; nobody else has this table yet
            return await asyncio.to_thread(KeyTable, await self._store.keys(world))
        known = earlier.settled_keys()  # to which appends that are under way may still add
        for key, seq in (await self._store.keys(world, after=earlier.settled)).items():
            known[key] = seq
        return known

    def _lost(self, world: str) -> None:
        """Another process moved this head: the tip, and all that stands on it, is read anew."""
        if tip := self._tips.pop(world, None):
            self._earlier_tips[world] = tip

    def _failed(self) -> None:
        """After a failed commit nothing queued stands: the truth is what the store has."""
        self._failures += 1
        self._tips.clear()
        self._earlier_tips.clear()


def _unbegun(world: str) -> Tip:
    return Tip(world=world, opens=World(world, 0))


def _is_found(draft: Draft) -> bool:
    return type(draft.body) is TellingFound


def _made(drafts: Drafts, first: int) -> Sequence[Draft]:
    made = drafts(first) if callable(drafts) else drafts
    if not isinstance(made, Sequence):
        raise Refused(
            f"a batch is a list of drafts, not {type(made).__name__}: give [Draft(body, ...)]"
        )
    if strange := {*map(type, made)} - {Draft}:
        raise Refused(
            f"a batch is of drafts, not of {strange.pop().__name__}: give Draft(body, ...)"
        )
    return made


def _same(event: Event, draft: Draft) -> bool:
    """As they are written: what is told by a tuple comes back as a list."""
    dated = draft if draft.at is not None else msgspec.structs.replace(draft, at=event.at)
    return _encode(event.draft, order="sorted") == _encode(dated, order="sorted")


_encode = msgspec.json.encode
