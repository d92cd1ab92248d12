"""Two pages beside a world that is played, in a real browser: what they hold in memory, and how many
lines. One stays at the end, the other goes back again and again, and then comes to the end. What an hour
brings is told as fast as they take it; with HOUR=1 in an hour, three events a second."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator
from itertools import cycle
from time import monotonic
from typing import TYPE_CHECKING, Any

import memory
from figure import Figure, Missing, Reach
from msgspec import Struct
from pages import SIZE
from session import Session
from whoknew_server import begun, served

from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import Acted, EpisodeClosed, EpisodeOpened

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Page

HOUR = bool(os.environ.get("HOUR"))
RATE = 3
"""Events a second, in an hour that takes one."""

EPISODE = 60
"""Events of each."""

EPISODES = 180
"""Of an hour."""

PARTS, PAUSE = 10, 0.5
"""So often the pages are measured; and the seconds of rest before."""

WORLD = "w"
PEOPLE = ("Ann", "Bob")
PLACES = (0.5, 0.1, 0.9, 0.33, 0.7)
"""Where in the story one looks, in turn."""

BACK = 30
"""So often one goes back from the end: each time further than the page holds lines."""

COUNT = "document.querySelectorAll('.story [data-seq]').length"
LOWEST = "Number([...document.querySelectorAll('.story [data-seq]')].at(-1)?.dataset.seq)"
UP = """() => { const story = document.querySelector('.story'); story.scrollTop = 0;
  story.dispatchEvent(new WheelEvent('wheel', { deltaY: -100 })); }"""
WORK = "() => { let sum = 0; for (let one = 0; one < 5e8; one++) sum += one; return sum; }"
"""What takes a process so long that nothing else in it counts."""

PATIENCE = 900


class Held(Struct, frozen=True):
    """What a page holds: MB of objects, MB of its process, nodes, and listeners to what happens to these."""

    heap: float
    process: float
    nodes: int
    listeners: int


class Watched(Struct):
    """What a page held at the end of each part; and the most lines that stood in it."""

    held: list[Held] = []
    lines: int = 0


class Viewer(Struct, frozen=True):
    """A page in a process of its own, and Chromium's own word on it."""

    page: Page
    chrome: CDPSession
    process: int
    saw: Watched


def figures(session: Session) -> Iterator[Figure]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        raise Missing("there is no chromium here")
    episodes = session.size(EPISODES, 12)
    pace = "in an hour" if HOUR else "as fast as it takes them"
    pause = 0.05 if session.quick else PAUSE
    for which, saw in asyncio.run(_watched(path, episodes, pause)).items():
        name = f"a page that {which}, beside {EPISODE * episodes:,} events of a world that is played, {pace}"
        yield from _growth(name, saw.held)
        yield Figure(
            f"{name}: the most lines in it", "lines", [float(saw.lines)], reach=Reach(600, "most")
        )


def _growth(name: str, held: list[Held]) -> Iterator[Figure]:
    by_tenths = {
        "MB of objects": [one.heap for one in held],
        "MB of its process": [one.process for one in held],
        "nodes": [one.nodes for one in held],
        "listeners": [one.listeners for one in held],
    }
    for what, found in by_tenths.items():
        yield Figure(
            f"{name}: {what} in the second half, at most, of those in the first",
            "x",
            [max(found[PARTS // 2 :]) / max(found[: PARTS // 2])],
            reach=Reach(1.2, "most"),
            notes={"by tenths": " ".join(f"{one:.4g}" for one in found)},
        )


async def _watched(path: str, episodes: int, pause: float) -> dict[str, Watched]:
    from playwright.async_api import async_playwright

    async with open_log(":memory:") as log:
        await begun(log, WORLD, PEOPLE)
        async with served(log) as server, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            url = f"{server.url}/?world={WORLD}"
            stays, goes = await _viewer(browser, url), await _viewer(browser, url)
            async with asyncio.timeout(PATIENCE + HOUR * EPISODE * episodes / RATE):
                await _played(log, episodes, pause, stays=stays, goes=goes)
                await _read_back(stays)
            await browser.close()
    return {"stays at the end": stays.saw, "is dragged back and forth": goes.saw}


async def _viewer(browser: Browser, url: str) -> Viewer:
    context = await browser.new_context(viewport=SIZE, bypass_csp=True)  # looked at from outside
    page = await context.new_page()
    page.set_default_timeout(PATIENCE * 1e3)  # on a busy machine a page may be long behind
    await page.goto(url)
    await page.locator("#link", has_text="live").wait_for()
    chrome = await context.new_cdp_session(page)
    await chrome.send("Performance.enable")
    return Viewer(page, chrome, await _process(browser, page), Watched())


async def _process(browser: Browser, page: Page) -> int:
    """The process that a page runs in: the one that is busy while the page is."""
    chrome = await browser.new_browser_cdp_session()

    async def used() -> dict[int, float]:
        found: dict[str, Any] = await chrome.send("SystemInfo.getProcessInfo")
        return {
            one["id"]: one["cpuTime"] for one in found["processInfo"] if one["type"] == "renderer"
        }

    before = await used()
    await page.evaluate(WORK)
    after = await used()
    return max(after, key=lambda one: after[one] - before.get(one, 0))


async def _played(log: Log, episodes: int, pause: float, *, stays: Viewer, goes: Viewer) -> None:
    """Of three episodes the second finds one of the pages in the past."""
    begun, told, places = monotonic(), 0, cycle(PLACES)
    for number in range(1, episodes + 1):
        if number % 3 == 0:
            await goes.page.get_by_role("button", name="Live", exact=True).click()
        elif number % 3 == 2:
            await _look_back(goes.page, next(places))
        drafts = _episode(number + 1)
        for some in [[one] for one in drafts] if HOUR else [drafts]:
            await log.append(WORLD, some)
            told += len(some)
            if HOUR:
                await asyncio.sleep(begun + told / RATE - monotonic())
        head = (await log.lineage.find(WORLD)).head
        for viewer in (stays,) if number % 3 == 2 else (stays, goes):
            await viewer.page.wait_for_function(f"{LOWEST} === {head}")
        await _counted(stays)
        await _counted(goes)
        if number * PARTS // episodes > (number - 1) * PARTS // episodes:
            stays.saw.held.append(await _measured(stays, pause))
            goes.saw.held.append(await _measured(goes, pause))


async def _look_back(page: Page, share: float) -> None:
    plot = page.locator(".plot")
    box = await plot.bounding_box()
    assert box is not None
    await page.mouse.click(box["x"] + box["width"] * share, box["y"] + 20)
    seq = await plot.get_attribute("aria-valuenow")
    await page.wait_for_function(f"Math.abs({LOWEST} - {seq}) < 15")


def _episode(number: int) -> list[Draft]:
    words = [
        Draft(
            Acted(f"word {number * EPISODE + turn}."),
            episode=number,
            turn=turn,
            actor=PEOPLE[turn % 2],
            witnesses=PEOPLE,
        )
        for turn in range(EPISODE - 2)
    ]
    opened = Draft(EpisodeOpened("A room.", PEOPLE), episode=number, witnesses=PEOPLE)
    return [opened, *words, Draft(EpisodeClosed("over"), episode=number, witnesses=PEOPLE)]


async def _read_back(viewer: Viewer) -> None:
    page = viewer.page
    for _ in range(BACK):
        before = await page.evaluate("document.querySelector('.story [data-seq]').dataset.seq")
        if int(before) < 100:
            break
        await page.evaluate(UP)
        await page.wait_for_function(
            f"document.querySelector('.story [data-seq]').dataset.seq !== '{before}'"
        )
        await _counted(viewer)


async def _counted(viewer: Viewer) -> None:
    viewer.saw.lines = max(viewer.saw.lines, await viewer.page.evaluate(COUNT))


async def _measured(viewer: Viewer, pause: float) -> Held:
    """What is still held once all else is swept out."""
    await asyncio.sleep(pause)
    for _ in range(2):
        await viewer.chrome.send("HeapProfiler.collectGarbage")
    found: dict[str, Any] = await viewer.chrome.send("Performance.getMetrics")
    metrics = {one["name"]: one["value"] for one in found["metrics"]}
    return Held(
        metrics["JSHeapUsedSize"] / 2**20,
        memory.now(viewer.process),
        int(metrics["Nodes"]),
        int(metrics["JSEventListeners"]),
    )
