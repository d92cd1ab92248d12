"""A crowd at a server: people in seats and people who look on, many at once, half of them on
telephones that drop and come back. Then: did each get what is theirs, all of it, once, and no more?"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any

from aiohttp import (
    ClientError,
    ClientSession,
    ClientWebSocketResponse,
    CookieJar,
    TCPConnector,
    WSMsgType,
)
from msgspec import Struct
from waiting import OFTEN, PATIENCE

SEATS = ("Vera", "Emil", "Dorte", "Yusuf", "Rufus")

STAYS = (2, 8)
"""Messages that come to a telephone before it drops: at least, at most."""


class Outcome(Struct, kw_only=True):
    """What a crowd found. `missed`, `doubled` and `foreign` are events, `lost` and `repeated` actions."""

    events: int = 0
    actions: int = 0
    drops: int = 0
    missed: int = 0
    """Events that somebody should have been sent and was not."""
    doubled: int = 0
    """Events that came twice, or out of order."""
    foreign: int = 0
    """Events that a player was sent and did not perceive, or not so."""
    lost: int = 0
    """Actions that the server had taken, and that are not in the story."""
    repeated: int = 0
    """Actions that are in the story more than once."""


class Crowd:
    def __init__(self, url: str, control: str, read: str, outcome: Outcome, chance: Random) -> None:
        self.url, self.outcome, self.chance = url, outcome, chance
        self.control, self.read = control, read

    async def asked(self, path: str, token: str, method: str = "GET", **more: Any) -> Any:
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            self.comer() as client,
            client.request(method, f"/api/v1/{path}", headers=headers, **more) as response,
        ):
            found = await response.json()
            assert response.status == 200, found
            return found

    def comer(self, jar: CookieJar | None = None) -> ClientSession:
        """A browser, or one that comes again with its cookies."""
        connector = TCPConnector(limit=0)
        return ClientSession(
            self.url, cookie_jar=CookieJar(unsafe=True) if jar is None else jar, connector=connector
        )


class Watcher:
    """One stream that is followed to the end of the world, from where it was before each drop."""

    def __init__(self, crowd: Crowd, world: str, *, drops: bool, token: str = "") -> None:
        self.crowd, self.world, self.drops, self.token = crowd, world, drops, token
        self.last = 0
        self.got: list[dict[str, Any]] = []
        self.jar = CookieJar(unsafe=True)

    async def follow(self) -> None:
        while True:
            with suppress(ClientError, ConnectionError):
                await self._once()
            self.crowd.outcome.drops += 1
            await asyncio.sleep(OFTEN)  # as others do, who come back to a server that is full

    async def _once(self) -> None:
        query = {"from": f"#{self.last}", **({"token": self.token} if self.token else {})}
        path = f"/api/v1/worlds/{self.world}/stream"
        stays = self.crowd.chance.randint(*STAYS) if self.drops else None
        async with self.crowd.comer(self.jar) as client:
            socket = await client.ws_connect(path, params=query, max_msg_size=0)
            for number in count(1):
                message = await socket.receive()
                if message.type != WSMsgType.TEXT or number == stays:
                    return  # gone, and nobody was told
                await self.heard(message.json(), socket)

    async def heard(self, message: dict[str, Any], socket: ClientWebSocketResponse) -> None:
        if message["type"] == "events":
            for event in message["events"]:
                place = event.get("number") or event["seq"]
                self.crowd.outcome.doubled += place <= self.last
                self.last = max(place, self.last)
                self.got.append(event)
            self.crowd.outcome.events += len(message["events"])


class Player(Watcher):
    """Somebody who came by an invitation, and says something new whenever it is their turn."""

    def __init__(self, crowd: Crowd, world: str, who: str, *, drops: bool) -> None:
        super().__init__(crowd, world, drops=drops)
        self.who = who
        self.said: dict[int, str] = {}
        """By the number of the turn: what is sent again after a drop is the same."""
        self.taken: list[str] = []
        self._sent = 0

    async def sit(self) -> None:
        path, body = f"worlds/{self.world}/invitations", {"character": self.who}
        given = await self.crowd.asked(path, self.crowd.control, "POST", json=body)
        headers = {"Authorization": f"Bearer {given['link'].partition('=')[2]}"}
        async with (
            self.crowd.comer(self.jar) as client,
            client.post("/api/v1/seats", headers=headers) as response,
        ):
            assert response.status == 200, await response.text()

    async def heard(self, message: dict[str, Any], socket: ClientWebSocketResponse) -> None:
        await super().heard(message, socket)
        if message["type"] == "turn":
            self._sent = number = message["number"]
            text = self.said.setdefault(number, f"{self.world} {self.who} {len(self.said)}")
            await socket.send_json({"text": text, "number": number})
        elif message["type"] == "taken":
            self.taken.append(self.said[self._sent])


async def gathered(
    url: str,
    control: str,
    read: str,
    *,
    worlds: int,
    viewers: int,
    turns: int,
    least: int,
    seed: int = 0,
) -> Outcome:
    """Play so many worlds, five people in each, with so many viewers, until at least so many actions
    were taken; then hold what each was sent against the log."""
    crowd = Crowd(url, control, read, Outcome(), Random(seed))
    names = [f"evening-{number}" for number in range(worlds)]
    plan = f'world = "midnight-diner"\n[episodes]\nturns = {turns}\n'
    for name in names:
        await crowd.asked(
            "runs", control, "POST", json={"plan": plan, "name": name, "seats": SEATS}
        )
    players = [
        Player(crowd, world, who, drops=place % 2 == 0)
        for place, (world, who) in enumerate((world, who) for world in names for who in SEATS)
    ]
    await asyncio.gather(*(player.sit() for player in players))
    lookers = [
        Watcher(crowd, names[place % worlds], drops=place % 2 == 0, token=read)
        for place in range(viewers)
    ]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one.follow()) for one in (*players, *lookers)]
        await _until(lambda: sum(len(player.taken) for player in players) >= least)
        for run in await crowd.asked("runs", control):
            await crowd.asked(f"runs/{run['id']}/stop", control, "POST")
        await _until(lambda: _arrived(crowd, players, lookers))
        for task in tasks:
            task.cancel()
    for world in names:
        await _check(crowd, world, players, lookers)
    return crowd.outcome


async def _until(holds: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait, but not for ever: what has not come by then is missed."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE / 6):
            while True:
                held = holds()
                if held if isinstance(held, bool) else await held:
                    return
                await asyncio.sleep(10 * OFTEN)


async def _arrived(crowd: Crowd, players: list[Player], lookers: list[Watcher]) -> bool:
    for world in {one.world for one in lookers}:
        head = (await crowd.asked(f"worlds/{world}", crowd.read))["head"]
        if any(one.last < head for one in lookers if one.world == world):
            return False
    for player in players:
        if player.last < await _newest(crowd, player):
            return False
    return True


async def _newest(crowd: Crowd, player: Player) -> int:
    """The number of the newest event that a player is told of."""
    async with (
        crowd.comer(player.jar) as client,
        client.get(f"/api/v1/worlds/{player.world}/events?limit=50") as response,
    ):
        events = (await response.json())["events"]
    return int(events[-1]["number"]) if events else 0


async def _check(crowd: Crowd, world: str, players: list[Player], lookers: list[Watcher]) -> None:
    """Each viewer had all of the world; each player, at each number, what its character perceived
    there; each action that was taken is in the story, once."""
    outcome, events = crowd.outcome, await _all(crowd, world)
    for looker in lookers:
        if looker.world == world:
            outcome.missed += len(
                {event["seq"] for event in events} - {event["seq"] for event in looker.got}
            )
    texts = Counter(event["body"].get("text") for event in events)
    for player in (one for one in players if one.world == world):
        view = [event for event in events if player.who in event.get("witnesses", ())]
        for event in player.got:
            outcome.foreign += not _same(event, view, event["number"])
        told = {event["number"] for event in await _own(crowd, player)}
        outcome.missed += len(told - {event["number"] for event in player.got})
        outcome.actions += len(player.taken)
        outcome.lost += sum(not texts[text] for text in player.taken)
        outcome.repeated += sum(texts[text] > 1 for text in player.said.values())


def _same(event: dict[str, Any], view: list[dict[str, Any]], number: int) -> bool:
    """Whether it is what stands at this number of the view, and tells of nobody whom it did not."""
    if not 0 < number <= len(view):
        return False
    seen = view[number - 1]
    kinds = event["body"]["kind"] == seen["body"]["kind"] and event["at"] == seen["at"]
    words = event["body"].get("text") == seen["body"].get("text")
    return kinds and words and {*event.get("present", ())} <= {*seen["witnesses"]}


async def _all(crowd: Crowd, world: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        after = found[-1]["seq"] if found else 0
        path = f"worlds/{world}/events?after={after}&limit=1000"
        page = await crowd.asked(path, crowd.read)
        if not page["events"]:
            return found
        found += page["events"]


async def _own(crowd: Crowd, player: Player) -> list[dict[str, Any]]:
    """All that a player is told of, as it asks for it page by page."""
    found: list[dict[str, Any]] = []
    async with crowd.comer(player.jar) as client:
        while True:
            after = found[-1]["number"] if found else 0
            path = f"/api/v1/worlds/{player.world}/events?after={after}&limit=1000"
            async with client.get(path) as response:
                events = (await response.json())["events"]
            if not events:
                return found
            found += events
