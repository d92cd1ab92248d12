"""Law 4: what a character has not witnessed changes nothing for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from small_worlds import NIGHT, opened
from store_places import Place, log_at
from strategies import phrases

from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.kinds import (
    Acted,
)


@dataclass(frozen=True)
class Scene:
    """One event that Ana witnesses, and what others do unseen before it, in two worlds."""

    text: str
    minutes: int
    alone: bool
    tells_of: int | None
    unseen: tuple[list[str], list[str]]


unseen = st.lists(phrases, max_size=3)

scenes = st.builds(
    Scene,
    text=phrases,
    minutes=st.integers(0, 3) | st.just(60 * 24 * 30),
    alone=st.booleans(),
    tells_of=st.none() | st.integers(0, 9),
    unseen=st.tuples(unseen, unseen),
)


queries = st.builds(" ".join, st.tuples(st.sampled_from(["", "Bo", "Zed", "1 July"]), phrases))
"""Some name who speaks, or a day."""


def staged(scenes: list[Scene], which: int) -> list[Draft]:
    """The scenes with what happens unseen in one of the two worlds."""
    cast = [("Ana", "Bo"), ("Eve", "Bo", "Ana", "Zed")][which]
    drafts, seen, at = opened(*cast), [], NIGHT
    for scene in scenes:
        for text in scene.unseen[which]:
            drafts.append(Draft(Acted(text), actor=cast[-1], witnesses=cast[-1:], episode=1))
        at += timedelta(minutes=scene.minutes)
        about = () if scene.tells_of is None else tuple(seen[scene.tells_of : scene.tells_of + 1])
        witnesses = ("Ana",) if scene.alone else ("Bo", "Ana")
        drafts.append(Draft(Acted(scene.text), at, actor="Bo", witnesses=witnesses, about=about))
        seen.append(len(drafts))
    return drafts


def shown(events: list[Event]) -> list[tuple[Any, ...]]:
    """What of events may be shown to who saw them: not where they stand in the log."""
    return [(one.text, one.body, one.at, one.actor, one.place, one.witnesses) for one in events]


def test_what_one_has_not_witnessed_changes_nothing_for_one(place: Place) -> None:
    """Law 4: views and recall are the same, whatever happened unseen."""
    numbers = count()
    with asyncio.Runner() as runner:
        log = log_at(place)
        runner.run(log.__aenter__())

        @settings(max_examples=30)
        @given(st.lists(scenes, min_size=1, max_size=12), queries, st.data())
        def same(scenes: list[Scene], query: str, data: st.DataObject) -> None:
            name = f"w{next(numbers)}"
            upto = data.draw(st.integers(1, len(scenes)), "scenes")
            looks = []
            for which in (0, 1):
                drafts = staged(scenes, which)
                cursor = len(staged(scenes[:upto], which))
                runner.run(log.append(f"{name}.{which}", drafts))
                looks.append(runner.run(look(log, f"{name}.{which}", f"#{cursor}", query)))
            assert looks[0] == looks[1]

        try:
            same()
        finally:
            runner.run(log.__aexit__(None, None, None))


async def look(log: Log, world: str, cursor: str, query: str) -> Any:
    view = await log.view(world, "Ana", cursor)
    recalled = [(one.place, one.score, one.text) for one in await view.recall(query, 5)]
    return len(view), shown(await view.events()), shown(await view.last(2)), recalled
