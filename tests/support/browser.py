"""A real browser, headless: the system's Chromium. Anything it complains of fails the test."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Page, async_playwright, expect
from waiting import PATIENCE

NO_CHROMIUM = "there is no Chromium"
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
EXPECTED = (
    "net::ERR_CONNECTION_",
    "net::ERR_EMPTY_RESPONSE",
    "net::ERR_INCOMPLETE_CHUNKED_ENCODING",
    "WebSocket connection to",
    "the server does not answer",
    "status of 4",
    "status of 503",
)
"""What is said where a server stops or is gone, or refuses something on purpose."""

expect.set_options(timeout=PATIENCE * 1000)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(NO_CHROMIUM)
        pytest.skip(NO_CHROMIUM)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=path, args=FLAGS, timeout=PATIENCE * 1000
        )
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def page_of(
    browser: Browser, width: int = 1440, height: int = 900, scheme: str = "light"
) -> AsyncIterator[Page]:
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    context.set_default_timeout(PATIENCE * 1000)
    page = await context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    try:
        yield page
    finally:
        await context.close()
    odd = [one for one in complaints if not any(word in one for word in EXPECTED)]
    assert not odd, f"the browser complained: {odd}"
