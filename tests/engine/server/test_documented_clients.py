"""The clients that the docs show: each does what is said of it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from aiohttp import web
from diner_world import WORLD
from documented import shown
from playwright.async_api import Browser, expect
from waiting import PATIENCE
from whoknew_server import served

from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Acted


async def test_the_client_in_python_tells_who_knows(log: Log, tmp_path: Path) -> None:
    (tmp_path / "client.py").write_text(shown("server", "python", "# client.py"), "utf-8")
    async with served(log, control="c" * 20) as server:
        known = {"WHOKNEW_URL": server.url, "WHOKNEW_TOKEN": "c" * 20}
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "client.py"],
            check=True,
            cwd=tmp_path,
            env=os.environ | known,
            capture_output=True,
            encoding="utf-8",
        )
    first = done.stdout.splitlines()[0]
    assert first.startswith("#89 is known to ") and "Vera" in first and "Rufus" not in first


async def test_a_page_of_another_site_shows_what_happens(log: Log, browser: Browser) -> None:
    script = shown("server", "js", "EventSource")

    async def index(request: web.Request) -> web.Response:
        text = script.replace("http://127.0.0.1:8420", request.query["server"])
        html = f"<!doctype html><title>x</title><body><script type=module>{text}</script>"
        return web.Response(text=html, content_type="text/html")

    app = web.Application()
    app.router.add_get("/", index)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    away = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        async with served(log, origins=[away]) as let_in, served(log) as closed:
            page = await browser.new_page()
            page.set_default_timeout(PATIENCE * 1000)
            async with page.expect_event("pageerror"):
                await page.goto(f"{away}/?server={closed.url}")
            await expect(page.locator("p")).to_have_count(0)
            await page.goto(f"{away}/?server={let_in.url}")
            await expect(page.locator("p")).to_have_count(3)
            happened = Draft(Acted("One more."), actor="Vera", witnesses=("Vera",), episode=10)
            await log.append(WORLD, [happened])
            await expect(page.locator("p").last).to_contain_text("Vera One more.")
            await expect(page.locator("p")).to_have_count(4)
    finally:
        await runner.cleanup()
