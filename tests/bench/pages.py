"""The page on a world of 100,000 events, in a real browser: its first paint, and a scrub."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import Iterator
from time import perf_counter

from figure import Figure, Missing, Reach
from session import Session
from travel import COMMAND, EVENTS, WORLD, played

SCRUB = """async (share) => {
  const begun = performance.now();
  const line = document.querySelector('.timeline');
  const box = line.getBoundingClientRect();
  line.setPointerCapture = () => {};
  line.dispatchEvent(new PointerEvent('pointerdown', { clientX: box.left + box.width * share,
    clientY: box.top + 20, buttons: 1, pointerId: 1, bubbles: true }));
  const seq = Number(line.getAttribute('aria-valuemax')) * share;
  const shown = () => Number([...document.querySelectorAll('.story [data-seq]')].at(-1)?.dataset.seq);
  while (!(Math.abs(shown() - seq) < 15)) await new Promise(requestAnimationFrame);
  return performance.now() - begun;
}"""
PLACES = (0.5, 0.1, 0.9, 0.33, 0.7, 0.05, 0.98, 0.6)


def figures(session: Session) -> Iterator[Figure]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        raise Missing("there is no chromium here")
    log = session.folder / "big.db"
    events = played(session.folder, log, session.size(EVENTS, 2_000))
    command = [*COMMAND, "serve", "--log", str(log), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        try:
            paints, scrubs = asyncio.run(_looked(path, f"{url}/?world={WORLD}", session.runs))
        finally:
            server.terminate()
    of = f"of the page on {events:,} events"
    yield Figure(f"first paint {of}", "s", paints, reach=Reach(1, "most"))
    yield Figure(
        f"the slowest of {len(PLACES)} scrubs {of}", "ms", scrubs, reach=Reach(100, "most")
    )


async def _looked(path: str, url: str, runs: int) -> tuple[list[float], list[float]]:
    from playwright.async_api import async_playwright

    paints: list[float] = []
    scrubs: list[float] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for lens in ("", "&as=Vera"):
            for _ in range(runs):
                page = await browser.new_page(viewport={"width": 1440, "height": 900})
                begun = perf_counter()
                await page.goto(url + lens)
                await page.wait_for_selector(".event")
                paints.append(perf_counter() - begun)
                scrubs.append(max([await page.evaluate(SCRUB, place) for place in PLACES]))
                await page.close()
        await browser.close()
    return paints, scrubs
