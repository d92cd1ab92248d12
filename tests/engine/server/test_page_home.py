"""The list of worlds on the page, in a real browser: found, ordered, grouped."""

from __future__ import annotations

from datetime import datetime

from diner_world import WORLD
from playwright.async_api import Page, expect
from whoknew_server import Served, begun, says

from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import WorldOpened


async def test_worlds_are_found_ordered_and_grouped_and_forks_stand_under_their_parents(
    server: Served, page: Page, log: Log
) -> None:
    for name in ("life-2", "life-10"):
        await begun(log, name)  # both are called the same
    await log.append("life-10", [says("Something of lanterns.")])
    await log.fork(WORLD, "what-if", "E5")
    await log.append("what-if", [says("And so on.", "Vera", ("Vera",))])
    await log.fork("what-if", "deeper", "end")
    await page.goto(server.url)
    cards = page.locator(".worlds li.card")
    await expect(cards).to_have_count(3)
    forks = cards.first.get_by_role("list", name=f"Forks of {WORLD}")
    await expect(forks).to_contain_text("what-if")
    await expect(forks.get_by_role("list", name="Forks of what-if")).to_contain_text("deeper")
    await expect(cards.nth(1).get_by_role("heading")).to_have_text("life-2: A world")
    await page.get_by_label("Order").select_option("newest")
    await expect(cards.first).to_contain_text("life-10")
    await page.get_by_label("Order").select_option("events")
    await expect(cards.last).to_contain_text("life-2")
    await page.locator("select[name=only]").select_option("suspended")
    await expect(cards.first).to_contain_text("life-10")
    await page.get_by_label("Groups").select_option("title")
    await expect(page.locator(".worlds h2")).to_have_text(["A world 2 worlds"])
    await page.get_by_label("Find").fill("LANTERNS something")
    await expect(cards).to_have_count(1)
    await expect(page.get_by_role("status").last).to_contain_text("1 of 5 worlds")
    await page.reload()
    await expect(cards).to_have_count(1)
    await expect(page.get_by_label("Find")).to_have_value("LANTERNS something")


async def test_a_long_title_stretches_nothing(server: Served, page: Page, log: Log) -> None:
    name = "W" * 200
    await log.append(name, [Draft(WorldOpened("T" * 400), datetime(2000, 1, 1))])
    await page.set_viewport_size({"width": 390, "height": 844})
    for address in ("/", f"/?group=title&find={name}", f"/?world={name}"):
        await page.goto(f"{server.url}{address}")
        await expect(page.locator("body")).to_contain_text("T" * 400)
        await page.wait_for_load_state("networkidle")
        assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
