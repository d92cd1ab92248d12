"""How every agent decides: no agent is excused from any of it. Whoever runs it gives the fixture
`agent`, which makes one anew for a character: one that decides the same of the same moment."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace
from small_chains import SETTING, events_of, run_of
from store_places import VolatilePlace, log_at
from unseen import unseen_altered

from whoknew.agents.agent import Action, Agent, Moment, Note, check
from whoknew.agents.errors import AgentError
from whoknew.engine.playing import chain
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import Acted, EpisodeOpened
from whoknew.worlds.setting import Scenario

Make = Callable[[str], Agent]

MARKET = Scenario(
    "market",
    "Apples, and a book.",
    ("Oda", "Bram"),
    goals={"Oda": "The book.", "Bram": "Apples."},
    place="room",
    pool={"apple": 3, "book": 1},
    worth={"Oda": {"apple": 1, "book": 4}, "Bram": {"apple": 2, "book": 1}},
)
"""Where there is something to divide."""

PLAYED = replace(SETTING, scenarios=(*SETTING.scenarios, MARKET))


class Observed:
    """An agent with all that it was asked and answered."""

    def __init__(self, who: str, make: Make) -> None:
        self._who, self._make, self._agent = who, make, make(who)
        self.acted: list[tuple[Moment, Action]] = []
        self.anew: list[Action | None] = []
        """What one made anew does at the same moment; None where it cannot decide."""
        self.kept: list[tuple[Moment, tuple[Note, ...]]] = []

    async def act(self, moment: Moment) -> Action:
        anew = await decided(self._make(self._who), moment)
        action = await self._agent.act(moment)
        self.acted.append((moment, action))
        self.anew.append(anew)
        return action

    async def remember(self, moment: Moment) -> tuple[Note, ...]:
        notes = await self._agent.remember(moment)
        self.kept.append((moment, notes))
        return notes


async def decided(agent: Agent, moment: Moment) -> Action | None:
    try:
        return await agent.act(moment)
    except AgentError:
        return None


async def played(log: Log, agent: Make) -> list[Observed]:
    """A chain in which everybody is such an agent. Whatever else one raises ends the test."""
    people = {one.name: Observed(one.name, agent) for one in SETTING.characters}
    run = await run_of(log, "ferry", PLAYED, lambda _: people)
    await chain.play(run, PLAYED, [replace(one, turns=8, stale=4) for one in PLAYED.scenarios])
    return list(people.values())


async def test_at_any_moment_it_does_what_can_be_done_or_says_that_it_cannot_decide(
    agent: Make,
) -> None:
    async with log_at(VolatilePlace()) as log:
        people = await played(log, agent)
        assert sum(len(one.acted) for one in people) > 8
        for one in people:
            for moment, action in one.acted:
                check(action, moment)


async def test_made_anew_it_decides_the_same(agent: Make) -> None:
    """Law 8: whatever it keeps is a fold of its view."""
    async with log_at(VolatilePlace()) as log:
        for one in await played(log, agent):
            assert one.anew == [action for _, action in one.acted]


async def test_what_it_remembers_rests_on_what_it_perceived(agent: Make) -> None:
    async with log_at(VolatilePlace()) as log:
        people = await played(log, agent)
        assert any(one.kept for one in people)
        for one in people:
            for moment, notes in one.kept:
                for note in notes:
                    assert note.strategy and note.text
                    assert all(0 < place <= len(moment.view) for place in note.sources)


@pytest.mark.parametrize("who", ["Oda", "Bram", "Kit"])
async def test_what_it_did_not_witness_changes_nothing_that_it_does(agent: Make, who: str) -> None:
    """Law 4."""
    async with log_at(VolatilePlace()) as log:
        await played(log, agent)
        events = await events_of(log)
        events = events[: _last(events, who)]
        await log.append("whole", [event.draft for event in events])
        whole = await decided(agent(who), await _moment(log, "whole", who))
        for seed in range(5):
            await log.append(f"part{seed}", unseen_altered(events, who, Random(seed)))
            assert await decided(agent(who), await _moment(log, f"part{seed}", who)) == whole


def _last(events: list[Event], who: str) -> int:
    """Up to the last deed that somebody witnessed."""
    return max(one.seq for one in events if isinstance(one.body, Acted) and who in one.witnesses)


async def _moment(log: Log, world: str, who: str) -> Moment:
    view = await log.view(world, who)
    opened = [isinstance(one.body, EpisodeOpened) for one in await view.events()]
    begins = len(opened) - 1 - opened[::-1].index(True)
    return Moment(who=who, view=view, begins=begins, present=("Nell",), turns_left=3)
