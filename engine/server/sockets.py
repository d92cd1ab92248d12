"""Sockets: a world as it happens, and the seat of one of its characters."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Annotated

from aiohttp import WSCloseCode, WSMsgType, web
from msgspec import Meta, Struct

from whoknew.agents.agent import Moment
from whoknew.agents.errors import BadAction
from whoknew.engine.server.access import GUEST, Guest, Right, check_right
from whoknew.engine.server.answers import FAULT
from whoknew.engine.server.request_fields import query_of
from whoknew.engine.server.seat import BrowserSeat, Seats
from whoknew.engine.server.stream import (
    PROTOCOL,
    Bye,
    LiveTurn,
    Refusal,
    Source,
    Streams,
    Taken,
    Viewer,
    Whole,
    say,
)
from whoknew.engine.server.viewpoint import Eyes
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

HEARTBEAT = 20.0
"""Seconds after which a stream is pinged: one that does not answer is gone."""

LEAVING = 2.0
"""Seconds that a viewer is given to answer that the socket is closed."""


class StreamQuery(Struct, frozen=True, rename={"begins": "from", "who": "as"}):
    begins: Annotated[str, Meta(max_length=400)] = "#0"
    who: Annotated[str, Meta(max_length=400)] | None = None


class Sockets:
    """All sockets of a server."""

    def __init__(self, log: Log, streams: Streams, seats: Seats, eyes: Eyes) -> None:
        self._log, self._streams, self._seats, self._eyes = log, streams, seats, eyes
        self._open: set[web.WebSocketResponse] = set()
        self._viewers: set[Viewer] = set()

    async def close(self) -> None:
        async with asyncio.TaskGroup() as group:
            for socket in list(self._open):
                message = b"the server is stopping"
                group.create_task(socket.close(code=WSCloseCode.GOING_AWAY, message=message))

    def look_again(self) -> None:
        """A seat was taken or left: no viewer is sent anything more before it has been looked at
        again, by its own stream. Whoever sits down waits for nobody who does not read."""
        for viewer in self._viewers:
            viewer.doubt()

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """A world as it happens, and a seat in it."""
        guest: Guest = request[GUEST]
        check_right(guest, Right.VIEW)
        query = query_of(request, StreamQuery)
        world, who = request.match_info["world"], query.who or None
        source, after = await self._source(request, world, who, query.begins)
        who = source.who
        protocols = [PROTOCOL] if PROTOCOL in _protocols(request) else []
        if _protocols(request) and not protocols:
            raise web.HTTPBadRequest(text=f"this server speaks {PROTOCOL}")
        socket = web.WebSocketResponse(
            heartbeat=HEARTBEAT,
            timeout=LEAVING,
            max_msg_size=MESSAGE,
            protocols=protocols,
            compress=False,
        )
        await socket.prepare(request)
        self._open.add(socket)
        assert request.transport is not None
        viewer = Viewer(socket, request.transport, after)
        may_act = who is not None and guest.right in (Right.VIEW, Right.CONTROL)

        async def still() -> bool:
            return await self._eyes.still(request, world, query.who or None, source)

        self._viewers.add(viewer)
        viewer.doubt()  # a seat may have been taken since the source was chosen
        try:
            await self._serve(viewer, source, still, may_act=may_act)
        except* ConnectionError:
            pass  # it has gone
        except* Exception:  # noqa: BLE001  (nobody outside is told what it was)
            logger().exception("stream.failed", world=world)
            with suppress(ConnectionError):
                await say(socket, Bye(FAULT))
        finally:
            self._open.discard(socket)
            self._viewers.discard(viewer)
            await socket.close()
        return socket

    async def _serve(self, viewer: Viewer, source: Source, still: Still, *, may_act: bool) -> None:
        """Look, sit and hear, for as long as the viewer stays and may see what it is sent. Where
        one of these fails, all end."""
        world, who = source.world, source.who
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._look(viewer, source))]
            if may_act and who is not None:
                tasks.append(group.create_task(self._sit(viewer.socket, world, who)))
            hearing = self._hear(viewer.socket, world, who if may_act else None)
            ends = [group.create_task(hearing), group.create_task(_until_changed(viewer, still))]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks + ends:
                task.cancel()
        if not ends[1].cancelled():
            await _part(viewer)

    async def _source(
        self, request: web.Request, world: str, who: str | None, begins: str
    ) -> tuple[Source, int]:
        """What a viewer is sent, and after which number."""
        if own := await self._eyes.own(request, world, who):
            return own, await own.resolve(begins)
        if who is not None:
            await self._log.view(world, who)
        return Whole(self._log, world, who), (await self._log.cursor(world, begins)).seq

    async def _look(self, viewer: Viewer, source: Source) -> None:
        try:
            await self._streams.view(viewer, source)
        except LogError as error:
            await say(viewer.socket, Bye(str(error)))
        await viewer.socket.close()

    async def _hear(self, socket: web.WebSocketResponse, world: str, who: str | None) -> None:
        """What a viewer sends: actions of the character that it sits for."""
        async for message in socket:
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                continue
            try:
                if who is None:
                    raise BadAction("you only look: come `as` a character, to act for it")
                self._seats.at(world, who).take(message.data)
            except BadAction as error:
                await say(socket, Refusal(str(error)))
            else:
                await say(socket, Taken())

    async def _sit(self, socket: web.WebSocketResponse, world: str, who: str) -> None:
        """Tell a viewer whenever its character is to act, as soon as somebody plays the world."""
        seat = self._seats.at(world, who)
        changed = asyncio.Event()
        seat.listen(changed.set)
        try:
            told: Moment | None = None
            while True:
                changed.clear()
                if seat.moment is not None and seat.moment is not told:
                    await say(socket, _turn(seat, seat.moment))
                told = seat.moment
                await changed.wait()
        finally:
            seat.ignore(changed.set)


async def _until_changed(viewer: Viewer, still: Still) -> None:
    """Until a viewer may no longer see what it is sent. It is looked at when there is doubt, and now
    and then: a token may end, or be taken back by another process."""
    while True:
        viewer.look()
        if not await still():
            return
        viewer.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOKS):
                await viewer.doubted()


async def _part(viewer: Viewer) -> None:
    """Send a viewer away; one that does not read is not waited for."""
    try:
        async with asyncio.timeout(LEAVING):
            await say(viewer.socket, Bye(CHANGED, again=True))
            await viewer.socket.close()
    except TimeoutError:
        viewer.drop()


def _turn(seat: BrowserSeat, moment: Moment) -> LiveTurn:
    """Not how many turns are left: that would count those that its character does not see."""
    return LiveTurn(seat.who, moment.present, moment.exits, moment.place, seat.patience)


def _protocols(request: web.Request) -> list[str]:
    wanted = request.headers.get("Sec-WebSocket-Protocol", "")
    return [one.strip() for one in wanted.split(",") if one.strip()]
