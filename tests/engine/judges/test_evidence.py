"""How much came to mind, where a judge can tell."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from planted_failures import BEGINS, BOTH, SETTING, Played, drafts
from small_answers import answered
from store_places import VolatilePlace, log_at

from whoknew.agents.memories.entire import Entire
from whoknew.agents.memories.memory import Memory, Occasion, Recollection
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Message, Request
from whoknew.engine.judges.evidence import Evidence
from whoknew.engine.plan.plan import Plan
from whoknew.engine.playing.case import Ending, EpisodeCase
from whoknew.engine.playing.judge import Verdict
from whoknew.engine.running.models import Silent
from whoknew.eventlog import Draft, Event, View
from whoknew.eventlog.kinds import Acted, CharacterAdded, WorldOpened
from whoknew.worlds.setting import Need, Scenario


class AsksItself(Memory):
    """Has a model say what comes to mind."""

    async def recollect(self, now: Occasion) -> Recollection:
        await now.model.complete(Request("recollect", (Message("user", "What do you recall?"),)))
        return Recollection()


async def judged(memory: Memory) -> Verdict:
    """Of Bram, by whose turn in the second episode swans should have come to mind."""
    need = Need("s1", BOTH[0], "swans")
    scenarios = (Scenario("s1", "A pond.", BOTH), Scenario("s2", "A pub.", BOTH, needs=(need,)))
    setting = SETTING.__class__(
        name="s",
        title="S",
        begins=BEGINS,
        characters=SETTING.characters,
        scenarios=scenarios,
    )
    async with log_at(VolatilePlace()) as log:
        opened = [Draft(WorldOpened("S"), BEGINS), *(Draft(CharacterAdded(n)) for n in BOTH)]
        await log.append("w", opened)
        for number, scenario in enumerate(scenarios, 1):
            turns = [(who, Acted("Ducks, geese, swans.")) for who in BOTH * 2]
            put = await log.append("w", drafts(Played(scenario, turns), number))
        end = Ending("turn limit")
        case = await EpisodeCase.of(log, "w", Plan("s"), setting, put.first, put.last - 1, end)
        judge = Evidence(lambda who: Mind(who, Silent(), memory, Plain()))
        (verdict,) = await judge.review(case)
    return verdict


async def test_of_a_memory_that_asks_to_recollect_there_is_no_score_and_the_reason_why() -> None:
    verdict = await judged(AsksItself())
    assert (verdict.character, verdict.scores) == (BOTH[1], None)
    assert verdict.reason == "Bram's memory asks a model for what comes to mind"


async def test_what_comes_to_mind_turn_by_turn_is_looked_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[int] = []

    async def pick(view: View, places: Sequence[int]) -> list[Event]:
        looked.extend(places)
        return [(await View.events(view, place - 1, place))[0] for place in places]

    monkeypatch.setattr(View, "pick", pick)
    verdict = await judged(Entire())
    assert verdict.scores == {"recall": 1.0, "needed": 2.0}
    assert looked and len(looked) == len(set(looked))


async def test_an_answer_rests_on_part_of_the_evidence() -> None:
    for rests_on, scores in (
        ((), (0, 0, 0)),
        ((8,), (1 / 3, 1 / 2, 1)),
        ((8, 12), (2 / 3, 1 / 2, 1)),
        ((12,), (1 / 3, 0, 1 / 2)),
        ((8, 12, 13), (1, 1, 1)),
    ):
        case = await answered("x", rests_on=rests_on, evidence=((8,), (8, 12, 13)))
        (found,) = await Evidence(unasked).review(case)
        assert found.scores is not None
        assert tuple(found.scores.values()) == tuple(map(pytest.approx, scores))


async def test_nothing_is_said_of_evidence_that_nobody_could_know() -> None:
    """What was not witnessed counts for nothing beside what was."""
    assert await Evidence(unasked).review(await answered("x", evidence=((6,), (7,)))) == []
    (found,) = await Evidence(unasked).review(
        await answered("x", rests_on=(8,), evidence=((6,), (7, 8)))
    )
    assert found.scores == {"recall": 1, "covered": 1, "met": 1}
    (none,) = await Evidence(unasked).review(await answered("x"))
    assert none.scores is None and "no evidence" in none.reason


def unasked(who: str) -> Mind:
    raise AssertionError("of an answer no mind is asked")
