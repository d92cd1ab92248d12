"""The page on a world of 100,000 events, in a real browser: its first paint, a scrub, and its picture
dragged. On a machine with much else to do a frame is late however little is drawn: so beside it stands a
page on which nothing but one line is dragged."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from figure import Figure, Missing, Reach
from msgspec import Struct
from painted import Painted, painted
from server import serving
from session import RESULTS, Session
from travel import EVENTS, WORLD, played

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, ViewportSize

SIZE: ViewportSize = {"width": 1440, "height": 900}
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
CLOCKS = {
    "first": "the browser's own first-paint",
    "contentful": "its first-contentful-paint",
    "shown": "lines of the story shown, by the browser's clock",
    "outside": "lines of the story shown, by a stopwatch outside,",
}
STEPS = 100
"""Moves of the mouse by which the picture is dragged."""

TRACED = [
    "toplevel",
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
]
TRACE = RESULTS / "drag-trace.json"
"""As Chromium's own tools read it."""

LINE = """data:text/html,<title>least</title><body style="margin:0"><i class="plot" style="position:fixed;
width:2px;height:99vh;background:red">.</i><script>addEventListener("pointermove",(event) =>
document.querySelector("i").style.transform = "translateX(" + event.clientX + "px)")</script>"""
"""A page on which a line goes along with the mouse, and that is all."""

PATIENCE = 60
"""Seconds for all that is done with one page: a scrub that ends elsewhere would look on for ever."""


class Dragged(Struct, frozen=True):
    task: float
    """Milliseconds of a processor that the longest task took."""
    dropped: float
    """Of all frames that were wanted, how many in a hundred were not shown."""


class Look(Struct, frozen=True, kw_only=True):
    paint: Painted
    """To who comes for the first time."""
    again: Painted
    """To who was here before."""
    least: Painted
    """Of a page of one line."""
    cpu: float
    """Milliseconds of a processor until lines are shown, on the page's thread."""
    scrub: float
    """Milliseconds of the slowest."""
    dragged: Dragged
    line: Dragged
    """A line alone."""


def figures(session: Session) -> Iterator[Figure]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        raise Missing("there is no chromium here")
    log = session.folder / "big.db"
    held = played(session.folder, log, session.size(EVENTS, 2_000))
    with serving(log) as url:
        steps = session.size(STEPS, 10)
        looks = asyncio.run(_looked(path, f"{url}/?world={WORLD}", session.runs, steps))
    for whose, some in looks.items():
        of = f"of the page on {held.events:,} events, through {whose} eyes"
        yield from _paints(of, some)
        yield Figure(
            f"until lines are shown {of}, on its thread", "ms of CPU", [one.cpu for one in some]
        )
        yield Figure(
            f"the slowest of {len(PLACES)} scrubs {of}",
            "ms",
            [one.scrub for one in some],
            reach=Reach(100, "most"),
        )
        yield Figure(
            f"the longest task while the picture is dragged {of}",
            "ms of CPU",
            [one.dragged.task for one in some],
            reach=Reach(16, "most"),
        )
        yield Figure(
            f"frames dropped while the picture is dragged {of}",
            "%",
            [one.dragged.dropped for one in some],
            [one.line.dropped for one in some],
            "% dropped where one line alone is dragged",
            Reach(5, "most"),
        )


def _paints(of: str, looks: list[Look]) -> Iterator[Figure]:
    least = [one.least for one in looks]
    for who, paints in (
        ("", [one.paint for one in looks]),
        (", to who was here before", [one.again for one in looks]),
    ):
        for clock, what in CLOCKS.items():
            yield Figure(
                f"{what} {of}{who}",
                "s",
                [getattr(one, clock) for one in paints],
                [getattr(one, clock) for one in least],
                "s of a page of one line",
                Reach(0.5, "most"),
            )


async def _looked(path: str, url: str, runs: int, steps: int) -> dict[str, list[Look]]:
    from playwright.async_api import async_playwright

    looks: dict[str, list[Look]] = {whose: [] for whose in LENSES}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for _ in range(runs):
            for whose, lens in LENSES.items():
                async with asyncio.timeout(PATIENCE):
                    looks[whose].append(await _look(browser, url + lens, steps))
        await browser.close()
    return looks


async def _look(browser: Browser, url: str, steps: int) -> Look:
    least, line = await _least(browser, steps)
    context = await browser.new_context(viewport=SIZE)
    page = await context.new_page()
    chrome = await context.new_cdp_session(page)
    await chrome.send("Performance.enable", {"timeDomain": "threadTicks"})
    paint = await painted(page, url, ".event")
    measured: dict[str, Any] = await chrome.send("Performance.getMetrics")
    cpu = {one["name"]: one["value"] for one in measured["metrics"]}["TaskDuration"]
    await page.wait_for_selector(".plot img[src]")
    scrubs = [await page.evaluate(SCRUB, place) for place in PLACES]
    dragged = await _dragged(browser, page, TRACE, steps)
    await page.close()
    again = await painted(await context.new_page(), url, ".event")
    await context.close()
    return Look(
        paint=paint,
        again=again,
        least=least,
        cpu=1000 * cpu,
        scrub=max(scrubs),
        dragged=dragged,
        line=line,
    )


async def _least(browser: Browser, steps: int) -> tuple[Painted, Dragged]:
    """What the same takes where there is next to nothing to show."""
    page = await browser.new_page(viewport=SIZE)
    least = await painted(page, LINE, ".plot")
    dragged = await _dragged(browser, page, RESULTS / "line-trace.json", steps)
    await page.close()
    return least, dragged


async def _dragged(browser: Browser, page: Page, trace: Path, steps: int) -> Dragged:
    """From left to right, traced; the trace is kept beside the results."""
    box = await page.locator(".plot").bounding_box()
    assert box is not None
    await browser.start_tracing(page=page, path=str(trace), categories=TRACED)
    across, down = box["x"] + 150, box["y"] + 80
    await page.mouse.move(across, down)
    await page.mouse.down()
    for step in range(steps):
        await page.mouse.move(across + 8 * step, down)
    await page.mouse.up()
    await browser.stop_tracing()
    events = msgspec.json.decode(trace.read_bytes())["traceEvents"]
    moves = [
        one
        for one in events
        if one.get("name") == "EventDispatch" and one["args"]["data"].get("type") == "pointermove"
    ]
    meanwhile = [one for one in events if moves[0]["ts"] <= one["ts"] <= moves[-1]["ts"]]
    return Dragged(_longest_task(meanwhile, moves[0]), _dropped(meanwhile, moves[0]))


def _longest_task(events: list[dict[str, Any]], move: dict[str, Any]) -> float:
    """Of the page's thread: that which hears of the mouse."""
    tasks = [
        one.get("tdur", 0) / 1000
        for one in events
        if one.get("name") == "RunTask" and (one["pid"], one["tid"]) == (move["pid"], move["tid"])
    ]
    return float(max(tasks))


def _dropped(events: list[dict[str, Any]], move: dict[str, Any]) -> float:
    """Of the frames of the page's process in which something had changed."""
    states = [
        one["args"]["frame_reporter"]["state"]
        for one in events
        if one["name"] == "PipelineReporter"
        and one["pid"] == move["pid"]
        and "frame_reporter" in one.get("args", {})
    ]
    wanted = [one for one in states if one != "STATE_NO_UPDATE_DESIRED"]
    return 100 * wanted.count("STATE_DROPPED") / max(1, len(wanted))
