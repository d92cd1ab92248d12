"""The log: append, read, follow, head; and what folds of it give: views, knowledge, cursors."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from whoknew.eventlog.chain import Head
from whoknew.eventlog.codec import Codec
from whoknew.eventlog.cursor import AtSeq, Cursor, Resolver, When, parsed
from whoknew.eventlog.director import Director
from whoknew.eventlog.errors import (
    BadCursor,
    LogClosed,
    NoSuchCharacter,
    NoSuchMoment,
    Refused,
    missing,
)
from whoknew.eventlog.event import Event
from whoknew.eventlog.expected import ANY, Expected
from whoknew.eventlog.follow import News, patiently
from whoknew.eventlog.fork import FOREVER, Lineage, check_all, paged
from whoknew.eventlog.knowledge import SURE, Knowledge
from whoknew.eventlog.landmarks import Landmarks
from whoknew.eventlog.live import LiveWorld, LiveWorlds
from whoknew.eventlog.recent import Placed, Recent
from whoknew.eventlog.stores.grouping import Submission
from whoknew.eventlog.stores.store import START, Batch, Position, Segment, Store, World, is_name
from whoknew.eventlog.view import View
from whoknew.eventlog.writer import Appended, Drafts, Writer

PAGE = 2000
"""Events to a page. To the reader's thread and back takes 0.3 ms, as long as reading 1,000 rows:
from here on it hardly matters (5,000 a page are no faster)."""

KEEP_EVENTS = 200_000
"""Of the newest events so many stay decoded in memory, 0.9 KB each; a longer one counts for several."""

KEEP_BYTES = 8 * 2**20
"""What was folded last is kept as it was read, where it is no more than that: two pages of long speeches."""

BEGINNING = AtSeq(0)


def wall_clock() -> datetime:
    return datetime.now(UTC)


class Log:
    """An append-only log of worlds. Use it as `async with open_log(address) as log`.

    `keep_events` bounds how many of the newest events stay decoded in memory (a long one counts
    for several), `keep_worlds` of how many worlds it is remembered who witnessed what. What is
    beyond is read when needed.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime] = wall_clock,
        codec: Codec | None = None,
        keep_events: int = KEEP_EVENTS,
        keep_worlds: int = 10_000,
    ) -> None:
        self.store = store
        self.codec = codec or Codec()
        self.lineage = Lineage(store, self.codec)
        self.news = News()
        self._clock = clock
        self._landmarks = Landmarks(self.lineage)
        self._resolver = Resolver(self.lineage, self.landmarks, self._single)
        self._lives = LiveWorlds(keep_worlds, keep_events)
        self._recent: Recent | None = None
        self._picked: tuple[str, Sequence[int], list[Event]] = ("", (), [])
        """What was read last from the store: a world, its seqs, its events."""
        self._folded_bodies: tuple[str, int, Sequence[bytes]] = ("", 0, ())
        """What was folded last, as it was read: a world, the seq behind which it begins, its bodies. Whoever
        asks for a view mostly reads what is new in it."""
        self._writer: Writer
        self._closed = False

    async def __aenter__(self) -> Self:
        await self.store.open(self.news.announce_all)
        if self.store.counted is not None:
            self._recent = Recent(self.store.counted)
        self._writer = Writer(self.store, self.lineage, self.codec, self._clock, self._committed)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closed = True
        self.news.announce_all()
        try:
            await self._writer.close()
        finally:
            await self.store.close()

    # writing

    def append(
        self,
        world: str,
        drafts: Drafts,
        *,
        expect: Expected = ANY,
        key: str | None = None,
        written: Callable[[], None] | None = None,
    ) -> Coroutine[Any, Any, Appended]:
        """Append all drafts at once, durably, or none of them. Where they name one another's seqs, give
        a function that makes them, for the seq that the first of them will have.

        Under a key, the same batch sent again gives the first result and is not written twice.
        Cancelled while it waits, the append goes on: what was handed in is written, unless
        another process moved the head of this world meanwhile. Once it is, `written` is called,
        before whoever waits goes on or hears that it is cancelled.
        """
        return self._writer.append(world, drafts, expect, key, written)

    async def expect_new(self, worlds: Collection[str]) -> None:
        """Look up together which of these worlds are not there yet: the first append to each of those does
        not look for it again."""
        await self._writer.expect_new(worlds)

    async def fork(
        self, parent: str, child: str, at: When = "end", drafts: Drafts = ()
    ) -> Appended:
        """Begin the world `child` as all that `parent` was at a cursor. No event of its story is
        copied; what was found later of tellings in it goes along. With the `drafts` it goes on: they
        are appended with it at once, or there is no fork."""
        cursor = await self.cursor(parent, at)
        if cursor.seq == 0:
            raise Refused(f"{parent!r} #0 is before its first event: there is nothing to fork")
        return await self._writer.fork(parent, cursor.seq, child, drafts)

    async def adopt(self, batches: Sequence[Batch]) -> None:
        """Write records as they are, their chain having been checked: for imports and backups."""
        await self._writer.adopt(batches)

    # reading

    async def worlds(self) -> list[World]:
        """Every world, in the order in which they began."""
        return await self.store.worlds()

    async def found(self, names: Collection[str]) -> dict[str, World]:
        """Those worlds of so many that are there, by their names. What is read of each afterwards does not
        ask for it again."""
        there = {one.name: one for one in await self.store.found([*filter(is_name, names)])}
        self.lineage.know(there.values())
        return there

    async def head(self, world: str) -> Head:
        """The newest event of a world, and the hash that vouches for all up to it."""
        found = await self.lineage.find(world)
        record = await self.lineage.record(world, found.head)
        if record is None:
            raise missing(world, found.head)
        [event] = await self.lineage.decoded([record.body])
        return Head(world, found.head, record.hash, event.at, event.recorded)

    async def cursor(self, world: str, at: When = "end") -> Cursor:
        """The place in the world's log that a "when" comes to."""
        when = parsed(at)
        if isinstance(when, Cursor):
            if when.world != world:
                raise BadCursor(f"{when} is a cursor of {when.world!r}, not of {world!r}")
            when = AtSeq(when.seq)
        live = self._lives.get(world)
        if isinstance(when, AtSeq) and (
            (live and when.seq <= live.upto) or self.lineage.reaches(world, when.seq)
        ):
            return Cursor(world, when.seq)
        return await self._resolver.resolve(world, when)

    async def read(
        self,
        world: str,
        after: When = BEGINNING,
        upto: When = "end",
        *,
        backward: bool = False,
    ) -> AsyncIterator[Event]:
        """The events past one cursor up to another, page by page: nothing is held in between."""
        low = (await self.cursor(world, after)).seq
        high = (await self.cursor(world, upto)).seq
        while low < high:
            events = await self._page(world, low, high, backward=backward)
            if not events:
                raise missing(world, high if backward else low + 1)
            for event in events:
                yield event
            low, high = (low, events[-1].seq - 1) if backward else (events[-1].seq, high)

    async def read_several(
        self, segments: Iterable[Segment]
    ) -> AsyncIterator[tuple[str, list[Event]]]:
        """The events of a stretch of each of several worlds, with its name, one world after another: they
        are read together, page by page, so that those of a long stretch come in pieces. All of it has to be
        there."""
        for page in paged(segments, PAGE):
            for one in await self.lineage.several(page):
                yield one

    async def read_all(self, after: Position = START) -> AsyncIterator[Placed]:
        """The events of all worlds past a position, in the order in which they were recorded."""
        while page := await self._arrivals(after):
            for placed in page:
                yield placed
            after = page[-1].position

    async def follow(
        self, world: str, after: When = BEGINNING, *, witness: str | None = None
    ) -> AsyncIterator[Event]:
        """The events past a cursor, then each new one as it comes: of one witness, or all."""
        seq = (await self.cursor(world, after)).seq
        while True:
            with self.news.of(world) as fresh:
                events = await self._page(world, seq, FOREVER)
                if not events:
                    await self._wait(fresh)
            for event in events:
                seq = event.seq
                if witness is None or witness in event.witnesses:
                    yield event

    async def follow_all(self, after: Position = START) -> AsyncIterator[Placed]:
        """The events of all worlds past a position, then each new one as it comes."""
        while True:
            with self.news.of(None) as fresh:
                page = await self._arrivals(after)
                if not page:
                    await self._wait(fresh)
            for placed in page:
                after = placed.position
                yield placed

    async def landmarks(self, world: str, upto: int) -> list[Event]:
        """The few events up to a seq by which cursors and casts are found."""
        return await self._landmarks.upto(world, upto)

    # folds

    async def view(self, world: str, character: str, at: When = "end") -> View:
        """What the character can know at a cursor."""
        cursor = await self.cursor(world, at)
        live = await self._live(cursor)
        if live.cast.get(character, FOREVER) > cursor.seq:
            there = [name for name, added in live.cast.items() if added <= cursor.seq]
            raise NoSuchCharacter(character, world, there)
        return View(self, live, character, cursor)

    async def director(self, world: str, at: When = "end") -> Director:
        """All that has happened up to a cursor."""
        return Director(self, await self.cursor(world, at))

    async def knowledge(
        self,
        world: str,
        at: When = "end",
        *,
        sure: float = SURE,
        recorded_at: When | None = None,
    ) -> Knowledge:
        """Who knows what at a cursor, by tellings that are at least so `sure`. What was found of
        tellings counts wherever it stands on the log; with `recorded_at`, if it was on record then."""
        cursor = await self.cursor(world, at)
        recorded = FOREVER
        if recorded_at is not None:
            recorded = (await self.cursor(world, recorded_at)).seq
            if not recorded:
                raise NoSuchMoment(f"nothing of {world!r} was on record yet at {recorded_at}")
            cursor = Cursor(world, min(cursor.seq, recorded))
        live = await self._live(cursor)
        await self._know_tellings(live)
        while live.tellings.sort_in(PAGE):  # noqa: ASYNC110  (others have their turn)
            await asyncio.sleep(0)
        return Knowledge(live, cursor, sure=sure, recorded=recorded)

    async def pick(self, live: LiveWorld, seqs: Sequence[int]) -> list[Event]:
        """The events at these rising seqs: from memory as far back as it goes, or the store."""
        newest, base = live.newest, live.base
        if not seqs or seqs[0] > base:
            return [newest[seq - base - 1] for seq in seqs]
        count = bisect_right(seqs, base)
        return await self._cold(live.world, seqs[:count]) + await self.pick(live, seqs[count:])

    async def _single(self, world: str, seqs: Sequence[int]) -> list[Event]:
        """Single events here and there, which nobody reads next."""
        live = self._lives.get(world)
        if live is not None and live.base < seqs[0] and seqs[-1] <= live.upto:
            return await self.pick(live, seqs)
        return await self.lineage.pick(world, seqs)

    async def _cold(self, world: str, seqs: Sequence[int]) -> list[Event]:
        """These events, which the store alone has: unless they are among those that were read last, for
        what a character goes through is folded, and then it is indexed."""
        name, read, events = self._picked
        start = bisect_left(read, seqs[0]) if name == world else len(read)
        if read[start : start + len(seqs)] == seqs:
            return events[start : start + len(seqs)]
        name, behind, bodies = self._folded_bodies
        if name == world and behind < seqs[0] and seqs[-1] <= behind + len(bodies):
            events = await self.lineage.decoded([bodies[seq - behind - 1] for seq in seqs])
            check_all(world, events, seqs)
        else:
            events = await self.lineage.pick(world, seqs)
        if len(seqs) <= PAGE:
            self._picked = world, seqs, events
        return events

    async def _live(self, cursor: Cursor) -> LiveWorld:
        """The world at hand, folded at least up to the cursor."""
        live = self._lives.touch(cursor.world)
        if live.upto < cursor.seq:
            live.join(await self.landmarks(cursor.world, cursor.seq))
        while (after := live.upto) < cursor.seq:
            bodies = await self.lineage.read(cursor.world, after, cursor.seq, 2 * PAGE)
            if not bodies:
                raise missing(cursor.world, after + 1)
            if live.upto == after:  # nobody else went on meanwhile
                live.catch_up(bodies)
            few = sum(map(len, bodies)) <= KEEP_BYTES
            self._folded_bodies = cursor.world, after, bodies if few else ()
        live.settle()
        return live

    async def _know_tellings(self, live: LiveWorld) -> None:
        """What was found of tellings, up to the world's head."""
        world, tellings = live.world, live.tellings
        head = (await self.lineage.find(world)).head
        while (after := tellings.upto) < head:
            found = await self.lineage.tellings(world, after, head, PAGE)
            if tellings.upto == after:  # nobody else went on meanwhile
                tellings.go_on(found, head if len(found) < PAGE else found[-1].seq)

    async def _page(
        self, world: str, after: int, upto: int, *, backward: bool = False
    ) -> list[Event]:
        live = self._lives.get(world)
        if live and not backward and live.base <= after < live.upto:
            start = after - live.base
            return live.newest[start : min(start + PAGE, upto - live.base)]
        return await self.lineage.events(world, after, upto, PAGE, backward=backward)

    async def _wait(self, fresh: asyncio.Event) -> None:
        """Wait for news, or for as long as silence may be trusted."""
        if not self._closed:
            await patiently(fresh, self.store.poll)
        if self._closed:
            raise LogClosed(
                "the log was closed while it was followed: open it, and go on from there"
            )

    async def _arrivals(self, after: Position) -> list[Placed]:
        if not isinstance(after, tuple):
            raise BadCursor(
                f"{after!r} is no position among all worlds: give that of an event which was read, or nothing"
            )
        newest = self._recent.after(after, PAGE) if self._recent else None
        if newest is not None:
            return newest
        rows = await self.store.arrivals(after, PAGE)
        events = await self.lineage.decoded([body for _, body in rows])
        return [Placed(row[0], event) for row, event in zip(rows, events, strict=True)]

    def _committed(self, group: list[Submission]) -> None:
        for one in group:
            world = one.batch.world
            sizes = [len(record.body) for record in one.batch.records]
            if one.events:
                self._lives.extend(world, one.events, sizes)
                self._landmarks.extend(world, one.events)
            if self._recent:
                self._recent.extend(one.events, sizes)
            self.news.announce(world)
        self.news.announce(None)
