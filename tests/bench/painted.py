"""When something of a page is seen for the first time: by a stopwatch outside, and by the browser's clock."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from playwright.async_api import Page

SEEN = """(() => {
  const look = () => {
    if (!document.querySelector(SHOWN)) return requestAnimationFrame(look);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { window.shownAt = performance.now(); };
    port2.postMessage(null);
  };
  requestAnimationFrame(look);
})()"""
"""Looked for before each frame; what is sent then is heard once that frame is painted. The clock of a page,
in milliseconds, begins at `navigationStart`."""

TIMES = """async () => {
  const paints = () => performance.getEntriesByType('paint');
  while (!window.shownAt || paints().length < 2) await new Promise(requestAnimationFrame);
  return { shown: window.shownAt,
    ...Object.fromEntries(paints().map((one) => [one.name, one.startTime])) };
}"""
"""Waited for here, as the page's rules forbid `wait_for_function` to look again and again."""


class Painted(Struct, frozen=True, kw_only=True):
    """Seconds."""

    outside: float
    """From when the browser is told to go there until whoever told it hears that it is shown."""
    shown: float
    first: float = msgspec.field(name="first-paint")
    contentful: float = msgspec.field(name="first-contentful-paint")


async def painted(page: Page, url: str, shown: str) -> Painted:
    """Go there, and wait until something is shown."""
    await page.add_init_script(SEEN.replace("SHOWN", repr(shown)))
    begun = perf_counter()
    await page.goto(url)
    await page.wait_for_selector(f"{shown}:visible")
    outside = perf_counter() - begun
    times = await page.evaluate(TIMES)
    seconds = {name: found / 1000 for name, found in times.items()}
    return msgspec.convert({"outside": outside, **seconds}, Painted)
