"""A long life is judged from what its judges need of it, and no event of it is read twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from planted_failures import BEGINS, BOTH, SETTING, Played, drafts
from store_places import VolatilePlace, log_at

from whoknew.engine.judges.rules import RulesJudge
from whoknew.engine.plan.plan import Plan
from whoknew.engine.playing.case import Ending, EpisodeCase
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.kinds import Acted, CharacterAdded, WorldOpened
from whoknew.worlds.setting import Need, Scenario


class Counting(Log):
    """A log that counts the events that are read."""

    events = 0

    async def read(self, *args: Any, **options: Any) -> AsyncIterator[Event]:
        async for event in super().read(*args, **options):
            self.events += 1
            yield event


async def judged(episodes: int, needs: tuple[Need, ...] = ()) -> tuple[int, list[Event]]:
    """How many events were read to judge each episode of a life, and the evidence of the last."""
    rules, evidence = RulesJudge(), list[Event]()
    async with log_at(VolatilePlace()) as under, Counting(under.store) as log:
        opened = [Draft(WorldOpened("S"), BEGINS), *(Draft(CharacterAdded(n)) for n in BOTH)]
        await log.append("w", opened)
        for number in range(1, episodes + 1):
            scenario = Scenario(f"s{number}", f"A pond, number {number}.", BOTH, needs=needs)
            turns = [(who, Acted(f"Ducks, geese, {number} swans.")) for who in BOTH * 2]
            put = await log.append("w", drafts(Played(scenario, turns), number))
            setting = type(SETTING)(
                name=SETTING.name,
                title=SETTING.title,
                begins=BEGINS,
                characters=SETTING.characters,
                scenarios=(scenario,),
            )
            end = Ending("turn limit")
            case = await EpisodeCase.of(log, "w", Plan("s"), setting, put.first, put.last - 1, end)
            await rules.review(case)
            evidence = await case.evidence()
        return log.events, evidence


async def test_the_rules_read_each_event_of_a_life_once() -> None:
    (short, _), (long, _) = await judged(20), await judged(40)
    assert long < 2.1 * short


async def test_evidence_is_looked_for_in_the_episodes_that_can_hold_it() -> None:
    needs = (Need("s2", BOTH[0], "swans"),)
    (short, some), (long, same) = await judged(20, needs), await judged(40, needs)
    assert [one.body.words for one in some] == ["Ducks, geese, 2 swans."] * 2
    assert [one.seq for one in some] == [one.seq for one in same]
    assert long < 2.2 * short
