"""The page for whoever has no mouse, sees little, or hears it: in a real browser, with axe-core."""

from __future__ import annotations

from browser import page_of
from playwright.async_api import Browser, Page, expect
from wcag import violations_in_both
from whoknew_server import Served, page_of_story

PANELS = ("knows", "prompt", "calls", "ask", "fork", "compare", "scores", "seat")


async def test_every_view_keeps_the_rules_of_wcag(server: Served, page: Page) -> None:
    views = [
        server.url,
        f"{server.url}/?world=nowhere",
        page_of_story(server, at="E5", about="cannot taste", fact="89", **{"as": "Rufus"}),
    ]
    views += [page_of_story(server, at="E2.T3", panel=panel) for panel in PANELS]
    for view in views:
        await page.goto(view)
        await expect(page.get_by_role("heading").first).to_be_visible()
        assert await violations_in_both(page) == []


async def test_all_of_a_world_is_reached_by_keyboard(server: Served, page: Page) -> None:
    await page.goto(page_of_story(server, at="E2.T3"))
    await expect(page).to_have_title("The Turnaround - Whoknew")
    tab = page.get_by_role("tab", selected=True)
    await tab.focus()
    stood = await page.get_by_role("slider").get_attribute("aria-valuenow")
    await page.keyboard.press("ArrowRight")
    await expect(tab).to_have_text("Why")
    await expect(tab).to_be_focused()
    assert "panel=prompt" in page.url
    await page.keyboard.press("End")
    await expect(tab).to_have_text("Seat")
    assert await page.get_by_role("slider").get_attribute("aria-valuenow") == stood
    await page.go_back()
    await expect(tab).to_have_text("Why")
    why = page.locator(".event", has_text="One spoon of salt").get_by_role("button", name="Why?")
    await expect(why).to_be_attached()
    await page.locator(".story").focus()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Shift+Tab")
    await expect(page.locator(".story")).to_have_css("outline-style", "solid")
    for _ in range(200):
        await page.keyboard.press("Tab")
        if await why.evaluate("button => button === document.activeElement"):
            break
    await expect(why).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator(".panel")).to_contain_text("To the byte what the model was given")


async def test_an_event_is_marked_and_who_is_not_there_is_told(server: Served, page: Page) -> None:
    await page.goto(page_of_story(server, at="E2.T3", panel="window", **{"as": "Nobody"}))
    notices = page.locator(".notice")
    await expect(notices.first).to_contain_text("There is no “Nobody” in this world")
    await expect(notices.last).to_contain_text("There is no panel “window” here: one of knows")
    await page.get_by_text("Mark this event as a secret").click()
    await page.get_by_label("Its name").fill("the salt")
    await page.get_by_role("button", name="Mark it").click()
    await expect(page.locator("table.matrix")).to_contain_text("the salt: ")


async def test_enlarged_four_times_no_part_of_a_page_covers_another(
    server: Served, browser: Browser
) -> None:
    """As WCAG has it: what fits 1280 pixels, at 400 %, scrolls in one direction."""
    async with page_of(browser, width=320, height=256) as page:
        for view in (
            server.url,
            page_of_story(server, at="E5", about="89"),
            page_of_story(server, panel="compare"),
        ):
            await page.goto(view)
            await page.wait_for_load_state("networkidle")
            assert await page.evaluate("document.documentElement.scrollWidth") <= 320
        for view in (
            page_of_story(server, at="E5", about="89"),
            page_of_story(server, panel="ask"),
        ):
            await page.goto(view)
            await page.locator(".panel form").first.wait_for()
            await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            assert await page.locator(".time").evaluate(
                "time => time.getBoundingClientRect().bottom <= 0"
            )


COVERED = """() => {
  const one = document.activeElement;
  const { left, top, width, height } = one.getBoundingClientRect();
  if (!width || one === document.body) return null;
  const [x, y] = [left + width / 2, top + height / 2];
  if (y < 0 || y > innerHeight || one.contains(document.elementFromPoint(x, y))) return null;
  return document.elementFromPoint(x, y)?.closest("[role=tablist], .time") ? one.outerHTML : null;
}"""
"""What has the focus, where something that stays in sight lies over it."""


async def test_what_is_gone_to_by_keyboard_lies_under_nothing_that_stays_in_sight(
    server: Served, browser: Browser
) -> None:
    for width in (390, 1440):
        async with page_of(browser, width=width) as page:
            await page.goto(page_of_story(server, about="90-120"))
            await expect(page.locator("table.matrix tbody tr").nth(10)).to_be_visible()
            await page.get_by_text("Mark this event as a secret").focus()
            for _ in range(90):
                await page.keyboard.press("Shift+Tab")
                assert await page.evaluate(COVERED) is None
