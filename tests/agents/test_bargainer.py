"""A bargainer plays by rule, and what it remembers is worth points."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_places import VolatilePlace, log_at

from whoknew.agents.agent import Agent
from whoknew.agents.bargainer import Bargainer
from whoknew.agents.divisions import Divisions, _number, _ways, value
from whoknew.agents.memories.entire import Entire
from whoknew.agents.memories.memory import Memory
from whoknew.agents.memories.nothing import NoMemory
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.offline import Offline
from whoknew.engine.playing import chain
from whoknew.eventlog import Event
from whoknew.eventlog.dealing import total
from whoknew.eventlog.kinds import Acted, Reviewed
from whoknew.testing.small_chain import events_of, run_of
from whoknew.worlds.setting import Character, Scenario, Setting
from whoknew.worlds.shelf import find

PEOPLE = ("Ada", "Ben")
THINGS = ("book", "hat", "pan", "fern")


def drawn(seed: int, episodes: int = 12, turns: int = 4) -> Setting:
    """People whose tastes stay, and pools that change, all from the seed."""
    chance = Random(seed)
    worth = {who: {one: chance.choice((1, 2, 3, 5, 8)) for one in THINGS} for who in PEOPLE}
    scenarios = tuple(
        Scenario(
            f"share {number}",
            "Things.",
            PEOPLE if number % 2 else PEOPLE[::-1],
            pool={one: chance.randint(1, 3) for one in THINGS},
            worth=worth,
            order="round-robin",
            turns=turns,
            stale=2,
        )
        for number in range(episodes)
    )
    people = tuple(map(Character, PEOPLE))
    return Setting("drawn", "Drawn", datetime(2000, 1, 1), people, scenarios)


async def played(setting: Setting, remembering: Sequence[str], fresh: bool = False) -> list[Event]:
    async with log_at(VolatilePlace()) as log:

        def made(who: str) -> Bargainer:
            memory: Memory = Entire() if who in remembering else NoMemory()
            return Bargainer(Mind(who, Offline(), memory, Plain()))

        class Anew(Agent):
            """A new bargainer at every turn."""

            def __init__(self, who: str) -> None:
                self._who = who

            async def act(self, moment):  # type: ignore[no-untyped-def]
                return await made(self._who).act(moment)

            async def remember(self, moment):  # type: ignore[no-untyped-def]
                return ()

        people = [one.name for one in setting.characters]
        agents = {who: Anew(who) if fresh else made(who) for who in people}
        run = await run_of(log, setting.name, setting, lambda _: agents)
        await chain.play(run, setting, setting.scenarios)
        return await events_of(log, setting.name)


def earned(events: Sequence[Event]) -> dict[str, float]:
    """The points of each, from the second episode on: before it nobody has anything to remember."""
    points: dict[str, float] = {}
    for event in events:
        if isinstance(event.body, Reviewed) and event.episode > 1:
            for who, score in event.body.scores.items():
                points[who] = points.get(who, 0) + score
    return points


async def test_memory_raises_points_over_a_chain() -> None:
    forgetful, mindful, one = 0.0, 0.0, 0.0
    for seed in range(12):
        setting = drawn(seed)
        forgetful += sum(earned(await played(setting, ())).values())
        mindful += sum(earned(await played(setting, PEOPLE)).values())
        one += sum(earned(await played(setting, PEOPLE[:1])).values())
    assert mindful > 1.04 * forgetful
    assert mindful > one > forgetful


async def test_memory_raises_points_in_the_bundled_flat() -> None:
    setting = find("flatmates")
    everybody = [one.name for one in setting.characters]
    forgetful, mindful = [earned(await played(setting, some)) for some in ((), everybody)]
    assert sum(mindful.values()) > 1.1 * sum(forgetful.values())
    assert all(mindful[who] > forgetful[who] for who in everybody)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_made_anew_from_its_view_it_acts_the_same(seed: int) -> None:
    import asyncio

    async def both() -> None:
        setting = drawn(seed, episodes=4)
        lived = await played(setting, PEOPLE)
        again = await played(setting, PEOPLE, fresh=True)
        assert [one.body for one in lived] == [one.body for one in again]

    asyncio.run(both())


async def test_it_says_on_what_of_earlier_episodes_it_relies() -> None:
    events = await played(drawn(3), PEOPLE)
    relying = [one for one in events if isinstance(one.body, Acted) and one.about]
    assert relying
    for one in relying:
        (source,) = one.about
        told = events[source - 1]
        assert told.episode < one.episode
        assert told.actor != one.actor
        assert "before" in one.body.words


async def test_where_there_is_nothing_to_divide_it_does_nothing() -> None:
    setting = drawn(1, episodes=1)
    bare = Setting(
        "drawn",
        "D",
        datetime(2000, 1, 1),
        setting.characters,
        (Scenario("talk", "Talk.", PEOPLE, order="round-robin", turns=4, stale=2),),
    )
    events = await played(bare, PEOPLE)
    assert {one.body.act for one in events if isinstance(one.body, Acted)} == {"none"}


@given(st.dictionaries(st.sampled_from(THINGS), st.integers(0, 3), min_size=1), st.integers(1, 3))
def test_divisions_are_all_the_ways_to_give_all_of_it_away(
    pool: dict[str, int], people: int
) -> None:
    names = ["Ada", "Ben", "Cy"][:people]
    found = Divisions(pool, names)
    assert all(total(one) == {**dict.fromkeys(pool, 0), **pool} for one in found)
    assert len({str(one) for one in found}) == len(found)
    whole = value(pool, dict.fromkeys(pool, 1))
    assert any(value(one[names[0]], dict.fromkeys(pool, 1)) == whole for one in found)


@pytest.mark.parametrize("count", [40, 400])
def test_a_great_pool_is_divided_in_greater_steps(count: int) -> None:
    pool = dict.fromkeys(THINGS, count)
    found = Divisions(pool, PEOPLE)
    assert 100 < len(found) <= 50_000
    assert all(total(one) == pool for one in found)


@pytest.mark.parametrize("things", [16, 40])
def test_many_different_things_are_divided_in_lots(things: int) -> None:
    pool = {f"thing {number}": number % 3 + 1 for number in range(things)}
    found = Divisions(pool, PEOPLE)
    assert 100 < len(found) <= 50_000
    some = [found[place] for place in range(0, len(found), 997)]
    assert all(total(one) == pool for one in some)
    everything = float(sum(pool.values()))
    assert found.values("Ada", dict.fromkeys(pool, 1.0)).max() == everything


@pytest.mark.parametrize(("count", "people"), [(10**12, 2), (100, 10)])
def test_a_pool_is_cut_down_without_going_through_all_of_it(count: int, people: int) -> None:
    found = Divisions({"coin": count}, [f"person {number}" for number in range(people)])
    assert 100 < len(found) <= 50_000
    assert total(found[-1]) == {"coin": count}


@given(st.integers(0, 12), st.integers(1, 4), st.integers(1, 13))
def test_how_many_ways_there_are_is_known_without_going_through_them(
    count: int, people: int, step: int
) -> None:
    assert _number((count,), people, step) == len(list(_ways(count, people, step)))
