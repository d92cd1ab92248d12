"""People on the page, in a real browser: whose initials are whose."""

from __future__ import annotations

import pytest
from browser import page_of
from playwright.async_api import Browser, Page, expect
from whoknew_server import Served, begun, says

from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import CharacterAdded

CROWD = tuple(f"Person {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")


async def test_initials_stand_for_one_person_alone_and_a_legend_says_for_whom(
    server: Served, page: Page, log: Log
) -> None:
    people = (*CROWD, "First Clown", "First Crier", "Lord", "Lords", "真")
    await begun(log, "crowd", people)
    heard = ("Person B", "Lords", "真")
    await log.append("crowd", [says("Psst.", "Person B", heard)])
    await page.goto(f"{server.url}/?world=crowd")
    whispered = page.locator(".event", has_text="Psst.").locator(".seen")
    await expect(whispered.locator(".aloud")).to_have_text("witnessed by Person B, Lords, 真")
    await expect(whispered.locator(".badge")).to_have_text(["PB", "Lords", "真"])
    legend = page.get_by_role("list", name="People, with their initials").get_by_role("listitem")
    await expect(legend).to_have_count(len(people))
    shown = await legend.locator(".badge").all_text_contents()
    assert len({letters.lower() for letters in shown}) == len(people)
    assert shown[4] == "PE" and shown[26:28] == ["FCl", "FCr"]
    colours = "badges => badges.map((badge) => getComputedStyle(badge).borderBottomColor)"
    ours = await legend.locator(".badge").evaluate_all(colours)
    assert len(set(ours)) == len(people)
    assert await whispered.locator(".badge").evaluate_all(colours) == [
        ours[people.index(name)] for name in heard
    ]
    await log.append("crowd", [Draft(CharacterAdded("Lordling"), witnesses=("Lordling",))])
    await expect(legend.last).to_have_text("LordlLordling")


@pytest.mark.parametrize("width", [1280, 400])
async def test_a_long_name_in_a_field_stays_inside_its_panel(
    server: Served, browser: Browser, log: Log, width: int
) -> None:
    await begun(log, "long", ("Ann", "Bob" * 30))
    spilt = """panel => [...panel.querySelectorAll("input, select, textarea")].filter(
        (field) => field.getBoundingClientRect().right > panel.getBoundingClientRect().right
    ).map((field) => field.outerHTML)"""
    async with page_of(browser, width=width) as page:
        for panel in ("knows", "ask", "fork", "compare", "seat"):
            await page.goto(f"{server.url}/?world=long&panel={panel}")
            await expect(page.locator(".panel select").first).to_be_attached()
            assert await page.locator(".panel").evaluate(spilt) == [], panel
