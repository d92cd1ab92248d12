"""Who perceives what, held against plain sets: places that hear and see each other, people who come, go,
hide, fall asleep, go blind or deaf or out of sight, in any combination and order, on every store.

`Company` is the model: the rules of `docs/plans.md`, and nothing of the engine. What it says of each
event must be what the views hold; and no view may change by what happens afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest
from company import (
    PEOPLE,
    ROOMS,
    SCENARIO,
    Becomes,
    Comes,
    Company,
    Does,
    Goes,
    IsGone,
    IsTold,
    NextEpisode,
    Perceived,
    Says,
    Step,
    Thinks,
    ailing,
    people,
    reaches,
    rooms,
    steps,
)
from hypothesis import given, note, settings
from hypothesis import strategies as st
from store_places import Place, log_at

from whoknew.engine.playing.state import ChainState
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.kinds import Acted
from whoknew.worlds import beginning
from whoknew.worlds.drafting import Drafting
from whoknew.worlds.errors import OffStage
from whoknew.worlds.reach import Reach
from whoknew.worlds.setting import Character, Cue, Scenario, Setting
from whoknew.worlds.setting import Place as Room

EXAMPLES = {"volatile": 250, "sqlite": 40, "apsw": 40, "postgres": 40}
"""How many lives, by what a store costs."""


class House:
    """A world that is played: the fold of its log, and what is to be appended next."""

    def __init__(self, reach: Reach, ails: dict[str, tuple[Any, ...]]) -> None:
        self.setting = Setting(
            "house",
            "A House",
            datetime(2000, 1, 1, 20),
            tuple(Character(name, conditions=ails.get(name, ())) for name in PEOPLE),
            (),
            places=tuple(
                Room(
                    name,
                    hears=tuple(reach.hears.get(name, ())),
                    sees=tuple(reach.sees.get(name, ())),
                )
                for name in ROOMS
            ),
        )
        self.state = ChainState(Reach.of(self.setting))

    def opening(self) -> list[Draft]:
        return self.take(beginning.world(self.setting, 0, 1))

    def drafts(self, step: Step) -> list[Draft]:
        if isinstance(step, NextEpisode):
            return self.next_episode(step)
        scene = self.state.scene
        assert scene is not None
        drafting = Drafting(scene, scene.turn + 1, scene.now + timedelta(seconds=20))
        _play(drafting, step)
        return self.take(drafting.drafts)

    def next_episode(self, step: NextEpisode) -> list[Draft]:
        state = self.state
        ended = []
        if state.scene is not None:
            ended = self.take(beginning.ending(state.scene, "it is late", {}, state.head + 1))
        scenario = Scenario(
            "night",
            SCENARIO,
            tuple(step.where),
            place=ROOMS[0],
            where={name: place for name, place in step.where.items() if place != ROOMS[0]},
            hidden=tuple(name for name in step.hidden if name in step.where),
            asleep=tuple(name for name in step.asleep if name in step.where),
        )
        at = (state.now or self.setting.begins) + timedelta(hours=1)
        number = state.closed + 1
        opened = beginning.episode(scenario, number, at, state.reach, state.conditions)
        return ended + self.take(opened)

    def take(self, drafts: list[Draft]) -> list[Draft]:
        for draft in drafts:
            self.state.take(draft)
        return drafts


def _play(drafting: Drafting, step: Step) -> None:
    match step:
        case Says(who, to):
            drafting.act(who, Acted("The key is under the stone.", to=to))
        case Does(who):
            drafting.act(who, Acted("turns the key", "action"))
        case Thinks(who):
            drafting.act(who, Acted("I have the key.", "none"))
        case Goes(who, place, text):
            drafting.act(who, Acted(text, "leave"), goes=place)
        case Becomes(who, state):
            drafting.become(who, state)
        case Comes(who, place, hidden):
            how: Any = "hidden" if hidden else "openly"
            drafting.turning(Cue(1, who=who, enters=how, place=place), SCENARIO)
        case IsGone(who):
            drafting.turning(Cue(1, who=who, leaves=True), SCENARIO)
        case IsTold(place):
            drafting.turning(Cue(1, narrates="A door slams.", place=place), SCENARIO)


def test_each_view_holds_what_its_character_perceived_and_none_changes(
    kind: str, place: Place
) -> None:
    numbers = count()
    with asyncio.Runner() as runner:
        log = log_at(place)
        runner.run(log.__aenter__())

        @settings(max_examples=EXAMPLES[kind])
        @given(reaches, ailing, st.dictionaries(people, rooms, min_size=2), steps)
        def holds(
            reach: Reach,
            ails: dict[str, tuple[str, ...]],
            where: dict[str, str],
            steps: list[Step],
        ) -> None:
            first = NextEpisode(where, (), ())
            runner.run(_lived(log, f"w{next(numbers)}", reach, ails, [first, *steps]))

        try:
            holds()
        finally:
            runner.run(log.__aexit__(None, None, None))


async def _lived(
    log: Log, world: str, reach: Reach, ails: dict[str, tuple[str, ...]], steps: Sequence[Step]
) -> None:
    note(f"{reach} {ails} {steps}")
    house, company = House(reach, ails), Company(reach)
    company.ails |= {name: set(some) for name, some in ails.items()}
    await log.append(world, house.opening())
    begun = house.state.head
    perceived: Perceived = []
    looks: dict[tuple[str, int], list[Event]] = {}
    for step in steps:
        if isinstance(step, Goes) and company.sleeps(step.who):
            continue  # it has no turn in which to go
        expected = company.happen(step)
        if expected is None:
            with pytest.raises(OffStage):
                house.drafts(step)
            continue
        drafts = house.drafts(step)
        perceived += expected
        if not drafts:
            assert not expected
            continue
        await log.append(world, drafts)
        for name in PEOPLE:
            events = await _seen(log, world, name, house.state.head, begun)
            assert [(event.seq, type(event.body).__name__) for event in events] == [
                (seq, kind)
                for seq, (kind, those) in enumerate(perceived, start=begun + 1)
                if name in those
            ]
            looks[name, house.state.head] = events
    again = Log(log.store)
    for (name, seq), then in looks.items():
        assert await _seen(again, world, name, seq, begun) == then
        assert await _seen(log, world, name, seq, begun) == then


async def _seen(log: Log, world: str, name: str, seq: int, begun: int) -> list[Event]:
    """What a character has perceived since the world began, at a cursor."""
    view = await log.view(world, name, f"#{seq}")
    return [event for event in await view.events() if event.seq > begun]
