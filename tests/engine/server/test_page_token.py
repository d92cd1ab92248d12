"""A token that opens nothing, in a real browser: another is given, or it is forgotten."""

from __future__ import annotations

import asyncio

from playwright.async_api import Page, WebSocketRoute, expect
from wcag import violations_in_both
from whoknew_server import Served, begun, page_of_story, served

from whoknew.eventlog import Log


async def test_whoever_has_no_token_or_a_wrong_one_gives_another_and_stays_where_they_are(
    page: Page, log: Log
) -> None:
    async with served(log, control="root", read="look") as server:
        await page.goto(page_of_story(server, at="E2"))
        trouble, field = page.get_by_role("alert"), page.get_by_label("token")
        await expect(trouble).to_have_text("This server needs a token.")
        await expect(field).to_be_focused()
        assert await violations_in_both(page) == []
        for wrong in ("wrong", "\N{OWL}"):
            await page.keyboard.type(wrong)
            await page.keyboard.press("Enter")
            await expect(trouble).to_contain_text("does not know this token")
            await expect(field).to_have_value("")
            await expect(field).to_be_focused()
        await expect(page.get_by_role("button", name="Remember me")).to_have_count(0)
        await field.fill(" look ")
        await page.get_by_role("button", name="Open with it").click()
        await expect(page.locator(".stand")).to_contain_text("E2 of 10")
        await page.reload()
        await expect(page.locator(".stand")).to_contain_text("E2 of 10")


async def test_a_token_that_is_good_no_more_is_forgotten_where_none_is_needed(
    page: Page, log: Log
) -> None:
    async with served(log) as server:
        given = await server.access.tokens.give("midnight-diner", "Vera")
        await page.goto(f"{server.url}/#token={given.token}")
        await page.get_by_role("button", name="Remember me").click()
        await expect(page.locator(".stand")).to_contain_text("E9 of 9")
        await server.access.tokens.revoke(given.id)
        await page.reload()
        await expect(page.get_by_role("alert")).to_contain_text("does not know this token")
        await page.get_by_role("button", name="Forget it").click()
        await expect(page.get_by_role("heading", name="Worlds")).to_be_visible()
        await page.reload()
        await expect(page.get_by_role("heading", name="Worlds")).to_be_visible()


async def test_whose_token_ended_while_the_server_was_away_is_told_so(page: Page, log: Log) -> None:
    async with served(log, control="root") as server:
        await page.route_web_socket("**/stream*", lambda socket: socket.close())
        given = await server.access.tokens.give("midnight-diner", "Vera")
        await page.goto(f"{server.url}/#token={given.token}")
        await expect(page.locator("#link")).to_contain_text("trying again")
        await server.access.tokens.revoke(given.id)
        await expect(page.get_by_role("alert")).to_contain_text("does not know this token")


async def test_who_comes_again_when_a_seat_was_taken_is_shown_the_public_part(
    page: Page, server: Served, log: Log
) -> None:
    there = asyncio.Event()
    sockets: list[WebSocketRoute] = []
    there.set()

    async def when_there(socket: WebSocketRoute) -> None:
        await there.wait()
        sockets.append(socket)
        socket.connect_to_server()

    await page.route_web_socket("**/stream*", when_there)
    await begun(log, "w")
    await page.goto(f"{server.url}/?world=w")
    await expect(page.locator("#link")).to_have_text("live")
    there.clear()
    await sockets[0].close()
    await server.access.tokens.give("w", "Ann", seat=True)
    there.set()
    await expect(page.get_by_label("Lens")).to_have_value("")
    await expect(page.get_by_label("Lens")).to_contain_text("What happened in public")
