"""The page beside a world that is played for an hour, in a real browser: what it holds in memory, and how
many lines, however long one looks on and however far one goes back."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from figure import Figure, Missing, Reach
from msgspec import Struct
from session import Session
from whoknew_server import begun, says, served

from whoknew.eventlog import Log, open_log

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page, ViewportSize

EVENTS = 10_800
"""Three a second, for an hour: they are told as fast as the page takes them."""

PARTS, TOLD, PAUSE = 10, 60, 0.5
"""Of so many at a time the page hears; and seconds until it is measured."""

WORLD = "w"
SIZE: ViewportSize = {"width": 1440, "height": 900}
BACK = 30
"""So often one goes back from the end: each time further than the page holds lines."""

COUNT = "document.querySelectorAll('.story [data-seq]').length"
LOWEST = "Number([...document.querySelectorAll('.story [data-seq]')].at(-1)?.dataset.seq)"
UP = """() => { const story = document.querySelector('.story'); story.scrollTop = 0;
  story.dispatchEvent(new WheelEvent('wheel', { deltaY: -100 })); }"""
PATIENCE = 900


class Held(Struct, frozen=True):
    """What a page holds: MB, nodes, and listeners to what happens to these."""

    heap: float
    nodes: int
    listeners: int


class Watched(Struct, frozen=True):
    """What the page held at the end of each part; and the most lines that stood in it."""

    held: list[Held]
    lines: int


def figures(session: Session) -> Iterator[Figure]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        raise Missing("there is no chromium here")
    events = session.size(EVENTS, 1_200)
    found = asyncio.run(_watched(path, events))
    name = f"the page beside {events:,} events of a world that is played"
    by_tenths = {
        "memory": [one.heap for one in found.held],
        "nodes": [one.nodes for one in found.held],
        "listeners": [one.listeners for one in found.held],
    }
    for what, held in by_tenths.items():
        yield Figure(
            f"{name}: {what} at the end, of those after a fifth",
            "x",
            [held[-1] / held[1]],
            reach=Reach(1.2, "most"),
            notes={"by tenths": " ".join(f"{one:.4g}" for one in held)},
        )
    yield Figure(
        f"{name}: the most lines in it, also where one goes far back",
        "lines",
        [float(found.lines)],
        reach=Reach(600, "most"),
    )


async def _watched(path: str, events: int) -> Watched:
    from playwright.async_api import async_playwright

    async with open_log(":memory:") as log:
        await begun(log, WORLD)
        async with served(log) as server, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            page = await browser.new_page(
                viewport=SIZE, bypass_csp=True
            )  # it is looked at from outside
            await page.goto(f"{server.url}/?world={WORLD}")
            await page.locator("#link", has_text="live").wait_for()
            async with asyncio.timeout(PATIENCE):
                found = await _played(log, page, events)
            await browser.close()
            return found


async def _played(log: Log, page: Page, events: int) -> Watched:
    held, most, told = [], 0, 0
    chrome = await page.context.new_cdp_session(page)
    await chrome.send("Performance.enable")
    for part in range(PARTS):
        while told < events * (part + 1) // PARTS:
            lines = [
                says(f"word {told + number}.", ("Ann", "Bob")[number % 2]) for number in range(TOLD)
            ]
            await log.append(WORLD, lines)
            told += TOLD
            await page.wait_for_function(f"{LOWEST} === {await _head(log)}")
            most = max(most, await page.evaluate(COUNT))
        held.append(await _measured(chrome))
    for _ in range(BACK):
        before = await page.evaluate("document.querySelector('.story [data-seq]').dataset.seq")
        if int(before) < 100:
            break
        await page.evaluate(UP)
        await page.wait_for_function(
            f"document.querySelector('.story [data-seq]').dataset.seq !== '{before}'"
        )
        most = max(most, await page.evaluate(COUNT))
    return Watched(held, most)


async def _head(log: Log) -> int:
    return (await log.lineage.find(WORLD)).head


async def _measured(chrome: CDPSession) -> Held:
    """What is still held once all else is swept out."""
    await asyncio.sleep(PAUSE)
    for _ in range(2):
        await chrome.send("HeapProfiler.collectGarbage")
    found: dict[str, Any] = await chrome.send("Performance.getMetrics")
    metrics = {one["name"]: one["value"] for one in found["metrics"]}
    return Held(
        metrics["JSHeapUsedSize"] / 2**20, int(metrics["Nodes"]), int(metrics["JSEventListeners"])
    )
