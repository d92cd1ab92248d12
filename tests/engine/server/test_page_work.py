"""Who plays a log together, on the page of a server: seen, paused, gone on with, stopped."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect
from waiting import until
from whoknew_server import Served, served

from whoknew.engine.running import workers
from whoknew.eventlog import Log, open_log

BEGIN = {"world": "midnight-diner", "name": "mine", "seats": ["Emil"]}


@pytest_asyncio.fixture(loop_scope="session")
async def servers(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Log, Served, Served]]:
    """A log; the server that plays a run on it, and another."""
    monkeypatch.setattr(workers, "EVERY", 0.1)
    async with (
        open_log(database) as log,
        open_log(database) as other,
        served(log, address=database) as plays,
        served(other, address=database) as looks,
    ):
        async with plays.client.post("/api/v1/runs", json=BEGIN) as begun:
            assert begun.status == 200
        yield log, plays, looks


async def test_what_several_play_is_one_card_from_which_they_are_paused_and_stopped(
    servers: tuple[Log, Served, Served], page: Page
) -> None:
    _, plays, looks = servers
    card = page.get_by_role("region", name="Who plays this log").locator("li.card")
    await page.goto(looks.url)
    await expect(card).to_have_count(1)
    await expect(card).to_contain_text("1 worker, 1 chain now")
    await expect(card).to_contain_text("playing")
    await expect(card.get_by_role("button", name="Play as Emil")).to_be_visible()
    await _pictured(page, "playing")
    await card.get_by_role("button", name="Pause").click()
    await expect(card).to_contain_text("paused")
    (run,) = plays.server._runs._runs.values()
    await until(lambda: run._run is not None and run._run.control.paused)
    await page.set_viewport_size({"width": 390, "height": 844})
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    await _pictured(page, "paused")
    await card.get_by_role("button", name="Go on").click()
    await expect(card).to_contain_text("playing")
    await until(lambda: run._run is not None and not run._run.control.paused)
    await card.get_by_role("button", name="Stop", exact=True).click()
    await expect(card).to_have_count(0)
    await until(lambda: run.state == "paused")


async def test_a_seat_of_a_run_that_another_server_plays_is_taken_and_played_on_the_page(
    servers: tuple[Log, Served, Served], page: Page
) -> None:
    log, _, looks = servers
    await page.goto(looks.url)
    await page.get_by_role("button", name="Play as Emil").click()
    await page.get_by_role("button", name="Act", exact=True).wait_for()
    await page.get_by_label("Words").fill("From the other side.")
    await _pictured(page, "seated")
    await page.get_by_role("button", name="Act", exact=True).click()
    await expect(page.locator("body")).to_contain_text("Emil: From the other side.")
    texts = [event.text async for event in log.read("mine")]
    assert sum("From the other side." in text for text in texts) == 1


async def _pictured(page: Page, name: str) -> None:
    if folder := os.environ.get("WHOKNEW_PICTURES"):
        await page.screenshot(path=Path(folder) / f"{name}.png")
