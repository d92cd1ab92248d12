"""Who plays a log together, on the page of a server: seen, paused, gone on with, stopped."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.async_api import Page, expect
from waiting import until
from whoknew_server import served

from whoknew.eventlog import open_log

BEGIN = {"world": "midnight-diner", "name": "mine", "seats": ["Emil"]}


async def test_what_several_play_is_one_card_from_which_they_are_paused_and_stopped(
    database: str, page: Page
) -> None:
    async with (
        open_log(database) as log,
        open_log(database) as other,
        served(log, address=database) as plays,
        served(other, address=database) as looks,
    ):
        async with plays.client.post("/api/v1/runs", json=BEGIN) as begun:
            assert begun.status == 200
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
    database: str, page: Page
) -> None:
    async with (
        open_log(database) as log,
        open_log(database) as other,
        served(log, address=database) as plays,
        served(other, address=database) as looks,
    ):
        async with plays.client.post("/api/v1/runs", json=BEGIN) as begun:
            assert begun.status == 200
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
