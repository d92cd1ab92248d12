"""A server of a log, in this process, on a free port; and a world that can be added to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from urllib.parse import urlencode

from aiohttp import ClientSession, web
from diner_world import WORLD
from waiting import PATIENCE

from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.server.access import Access
from whoknew.engine.server.app import Server
from whoknew.engine.server.connections import MOST, USUAL, Runner, TimeOuts
from whoknew.engine.server.shared_tokens import tokens_in
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    WorldOpened,
)


class Served:
    def __init__(self, url: str, access: Access, server: Server, client: ClientSession) -> None:
        self.url, self.access, self.server, self.client = url, access, server, client


@asynccontextmanager
async def served(
    log: Log,
    *,
    control: str | None = None,
    read: str | None = None,
    writable: bool = True,
    address: str | None = None,
    most: int = MOST,
    patience: TimeOuts = USUAL,
    recorded: Collection[str] = (),
    exams: Sequence[LoadedExam] = (),
    origins: Collection[str] = (),
    port: int = 0,
) -> AsyncIterator[Served]:
    tokens = tokens_in(log, ":memory:")
    access = Access("127.0.0.1", 0, control, read, tokens=tokens, origins=frozenset(origins))
    server = Server(
        log,
        access,
        writable=writable,
        address=address,
        patience=patience,
        recorded=recorded,
        exams=exams,
    )
    runner = Runner(server.app, most, patience)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, reuse_port=bool(port))
    await site.start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    async with ClientSession(url) as client:
        try:
            yield Served(url, access, server, client)
        finally:
            await runner.cleanup()
            tokens.close()


async def begun(log: Log, world: str = "w", people: tuple[str, ...] = ("Ann", "Bob")) -> None:
    """A world in which nothing has happened yet, but that an episode has opened."""
    drafts = [Draft(WorldOpened("A world"), datetime(2000, 1, 1, 12))]
    drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in people]
    drafts.append(Draft(EpisodeOpened("A room.", people), episode=1, witnesses=people))
    await log.append(world, drafts)


def episodes(first: int, last: int, scenario: str = "A room.") -> list[Draft]:
    """So many that are over as soon as they begin."""
    return [
        Draft(body, episode=number, witnesses=("Ann", "Bob"))
        for number in range(first, last + 1)
        for body in (EpisodeOpened(scenario, ("Ann", "Bob")), EpisodeClosed("over"))
    ]


def says(text: str, who: str = "Ann", witnesses: tuple[str, ...] = ("Ann", "Bob")) -> Draft:
    return Draft(Acted(text), episode=1, turn=1, actor=who, witnesses=witnesses)


async def play_on(served: Served, world: str, *people: str, token: str = "") -> None:
    """Play a world of the log on, with people in some seats, until one of them is to act."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = {"go_on": world, "seats": people}
    async with served.client.post("/api/v1/runs", json=body, headers=headers) as response:
        assert response.status == 200, await response.text()
    seats = [served.server.seats.at(world, who) for who in people]
    moved = asyncio.Event()
    for seat in seats:
        seat.listen(moved.set)
    async with asyncio.timeout(PATIENCE):
        while all(seat.moment is None for seat in seats):
            await moved.wait()
            moved.clear()


def page_of_story(server: Served, **values: str) -> str:
    """The address at which the page shows the nights in the diner."""
    return f"{server.url}/?{urlencode({'world': WORLD, **values})}"
