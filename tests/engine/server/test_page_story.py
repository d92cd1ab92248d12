"""The story as a picture on the page, in a real browser: it is a timeline, and shows who knows."""

from __future__ import annotations

import re

from playwright.async_api import Page, expect
from whoknew_server import Served, page_of_story


async def test_a_story_is_gone_through_and_looked_into_by_its_picture(
    server: Served, page: Page
) -> None:
    await page.goto(page_of_story(server, about="cannot taste"))
    plot = slider = page.get_by_role("slider", name="Cursor in the story")
    cursor = plot.locator(".cursor")
    await expect(plot.locator("img")).to_have_attribute("src", re.compile("^data:image/svg"))
    box = await plot.bounding_box()
    assert box is not None
    middle, high = box["x"] + box["width"] / 2, box["y"] + 60
    await page.mouse.move(middle, high)
    await page.mouse.down()
    await expect(slider).not_to_have_attribute("aria-valuenow", "579")
    await page.mouse.move(middle + 200, high)
    await page.mouse.up()
    await expect(slider).to_have_attribute("aria-valuetext", re.compile("event [345]"))
    stood = await slider.get_attribute("aria-valuenow")
    line = await cursor.bounding_box()
    assert line is not None and abs(line["x"] - middle - 200) < 6

    # nearer, by wheel and by keys, the cursor keeps its event
    whole = await plot.locator("img").get_attribute("src")
    await page.mouse.wheel(0, -600)
    await expect(plot.locator("img")).not_to_have_attribute("src", whole or "")
    assert await slider.get_attribute("aria-valuenow") == stood
    await plot.focus()
    await page.keyboard.press("0")
    await expect(plot.locator("img")).to_have_attribute("src", whole or "")
    await page.get_by_role("button", name="This episode").click()
    await expect(plot.locator("img")).not_to_have_attribute("src", whole or "")

    # the whole lies below, with the part that is seen: that is dragged
    below = page.locator(".along")
    part = await plot.locator("img").get_attribute("src")
    strip = await below.bounding_box()
    assert strip is not None
    await page.mouse.click(strip["x"] + strip["width"] / 4, strip["y"] + 8)
    await expect(plot.locator("img")).not_to_have_attribute("src", part or "")
    assert await slider.get_attribute("aria-valuenow") == stood
    await page.get_by_role("button", name="The whole story").click()
    await expect(plot.locator("img")).to_have_attribute("src", whole or "")
    await expect(below).to_be_hidden()

    # through somebody's eyes it is theirs, at the same time
    lens = page.get_by_label("Lens")
    await lens.select_option("Rufus")
    await expect(plot).to_have_accessible_description(re.compile("as Rufus perceived it"))
    assert "Magda" not in (await plot.locator("img").get_attribute("src") or "")
    assert await slider.get_attribute("aria-valuenow") == stood
    await lens.select_option("")
    await expect(plot.locator("img")).to_have_attribute("src", whole or "")

    # who knows of an event, chosen beside it
    await page.get_by_role("button", name="Colour who knows of #89 in the picture").click()
    status = page.get_by_text("Coloured: 6 characters who came to know of #89.")
    await expect(status).to_be_visible()
    assert "fact=89" in page.url
    await expect(plot).to_have_accessible_description(re.compile("Emil was told at #457 by Yusuf"))
    await page.get_by_role("button", name="No colours").click()
    await expect(status).to_have_count(0)

    # the events that most know of come first; how one learnt it stays open where one jumps along it
    rows = page.locator("table.matrix tbody tr")
    for order, first in (("fewest", "#160"), ("most", "#89")):
        await page.get_by_label("In which order").select_option(order)
        await page.get_by_role("button", name="Show", exact=True).click()
        await expect(page).to_have_url(re.compile(f"order={order}"))
        await expect(rows.first).to_contain_text(first)
    await page.get_by_role("button", name="Anselm: told by Vera").first.click()
    chain = page.locator("tr:has(button[aria-expanded=true]) + tr .card")
    await chain.get_by_role("button", name="#290").click()
    await expect(slider).to_have_attribute("aria-valuenow", "290")
    await expect(chain).to_contain_text("Anselm ← told by Vera at #290")
