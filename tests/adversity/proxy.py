"""Stands between a client and PostgreSQL, and cuts or freezes connections when it is told to."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from pathlib import Path
from typing import Self

LONGEST = 0.5
"""Seconds for which a piece of traffic is held back."""


class Proxy:
    """A socket in `folder` that leads to the server's in `server`.

    `odds` is how likely each piece of traffic is to be the last of its connection. It may be cut
    before the piece is passed on, or after: so the server may or may not have had the request, and
    the client does not hear which. `frosts` is how likely it is held back for a while.
    """

    def __init__(self, folder: Path, server: Path, seed: int) -> None:
        self._here = folder / ".s.PGSQL.5432"
        self._there = server / ".s.PGSQL.5432"
        self._random = random.Random(seed)
        self.odds = self.frosts = 0.0
        self.goes = asyncio.Event()
        """While it is cleared nothing is passed on, either way: the link is cut, and nobody hears of it."""
        self.goes.set()
        self.cuts = 0
        self._serving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._accept, str(self._here))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()
        for serving in list(self._serving):
            serving.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    def _accept(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        serving = asyncio.create_task(self._serve(client, back))
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)

    async def _serve(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        await self.goes.wait()
        try:
            answers, request = await asyncio.open_unix_connection(str(self._there))
        except OSError:  # the server is down
            back.transport.abort()
            return
        ways = [
            asyncio.create_task(self._pass(client, request)),
            asyncio.create_task(self._pass(answers, back)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            request.transport.abort()
            back.transport.abort()

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.CancelledError):
            while piece := await source.read(1 << 16):
                if self._random.random() < self.frosts:
                    await asyncio.sleep(self._random.uniform(0.01, LONGEST))
                await self.goes.wait()
                cut = self._random.random() < self.odds
                if not cut or self._random.random() < 0.5:
                    target.write(piece)
                    await target.drain()
                if cut:
                    self.cuts += 1
                    return
