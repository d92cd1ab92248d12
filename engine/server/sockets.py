"""Streams over the network: a world as it happens, by WebSocket or as server-sent events; over a socket
also the seat of one of its characters."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from aiohttp import HttpVersion11, WSCloseCode, WSMsgType, web
from msgspec import Struct

from whoknew.agents.agent import Moment
from whoknew.agents.errors import BadAction
from whoknew.engine.server.access import Guest, Right
from whoknew.engine.server.answers import FAULT
from whoknew.engine.server.character_view import Own
from whoknew.engine.server.errors import BadRequest
from whoknew.engine.server.payloads import Short
from whoknew.engine.server.routes import EVENTS
from whoknew.engine.server.seat import BrowserSeat, Seats
from whoknew.engine.server.stream import (
    PROTOCOL,
    Bye,
    LiveTurn,
    Refusal,
    Source,
    Streams,
    Taken,
    TurnOver,
    Viewer,
    Whole,
)
from whoknew.engine.server.viewpoint import Eyes
from whoknew.engine.server.wires import HEARTBEAT, EventWire, SocketWire, Wire
from whoknew.eventlog import Log
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.logger import logger

Still = Callable[[], Awaitable[bool]]
"""Whether a viewer may still see what it is sent."""

MESSAGE = 64 * 1024
"""Bytes that a viewer may send at once."""

CHANGED = "what you may see of this world has changed: come again"

LOOKS = 1.0
"""Seconds after which a stream is cut at the latest, whose token has ended."""

LEAVING = 2.0
"""Seconds that a viewer is given to answer that the socket is closed."""


class StreamQuery(Struct, frozen=True, rename={"begins": "from", "who": "as"}):
    begins: Short = "#0"
    who: Short | None = None


class Sockets:
    """All that are open at a server."""

    def __init__(self, log: Log, streams: Streams, seats: Seats, eyes: Eyes) -> None:
        self._log, self._streams, self._seats, self._eyes = log, streams, seats, eyes
        self._open: set[Wire] = set()
        self._viewers: set[Viewer] = set()

    async def close(self) -> None:
        async with asyncio.TaskGroup() as group:
            for wire in list(self._open):
                why = b"the server is stopping"
                group.create_task(wire.close(WSCloseCode.GOING_AWAY, why))

    def look_again(self) -> None:
        """A seat was taken or left: no viewer is sent anything more before it has been looked at
        again, by its own stream. Whoever sits down waits for nobody who does not read."""
        for viewer in self._viewers:
            viewer.doubt()

    async def stream(
        self, request: web.Request, world: str, query: StreamQuery, guest: Guest, own: Own | None
    ) -> web.StreamResponse:
        """A world as it happens, and a seat in it: to a character all of its `own`."""
        source, after = await self._source(request, world, query, own)
        response, wire = await _opened(request)
        self._open.add(wire)
        assert request.transport is not None
        viewer = Viewer(wire, request.transport, after)

        async def still() -> bool:
            return await self._eyes.still(request, world, query.who or None, source)

        self._viewers.add(viewer)
        viewer.doubt()  # a seat may have been taken since the source was chosen
        may_act = guest.right in (Right.VIEW, Right.CONTROL)
        try:
            await self._serve(viewer, source, still, may_act=may_act)
        except* ConnectionError:
            pass  # it has gone
        except* Exception:  # noqa: BLE001  (nobody outside is told what it was)
            logger().exception("stream.failed", world=world)
            with suppress(ConnectionError):
                await wire.say(Bye(FAULT))
        finally:
            self._open.discard(wire)
            self._viewers.discard(viewer)
            with suppress(ConnectionError):
                await wire.close()
        return response

    async def _serve(self, viewer: Viewer, source: Source, still: Still, *, may_act: bool) -> None:
        """Look, sit and hear, for as long as the viewer stays and may see what it is sent. Where
        one of these fails, all end."""
        who = source.who if may_act else None
        wire = viewer.wire
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._look(viewer, source))]
            if isinstance(wire, SocketWire):
                staying = self._hear(wire, source.world, who)
                if who is not None:
                    tasks.append(group.create_task(self._sit(viewer, source.world, who)))
            else:
                assert isinstance(wire, EventWire)
                staying = wire.until_gone()
            ends = [group.create_task(staying), group.create_task(_until_changed(viewer, still))]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks + ends:
                task.cancel()
        if not ends[1].cancelled():
            await _part(viewer)

    async def _source(
        self, request: web.Request, world: str, query: StreamQuery, own: Own | None
    ) -> tuple[Source, int]:
        """What a viewer is sent, and after which number: after a break, where it was."""
        last = request.headers.get("Last-Event-ID", "")
        begins = f"#{last}" if last.isdecimal() else query.begins
        if own is not None:
            return own, await own.resolve(begins)
        who = query.who or None
        if who is not None:
            await self._log.view(world, who)
        return Whole(self._log, world, who), (await self._log.cursor(world, begins)).seq

    async def _look(self, viewer: Viewer, source: Source) -> None:
        try:
            await self._streams.view(viewer, source)
        except LogError as error:
            await viewer.wire.say(Bye(str(error)))
        await viewer.wire.close()

    async def _hear(self, wire: SocketWire, world: str, who: str | None) -> None:
        """What a viewer sends: actions of the character that it sits for."""
        async for message in wire.socket:
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                continue
            try:
                if who is None:
                    raise BadAction("you only look: come `as` a character, to act for it")
                await self._seats.at(world, who).take(message.data)
            except BadAction as error:
                await wire.say(Refusal(str(error)))
            except LogError as error:  # with its number it is taken once, however often it is sent
                await wire.say(Refusal(f"{error}; send it again, with its `number`"))
            else:
                await wire.say(Taken())

    async def _sit(self, viewer: Viewer, world: str, who: str) -> None:
        """Tell a viewer whenever its character is to act, as soon as somebody plays the world, and when
        it is not any more."""
        seat = self._seats.at(world, who)
        changed = asyncio.Event()
        seat.listen(changed.set)
        try:
            told: Moment | None = None
            while True:
                changed.clear()
                await viewer.cleared()
                if seat.moment is not None and seat.moment is not told:
                    await viewer.wire.say(_turn(seat, seat.moment))
                elif seat.moment is None and told is not None:
                    await viewer.wire.say(TurnOver())
                told = seat.moment
                await changed.wait()
        finally:
            seat.ignore(changed.set)


async def _until_changed(viewer: Viewer, still: Still) -> None:
    """Until a viewer may no longer see what it is sent. It is looked at when there is doubt, and now
    and then: a token may end, or be taken back by another process."""
    while True:
        viewer.look()
        try:
            if not await still():
                return
        except LogError:  # who cannot be known to be allowed sees nothing, and comes again
            return
        viewer.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOKS):
                await viewer.doubted()


async def _part(viewer: Viewer) -> None:
    """Send a viewer away; one that does not read is not waited for."""
    try:
        async with asyncio.timeout(LEAVING):
            await viewer.wire.say(Bye(CHANGED, again=True))
            await viewer.wire.close()
    except TimeoutError:
        viewer.drop()


def _turn(seat: BrowserSeat, moment: Moment) -> LiveTurn:
    """Not how many turns are left: that would count those that its character does not see."""
    return LiveTurn(
        character=seat.who,
        present=moment.present,
        exits=moment.exits,
        asleep=moment.asleep,
        place=moment.place,
        seconds=seat.patience,
        left=seat.left,
        number=len(moment.view),
        hidden=moment.hidden,
    )


async def _opened(request: web.Request) -> tuple[web.StreamResponse, Wire]:
    """What is answered, and what carries messages to who asked: by what it asks for."""
    if EVENTS in request.headers.get("Accept", ""):
        return await _events(request)
    if "websocket" not in request.headers.get("Upgrade", "").lower():
        raise BadRequest(f"a stream is read by a WebSocket, or with the header `Accept: {EVENTS}`")
    wanted = _protocols(request)
    if wanted and PROTOCOL not in wanted:
        raise BadRequest(f"this server speaks {PROTOCOL}")
    socket = web.WebSocketResponse(
        heartbeat=HEARTBEAT,
        timeout=LEAVING,
        max_msg_size=MESSAGE,
        protocols=[PROTOCOL] if wanted else [],
        compress=False,
    )
    await socket.prepare(request)
    return socket, SocketWire(socket)


async def _events(request: web.Request) -> tuple[web.StreamResponse, Wire]:
    if request.version < HttpVersion11:
        raise BadRequest("a stream of events is read by HTTP/1.1: its length is not known before")
    assert request.transport is not None
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    response = web.StreamResponse(headers=headers)
    response.content_type, response.charset = EVENTS, "utf-8"
    response.enable_chunked_encoding()
    await response.prepare(request)
    return response, EventWire(response, request.transport)


def _protocols(request: web.Request) -> list[str]:
    wanted = request.headers.get("Sec-WebSocket-Protocol", "")
    return [one.strip() for one in wanted.split(",") if one.strip()]
