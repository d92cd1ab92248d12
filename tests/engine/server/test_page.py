"""The page, in a real browser."""

from __future__ import annotations

import asyncio
import socket
from urllib.parse import quote

import pytest
from browser import page_of
from diner_world import WORLD
from playwright.async_api import Browser, Page, Route, WebSocket, expect
from whoknew_server import Served, begun, episodes, page_of_story, play_on, says, served

from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import (
    EpisodeClosed,
    EpisodeOpened,
    Reviewed,
)
from whoknew.worlds import shelf


async def test_a_run_is_watched_live_from_its_start_to_its_end(server: Served, page: Page) -> None:
    await page.goto(server.url)
    await page.get_by_label("Called").fill("watched")
    await page.get_by_role("button", name="Play").click()
    card = page.locator("li.card", has_text="watched").first
    await expect(card).to_be_visible()
    await expect(page.locator(".pill", has_text="finished")).to_be_visible()
    await page.locator("li.card", has_text="watched").get_by_role("link").first.click()
    await expect(page.locator(".story")).to_contain_text("The episode ends")
    await expect(page.locator("#link")).to_have_text("live")


async def test_what_happens_is_added_while_one_looks(server: Served, page: Page, log: Log) -> None:
    await begun(log)
    await page.goto(f"{server.url}/?world=w")
    await expect(page.locator("#link")).to_have_text("live")
    for number in range(5):
        await log.append("w", [says(f"word {number}")])
    await expect(page.locator(".story")).to_contain_text("word 4")
    await expect(page.locator(".stand")).to_contain_text("#9 of 9")


async def test_a_scrub_a_key_and_an_address_come_to_the_same(server: Served, page: Page) -> None:
    await page.goto(page_of_story(server))
    slider = page.get_by_role("slider")
    box = await slider.bounding_box()
    assert box is not None
    await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    await expect(page.locator(".event.current, .episode").last).to_be_visible()
    seq = await slider.get_attribute("aria-valuenow")
    assert seq is not None and 270 < int(seq) < 330
    assert f"at=%23{seq}" in page.url
    await page.locator(".story").focus()
    await page.keyboard.press("ArrowLeft")
    await expect(slider).not_to_have_attribute("aria-valuenow", seq)
    await page.keyboard.press("Shift+ArrowLeft")
    before = await slider.get_attribute("aria-valuenow")
    address = page.url
    await page.goto("about:blank")
    await page.goto(address)
    await expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", str(before))
    await expect(page.locator(".story .event").last).to_be_visible()
    await page.keyboard.press("Home")
    await expect(page.locator(".story .event")).to_have_count(0)
    await expect(page.locator(".story").get_by_role("heading")).to_have_count(1)
    await expect(page.locator(".story").get_by_role("heading")).to_contain_text("E1")
    await page.keyboard.press("End")
    await expect(page.get_by_role("button", name="Live")).to_have_attribute("aria-pressed", "true")


async def test_of_very_many_episodes_each_can_be_gone_back_to(
    server: Served, page: Page, log: Log
) -> None:
    await begun(log)
    await log.append("w", [Draft(EpisodeClosed("over"), episode=1, witnesses=("Ann", "Bob"))])
    await log.append("w", episodes(2, 2500))
    token = (await server.access.tokens.give("w", "Bob")).token
    stand = page.locator(".stand")
    for who in ("", f"&token={token}"):
        await page.goto(f"{server.url}/?world=w&at=E1{who}")
        await expect(stand).to_contain_text("E1 of 2500")
    await log.append("w", episodes(2501, 2501))
    await page.locator(".story").focus()
    await page.keyboard.press("End")
    await expect(stand).to_contain_text("E2501 of 2501")


async def test_why_shows_the_prompt_and_that_it_is_the_one(server: Served, page: Page) -> None:
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto(page_of_story(server, at="E2.T3"))
    line = page.locator(".event", has_text="One spoon of salt").first
    await line.hover()
    await line.get_by_role("button", name="why?").click()
    await expect(page.locator(".panel")).to_contain_text("To the byte what the model was given")
    await expect(page.locator(".panel pre").first).to_contain_text("You are Dorte")
    await expect(page.locator(".panel h2").first).to_be_in_viewport()


async def test_a_character_is_asked_here_and_now(server: Served, page: Page) -> None:
    await page.goto(page_of_story(server, at="E2", **{"as": "Vera"}, panel="ask"))
    await page.get_by_label("What", exact=True).fill("Who cannot taste?")
    await page.get_by_role("button", name="Ask here and now").click()
    await expect(page.locator(".panel")).to_contain_text("Dorte cannot taste")
    await expect(page.locator(".panel")).to_contain_text("Not allowed to see: 124")
    await page.get_by_label("An answer known to be right").fill("Dorte, all winter.")
    await page.get_by_role("button", name="Ask here and now").click()
    await expect(page.locator(".panel")).to_contain_text("reference: overlap 0.5")
    await expect(page.locator(".panel")).to_contain_text("missed: winter")


async def test_a_what_if_is_begun_played_and_compared(server: Served, page: Page) -> None:
    await page.goto(page_of_story(server, at="E2.T1", panel="fork"))
    await page.get_by_label("Called").fill("otherwise")
    await page.locator("select[name=whom]").select_option("Vera")
    await expect(page.locator("textarea[name=tell]")).to_be_focused()
    await page.get_by_role("button", name="Fork here").click()
    await expect(page.locator("textarea[name=tell]:invalid")).to_be_focused()
    await page.keyboard.type("Yusuf is hiding something.")
    await page.get_by_role("button", name="Fork here").click()
    await expect(page.locator(".panel")).to_contain_text("Yusuf is hiding something.")
    await expect(page.locator(".stand")).to_contain_text("E10 of 10")
    assert "world=otherwise" in page.url


async def test_scores_are_drawn_one_measure_at_a_time_and_lead_to_their_episodes(
    server: Served, page: Page, log: Log
) -> None:
    await begun(log, "judged", ("Ada", "Ben"))  # with an episode of its own
    for episode in range(1, 4):
        opened = Draft(
            EpisodeOpened("Tea.", ("Ada", "Ben")), None, episode, witnesses=("Ada", "Ben")
        )
        seven = {"goal": float(2 * episode), "believability": 9.0}
        review = Draft(Reviewed("seven", seven), at=None, episode=episode, turn=1, actor="Ada")
        points = Draft(
            Reviewed("points", {"Ada": 3.0, "Ben": float(episode)}),
            at=None,
            episode=episode,
            turn=1,
        )
        await log.append(
            "judged", [opened, Draft(EpisodeClosed("over"), None, episode), review, points]
        )
    await page.goto(f"{server.url}/?world=judged&panel=scores")
    panel = page.locator(".panel")
    averages = panel.get_by_role("row", name="on average")
    await expect(averages.get_by_role("cell")).to_have_text(["4"])
    await expect(panel.locator("circle")).to_have_count(3)
    await panel.get_by_label("What is shown").select_option("points")
    await expect(panel.get_by_role("columnheader")).to_have_text(["episode", "AAda", "BBen"])
    await expect(averages.get_by_role("cell")).to_have_text(["3", "2"])
    widths = await panel.locator("path").evaluate_all(
        "lines => lines.map((line) => Number(line.getAttribute('stroke-width')))"
    )
    assert widths[0] > widths[1], "of lines that lie on one another each is seen"
    await expect(panel.locator("circle")).to_have_count(6)
    await panel.locator("circle").nth(1).click()
    await expect(page.locator(".stand")).to_contain_text("E2 of 4")
    await expect(page.locator(".story")).to_contain_text("seven of Ada")
    await panel.get_by_role("button", name="3, to E3").last.click()
    await expect(page.locator(".stand")).to_contain_text("E3 of 4")


async def test_a_person_takes_a_seat_and_acts(server: Served, page: Page, log: Log) -> None:
    body = {"world": "harbour", "name": "mine", "seats": []}
    async with server.client.get("/api/v1/worlds") as response:
        assert response.status == 200
    scenario = shelf.find("harbour").scenarios[0]
    who = scenario.cast[0]
    body["seats"] = [who]
    async with server.client.post("/api/v1/runs", json=body) as response:
        assert response.status == 200, await response.text()
    await page.goto(f"{server.url}/?world=mine&as={quote(who)}&panel=seat")
    streams: list[WebSocket] = []
    await page.get_by_role("button", name="Take the seat").click()
    await expect(page.get_by_text(f"It is your turn, {who}")).to_be_visible()
    page.on("websocket", lambda stream: streams.append(stream))
    for words in ("I came from a browser.", "I am still here."):
        await expect(page.get_by_text(f"It is your turn, {who}")).to_be_visible()
        await page.get_by_label("Words").fill(words)
        await page.get_by_role("button", name="Act", exact=True).click()
        await expect(page.locator(".story")).to_contain_text(words)
    assert not streams, "the seat's stream goes on"
    await page.get_by_role("button", name="Leave the seat").click()
    await expect(page.get_by_role("alert").last).to_contain_text("the episode is going on")
    async with server.client.post("/api/v1/runs/1/stop") as response:
        assert response.status == 200


async def test_sitting_down_binds_the_page_until_the_seat_is_left(
    server: Served, page: Page, browser: Browser, log: Log
) -> None:
    await log.fork(WORLD, "again", "E9")
    await play_on(server, "again", "Vera")
    await page.goto(page_of_story(server, world="again", panel="seat", **{"as": "Vera"}))
    await expect(page.get_by_label("Lens")).to_have_value("Vera")
    async with page_of(browser) as other:
        await other.goto(page_of_story(server, world="again"))
        await expect(other.locator(".story")).to_contain_text("Dorte remembers")
        await page.get_by_role("button", name="Take the seat").click()
        await expect(page.get_by_text("It is your turn, Vera")).to_be_visible()
        lens = page.get_by_label("Lens")
        await expect(lens).to_be_disabled()
        await expect(lens).to_have_value("Vera")
        await expect(page.get_by_role("tab")).to_have_count(1)
        await expect(page.locator(".story")).not_to_contain_text("Dorte remembers")
        await page.goto(page_of_story(server, world="again", **{"as": "Dorte"}))
        await expect(lens).to_have_value("Vera")
        assert "Dorte" not in page.url
        await expect(other.get_by_label("Lens")).to_contain_text("What happened in public")
        await expect(other.locator(".story")).to_contain_text("The episode ends")
        await expect(other.locator(".story")).not_to_contain_text("remembers")
        await other.goto(server.url)
        await expect(other.locator("li.card").first).to_contain_text("A seat of it is taken")
        async with server.client.post("/api/v1/runs/1/stop") as response:
            assert response.status == 200
        await page.get_by_role("button", name="Leave the seat").click()
        await expect(lens).to_be_enabled()
        await expect(page.locator(".story")).to_contain_text("remembers")


async def test_what_happens_while_the_lines_are_on_their_way_is_seen(
    server: Served, page: Page, log: Log
) -> None:
    await begun(log)
    await log.append("w", [says("what was")])
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def held_up(route: Route) -> None:
        answer = await route.fetch()
        asked.set()
        await go_on.wait()
        await route.fulfill(response=answer)

    await page.route("**/worlds/w/events?*", held_up)
    await page.goto(f"{server.url}/?world=w")
    await expect(page.locator("#link")).to_have_text("live")
    await asked.wait()
    await log.append("w", [says("come in between")])
    await expect(page.locator(".stand")).to_contain_text("#6 of 6")
    go_on.set()
    await expect(page.locator(".story")).to_contain_text("what was")
    await expect(page.locator(".story")).to_contain_text("come in between")


async def test_a_stream_that_breaks_is_taken_up_again(page: Page, log: Log) -> None:
    await begun(log)
    with socket.socket() as keeping:  # the port, which another program would take in between
        keeping.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        keeping.bind(("127.0.0.1", 0))
        port = keeping.getsockname()[1]
        async with served(log, port=port) as server:
            await page.goto(f"{server.url}/?world=w")
            await expect(page.locator("#link")).to_have_text("live")
        await expect(page.locator("#link")).to_contain_text("the server is gone")
        await log.append("w", [says("meanwhile")])
        async with served(log, port=port):
            await expect(page.locator("#link")).to_have_text("live")
            await expect(page.locator(".story")).to_contain_text("meanwhile")


async def test_what_models_write_is_text_and_never_html(
    server: Served, page: Page, log: Log
) -> None:
    evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    await begun(log, "w", ("مريم", "<b>Bob</b>"))
    everybody = ("مريم", "<b>Bob</b>")
    await log.append(
        "w", [says(evil, "<b>Bob</b>", everybody), says("x" * 100_000, "مريم", everybody)]
    )
    await page.goto(f"{server.url}/?world=w")
    await expect(page.locator(".story")).to_contain_text("<script>")
    await expect(page.locator(".story")).to_contain_text("مريم")
    await expect(page).to_have_title("A world - Whoknew")
    assert await page.locator(".story img, .story script, .story b:has-text('Bob')").count() == 0
    width = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
async def test_it_fits_and_can_be_read(
    server: Served, browser: Browser, width: int, scheme: str
) -> None:
    async with page_of(browser, width, 844, scheme) as page:
        for address in (
            server.url,
            page_of_story(server, at="E2", about="cannot taste"),
            page_of_story(server, panel="prompt"),
        ):
            await page.goto(address)
            await expect(page.locator("main")).not_to_be_empty()
            await page.wait_for_load_state("networkidle")
            assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


async def test_an_unknown_world_and_a_wrong_token_are_told(
    server: Served, page: Page, log: Log
) -> None:
    await page.goto(f"{server.url}/?world=nope")
    await expect(page.get_by_role("alert")).to_contain_text("no world 'nope'")
    async with served(log, control="c" * 20) as closed:
        await page.goto(closed.url)
        await expect(page.get_by_role("alert")).to_contain_text("needs a token")
        await page.goto(f"{closed.url}/?token=wrong")
        await expect(page.get_by_role("alert")).to_contain_text("does not know this token")
        await page.goto(f"{closed.url}/?token={'c' * 20}")
        await expect(page.get_by_role("heading", name="Worlds")).to_be_visible()
        assert "token" not in page.url


async def test_a_view_token_shows_one_character_and_no_more(page: Page, log: Log) -> None:
    async with served(log, control="c" * 20) as server:
        token = (await server.access.tokens.give(WORLD, "Vera")).token
        await page.goto(f"{server.url}/?world={WORLD}&token={token}")
        await expect(page.locator(".story")).to_contain_text("Vera")
        await expect(page.get_by_role("tab")).to_have_count(1)
        await expect(page.locator(".story")).not_to_contain_text("Dorte remembers")


async def test_the_transcript_is_a_log_to_a_screen_reader(server: Served, page: Page) -> None:
    await page.goto(page_of_story(server))
    await expect(page.get_by_role("log", name="Transcript")).to_be_visible()
    await expect(page.get_by_role("slider", name="Cursor in the story")).to_be_visible()
