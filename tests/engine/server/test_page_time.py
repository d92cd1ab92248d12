"""Going through time on the page, in a real browser: what is seen next, and what stays in sight."""

from __future__ import annotations

from diner_world import WORLD
from playwright.async_api import Page, expect
from whoknew_server import Served, begun, page_of_story, says

from whoknew.eventlog import Log
from whoknew.eventlog.kinds import EpisodeOpened


async def test_what_is_set_up_takes_no_time_and_a_step_is_what_somebody_could_see(
    server: Served, page: Page, log: Log
) -> None:
    events = await (await log.director(WORLD)).events()
    opened = next(event.seq for event in events if isinstance(event.body, EpisodeOpened))
    assert opened > 20, "there is much to set up"
    await page.goto(page_of_story(server, at="#2"))
    slider, story = page.get_by_role("slider"), page.locator(".story")
    await expect(story).to_contain_text("Nothing has happened yet")
    await page.get_by_label("Speed").select_option("1/s")
    await page.get_by_role("button", name="Play").click()
    await expect(story.get_by_role("heading")).to_contain_text("E1")
    await page.get_by_role("button", name="Pause").click()
    box = await slider.bounding_box()
    assert box is not None
    await page.mouse.click(box["x"] + 1, box["y"] + 20)
    await expect(slider).to_have_attribute("aria-valuenow", str(opened))
    await page.mouse.click(box["x"] + box["width"] / 4, box["y"] + 20)
    await expect(slider).not_to_have_attribute("aria-valuenow", str(opened))
    await story.focus()
    for way in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        stood = await slider.get_attribute("aria-valuenow")
        await page.keyboard.press(way)
        await expect(slider).not_to_have_attribute("aria-valuenow", str(stood))
        seen = await slider.get_attribute("aria-valuenow")
        await expect(story.locator("[data-seq]").last).to_have_attribute("data-seq", str(seen))
    await page.keyboard.press("Home")
    await expect(slider).to_have_attribute("aria-valuenow", str(opened))


async def test_who_goes_far_back_and_then_along_with_what_happens_meets_no_gap(
    server: Served, page: Page, log: Log
) -> None:
    await begun(log)
    await log.append("w", [says(f"word {number}.") for number in range(700)])
    await page.goto(f"{server.url}/?world=w")
    story = page.locator(".story")
    await expect(story).to_contain_text("word 699.")
    for number in (584, 464, 344, 224, 104):
        await page.get_by_role("button", name="earlier event").click()
        await expect(story).to_contain_text(f"word {number - 5}.")
    await expect(story).not_to_contain_text("word 699.")
    await log.append("w", [says("word 700.")])
    later = page.get_by_role("button", name="later event")
    await expect(later).to_have_text("105 later events")
    await later.click()
    await expect(later).to_have_count(0)
    lines = await story.locator(".event p").all_text_contents()
    said = [int(line.split("word ")[1].rstrip(".")) for line in lines if "word" in line]
    assert said == list(range(said[0], 701))
    await expect(page.get_by_role("button", name="earlier event")).to_contain_text(str(said[0] + 4))
