"""A real Firefox, headless, by WebDriver BiDi, which it speaks without a driver of its own."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse
from child_process import started
from waiting import OFTEN, PATIENCE, until


class Firefox:
    """One page of it. `complaints` are the errors and warnings that it had."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self._socket = socket
        self._asked = 0
        self._page = ""
        self.complaints: list[str] = []

    async def begin(self, width: int = 1440, height: int = 900) -> None:
        await self._ask("session.new", capabilities={})
        await self._ask("session.subscribe", events=["log.entryAdded"])
        tree = await self._ask("browsingContext.getTree")
        self._page = tree["contexts"][0]["context"]
        size = {"width": width, "height": height}
        await self._ask("browsingContext.setViewport", context=self._page, viewport=size)

    async def goto(self, url: str) -> None:
        await self._ask("browsingContext.navigate", context=self._page, url=url, wait="complete")

    async def evaluate(self, expression: str) -> Any:
        """What it comes to, as JSON has it."""
        text = f"(async () => JSON.stringify((await ({expression})) ?? null))()"
        return json.loads(await self.run(text))

    async def run(self, script: str) -> Any:
        said = await self._ask(
            "script.evaluate",
            expression=script,
            target={"context": self._page},
            awaitPromise=True,
        )
        assert said["type"] == "success", said
        return said["result"].get("value")

    async def sees(self, expression: str) -> None:
        """Wait until it holds."""
        async with asyncio.timeout(PATIENCE):
            while not await self.evaluate(f"!!({expression})"):  # noqa: ASYNC110  (nobody tells what a page holds)
                await asyncio.sleep(OFTEN)

    async def press(self, *keys: str) -> None:
        """Each as WebDriver names it: a letter, or a sign of its own for Tab, arrows and the like."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        source = {"type": "key", "id": "keys", "actions": actions}
        await self._ask("input.performActions", context=self._page, actions=[source])

    async def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._asked += 1
        await self._socket.send_json({"id": self._asked, "method": method, "params": params})
        while True:
            said = await self._socket.receive_json()
            if said.get("method") == "log.entryAdded":
                entry = said["params"]
                if entry["level"] in ("error", "warn"):
                    self.complaints.append(entry["text"])
            if said.get("id") == self._asked:
                assert said["type"] == "success", said
                return dict(said["result"])


@asynccontextmanager
async def firefox(profile: Path) -> AsyncIterator[Firefox]:
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if path is None:
        pytest.skip("there is no Firefox")
    words = ("--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0")
    home = {**os.environ, "HOME": str(profile)}
    async with (
        started(path, *words, stdout=DEVNULL, stderr=DEVNULL, env=home) as process,
        ClientSession() as client,
        client.ws_connect(f"{await _address(profile, process)}/session", max_msg_size=0) as socket,
    ):
        page = Firefox(socket)
        await page.begin()
        yield page


async def _address(profile: Path, process: Process) -> str:
    """Where it listens: it writes that down, once it does."""
    file = profile / "WebDriverBiDiServer.json"
    await until(lambda: file.exists() and file.read_text("utf-8").endswith("}"), by=process)
    said = json.loads(file.read_bytes())
    return f"ws://{said['ws_host']}:{said['ws_port']}"
