"""Worlds in which people perceive different things: played, imported, and behind an arras."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from diner_world import WORLD, nights
from shared_data import DATA
from waiting import PATIENCE
from whoknew_server import served

from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import (
    Acted,
    Called,
    CharacterAdded,
    Described,
    Entered,
    EpisodeClosed,
    EpisodeOpened,
    GoalGiven,
    Left,
    MarkPlaced,
    Narrated,
    Remembered,
    WorldOpened,
)
from whoknew.worlds.importers.play import bundled, world_of


def arras(unseen: bool) -> list[Draft]:
    """Behind the arras: one listens unseen, and goes; with or without much that Ann never sees."""
    people = ("Ann", "Bob", "Pol")
    drafts = [Draft(WorldOpened("Murder at Elsinore"), datetime(2000, 1, 1, 12))]
    drafts += [Draft(CharacterAdded(name, f"{name}."), witnesses=(name,)) for name in people]
    drafts.append(Draft(Described("Bob", "Bob. A prince."), witnesses=("Ann", "Pol")))

    def add(body: Any, actor: str | None, witnesses: tuple[str, ...], about: Any = ()) -> int:
        drafts.append(
            Draft(
                body,
                at=None,
                episode=episode,
                turn=turn,
                actor=actor,
                place="hall",
                witnesses=witnesses,
                about=tuple(about),
            )
        )
        return len(drafts)

    if unseen:
        for episode in (1, 2):
            turn = 0
            add(
                EpisodeOpened("Elsewhere.", ("Bob", "Pol"), name=f"night-{episode}"),
                None,
                people[1:],
            )
            turn = 1
            add(Acted("We two alone."), "Bob", people[1:])
            add(EpisodeClosed("stale"), None, people[1:])
    for episode in (3, 4) if unseen else (1, 2):  # noqa: B007  (`add` takes it)
        turn = 0
        add(EpisodeOpened("The hall.", ("Ann", "Bob"), turn_limit=9, name="night-3"), None, people)
        add(GoalGiven("Ann", "Find out."), None, ("Ann",))
        add(GoalGiven("Pol", "Listen."), None, ("Pol",))
        add(Entered(hidden=True), "Pol", ("Pol",))
        secret = add(Acted("The king did it.", "none"), "Pol", ("Pol",)) if unseen else 0
        turn += 1
        said = add(Acted("Are we alone?"), "Ann", people)
        turn += 1
        if unseen:
            add(Acted("Nobody sees me.", "action"), "Pol", ("Pol",))
            add(Called("act", "m", "d"), "Pol", ())
            turn += 1
        add(
            Acted("Quite alone.", to=("Ann",)),
            "Bob",
            people,
            [one for one in (secret, said) if one],
        )
        turn += 1
        add(Left(), "Bob", people)
        if unseen:
            add(Remembered("Pol", "summary", "I know.", (said,), said), "Pol", ("Pol",))
        add(Narrated("A clock strikes."), None, people)
        add(Remembered("Ann", "summary", "We were alone.", (said,), len(drafts)), "Ann", ("Ann",))
        add(EpisodeClosed(f"{turn} turns"), None, people)
    if unseen:
        episode = turn = 0
        add(MarkPlaced("who did it", said), None, ())
    return drafts


@asynccontextmanager
async def world(name: str, folder: Path) -> AsyncIterator[Log]:
    if name == WORLD:
        async with open_log(nights(folder)) as log:
            yield log
    elif name == "flatmates":
        async with open_log(":memory:") as log, served(log) as server, asyncio.timeout(PATIENCE):
            plan = 'world = "flatmates"\n[episodes]\nturns = 6\n'
            async with server.client.post("/api/v1/runs", json={"plan": plan}) as response:
                assert response.status == 200
            state = "playing"
            while state == "playing":
                await asyncio.sleep(0.05)
                async with server.client.get("/api/v1/runs") as response:
                    state = (await response.json())[0]["state"]
            assert state == "finished"
            yield log
    else:
        async with open_log(":memory:") as log:
            if name == "arras":
                drafts = arras(unseen=True)
            elif name == "hamlet":
                path = DATA / "shakespeare" / "hamlet.xml"
                if not path.exists():
                    pytest.skip(f"{path} is not there")
                drafts = world_of(path).drafts
            else:
                drafts = world_of(bundled()[name]).drafts
            await log.append(name, drafts)
            yield log
