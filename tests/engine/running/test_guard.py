"""A plan's guard: lines that give away what their character cannot know are asked for again, and do not
reach the story."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from acknowledging_log import AcknowledgingLog
from leaking_models import Leaking
from memories_here import HERE
from msgspec import Struct
from planted_leaks import WAYS
from store_places import KINDS, log_at, place_for

from whoknew.agents.errors import ServerUnavailable
from whoknew.agents.models.address import OFFLINE
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.models.offline import Offline
from whoknew.engine import registry
from whoknew.engine.plan.plan import EVERYONE, Episodes, Guarding, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.chain import standing
from whoknew.engine.playing.guard import ChainGuard
from whoknew.engine.running.chains import Run
from whoknew.engine.running.models import ModelPool
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.run_report import RunReport
from whoknew.engine.travel.audit import audit
from whoknew.engine.travel.fork import Changes, fork
from whoknew.engine.travel.prompt import prompts
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Event, Log
from whoknew.eventlog.archive import copy_world
from whoknew.eventlog.kinds import Acted, Called, Failed
from whoknew.eventlog.machinery import LineRefused
from whoknew.eventlog.stores.volatile import VolatileStore
from whoknew.eventlog.story import story_digest
from whoknew.worlds import shelf

DINER = tuple(one.name for one in shelf.find("midnight-diner").scenarios[:3])


class Played(Struct):
    events: list[Event]
    model: Leaking
    report: RunReport

    def bodies(self, kind: type[Any]) -> list[Any]:
        return [event.body for event in self.events if isinstance(event.body, kind)]

    @property
    def asked(self) -> int:
        return sum(body.purpose == "act" for body in self.bodies(Called))

    @property
    def turns(self) -> int:
        return len(self.bodies(Acted)) + len(self.bodies(Failed))

    @property
    def reached(self) -> list[tuple[str, str]]:
        """The leaks that are said in the story."""
        said = {
            (event.actor, event.body.text) for event in self.events if isinstance(event.body, Acted)
        }
        return [leak for leak in self.model.leaks if leak in said]

    @property
    def story(self) -> tuple[str, list[Any]]:
        """Its digest, and what was refused."""
        refused = [
            (event.actor, event.body.text, event.body.score, event.body.kept)
            for event in self.events
            if isinstance(event.body, LineRefused)
        ]
        return story_digest(self.events), refused


def program(
    name: str, guard: bool | Guarding, *, play: Sequence[str] | None = None, **seat: Any
) -> Program:
    plan = Plan(
        world=name,
        agents={EVERYONE: Seat(guard=guard, **seat)},
        episodes=Episodes(play=tuple(play) if play else None),
        tellings=True,
        may_fail=1.0,
    )
    return Program.of(plan, shelf.find(name), ":memory:")


async def play(log: Log, program: Program, model: Leaking) -> Played:
    async with ModelPool(program.chains, models={OFFLINE: model}) as pool:
        run = Run(program, log, pool, Progress())
        await run.survey()
        report = await run.play()
    events = [event async for event in log.read(program.worlds[0])]
    return Played(events, model, report)


@pytest.fixture(scope="module")
def harbour() -> tuple[VolatileStore, Played]:
    """The harbour, guarded, with a third of its lines leaking: what was played, and where it stands."""
    store = VolatileStore()

    async def guarded() -> Played:
        async with Log(store) as log:
            model = Leaking(Offline(), log, "harbour", 0.3)
            return await play(log, program("harbour", True), model)

    return store, asyncio.run(guarded())


@pytest.mark.parametrize("name", ["harbour", "flatmates"])
async def test_of_lines_that_leak_word_for_word_none_reaches_the_story(name: str) -> None:
    async with Log(VolatileStore()) as log:
        found = await play(log, program(name, True), Leaking(Offline(), log, name, 0.3))
        assert found.report.finished
        assert len(found.model.leaks) > 15
        assert found.reached == []
        assert found.asked <= 1.6 * found.turns
        report = await audit(log, name)
        assert (report.leaks, report.refused) == (0, len(found.bodies(LineRefused)))


async def test_without_a_guard_all_of_them_do() -> None:
    async with Log(VolatileStore()) as log:
        found = await play(log, program("harbour", False), Leaking(Offline(), log, "harbour", 0.3))
        assert found.reached == found.model.leaks
        assert (await audit(log, "harbour")).leaks > 0.8 * len(found.reached)


@pytest.mark.parametrize("name", ["harbour", "flatmates"])
async def test_in_other_words_no_more_reach_it_than_an_audit_misses(name: str) -> None:
    async with Log(VolatileStore()) as log:
        found = await play(log, program(name, True), Leaking(Offline(), log, name, 0.3, *WAYS))
        assert len(found.reached) <= 0.15 * len(found.model.leaks)
        assert (await audit(log, name)).leaks == 0


def test_what_is_refused_is_on_the_log_and_witnessed_by_nobody(
    harbour: tuple[VolatileStore, Played],
) -> None:
    _, found = harbour
    refused = [(event, event.body) for event in found.events if isinstance(event.body, LineRefused)]
    assert [(event.actor, body.text) for event, body in refused] == found.model.leaks
    for event, body in refused:
        fact = found.events[body.fact - 1]
        assert event.witnesses == () and event.actor not in fact.witnesses
        assert body.score >= 0.5 and f"#{fact.seq}" in body.why
        asked = found.events[event.seq - 2].body
        assert isinstance(asked, Called) and body.text[:10] in (asked.reply or "")


def test_whoever_is_asked_again_is_told_neither_what_leaked_nor_what_it_said(
    harbour: tuple[VolatileStore, Played],
) -> None:
    _, found = harbour
    warned = [one for one in found.model.requests if "was taken back" in one.messages[0].text]
    assert len(warned) > 50
    for request in warned:
        assert request.sections
        plain = request.messages[0].text.partition("\n\n" + request.sections.who + " was about")[0]
        before = [one for one in found.model.requests if one.messages[0].text == plain]
        assert request.messages[1:] in [one.messages[1:] for one in before]


async def test_played_again_with_its_answers_the_story_is_the_same(
    harbour: tuple[VolatileStore, Played],
) -> None:
    store, found = harbour
    async with Log(store) as log:
        again = await rerun(log, "harbour")
        assert again.agrees, again
        refused = next(event for event in found.events if isinstance(event.body, LineRefused))
        cursor = f"E{refused.episode}.T{refused.turn}"
        (made,) = await prompts(log, "harbour", cursor, refused.actor)
        assert len(made.calls) > 1 and all(call.agrees for call in made.calls)


@pytest.mark.parametrize("then", ["drop", "keep"])
async def test_cut_off_anywhere_it_goes_on_to_the_same_story(then: Any) -> None:
    """As a killed process leaves its log: what is acknowledged is there, and nothing else."""
    guard = Guarding(tries=1, then=then)
    of = program("midnight-diner", guard, play=DINER)
    async with AcknowledgingLog() as log:
        whole = await play(log, of, Leaking(Offline(), log, "midnight-diner", 0.5))
        refused = [event.seq for event in whole.events if isinstance(event.body, LineRefused)]
        places = [head for head in log.heads if any(-4 < seq - head < 4 for seq in refused)]
        assert len(places) > 20
        for upto in places[::3]:
            async with Log(VolatileStore()) as other:
                await copy_world(log, "midnight-diner", upto, other)
                model = Leaking(Offline(), other, "midnight-diner", 0.5)
                rest = await play(other, of, model)
                assert rest.story == whole.story, upto


@pytest.mark.parametrize("kind", KINDS)
async def test_on_every_store_its_forks_go_on_to_the_same_story_and_it_plays_again(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Forked also between two tries, where what was refused is the newest that there is."""
    of = program("midnight-diner", True, play=DINER)
    with place_for(kind, tmp_path, request) as place:
        async with log_at(place) as log:
            whole = await play(log, of, Leaking(Offline(), log, "midnight-diner", 0.5))
            again = await rerun(log, "midnight-diner")
            assert again.agrees, again
            refused = [event.seq for event in whole.events if isinstance(event.body, LineRefused)]
            for seq in (refused[0], refused[-1]):
                for at in (seq - 1, seq, seq + 1):
                    child = (await fork(log, "midnight-diner", f"#{at}")).world
                    model = Leaking(Offline(), log, child, 0.5)
                    rest = await play(log, of.beginning_with(child), model)
                    assert rest.report.finished and rest.story == whole.story, at
                    assert (await rerun(log, child)).agrees


async def test_a_fork_in_which_somebody_was_told_goes_on_guarded_and_plays_again() -> None:
    """Whoever is told of something may speak of it, and whoever is not may not."""
    of = program("midnight-diner", True, play=DINER)
    async with Log(VolatileStore()) as log:
        whole = await play(log, of, Leaking(Offline(), log, "midnight-diner", 0.5))
        refused = next(event for event in whole.events if isinstance(event.body, LineRefused))
        assert refused.actor and isinstance(refused.body, LineRefused)
        told = Changes(tell=((refused.actor, refused.body.text),))
        child = (await fork(log, "midnight-diner", f"#{refused.seq - 2}", changes=told)).world
        guard = ChainGuard(log, child, await standing(log, child, of.chains[0].setting))
        assert await guard.leak(refused.actor, refused.body.text) is None
        model = Leaking(Offline(), log, child, 0.5)
        rest = await play(log, of.beginning_with(child), model)
        assert rest.report.finished and rest.reached == []
        assert rest.bodies(LineRefused) and (await rerun(log, child)).agrees


class AwayAt(Leaking):
    """Is not reached when it is asked for the nth time."""

    def __init__(self, log: Log, world: str, at: int) -> None:
        super().__init__(Offline(), log, world, 0.5)
        self._at = at

    async def complete(self, request: Request) -> Reply:
        if request.purpose == "act" and len(self.requests) == self._at:
            self._at = -1
            raise ServerUnavailable("away")
        return await super().complete(request)


async def test_suspended_between_two_tries_it_refuses_no_line_twice() -> None:
    of = program("midnight-diner", True, play=DINER)
    async with Log(VolatileStore()) as log:
        whole = await play(log, of, Leaking(Offline(), log, "midnight-diner", 0.5))
    for at in (5, 12, 20, 33):
        async with Log(VolatileStore()) as log:
            model = AwayAt(log, "midnight-diner", at)
            assert not (await play(log, of, model)).report.finished
            rest = await play(log, of, model)
            assert rest.report.finished and rest.story == whole.story


async def test_a_line_that_leaks_each_time_is_dropped_kept_or_stops_the_chain() -> None:
    for then in ("drop", "keep", "stop"):
        async with Log(VolatileStore()) as log:
            guard = Guarding(tries=1, then=then)  # type: ignore[arg-type]
            model = Leaking(Offline(), log, "midnight-diner", 1.0)
            found = await play(log, program("midnight-diner", guard), model)
            refused, failed = found.bodies(LineRefused), found.bodies(Failed)
            if then == "drop":
                assert found.report.finished and found.reached == []
                assert {one.what for one in failed} == {"turn"}
                assert "2 replies: the guard refused them" in failed[0].error
            elif then == "keep":
                assert not any("guard" in one.error for one in failed)
                assert len(found.reached) > 10
                assert sum(one.kept for one in refused) == len(refused) / 2
            else:
                assert found.report.chains[0].state == "suspended"
                assert [one.what for one in failed] == ["attempt"] and len(refused) == 2


@pytest.mark.parametrize("method", sorted(set(registry.METHODS.ours)))
async def test_it_guards_whatever_the_method(method: str) -> None:
    async with Log(VolatileStore()) as log:
        model = Leaking(Offline(), log, "midnight-diner", 0.3)
        of = program("midnight-diner", True, method=method)
        found = await play(log, of, model)
        assert found.report.finished and found.bodies(LineRefused)
        assert found.reached == []


@pytest.mark.parametrize("memory", sorted(set(HERE) - {"langmem", "mem0"}))
async def test_it_guards_whatever_the_memory_and_no_memory_keeps_what_it_refused(
    memory: str,
) -> None:
    async with Log(VolatileStore()) as log:
        model = Leaking(Offline(), log, "midnight-diner", 0.3)
        found = await play(log, program("midnight-diner", True, memory=memory), model)
        assert found.report.finished and found.bodies(LineRefused)
        assert found.reached == []
        for who, text in found.model.leaks:
            view = await (await log.view("midnight-diner", who)).events()
            assert not any(text in event.text for event in view)
