"""An invitation is good for one seat, once: it shows nothing, and whoever comes first has the seat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from aiohttp import ClientSession, CookieJar
from whoknew_server import Served, play_on, served

from whoknew.engine.server.seating import COOKIE
from whoknew.eventlog import Log

CONTROL = "c" * 20
BEARER = {"Authorization": f"Bearer {CONTROL}"}


@pytest_asyncio.fixture(loop_scope="session")
async def closed(log: Log) -> AsyncIterator[Served]:
    """A server that needs a token, on which a world is played by Vera and Emil."""
    await log.fork("midnight-diner", "mine", "E9")
    async with served(log, control=CONTROL) as server:
        await play_on(server, "mine", "Vera", "Emil", token=CONTROL)
        yield server


def comer(server: Served) -> ClientSession:
    return ClientSession(server.url, cookie_jar=CookieJar(unsafe=True))


async def answered(
    client: ClientSession, path: str, status: int = 200, method: str = "GET", **more: Any
) -> Any:
    async with client.request(method, f"/api/v1/{path}", **more) as response:
        found = await response.json()
        assert response.status == status, found
        return found


async def invited(server: Served, who: str, status: int = 200, **more: Any) -> Any:
    body = {"character": who, **more}
    path = "worlds/mine/invitations"
    return await answered(server.client, path, status, "POST", json=body, headers=BEARER)


async def test_who_is_invited_sees_nothing_before_the_seat_and_its_character_after(
    closed: Served,
) -> None:
    given = await invited(closed, "Vera", address="https://play.example")
    assert given["link"].startswith("https://play.example/#invite=view.")
    assert given["picture"].startswith("data:image/svg+xml")
    token = {"Authorization": f"Bearer {given['link'].partition('=')[2]}"}
    async with comer(closed) as phone, comer(closed) as late:
        told = await answered(phone, "version", headers=token)
        assert (told["right"], told["world"], told["character"]) == ("sit", "mine", "Vera")
        for path in ("worlds/mine", "worlds/mine/events", "worlds", "runs", "worlds/mine/self"):
            await answered(phone, path, 403, headers=token)
        assert (await answered(phone, "seats", method="POST", headers=token))["world"] == "mine"
        (cookie,) = phone.cookie_jar
        assert cookie.key.startswith(COOKIE) and cookie["httponly"]
        assert token["Authorization"].partition(" ")[2] != cookie.value
        assert (await answered(phone, "version"))["seat"]
        assert (await answered(phone, "worlds/mine"))["character"] == "Vera"
        assert (await answered(phone, "worlds/mine/self"))["character"] == "Vera"
        for path in ("worlds", "runs", "tokens", "worlds/mine/forks"):
            await answered(phone, path, 403)
        await answered(phone, "worlds/midnight-diner", 401)
        await answered(phone, "worlds/mine/events?as=Emil", 403)
        await answered(phone, "worlds/mine/invitations", 403, "POST", json={"character": "Emil"})
        await answered(late, "seats", 401, "POST", headers=token)
        async with phone.ws_connect("/api/v1/worlds/mine/stream?from=end") as socket:
            assert (await socket.receive_json())["who"] == "Vera"
            await answered(closed.client, f"tokens/{given['id']}", 200, "DELETE", headers=BEARER)
            while (message := await socket.receive_json())["type"] != "bye":
                pass
            assert message["again"]
        await answered(phone, "worlds/mine", 401)


async def test_one_seat_has_one_browser_and_one_invitation_that_is_good(closed: Served) -> None:
    lost, given = await invited(closed, "Vera"), await invited(closed, "Vera")
    tokens = [one["link"].partition("=")[2] for one in (lost, given)]
    headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
    async with comer(closed) as client:
        await answered(client, "seats", 401, "POST", headers=headers[0])

    async def comes() -> int:
        async with (
            comer(closed) as client,
            client.post("/api/v1/seats", headers=headers[1]) as response,
        ):
            return response.status

    came = sorted(await asyncio.gather(*(comes() for _ in range(8))))
    assert came[0] == 200 and 200 not in came[1:]
    assert "taken" in (await invited(closed, "Vera", 409))["error"]
    assert "machine" in (await invited(closed, "Dorte", 409))["error"]
    for address in ("javascript:alert(1)", "https://x/#y", "ftp://x"):
        await invited(closed, "Emil", 400, address=address)


async def test_who_sits_may_invite_to_free_seats_alone_and_never_sees_by_it(
    log: Log, server: Served
) -> None:
    await log.fork("midnight-diner", "mine", "E9")
    await play_on(server, "mine", "Vera", "Emil")
    async with comer(server) as vera, comer(server) as emil:
        body = {"character": "Vera"}
        await answered(vera, "worlds/mine/seats", 200, "POST", json=body)
        await answered(vera, "tokens", 403, "POST", json={"world": "mine", "character": "Emil"})
        path = "worlds/mine/invitations"
        assert "taken" in (await answered(vera, path, 409, "POST", json=body))["error"]
        given = await answered(vera, path, 200, "POST", json={"character": "Emil"})
        token = {"Authorization": f"Bearer {given['link'].partition('=')[2]}"}
        await answered(vera, "worlds/mine/events?as=Emil", 403, headers=token)
        refused = await answered(vera, "seats", 409, "POST", headers=token)
        assert "leave that seat" in refused["error"]
        await answered(emil, "seats", 200, "POST", headers=token)
        assert (await answered(emil, "worlds/mine"))["character"] == "Emil"
        assert (await answered(vera, "worlds/mine"))["character"] == "Vera"
