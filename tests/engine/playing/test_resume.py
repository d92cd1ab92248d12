"""Stopped anywhere, a chain goes on at the same turn (law 8), and tells the same story (law 9)."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memories_here import EACH
from store_places import VolatilePlace, log_at

from whoknew.agents.memories.memory import Memory
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.parts import Owner
from whoknew.engine.errors import PlanChanged
from whoknew.engine.playing import chain
from whoknew.engine.registry import MEMORIES
from whoknew.eventlog.kinds import Called
from whoknew.testing.small_chain import SETTING, chain_of_minds, digest_of, episodes, events_of
from whoknew.testing.stub_models import ByDigest
from whoknew.worlds.setting import Order

ORDERS: tuple[Order, ...] = ("round-robin", "simultaneous", "random")


class Killed(BaseException):
    """As if the process were gone: nothing catches it."""


class Mortal(ByDigest):
    """Dies at its n-th call: before it is sent, or with the answer under way."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self._left = calls
        self.in_flight = 0
        self.lost = 0

    async def complete(self, request: Request) -> Reply:
        self._left -= 1
        if self._left < 0:
            self.lost = self.in_flight
            raise Killed
        self.in_flight += 1
        reply = await super().complete(request)
        self.in_flight -= 1
        return reply


async def uninterrupted(order: Order, memory: str = "summary") -> tuple[str, ByDigest]:
    async with log_at(VolatilePlace()) as log:
        model = ByDigest()
        run = await chain_of_minds(log, model, memory=remembering(memory))
        await chain.play(run, SETTING, episodes(order))
        return await digest_of(log), model


def remembering(memory: str) -> Callable[[str], Memory]:
    """The memory of each character, by its name; a portrait is written as often as it can be."""
    entry = MEMORIES.made(memory, {"every": 1} if memory == "profile" else {})
    return lambda who: entry.make(Owner(who=who))


async def play(
    place: VolatilePlace, model: ByDigest, order: Order, memory: str = "summary"
) -> None:
    async with log_at(place) as log:
        try:
            run = await chain_of_minds(log, model, memory=remembering(memory))
            await chain.play(run, SETTING, episodes(order))
        except Killed:
            pass
        except BaseExceptionGroup as group:
            if group.subgroup(Killed) is None:
                raise


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lives=st.lists(st.integers(0, 12), min_size=1, max_size=8))
def test_a_chain_that_is_killed_again_and_again_tells_the_same_story(
    order: Order, lives: list[int]
) -> None:
    _killed(order, lives, "summary")


@pytest.mark.parametrize("memory", EACH)
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lives=st.lists(st.integers(0, 12), min_size=1, max_size=8))
def test_so_it_does_whatever_its_people_remember_by(memory: str, lives: list[int]) -> None:
    _killed("simultaneous", lives, memory)


def _killed(order: Order, lives: list[int], memory: str) -> None:
    """Each life ends at so many calls; the last one does not."""

    async def story() -> None:
        whole, model = await uninterrupted(order, memory)
        place, made, lost = VolatilePlace(), Counter[str](), 0
        for calls in lives:
            mortal = Mortal(calls)
            await play(place, mortal, order, memory)
            made.update(mortal.calls)
            lost += mortal.lost
        last = ByDigest()
        await play(place, last, order, memory)
        made.update(last.calls)
        async with log_at(place) as log:
            assert await digest_of(log) == whole
        assert set(made) == set(model.calls)
        assert made.total() - len(model.calls) <= lost

    asyncio.run(story())


@pytest.mark.parametrize("order", ORDERS)
async def test_the_order_in_which_answers_come_does_not_matter(order: Order) -> None:
    whole, _ = await uninterrupted(order)
    for seed in range(5):
        chance = random.Random(seed)
        async with log_at(VolatilePlace()) as log:
            model = ByDigest(lambda _, chance=chance: chance.choice((0, 0.001, 0.002)))
            await chain.play(await chain_of_minds(log, model), SETTING, episodes(order))
            assert await digest_of(log) == whole


async def test_a_chain_that_is_over_is_left_as_it_is() -> None:
    async with log_at(VolatilePlace()) as over:
        await chain.play(await chain_of_minds(over, ByDigest()), SETTING, episodes())
        before = await events_of(over)
        again = ByDigest()
        await chain.play(await chain_of_minds(over, again), SETTING, episodes())
        assert again.calls == []
        assert await events_of(over) == before


async def test_another_plan_does_not_go_on_with_a_story() -> None:
    async with log_at(VolatilePlace()) as log:
        await chain.play(await chain_of_minds(log, ByDigest()), SETTING, episodes())
        with pytest.raises(PlanChanged, match="played 'thursday' as episode 1, but the plan says"):
            await chain.play(await chain_of_minds(log, ByDigest()), SETTING, episodes()[::-1])


async def test_every_call_is_on_the_log_and_nobody_witnesses_it() -> None:
    async with log_at(VolatilePlace()) as log:
        model = ByDigest()
        await chain.play(await chain_of_minds(log, model), SETTING, episodes())
        calls = [one for one in await events_of(log) if isinstance(one.body, Called)]
    assert sorted(one.body.digest for one in calls) == sorted(model.calls)  # type: ignore[attr-defined]
    assert all(one.witnesses == () for one in calls)
