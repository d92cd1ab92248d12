"""Pictures of every view of the page, at four widths, light and dark: `make screenshots`.

Worlds are played and exams sat for it, on this machine and by offline minds; then a browser looks at them.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from playwright.async_api import Browser

FOLDER = Path(__file__).parents[1] / "site" / "screenshots"

WIDTHS = (390, 800, 1366, 2560)
HEIGHTS = {390: 844, 800: 1100, 1366: 850, 2560: 1440}
SCHEMES = ("light", "dark")

WORLD = "midnight-diner"

PREPARED = (
    ("demo", "--log", "diner.db"),
    ("fork", WORLD, "--at", "E3.T2", "--name", "otherwise", "--log", "diner.db"),
    ("import", "play", "the-lamp-room", "--log", "plays.db"),
    ("exam", "new", "questions", "first.toml"),
    ("exam", "run", "first.toml"),
    ("bundle", WORLD, "sent", "--as", "Vera", "--log", "diner.db"),
)
"""What is looked at."""

PANELS = ("knows", "prompt", "calls", "ask", "fork", "compare", "scores", "seat")


def whoknew(*words: str) -> list[str]:
    return [str(Path(sys.executable).with_name("whoknew")), *words]


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[str]:
    """A server on a free port, and its address."""
    with subprocess.Popen(
        whoknew("serve", "--port", "0", *words), cwd=folder, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().rpartition(" at ")[2].strip()
        finally:
            server.terminate()


def prepare(folder: Path) -> None:
    for words in PREPARED:
        subprocess.run(whoknew(*words), cwd=folder, check=True, stdout=subprocess.DEVNULL)


def views(diner: str, plays: str, folder: Path) -> dict[str, str]:
    """The address of each view, by its name."""
    of_world = {"world": WORLD, "at": "E5", "about": "cannot taste"}
    found = {"home": diner, "exams": plays, "exam": f"{plays}?exam=first"}
    for panel in PANELS:
        found[panel] = f"{diner}?{urlencode(of_world | {'panel': panel})}"
    found["lens"] = f"{diner}?{urlencode(of_world | {'as': 'Rufus'})}"
    found["refused"] = f"{diner}?world=nowhere"
    found["bundle"] = f"{(folder / 'sent' / 'index.html').as_uri()}"
    return found


async def shoot(browser: Browser, width: int, scheme: str, found: dict[str, str]) -> None:
    """Each view, once nothing is loaded any more."""
    page = await browser.new_page(
        viewport={"width": width, "height": HEIGHTS[width]},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    for name, address in found.items():
        await page.goto(address)
        await page.locator("#main").get_by_role("heading").first.wait_for()
        await page.wait_for_timeout(700)
        wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth")
        await page.screenshot(path=FOLDER / f"{name}-{width}-{scheme}.png")
        if wide:
            print(f"{name} is wider than {width} pixels")
    await page.close()


async def main() -> None:
    from playwright.async_api import async_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        sys.exit("there is no chromium here: install one")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        await asyncio.to_thread(prepare, folder)
        with (
            serving(folder, "--log", "diner.db") as diner,
            serving(folder, "--log", "plays.db", "--exam", "first.toml") as plays,
        ):
            found = views(f"{diner}/", f"{plays}/", folder)
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(
                    executable_path=path, args=["--no-sandbox"]
                )
                for width in WIDTHS:
                    for scheme in SCHEMES:
                        await shoot(browser, width, scheme, found)
                await browser.close()
    print(f"{len(found) * len(WIDTHS) * len(SCHEMES)} pictures in {FOLDER}")


if __name__ == "__main__":
    asyncio.run(main())
