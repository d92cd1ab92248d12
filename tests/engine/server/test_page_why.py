"""One line's inside, and what calls came to, in a real browser."""

from __future__ import annotations

from diner_world import WORLD
from playwright.async_api import Page, expect
from whoknew_server import Served, page_of_story

from whoknew.engine.travel.fork import Changes, fork
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Called


async def test_a_line_is_looked_into_and_held_against_the_same_turn_of_a_fork(
    server: Served, page: Page, log: Log
) -> None:
    changes = Changes(tell=(("Magda", "The lease was sold on Tuesday to a stranger."),))
    await fork(log, WORLD, "E3.T2", name="otherwise", changes=changes)
    async with server.client.post("/api/v1/runs", json={"go_on": "otherwise"}) as response:
        assert response.status == 200, await response.text()
    await page.goto(page_of_story(server, world="otherwise"))
    await expect(page.locator(".stand")).to_contain_text("E10 of 10")
    await page.goto(page_of_story(server, at="E3.T3"))
    lines = page.locator(".story .event")
    await lines.get_by_role("button", name="Why? What Magda").last.click()
    panel = page.locator(".panel")
    await expect(panel).to_contain_text("To the byte what the model was given")
    await expect(panel.locator(".section summary").first).to_contain_text("Rules")
    await expect(panel.locator(".section", has_text="What you remember")).to_contain_text("token")
    await panel.get_by_label("Beside the same turn in").select_option("otherwise")
    await expect(panel.locator("mark", has_text="sold on Tuesday")).to_be_visible()
    mind = panel.locator("li", has_text="as you wrote it down").first
    await expect(mind).to_contain_text("#112")
    await mind.get_by_role("button", name="#112").click()
    await expect(page.locator(".event.recalled", has_text="came to mind")).to_be_visible()
    await page.get_by_role("tab", name="Who knows").click()
    await expect(page.locator(".event.recalled")).to_have_count(0)

    # the turn that is looked into is in the address; what a fork lacks is told, too
    await page.go_back()
    await expect(panel.get_by_role("heading").first).to_have_text("Magda at E3.T3")
    assert "why=E3.T3.Magda" in page.url
    await page.goto(page_of_story(server, world="otherwise", panel="prompt", why="E3.T3.Magda"))
    await panel.get_by_label("Beside the same turn in").select_option(WORLD)
    lacks = panel.locator("details", has_text=f"missing in {WORLD}")
    await expect(lacks.locator("del")).to_contain_text("sold on Tuesday")


async def test_calls_are_counted_and_the_failed_ones_found_from_home(
    server: Served, page: Page, log: Log
) -> None:
    call = Called("act", "openai:some", "d", None, tokens_in=40, error="the server is on fire")
    paid = Called("act", "openai:some", "e", "Yes.", tokens_in=60, tokens_out=1, money=0.25)
    drafts = [Draft(body, None, 10, 3, "Vera") for body in (call, paid)]
    await log.append(
        WORLD, [*drafts, Draft(Called("act", "some", "f", "No."), None, 10, 3, "Emil")]
    )
    await page.goto(f"{server.url}/?group=run")
    await expect(page.locator(".worlds h2")).to_contain_text("Plan midnight-diner")
    await expect(page.locator("li.card")).to_contain_text("1 failure the server is on fire")
    await page.locator("li.card").get_by_role("link", name="1 failure").click()
    panel = page.locator(".panel")
    await expect(panel.locator("li")).to_contain_text("Vera, act of openai:some: the server is on")
    await panel.get_by_label("Calls by").select_option("model")
    row = panel.get_by_role("row", name="openai:some")
    cells = ["", "openai:some", "2", "1", "0", "101", "unknown", "0.0"]
    await expect(row.get_by_role("cell")).to_have_text(cells)
    await expect(panel.get_by_role("row", name="all").get_by_role("cell").nth(2)).to_have_text(
        "190"
    )
    await panel.locator("li").get_by_role("button").click()
    await expect(page.locator(".event.current")).to_contain_text("Vera's call failed")
    path = f"/api/v1/worlds/{WORLD}/calls"
    async with server.client.get(path, params={"skip": 1, "limit": 1}) as response:
        found = await response.json()
    assert (found["total_failed"], found["failed"], found["skipped"]) == (1, [], 1)
    assert found["sum"]["calls"] == sum(row["calls"] for row in found["rows"])


async def test_with_nothing_picked_there_is_a_hint_and_no_error(server: Served, page: Page) -> None:
    await page.goto(page_of_story(server, panel="prompt", at="#1"))
    panel = page.get_by_role("tabpanel")
    await expect(panel).to_contain_text("Pick “why?” beside something")
    await expect(panel.locator(".error")).to_have_count(0)
