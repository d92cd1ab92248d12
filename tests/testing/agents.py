"""What every agent is held to. None is excused from any of it.

- At any moment it does what can be done, or raises an AgentError, and nothing else.
- Law 4: what its character did not witness changes nothing that it does.
- Law 8: made anew it decides the same; whatever it keeps is a fold of its view.
- What it remembers rests on places in its view.
- An agent that asks the model of its seat says so in its entry, and asks it no more often than `most_calls`
  says (so that its calls are forecast). All of this holds for what it keeps before a turn, too.

Give the fixture `agent`: its entry, with the settings to be tested. In its seat are lines to be said, a
mind whose model answers by what it is asked, and a person who types.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from random import Random
from typing import Literal

import pytest
from msgspec.structs import replace

from whoknew.agents.agent import Action, Agent, AgentEntry, AgentSeat, Moment, Note, check
from whoknew.agents.errors import AgentError
from whoknew.agents.human import Human
from whoknew.agents.memories.recall import Recall
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.parts import REASKS
from whoknew.engine.playing import chain
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import Acted, EpisodeOpened
from whoknew.testing.small_chain import SETTING, events_of, run_of, volatile_log
from whoknew.testing.stub_models import ByDigest
from whoknew.testing.unseen import unseen_altered
from whoknew.worlds.setting import Scenario

pytestmark = pytest.mark.asyncio

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


LINES = ("Good evening.", "/think So that is how it is.", "/do looks out", "/whisper Nobody: psst")


class Typist:
    """A person who says something else when told that a thing cannot be done."""

    TRIES = ("/whisper Nobody: psst", "Good evening.", "/pass")

    def __init__(self) -> None:
        self._refused = False
        self._tried = 0

    def expect(self, who: str) -> None:
        pass

    def sitting(self, who: str) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    def release(self, reason: str) -> None:
        pass

    async def read(self, prompt: str) -> str:
        self._tried = self._tried + 1 if self._refused else 0
        self._refused = False
        return self.TRIES[self._tried]

    def write(self, text: str) -> None:
        self._refused = self._refused or "cannot be done" in text


def made(agent: AgentEntry, who: str, model: ByDigest | None = None) -> Agent:
    def mind() -> Mind:
        return Mind(who, model or ByDigest(), Recall(10), Plain(REASKS))

    def person() -> Agent:
        return Human(who, Typist())

    return agent.make(
        AgentSeat(who=who, world="ferry", lines={"*": LINES}, mind=mind, person=person)
    )


class Observed(Agent):
    """An agent with all that it was asked and answered."""

    def __init__(self, who: str, entry: AgentEntry) -> None:
        self.model = ByDigest()
        self._who, self._entry, self._agent = who, entry, made(entry, who, self.model)
        self.acted: list[tuple[Moment, Action]] = []
        self.anew: list[tuple[object, object]] = []
        """What it did or kept, each with what one made anew does at the same moment; None where that
        one cannot decide."""
        self.kept: list[tuple[Moment, tuple[Note, ...]]] = []
        self.calls: list[int] = []
        """How often it asked its model, turn by turn."""

    @property
    def keeps_before_turns(self) -> bool:
        return self._agent.keeps_before_turns

    async def before_turn(self, moment: Moment) -> tuple[Note, ...]:
        return await self._keep(moment, "before_turn")

    async def act(self, moment: Moment) -> Action:
        anew, asked = await decided(made(self._entry, self._who), moment), len(self.model.calls)
        try:
            action = await self._agent.act(moment)
        finally:
            self.calls.append(len(self.model.calls) - asked)
        self.acted.append((moment, action))
        self.anew.append((action, anew))
        return action

    @property
    def keeps_of_episodes(self) -> bool:
        return self._agent.keeps_of_episodes

    async def remember(self, moment: Moment) -> tuple[Note, ...]:
        return await self._keep(moment, "remember")

    async def _keep(
        self, moment: Moment, when: Literal["before_turn", "remember"]
    ) -> tuple[Note, ...]:
        anew = await kept(made(self._entry, self._who), moment, when)
        notes: tuple[Note, ...] = await getattr(self._agent, when)(moment)
        self.kept.append((moment, notes))
        self.anew.append((notes, anew))
        return notes


async def decided(agent: Agent, moment: Moment) -> Action | None:
    try:
        return await agent.act(moment)
    except AgentError:
        return None


async def kept(
    agent: Agent, moment: Moment, when: Literal["before_turn", "remember"]
) -> tuple[Note, ...] | None:
    try:
        notes: tuple[Note, ...] = await getattr(agent, when)(moment)
        return notes
    except AgentError:
        return None


async def played(log: Log, agent: AgentEntry) -> list[Observed]:
    """A chain in which everybody is such an agent. Whatever else one raises ends the test."""
    people = {one.name: Observed(one.name, agent) for one in SETTING.characters}
    run = await run_of(log, "ferry", PLAYED, lambda _: people)
    await chain.play(run, PLAYED, [replace(one, turns=8, stale=4) for one in PLAYED.scenarios])
    return list(people.values())


async def test_at_any_moment_it_does_what_can_be_done_or_says_that_it_cannot_decide(
    agent: AgentEntry,
) -> None:
    async with volatile_log() as log:
        people = await played(log, agent)
        assert sum(len(one.acted) for one in people) > 8
        for one in people:
            for moment, action in one.acted:
                check(action, moment)


async def test_its_entry_says_whether_it_asks_the_model_of_its_seat(agent: AgentEntry) -> None:
    async with volatile_log() as log:
        asked = [one for person in await played(log, agent) for one in person.model.calls]
        assert bool(asked) == agent.thinks, "`thinks` says otherwise"


async def test_it_asks_no_more_often_in_a_turn_than_its_entry_says(agent: AgentEntry) -> None:
    """Those calls are forecast; each answer may be asked for again."""
    async with volatile_log() as log:
        for one in await played(log, agent):
            assert max(one.calls, default=0) <= agent.most_calls(1 + REASKS), (
                "`most_calls` says less"
            )


async def test_made_anew_it_decides_the_same(agent: AgentEntry) -> None:
    """Law 8: whatever it keeps is a fold of its view."""
    async with volatile_log() as log:
        for one in await played(log, agent):
            assert one.anew
            for lived, anew in one.anew:
                assert lived == anew


async def test_what_it_remembers_rests_on_what_it_perceived(agent: AgentEntry) -> None:
    async with volatile_log() as log:
        for one in await played(log, agent):
            for moment, notes in one.kept:
                for note in notes:
                    assert note.strategy and note.text
                    assert all(0 < place <= len(moment.view) for place in note.sources)


@pytest.mark.parametrize("who", ["Oda", "Bram", "Kit"])
async def test_what_it_did_not_witness_changes_nothing_that_it_does(
    agent: AgentEntry, who: str
) -> None:
    """Law 4."""
    async with volatile_log() as log:
        await played(log, agent)
        events = await events_of(log)
        events = events[: _last(events, who)]
        await log.append("whole", [event.draft for event in events])
        whole = await _all_of_it(agent, who, await _moment(log, "whole", who))
        for seed in range(5):
            await log.append(f"part{seed}", unseen_altered(events, who, Random(seed)))
            part = await _moment(log, f"part{seed}", who)
            assert await _all_of_it(agent, who, part) == whole


async def _all_of_it(agent: AgentEntry, who: str, moment: Moment) -> list[object]:
    """What one made anew keeps before a turn, does, and remembers."""
    return [
        await kept(made(agent, who), moment, "before_turn"),
        await decided(made(agent, who), moment),
        await kept(made(agent, who), moment, "remember"),
    ]


def _last(events: list[Event], who: str) -> int:
    """Up to the last deed that somebody witnessed."""
    return max(one.seq for one in events if isinstance(one.body, Acted) and who in one.witnesses)


async def _moment(log: Log, world: str, who: str) -> Moment:
    view = await log.view(world, who)
    opened = [isinstance(one.body, EpisodeOpened) for one in await view.events()]
    begins = len(opened) - 1 - opened[::-1].index(True)
    return Moment(who=who, view=view, begins=begins, present=("Nell",), turns_left=3)
