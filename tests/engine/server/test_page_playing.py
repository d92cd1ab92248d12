"""Playing on the page, as somebody does who has only a telephone; and forks beside one another."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator

import pytest_asyncio
from browser import page_of
from diner_world import WORLD
from playwright.async_api import Browser, Page, WebSocketRoute, expect
from wcag import violations
from whoknew_server import Served, page_of_story, play_on, served

from whoknew.eventlog import Log

PHONE = (390, 844)
BEGIN = {"world": "midnight-diner", "seats": ["Vera"]}


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Browser) -> AsyncIterator[Page]:
    async with page_of(browser, *PHONE) as page:
        yield page


async def test_from_a_run_one_comes_to_its_seat_and_nothing_that_was_written_is_lost(
    server: Served, phone: Page, log: Log
) -> None:
    await phone.goto(server.url)
    await phone.get_by_role("checkbox", name="Vera").check()
    await phone.get_by_role("button", name="Play", exact=True).click()
    await expect(phone.locator(".pill", has_text="waits for Vera").first).to_be_visible()
    await expect(phone).to_have_title("● Vera: waited for - Whoknew")
    await phone.get_by_role("button", name="Play as Vera").click()
    mine = phone.get_by_text("It is your turn, Vera", exact=True)
    await expect(mine).to_be_visible()
    await expect(phone).to_have_title("● Your turn, Vera - midnight-diner-2 - Whoknew")
    await expect(phone.locator(".stand")).to_contain_text("the counter")
    me = phone.get_by_label("You", exact=True)
    await expect(me).to_contain_text("You are Vera")
    await expect(me).to_contain_text("You want: Warm your feet")
    await expect(me).to_contain_text("You are at the counter, with Emil.")
    act = phone.get_by_role("button", name="Act", exact=True)
    box = await act.bounding_box()
    assert box is not None and box["y"] + box["height"] < PHONE[1], "it is in sight"
    assert await violations(phone) == []
    words = phone.get_by_label("Words")
    await words.fill("Only for you.")
    await phone.get_by_role("checkbox", name="Emil").check()
    await phone.reload()
    await expect(mine).to_be_visible()
    await expect(words).to_have_value("Only for you.")
    await act.click()
    await expect(phone.locator(".story")).to_contain_text("Vera whispers to Emil: Only for you.")
    await expect(words).to_have_value("")
    await expect(mine).to_be_visible()
    await act.click()
    await expect(phone.get_by_role("alert").first).to_contain_text("`text` is empty")
    cuts: list[str] = []
    await phone.route_web_socket("**/stream*", lambda socket: cut(socket, cuts))
    await phone.reload()
    for how, text in (("before", "Never came."), ("after", "Came, and nobody said so.")):
        cuts.append(how)
        await expect(mine).to_be_visible()
        await words.fill(text)
        await act.click()
        await expect(phone.locator(".story")).to_contain_text(text)
        await expect(words).to_have_value("")
    said = [event.text for event in await (await log.view("midnight-diner-2", "Vera")).events()]
    assert len(said) == len({*said}), "nothing was said twice"


async def test_what_is_begun_in_another_tab_stays_when_one_acts(server: Served, page: Page) -> None:
    async with server.client.post("/api/v1/runs", json={**BEGIN, "name": "mine"}) as response:
        assert response.status == 200, await response.text()
    await page.goto(server.url)
    await page.get_by_role("button", name="Play as Vera").click()
    await expect(page.get_by_text("It is your turn, Vera", exact=True)).to_be_visible()
    await page.get_by_label("Words").fill("Said.")
    other = await page.context.new_page()
    await other.goto(page.url)
    await expect(other.get_by_label("Words")).to_have_value("Said.")
    await other.get_by_label("Words").fill("Half of it,")
    await page.get_by_role("button", name="Act", exact=True).click()
    await expect(page.locator(".story")).to_contain_text("Said.")
    await expect(page.get_by_label("Words")).to_have_value("")
    await other.reload()
    await expect(other.get_by_label("Words")).to_have_value("Half of it,")


async def test_whoever_sits_where_nobody_plays_any_more_is_told_so_and_plays_on(
    server: Served, phone: Page
) -> None:
    await phone.goto(server.url)
    await phone.get_by_label("Called").fill("evening")
    await phone.get_by_role("checkbox", name="Vera").check()
    await phone.get_by_role("button", name="Play", exact=True).click()
    await phone.get_by_role("button", name="Play as Vera").click()
    mine = phone.get_by_text("It is your turn, Vera", exact=True)
    await expect(mine).to_be_visible()
    async with server.client.post("/api/v1/runs/1/stop") as response:
        assert response.status == 200
    await expect(phone.get_by_text("Nobody plays this world now")).to_be_visible()
    await expect(mine).to_have_count(0)
    await expect(phone.get_by_text("There are no turns while nobody plays.")).to_be_in_viewport()
    assert await violations(phone) == []
    await phone.get_by_role("button", name="Play on").click()
    await expect(mine).to_be_visible()
    await expect(phone.get_by_text("Nobody plays this world now")).to_have_count(0)


async def test_where_another_process_writes_the_log_nobody_is_said_not_to_play(
    log: Log, page: Page
) -> None:
    async with served(log, writable=False) as server:
        given = await server.access.tokens.give(WORLD, "Vera")
        for of in ("", f"#token={given.token}"):
            await page.goto(f"{server.url}/?world={WORLD}&panel=seat{of}")
            panel = page.locator(".panel")
            await expect(panel).to_contain_text("Another process writes this log")
            await expect(panel).not_to_contain_text("Nobody plays this world now")


async def test_things_are_divided_from_the_page(server: Served, page: Page, log: Log) -> None:
    body = {"world": "flatmates", "seats": ["Hester"]}
    async with server.client.post("/api/v1/runs", json=body) as response:
        assert response.status == 200, await response.text()
    await page.goto(server.url)
    await page.get_by_role("button", name="Play as Hester").click()
    await expect(page.get_by_text("It is your turn, Hester", exact=True)).to_be_visible()
    me = page.get_by_label("You", exact=True)
    await expect(me).to_contain_text("To be divided: 3 records, 3 pans, 2 books")
    await expect(me).to_contain_text("Worth to you: records 6, pans 1, books 2")
    assert re.search('\\nSay: "I have a machine', await me.inner_text()), "a line of its own"
    things = ("records", "pans", "books")
    what = page.locator("select[name=act]")
    assert await what.locator("option[value=wake]").is_disabled()
    await what.select_option("offer")
    told = "Who is to get what of 3 records, 3 pans, 2 books (worth to you: records 6, pans 1, books 2)"
    await expect(page.get_by_role("group", name=told)).to_be_visible()
    for width in (1280, PHONE[0]):
        await page.set_viewport_size({"width": width, "height": PHONE[1]})
        for who in ("Hester", "Amadou"):
            boxes = [await page.get_by_label(f"{one} for {who}").bounding_box() for one in things]
            assert len({box["y"] for box in boxes if box is not None}) == 1, "side by side"
    await page.get_by_label("records for Hester").fill("3")
    await page.get_by_label("pans for Amadou").fill("3")
    await page.get_by_label("books for Amadou").fill("2")
    await page.get_by_label("Words").fill("Shall we?")
    assert await violations(page) == []
    await page.get_by_role("button", name="Act", exact=True).click()
    await expect(page.locator(".story")).to_contain_text("Shall we? [offers: Hester 3 records")


async def test_one_player_falls_asleep_and_another_wakes_them(
    server: Served, browser: Browser, page: Page
) -> None:
    body = {"world": "flatmates", "seats": ["Hester", "Amadou"]}
    async with server.client.post("/api/v1/runs", json=body) as response:
        assert response.status == 200, await response.text()
    async with page_of(browser) as other:
        for one, who in ((page, "Hester"), (other, "Amadou")):
            await one.goto(server.url)
            await one.get_by_role("button", name=f"Play as {who}").click()
        await expect(page.get_by_text("It is your turn, Hester", exact=True)).to_be_visible()
        await page.locator("select[name=act]").select_option("sleep")
        await page.get_by_role("button", name="Act", exact=True).click()
        await expect(other.locator(".story")).to_contain_text("Hester is asleep")
        await expect(other.get_by_text("It is your turn, Amadou", exact=True)).to_be_visible()
        await other.locator("select[name=act]").select_option("wake")
        await expect(other.get_by_label("Wake whom")).to_have_value("Hester")
        await other.get_by_role("button", name="Act", exact=True).click()
        await expect(other.locator(".story")).to_contain_text("Hester is woken by Amadou")
        await expect(page.get_by_text("It is your turn, Hester", exact=True)).to_be_visible()


async def test_between_scenes_one_wants_nothing_and_who_watches_is_told_why_there_is_nothing(
    server: Served, browser: Browser, page: Page
) -> None:
    body = {"world": "flatmates", "seats": ["Hester", "Amadou", "Petra"]}
    async with server.client.post("/api/v1/runs", json=body) as response:
        assert response.status == 200, await response.text()
    async with page_of(browser) as other, page_of(browser) as third, page_of(browser) as watcher:
        for one, who in ((page, "Hester"), (other, "Amadou"), (third, "Petra")):
            await one.goto(server.url)
            await one.get_by_role("button", name=f"Play as {who}").click()
        me = other.get_by_label("You", exact=True)
        await expect(me).to_contain_text("You want: ")
        await watcher.goto(f"{server.url}/?world=flatmates")
        story = watcher.locator(".story")
        await expect(story).to_contain_text("Nothing has happened yet that all who play have seen.")
        await page.locator("select[name=act]").select_option("leave")
        await page.get_by_role("button", name="Act", exact=True).click()
        await expect(
            other.get_by_text("You are in no scene now. Wait for the next.")
        ).to_be_visible()
        await expect(me).not_to_contain_text("You want: ")
        await expect(me).not_to_contain_text("To be divided: ")


def cut(page: WebSocketRoute, cuts: list[str]) -> None:
    """A connection that breaks once: before an action comes to the server, or after it was taken."""
    server = page.connect_to_server()

    async def from_page(message: str | bytes) -> None:
        if cuts == ["before"]:
            cuts.clear()
            await page.close()
        else:
            server.send(message)

    async def from_server(message: str | bytes) -> None:
        if cuts == ["after"] and '"taken"' in str(message):
            cuts.clear()
            await page.close()
        else:
            page.send(message)

    page.on_message(from_page)
    server.on_message(from_server)


async def test_forks_are_a_tree_and_stand_side_by_side_while_one_is_played(
    server: Served, page: Page, log: Log
) -> None:
    await log.fork(WORLD, "told", "E9")
    await play_on(server, "told", "Vera")
    await page.goto(page_of_story(server, world="told", panel="compare"))
    panel = page.locator(".panel")
    await expect(panel.locator("[aria-current]")).to_have_text("told")
    await expect(panel.get_by_role("columnheader")).to_have_text([WORLD, "told"])
    seat = server.server.seats.at("told", "Vera")
    await seat.take(json.dumps({"text": "This happens while you look."}))
    rows = panel.locator("table.sides tr")
    await expect(rows.filter(has_text="This happens while you look.")).to_have_count(1)
    await panel.get_by_label("Side by side").select_option("Cyril")
    await expect(panel.locator("table.sides")).not_to_contain_text("Vera remembers")
    await expect(panel.locator("table.sides")).to_contain_text("Cyril remembers")
    assert await violations(page) == []
    await panel.get_by_role("link", name=WORLD).first.click()
    await expect(panel.locator("[aria-current]")).to_have_text(WORLD)
    await expect(panel.get_by_role("status")).to_contain_text("only in told")
    async with server.client.post("/api/v1/runs/1/stop") as response:
        assert response.status == 200


async def test_a_second_player_comes_by_a_link_and_a_token_stays_as_long_as_one_says(
    browser: Browser, log: Log
) -> None:
    control = "c" * 20
    bearer = {"Authorization": f"Bearer {control}"}
    await log.fork(WORLD, "mine", "E9")
    async with served(log, control=control) as server, page_of(browser) as host:
        await play_on(server, "mine", "Vera", token=control)
        await host.goto(f"{server.url}/#token={control}")
        assert control not in host.url
        await host.get_by_role("link", name="Invite somebody to play Vera").click()
        await host.get_by_role("button", name="Make an invitation").click()
        link = await host.get_by_label("The link").input_value()
        assert link.startswith(f"{server.url}/#invite=")
        await expect(host.get_by_role("img", name="A code for the camera")).to_be_visible()
        given = host.get_by_label("Invitations that you gave").get_by_role("listitem")
        await host.get_by_role("button", name="Make an invitation").click()
        await expect(host.get_by_label("The link")).not_to_have_value(link)
        await expect(given).to_have_count(1)
        link = await host.get_by_label("The link").input_value()
        assert await violations(host) == []
        async with page_of(browser, *PHONE, "dark") as phone, page_of(browser) as late:
            asked: list[str] = []
            phone.on("request", lambda request: asked.append(request.url))
            await phone.goto(link)
            await expect(phone.get_by_role("heading")).to_have_text("You are invited to play Vera")
            assert await violations(phone) == []
            await phone.get_by_role("button", name="Play as Vera").click()
            await expect(phone.get_by_text("It is your turn, Vera", exact=True)).to_be_visible()
            assert await violations(phone) == []
            await phone.get_by_label("Words").fill("I came by a link.")
            await phone.get_by_role("button", name="Act", exact=True).click()
            await expect(host.locator(".story")).to_contain_text("I came by a link.")
            assert not [url for url in asked if "view." in url], "no server's log has the token"
            async with server.client.post("/api/v1/runs/1/stop", headers=bearer) as response:
                assert response.status == 200
            await expect(phone.get_by_text("Nobody plays this world now")).to_be_in_viewport()
            await expect(phone.get_by_text("Waiting for your")).to_have_count(0)
            await expect(phone.get_by_role("button", name="Play on")).to_have_count(0)
            assert await violations(phone) == []
            await play_on(server, "mine", "Vera", token=control)
            await expect(phone.get_by_text("It is your turn, Vera", exact=True)).to_be_visible()
            await expect(phone.get_by_text("Nobody plays this world now")).to_have_count(0)
            await late.goto(link)
            await expect(late.get_by_role("alert")).to_contain_text("not good any more")
            await host.get_by_role("button", name="Take the invitation of Vera back").click()
            await expect(host.get_by_text("the seat is free")).to_be_visible()
            await expect(phone.get_by_role("slider")).to_have_count(0)
        await host.get_by_role("button", name="Remember me").click()
        other = await host.context.new_page()
        await other.goto(server.url)
        await other.get_by_role("button", name="Forget me").click()
        await other.reload()
        await expect(other.get_by_role("heading", name="Worlds")).to_be_visible()
        third = await host.context.new_page()
        await third.goto(server.url)
        await expect(third.get_by_role("alert")).to_contain_text("needs a token")


PERMITTED = """
window.tones = []; window.notes = [];
window.AudioContext = class { currentTime = 0; resume() { return Promise.resolve(); } };
window.OscillatorNode = class {
  connect(next) { return next; } start() { tones.push("tone"); } stop() {}
};
window.GainNode = class { constructor(_, { gain }) { this.gain = gain; } connect(next) { return next; } };
window.Notification = class {
  static permission = "default";
  static async requestPermission() { return this.permission = "granted"; }
  constructor(title, { body }) { notes.push(`${title}: ${body}`); }
  close() { notes.push("closed"); }
};
Object.defineProperty(document, "hidden", { get: () => true });
"""
"""A browser whose user allows all that it is asked for, and looks at another tab."""

EVENING = """
world = "midnight-diner"
name = "evening"

[agents.Vera]
agent = "human"
patience = 600.0
"""


async def test_a_player_is_told_of_their_turn_as_they_like_and_how_long_it_lasts(
    server: Served, page: Page
) -> None:
    await page.add_init_script(PERMITTED)
    await page.clock.install()
    async with server.client.post("/api/v1/runs", json={"plan": EVENING}) as response:
        assert response.status == 200, await response.text()
    await page.goto(server.url)
    await page.get_by_role("button", name="Play as Vera").click()
    mine = page.get_by_text("It is your turn, Vera", exact=True)
    await expect(mine).to_be_visible()
    await page.get_by_text("Tell me when it is my turn").click()
    assert await page.evaluate("[tones, notes]") == [[], []], "only as one likes"
    await page.get_by_label("by a sound").check()
    await page.get_by_label("by a notification").check()
    await page.get_by_label("in the title of this tab").uncheck()
    await expect(page.locator(".left")).to_have_text(re.compile(r"^(10|9) min left$"))
    await page.clock.fast_forward(585_000)
    await expect(page.locator(".left.toldof")).to_have_text(re.compile(r"^\d+ s left$"))
    await page.evaluate("tones = []")
    await page.get_by_label("Words").fill("Good evening.")
    await page.get_by_role("button", name="Act", exact=True).click()
    await expect(page.locator(".story")).to_contain_text("Vera: Good evening.")
    await expect(mine).to_be_visible()
    await page.wait_for_function("tones.length == 2")
    assert "It is your turn, Vera: the counter" in await page.evaluate("notes")
    await expect(page).to_have_title("evening - Whoknew")
