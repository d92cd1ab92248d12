"""The page on a world of 100,000 events, in a real browser: its first paint, a scrub, and its picture
dragged."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec
from figure import Figure, Missing, Reach
from msgspec import Struct
from server import serving
from session import RESULTS, Session
from travel import EVENTS, WORLD, played

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

SCRUB = """async (share) => {
  const begun = performance.now();
  const line = document.querySelector('.plot');
  const box = line.getBoundingClientRect();
  line.setPointerCapture = () => {};
  line.dispatchEvent(new PointerEvent('pointerdown', { clientX: box.left + box.width * share,
    clientY: box.top + 20, buttons: 1, pointerId: 1, bubbles: true }));
  const seq = Number(line.getAttribute('aria-valuenow'));
  const shown = () => Number([...document.querySelectorAll('.story [data-seq]')].at(-1)?.dataset.seq);
  while (!(Math.abs(shown() - seq) < 15)) await new Promise(requestAnimationFrame);
  return performance.now() - begun;
}"""
PLACES = (0.5, 0.1, 0.9, 0.33, 0.7, 0.05, 0.98, 0.6)
LENSES = {"the director's": "", "Vera's": "&as=Vera"}
STEPS = 100
"""Moves of the mouse by which the picture is dragged."""

TRACED = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]
TRACE = RESULTS / "drag-trace.json"
"""As Chromium's own tools read it."""

PATIENCE = 60
"""Seconds for all that is done with one page: a scrub that ends elsewhere would look on for ever."""


class Look(Struct, frozen=True):
    paint: float
    """Seconds."""
    scrub: float
    """Milliseconds of the slowest."""
    task: float
    """Milliseconds of a processor that the longest task took while the story was dragged."""


def figures(session: Session) -> Iterator[Figure]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        raise Missing("there is no chromium here")
    log = session.folder / "big.db"
    held = played(session.folder, log, session.size(EVENTS, 2_000))
    with serving(log) as url:
        looks = asyncio.run(_looked(path, f"{url}/?world={WORLD}", session.runs))
    for whose, some in looks.items():
        of = f"of the page on {held.events:,} events, through {whose} eyes"
        paints, scrubs = [one.paint for one in some], [one.scrub for one in some]
        yield Figure(f"first paint {of}", "s", paints, reach=Reach(0.5, "most"))
        yield Figure(
            f"the slowest of {len(PLACES)} scrubs {of}", "ms", scrubs, reach=Reach(100, "most")
        )
        yield Figure(
            f"the longest task while the picture is dragged {of}",
            "ms of CPU",
            [one.task for one in some],
            reach=Reach(16, "most"),
        )


async def _looked(path: str, url: str, runs: int) -> dict[str, list[Look]]:
    from playwright.async_api import async_playwright

    looks: dict[str, list[Look]] = {whose: [] for whose in LENSES}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for _ in range(runs):
            for whose, lens in LENSES.items():
                async with asyncio.timeout(PATIENCE):
                    looks[whose].append(await _look(browser, url + lens))
        await browser.close()
    return looks


async def _look(browser: Browser, url: str) -> Look:
    page = await browser.new_page(viewport={"width": 1440, "height": 900})
    begun = perf_counter()
    await page.goto(url)
    await page.wait_for_selector(".event:visible")
    paint = perf_counter() - begun
    scrubs = [await page.evaluate(SCRUB, place) for place in PLACES]
    task = await _dragged(browser, page)
    await page.close()
    return Look(paint, max(scrubs), task)


async def _dragged(browser: Browser, page: Page) -> float:
    """Through the picture from left to right, traced; the trace is kept beside the results."""
    await page.wait_for_selector(".plot img[src]")
    box = await page.locator(".plot").bounding_box()
    assert box is not None
    await browser.start_tracing(page=page, path=str(TRACE), categories=TRACED)
    across, down = box["x"] + 150, box["y"] + 80
    await page.mouse.move(across, down)
    await page.mouse.down()
    for step in range(STEPS):
        await page.mouse.move(across + 8 * step, down)
    await page.mouse.up()
    await browser.stop_tracing()
    return _longest_task(msgspec.json.decode(TRACE.read_bytes())["traceEvents"])


def _longest_task(events: list[dict[str, Any]]) -> float:
    """Of the page's thread, between its first and its last move of the mouse."""
    moves = [
        one
        for one in events
        if one.get("name") == "EventDispatch" and one["args"]["data"].get("type") == "pointermove"
    ]
    thread = (moves[0]["pid"], moves[0]["tid"])
    tasks = [
        one.get("tdur", 0) / 1000
        for one in events
        if one.get("name") == "RunTask"
        and (one["pid"], one["tid"]) == thread
        and moves[0]["ts"] <= one["ts"] <= moves[-1]["ts"]
    ]
    return float(max(tasks))
