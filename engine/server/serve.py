"""A server from its start to its end: `whoknew serve`."""

from __future__ import annotations

import asyncio
import errno
import signal
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, closing, nullcontext
from itertools import count

from aiohttp import web
from msgspec import Struct

from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.opening import existing, file_of, reading, writing
from whoknew.engine.presence import serving
from whoknew.engine.running.hard_stop import insist
from whoknew.engine.server.access import Access, is_loopback
from whoknew.engine.server.app import Server
from whoknew.engine.server.connections import MOST, Runner, check_room
from whoknew.engine.server.cross_origin import origins_of
from whoknew.engine.server.errors import PortTaken, Unsafe
from whoknew.engine.server.shared_tokens import tokens_in
from whoknew.eventlog import Log
from whoknew.eventlog.errors import LogInUse
from whoknew.eventlog.shown_address import without_password


class Serving(Struct, frozen=True):
    """Where a server listens, on which log."""

    url: str
    log: str
    writable: bool


async def serve(
    address: str,
    host: str,
    port: int,
    control: str | None,
    read: str | None,
    ready: Callable[[Serving], None],
    connections: int = MOST,
    *,
    new: bool = False,
    recorded: Collection[str] = (),
    exams: Sequence[LoadedExam] = (),
    origins: Collection[str] = (),
) -> None:
    """Serve a log until SIGINT or SIGTERM; then runs suspend in order, and viewers are told. Where
    there is none it begins only as a `new` one: a name mistyped would be an empty log. Plans may play
    the answers on the logs `recorded`, and on no others. `exams` are those that can be looked at. Pages
    of the sites `origins` may ask, too."""
    let_in = origins_of(origins)
    if not is_loopback(host) and control is None:
        raise Unsafe(
            f"{host} can be reached by others: give --token (and --read-token), or listen on "
            "127.0.0.1"
        )
    check_room(connections)
    async with AsyncExitStack() as opened:
        log, writable = await _opened(address, opened, new=new)
        tokens = opened.enter_context(closing(tokens_in(log, address)))
        access = Access(host, port, control, read, tokens, origins=let_in)
        server = Server(
            log, access, writable=writable, address=address, recorded=recorded, exams=exams
        )
        runner = Runner(server.app, connections)
        await runner.setup()
        try:
            await _listen(runner, host, port)
            bound = runner.addresses[0][1]
            shown = f"[{host}]" if ":" in host else host
            url = f"http://{shown}:{bound}"
            with _announced(address, url, writable=writable):
                ready(Serving(url, without_password(address), writable))
                await _asked_to_stop()
        finally:
            await runner.cleanup()


async def _listen(runner: Runner, host: str, port: int) -> None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise PortTaken(
            f"port {port} of {host} is in use by another program: give --port with another, or "
            "--port 0 for any that is free"
        ) from None


def _announced(address: str, url: str, *, writable: bool) -> AbstractContextManager[None]:
    """Others are kept from writing the log by a server that writes it, where it is a file."""
    file = file_of(address)
    return serving(file, url) if file and writable else nullcontext()


async def _opened(address: str, opened: AsyncExitStack, *, new: bool) -> tuple[Log, bool]:
    """To be written if nobody else does; else only to be read."""
    try:
        log = writing(address) if new else existing(address)
        return await opened.enter_async_context(log), True
    except LogInUse:
        return await opened.enter_async_context(reading(address)), False


async def _asked_to_stop() -> None:
    """Wait for SIGINT or SIGTERM. Where a part of a run does not let the loop come round, a second one
    ends the process."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    times = count(1)

    def heed(number: int, frame: object) -> None:
        if next(times) == 1:  # in one step: another may come while this one is heeded
            loop.call_soon_threadsafe(stop.set)
        else:
            insist(loop, signal.Signals(number).name, stop.set)

    before = {number: signal.signal(number, heed) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        await stop.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
