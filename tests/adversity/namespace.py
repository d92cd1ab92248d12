"""A network of its own, for processes whose link to everything else can be pulled out: what is sent
meanwhile is lost, as between machines. Where we are root, on Linux."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Self

WIDEST = 1 << 16


class NoNamespaces(Exception):
    """They cannot be made here."""


class Namespace:
    """With an address of `host` in it, at which a database's socket is reached while the link is there."""

    def __init__(self) -> None:
        if os.geteuid() != 0 or shutil.which("ip") is None:
            raise NoNamespaces("network namespaces need root, and iproute2")
        pid = os.getpid()
        self._name = f"wk{pid}"
        self._outer, self._inner = f"wo{pid}", f"wi{pid}"
        net = f"10.{pid >> 8 & 255}.{pid & 255}"
        self.host, self._guest = f"{net}.1", f"{net}.2"
        self.before = ("ip", "netns", "exec", self._name)
        """What the command of a process in there begins with."""

    def __enter__(self) -> Self:
        try:
            _ip("netns", "add", self._name)
            _ip("link", "add", self._outer, "type", "veth", "peer", "name", self._inner)
            _ip("link", "set", self._inner, "netns", self._name)
            _ip("address", "add", f"{self.host}/30", "dev", self._outer)
            self.plug()
            inside = ("-n", self._name)
            _ip(*inside, "address", "add", f"{self._guest}/30", "dev", self._inner)
            _ip(*inside, "link", "set", self._inner, "up")
            _ip(*inside, "link", "set", "lo", "up")
        except NoNamespaces:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for words in (("link", "delete", self._outer), ("netns", "delete", self._name)):
            with suppress(NoNamespaces):
                _ip(*words)

    def plug(self) -> None:
        _ip("link", "set", self._outer, "up")

    def unplug(self) -> None:
        _ip("link", "set", self._outer, "down")


class Relay:
    """A port at an address of ours that leads to a socket."""

    def __init__(self, host: str, socket: Path) -> None:
        self._host, self._socket = host, socket
        self._ways: set[asyncio.Task[None]] = set()
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, self._host, 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        ways = list(self._ways)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)

    async def _accept(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        try:
            answers, request = await asyncio.open_unix_connection(str(self._socket))
        except OSError:  # the database is down
            back.transport.abort()
            return
        for source, target in ((client, request), (answers, back)):
            way = asyncio.create_task(_pass(source, target))
            self._ways.add(way)
            way.add_done_callback(self._ways.discard)


async def _pass(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        with suppress(OSError):
            while piece := await source.read(WIDEST):
                target.write(piece)
                await target.drain()
    finally:
        target.transport.abort()


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoNamespaces(f"ip {' '.join(words)}: {done.stderr.strip()}")
