"""Worlds as they happen, to any number of viewers: deltas, each event once, none left out.

Whatever happens within 50 ms goes out in one frame, which is encoded once for all who look through
the same eyes. A viewer that does not keep up is not queued for: it goes back to reading the log at
its own cursor, at its own speed, and joins the others again when it has caught up (law 10).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from whoknew.engine.server.answers import FAULT
from whoknew.engine.server.pages import BYTES, page_of
from whoknew.engine.server.tasks import Tasks
from whoknew.engine.server.wires import Wire
from whoknew.engine.travel.character_events import Perceived
from whoknew.eventlog import Event, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.errors import LogError

PROTOCOL = "whoknew.v1"

WINDOW = 0.05
"""Seconds that an event may wait for others, so that a frame carries several."""

BEHIND = 256 * 1024
"""Bytes not yet taken by a viewer, from which on it reads for itself."""

PAGE = 500
STOPPING = "the server is stopping: come back with `from` where you are"
FAREWELL = 1.0
"""Seconds that viewers are given to hear that the server stops."""

Seen = TypeVar("Seen")


class Hello(Struct, frozen=True, tag="hello", omit_defaults=True):
    """The first message: where the stream begins, and, for the director, how far the world is."""

    world: str
    after: int
    who: str | None
    head: int | None = None


class Events(Struct, Generic[Seen], frozen=True, tag="events"):
    """What happened, each with its seq; to a character, with its own numbers. `upto` is where to go
    on from after a break."""

    events: Sequence[Seen]
    upto: int


class Live(Struct, frozen=True, tag="live"):
    """All that had happened before has been sent; from here on it comes as it happens."""

    upto: int


class Bye(Struct, frozen=True, tag="bye"):
    """The server closes the stream, and why; `again` where one is to look again from the start."""

    why: str
    again: bool = False


class LiveTurn(Struct, frozen=True, kw_only=True, tag="turn"):
    """The character that the viewer sits for is to act. `number` is how many events it has perceived;
    of the `seconds` that it is given so many are `left`."""

    character: str
    present: Sequence[str]
    exits: Sequence[str]
    asleep: Sequence[str]
    place: str | None
    seconds: float | None
    left: float | None
    number: int
    hidden: bool = False


class Taken(Struct, frozen=True, tag="taken"):
    """What the viewer sent was taken as its character's action."""


class TurnOver(Struct, frozen=True, tag="over"):
    """The viewer's character is to act no more: it has, its time is up, or nobody plays on."""


class Refusal(Struct, frozen=True, tag="refused"):
    """What the viewer sent could not be done, and why."""

    why: str


Sat: TypeAlias = LiveTurn | TurnOver | Taken | Refusal
"""To whoever acts for a character."""
Message: TypeAlias = Hello | Events[Event] | Live | Bye | Sat
OwnMessage: TypeAlias = Hello | Events[Perceived] | Live | Bye | Sat
"""The same to a character."""


class Viewer:
    """One viewer of one world, which has had all up to `cursor`: reading by itself, or abreast of a
    channel."""

    def __init__(self, wire: Wire, transport: asyncio.Transport, cursor: int) -> None:
        self.wire, self._transport, self.cursor = wire, transport, cursor
        self._left = asyncio.Event()
        self._cleared = asyncio.Event()
        self._cleared.set()
        self._doubted = asyncio.Event()

    @property
    def is_behind(self) -> bool:
        return not self._cleared.is_set() or self._transport.get_write_buffer_size() > BEHIND

    def doubt(self) -> None:
        """Send nothing more, until it is clear that the viewer may still see it."""
        self._cleared.clear()
        self._doubted.set()

    async def doubted(self) -> None:
        await self._doubted.wait()

    def look(self) -> None:
        """Begin to find out; a doubt that comes meanwhile is a new one."""
        self._doubted.clear()

    def clear(self) -> None:
        if not self._doubted.is_set():
            self._cleared.set()

    async def cleared(self) -> None:
        await self._cleared.wait()

    def drop(self) -> None:
        """End the connection, whatever has not been taken."""
        self._transport.abort()

    def join(self) -> None:
        self._left.clear()

    def leave(self) -> None:
        """Go back to reading by itself, or away."""
        self._left.set()

    async def left(self) -> None:
        await self._left.wait()

    def write(self, frame: bytes) -> None:
        """Hand on a frame that is encoded already, without waiting."""
        if not self._transport.is_closing():
            self._transport.write(frame)


class Source(Protocol):
    """What a viewer is sent of a world: in order, and numbered."""

    @property
    def key(self) -> tuple[str, ...]:
        """What those have in common who are sent the same."""
        ...

    @property
    def world(self) -> str: ...

    @property
    def who(self) -> str | None: ...

    async def head(self) -> int:
        """The newest number."""
        ...

    async def page(self, after: int) -> tuple[Sequence[Event | Perceived], int]:
        """Some of what comes past `after`, and up to which number that is all."""
        ...

    def follow(self, after: int) -> AsyncIterator[tuple[Sequence[Event | Perceived], int]]:
        """The same, as it happens."""
        ...


class Whole:
    """What the director is sent: all that happens, or what somebody witnesses, by seq."""

    def __init__(self, log: Log, world: str, who: str | None) -> None:
        self._log, self.world, self.who = log, world, who

    @property
    def key(self) -> tuple[str, ...]:
        return ("whole", self.world, *(() if self.who is None else (self.who,)))

    async def head(self) -> int:
        return (await self._log.lineage.find(self.world)).head

    async def page(self, after: int) -> tuple[Sequence[Event], int]:
        director = await self._log.director(self.world)

        async def seen(after: int, upto: int) -> list[Event | None]:
            events = await director.events(after, upto)
            return [event if self._sees(event) else None for event in events]

        page = await page_of(seen, after, min(len(director), after + PAGE))
        return page.events, page.upto

    async def follow(self, after: int) -> AsyncIterator[tuple[Sequence[Event], int]]:
        async for event in self._log.follow(self.world, AtSeq(after)):
            yield (event,) if self._sees(event) else (), event.seq

    def _sees(self, event: Event) -> bool:
        return self.who is None or self.who in event.witnesses


class Channel:
    """Those who are sent the same of one world, and are abreast of it."""

    def __init__(self, source: Source, position: int, tasks: Tasks) -> None:
        self._source = source
        self.position = position
        self.viewers: set[Viewer] = set()
        self.error: str | None = None
        self._waiting: list[Event | Perceived] = []
        self._upto = position
        self._timer: asyncio.TimerHandle | None = None
        self._task = tasks.begin(self._follow(), f"following {source.world}")

    async def close(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _follow(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            async for found, upto in self._source.follow(self.position):
                self._upto = upto
                self._waiting += found
                if self._timer is None:
                    self._timer = loop.call_later(WINDOW, self._send)
        except LogError as error:
            self._end(str(error))
        except Exception:
            self._end(FAULT)
            raise

    def _end(self, why: str) -> None:
        """Nobody waits for what will not come: each viewer is told why."""
        self.error = why
        for viewer in self.viewers:
            viewer.leave()

    def _send(self) -> None:
        """One frame for all; but for those who have had some of it, while they caught up. What is more than
        a page, each reads for itself."""
        self._timer = None
        events, self._waiting = self._waiting, []
        before, self.position = self.position, self._upto
        frames: dict[Callable[[Struct], bytes], bytes] = {}
        for viewer in list(self.viewers):
            framed = viewer.wire.framed
            if framed not in frames:
                frames[framed] = framed(Events(events, self.position))
            if viewer.is_behind or len(frames[framed]) > BYTES:
                self.viewers.discard(viewer)
                viewer.leave()
                continue
            if viewer.cursor > before:
                if unseen := [event for event in events if _number(event) > viewer.cursor]:
                    viewer.write(framed(Events(unseen, self.position)))
            elif events:
                viewer.write(frames[framed])
            viewer.cursor = max(viewer.cursor, self.position)


class Streams:
    """All channels of a server."""

    def __init__(self) -> None:
        self._channels: dict[tuple[str, ...], Channel] = {}
        self._tasks = Tasks()
        self.viewers = 0
        self._closing: str | None = None
        self._gone = asyncio.Event()
        self._gone.set()

    async def close(self) -> None:
        self._closing = STOPPING
        channels, self._channels = list(self._channels.values()), {}
        for channel in channels:
            await channel.close()
            for viewer in channel.viewers:
                viewer.leave()
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await self._gone.wait()
        await self._tasks.close()

    async def view(self, viewer: Viewer, source: Source) -> None:
        """Send what happened since the viewer's cursor, and then what happens, until it goes."""
        await viewer.cleared()
        head = await source.head() if isinstance(source, Whole) else None
        await viewer.wire.say(Hello(source.world, viewer.cursor, source.who, head))
        self.viewers += 1
        self._gone.clear()
        live = False
        channel: Channel | None = None
        try:
            while not viewer.wire.closed:
                await self._catch_up(viewer, source)
                if why := self._closing or (channel and channel.error):
                    await viewer.wire.say(Bye(why))
                    return
                channel = self._channel(source, viewer.cursor)
                if channel.position > viewer.cursor:
                    continue
                viewer.join()
                channel.viewers.add(viewer)
                if not live:
                    live = True
                    await viewer.wire.say(Live(viewer.cursor))
                await viewer.left()
        finally:
            self.viewers -= 1
            if not self.viewers:
                self._gone.set()
            if channel is not None:
                channel.viewers.discard(viewer)
                await self._drop_empty(source, channel)

    async def _catch_up(self, viewer: Viewer, source: Source) -> None:
        """Read from the log, page by page, as fast as the viewer takes it."""
        while viewer.cursor < await source.head():
            found, upto = await source.page(viewer.cursor)
            await viewer.cleared()
            if found:
                await viewer.wire.say(Events(found, upto))
            viewer.cursor = upto

    def _channel(self, source: Source, after: int) -> Channel:
        channel = self._channels.get(source.key)
        if channel is None or channel.error:
            channel = Channel(source, after, self._tasks)
            self._channels[source.key] = channel
        return channel

    async def _drop_empty(self, source: Source, channel: Channel) -> None:
        if not channel.viewers and self._channels.get(source.key) is channel:
            del self._channels[source.key]
            await channel.close()


def _number(event: Event | Perceived) -> int:
    return event.seq if isinstance(event, Event) else event.number
