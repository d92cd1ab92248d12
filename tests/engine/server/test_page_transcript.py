"""The transcript on the page, in a real browser."""

from __future__ import annotations

from playwright.async_api import Page, expect
from whoknew_server import Served, page_of_story


async def test_lines_are_told_apart_found_folded_and_have_addresses(
    server: Served, page: Page
) -> None:
    await page.goto(page_of_story(server, at="E1"))
    story = page.locator(".story")
    await expect(story.locator(".event.thought .manner").first).to_have_text("thought")
    aside = story.locator(".event", has_text="overheard by Yusuf, from the pantry")
    await expect(aside.first).to_be_visible()
    notes = story.locator("details.beside > summary")
    await expect(notes.last).to_contain_text("notes of")
    await expect(story.locator(".event", has_text="Magda remembers")).to_be_hidden()
    await notes.last.click()
    await expect(story.locator(".event", has_text="Magda remembers")).to_be_visible()
    find = page.get_by_label("Find in the story")
    await find.fill("taste nothing salt")
    await find.press("Enter")
    await page.locator(".finds").get_by_role("button").nth(1).click()
    await expect(page.locator(".event.current")).to_contain_text("I cannot taste.")
    address = await page.locator(".event.current time a").get_attribute("href")
    assert address is not None and address.endswith("at=%2389")
    await page.get_by_label("Lens").select_option("Rufus")
    await find.press("Enter")
    await expect(page.locator(".finds")).to_contain_text("0 lines that Rufus knows of")
    await page.goto(server.url + address)
    await expect(page.locator(".event.current")).to_contain_text("I cannot taste.")
    await page.get_by_role("button", name="The lines of E1").click()
    await expect(story.locator(".event")).to_have_count(0)
