"""Going through time on the page, in a real browser: what is seen next, and what stays in sight."""

from __future__ import annotations

import re

from browser import page_of
from diner_world import WORLD
from playwright.async_api import Browser, Page, Route, expect
from waiting import until
from whoknew_server import Served, begun, page_of_story, says

from whoknew.engine.server.viewer_files import VIEWER
from whoknew.engine.travel.fork import fork
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import EpisodeOpened, Remembered


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


async def test_what_happens_is_added_and_what_stands_there_stays_as_it_was(
    server: Served, page: Page, log: Log
) -> None:
    await begun(log)
    memory = Draft(Remembered("Ann", "entire", "The lamp.\nIt was red."), witnesses=("Ann",))
    await log.append("w", [memory, *(says(f"word {number}.") for number in range(40))])
    await page.goto(f"{server.url}/?world=w")
    await expect(page.locator("#link")).to_have_text("live")
    why = page.locator(".event", has_text="word 39.").get_by_role("button", name="Why?")
    await why.focus()
    await page.locator(".story summary").click()
    await page.locator(".story").evaluate("story => { story.scrollTop = 0; }")
    await why.evaluate("button => button.focus({ preventScroll: true })")
    for number in range(40, 44):
        await log.append("w", [says(f"word {number}.")])
        await expect(page.locator(".event.current")).to_contain_text(f"word {number}.")
    await expect(page.locator(".story details")).to_have_attribute("open", "")
    await expect(why).to_be_focused()
    assert await page.locator(".story").evaluate("story => story.scrollTop") == 0
    await log.append("w", [memory])
    await expect(page.locator(".story details")).to_have_count(2)


async def test_whoever_reads_further_up_keeps_what_they_read(
    server: Served, page: Page, log: Log
) -> None:
    await begun(log)
    await log.append("w", [says(f"word {number}.") for number in range(700)])
    await page.goto(f"{server.url}/?world=w")
    story = page.locator(".story")
    await expect(story).to_contain_text("word 699.")
    for number in (584, 464, 344, 224):
        await page.get_by_role("button", name="earlier event").click()
        await expect(story).to_contain_text(f"word {number - 5}.")
    await story.evaluate("story => { story.scrollTop = 0; }")
    first = await story.locator("[data-seq]").first.get_attribute("data-seq")
    await log.append("w", [says("word 700.")])
    await expect(page.get_by_role("button", name="later event")).to_have_text("1 later event")
    await expect(story.locator("[data-seq]").first).to_have_attribute("data-seq", first or "")
    await page.get_by_role("button", name="later event").click()
    await expect(story).to_contain_text("word 700.")


async def test_while_the_story_is_dragged_its_lines_come_along(server: Served, page: Page) -> None:
    await page.goto(page_of_story(server))
    slider, newest = page.get_by_role("slider"), page.locator(".story [data-seq]").last
    await expect(slider.locator("img")).to_be_visible()
    box = await slider.bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + box["width"] / 6, box["y"] + 20)
    await page.mouse.down()
    for share in (0.5, 0.7, 0.3):
        before = await newest.get_attribute("data-seq")
        await page.mouse.move(box["x"] + box["width"] * share, box["y"] + 20)
        await expect(newest).not_to_have_attribute("data-seq", before or "")
    assert "at=" not in page.url, "it is not let go yet"
    assert await page.locator(".story .event").count() <= 12
    await page.mouse.up()
    await expect(page.locator(".story .event").nth(30)).to_be_attached()


async def test_of_two_pages_gone_to_at_once_the_newest_is_shown(
    server: Served, page: Page, log: Log
) -> None:
    await begun(log)
    await page.goto(page_of_story(server))
    await expect(page.locator("#link")).to_have_text("live")
    held: list[Route] = []

    async def hold(route: Route) -> None:
        held.append(route)

    await page.route("**/api/v1/worlds/w", hold)
    await page.goto(f"{server.url}/?world=w", wait_until="commit")
    await until(lambda: held)
    await page.evaluate(
        "history.pushState(null, '', '/'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    await expect(page.get_by_role("heading", name="Worlds")).to_be_visible()
    async with page.expect_response("**/api/v1/worlds/w") as answered:
        await held[0].continue_()
    await (await answered.value).finished()
    await expect(page.locator("li.card").first).to_be_visible()
    await expect(page.locator(".story")).to_have_count(0)


async def test_what_a_panel_is_told_late_is_seen_in_no_other(server: Served, page: Page) -> None:
    held: list[Route] = []

    async def hold(route: Route) -> None:
        held.append(route)

    await page.route("**/prompts?*", hold)
    await page.goto(page_of_story(server, at="E2.T3", panel="prompt"))
    await until(lambda: held)
    await page.get_by_role("tab", name="Who knows").click()
    await expect(page.get_by_label("Who knows of")).to_be_visible()
    async with page.expect_response("**/prompts?*"):
        await held[0].continue_()
    await page.get_by_role("tab", name="Ask").click()
    await page.get_by_role("tab", name="Who knows").click()
    await expect(page.get_by_label("Who knows of")).to_be_visible()
    await expect(page.locator(".panel")).not_to_contain_text("To the byte")
    await expect(page.locator(".event.recalled")).to_have_count(0)


async def test_lines_that_do_not_come_are_told_and_asked_for_again(
    server: Served, page: Page, log: Log
) -> None:
    await begun(log)
    await log.append("w", [says(f"word {number}.") for number in range(300)])
    await page.goto(f"{server.url}/?world=w")
    story = page.locator(".story")
    await expect(story).to_contain_text("word 299.")
    await page.route("**/events?*", lambda route: route.abort("connectionrefused"))
    earlier = page.get_by_role("button", name="earlier event")
    await earlier.click()
    await expect(story.get_by_role("alert")).to_contain_text("the server does not answer")
    await page.unroute("**/events?*")
    await earlier.dblclick()
    await expect(story).to_contain_text("word 70.")
    await expect(story.get_by_role("alert")).to_have_count(0)
    seqs = await story.locator(".event").evaluate_all(
        "all => all.map(one => Number(one.dataset.seq))"
    )
    assert seqs == sorted(set(seqs)), "each stands there once"


async def test_a_key_that_leads_nowhere_says_why(server: Served, page: Page) -> None:
    await page.goto(page_of_story(server, at="E3"))
    story, time = page.locator(".story"), page.get_by_role("region", name="Time")
    await expect(story.locator(".event").first).to_be_visible()
    await page.route("**/events?*", lambda route: route.abort("connectionrefused"))
    for key in ("Home", "ArrowLeft"):
        await story.press(key)
        await expect(time.get_by_role("alert")).to_contain_text("the server does not answer")
        assert "at=E3" in page.url
    await page.unroute("**/events?*")
    await story.press("Home")
    await expect(story.get_by_role("heading").last).to_contain_text("E1")
    await expect(time.get_by_role("alert")).to_have_count(0)


async def test_lines_that_come_before_their_world_are_no_older(
    server: Served, page: Page, log: Log
) -> None:
    await begun(log)
    await log.append("w", [says("word 1.")])
    held: list[Route] = []

    async def hold(route: Route) -> None:
        held.append(route)

    await page.route("**/api/v1/worlds/w", hold)
    async with page.expect_response("**/worlds/w/events?*") as answered:
        await page.goto(f"{server.url}/?world=w", wait_until="commit")
    assert "word 1." in await (await answered.value).text()
    await until(lambda: held)
    await log.append("w", [says("word 2.")])
    await held[0].continue_()
    await expect(page.locator(".story")).to_contain_text("word 2.")
    await log.append("w", [says("word 3.")])
    await expect(page.locator(".story")).to_contain_text("word 3.")
    assert await page.locator(".story .event p").all_text_contents() == [
        f"Ann: word {number}." for number in (1, 2, 3)
    ]


async def test_lines_are_asked_for_once_and_with_their_world(server: Served, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(page_of_story(server))
    await expect(page.locator(".story .event").nth(30)).to_be_attached()
    await expect(page.locator("#link")).to_have_text("live")
    paths = [url for url in asked if "/api/" in url]
    assert paths.index(f"{server.url}/api/v1/worlds/{WORLD}") == 0
    assert [n for n, url in enumerate(paths) if "/events?" in url] == [1]


def test_the_page_asks_for_all_modules_of_a_world_at_once() -> None:
    """One after another, each names the next: a browser would wait as often."""
    needed: set[str] = set()

    def need(name: str) -> None:
        if name not in needed:
            needed.add(name)
            text = (VIEWER / name).read_text("utf-8")
            for other in re.findall(r'^import .*"\./(\w+\.js)";$', text, re.MULTILINE):
                need(other)

    need("main.js")
    need("world.js")
    page = (VIEWER / "index.html").read_text("utf-8")
    assert set(re.findall(r'modulepreload" href="/(.*)"', page)) | {"main.js"} == needed


async def test_what_cannot_be_compared_leaves_no_older_comparison(
    server: Served, page: Page
) -> None:
    await page.goto(page_of_story(server, panel="compare"))
    await page.get_by_text("Compare two people, or two moments").click()
    panel, begins = page.locator(".panel"), page.get_by_label("From a cursor")
    await begins.fill("E3")
    await page.get_by_role("button", name="Compare it with here").click()
    await expect(panel).to_contain_text("Between #")
    await begins.fill("no such mark")
    await page.get_by_role("button", name="Compare it with here").click()
    await expect(panel).to_contain_text("has no such mark")
    await expect(panel).not_to_contain_text("Between #")


async def test_on_a_phone_two_worlds_stand_side_by_side_with_room_for_words(
    browser: Browser, server: Served, log: Log
) -> None:
    await fork(log, WORLD, "#60", name="apart")
    async with page_of(browser, width=390) as page:
        await page.goto(page_of_story(server, panel="compare"))
        table = page.locator("table.sides")
        await expect(table.get_by_role("columnheader")).to_have_text([WORLD, "apart"])
        row = table.get_by_role("row").nth(1)
        turn, cell = row.get_by_role("rowheader"), row.get_by_role("cell").first
        above, below = await turn.bounding_box(), await cell.bounding_box()
        assert above and below and above["y"] + above["height"] <= below["y"]
        assert below["width"] > 150


async def test_a_world_to_compare_with_that_is_not_there_is_said_to_be_missing(
    server: Served, page: Page, log: Log
) -> None:
    await fork(log, WORLD, "#60", name="apart")
    await page.goto(page_of_story(server, panel="compare", other="nope"))
    panel = page.get_by_role("tabpanel")
    await expect(panel.get_by_role("alert")).to_contain_text("“nope” is no world that shares")
    assert "other=nope" in page.url
    await panel.get_by_role("button", name="Compare with apart").click()
    await expect(panel.get_by_role("alert")).to_have_count(0)
    assert "other=apart" in page.url


async def test_a_moment_that_is_none_leads_to_the_world_as_it_is(
    server: Served, page: Page
) -> None:
    await page.goto(page_of_story(server, at="E99", **{"as": "Vera"}, panel="calls"))
    await expect(page.get_by_role("alert")).to_contain_text("E99: 'midnight-diner' has 10 episodes")
    await page.get_by_role("link", name="The Turnaround at its end").click()
    await expect(page.locator(".stand")).to_contain_text("E10 of 10")
    await expect(page.get_by_label("Lens")).to_have_value("Vera")
    await expect(page.get_by_role("tab", selected=True)).to_have_text("Calls")
