"""What every judge says of an episode: no judge is excused from any of it. Whoever runs it gives the
fixture `judge`, which makes one anew that may ask a model, and may have minds recollect."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from math import isfinite

import msgspec
import pytest
from model_servers import judged
from msgspec.structs import replace
from small_chains import SETTING, ByDigest, chain_of_minds, episodes
from store_places import VolatilePlace, log_at

from whoknew.agents.errors import ModelError, ServerUnavailable
from whoknew.agents.memories.recall import Recall
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Model, Reply, Request
from whoknew.engine.plan.plan import Plan
from whoknew.engine.playing import chain
from whoknew.engine.playing.case import Case
from whoknew.engine.playing.judge import Judge, Verdict
from whoknew.engine.playing.panel import Panel
from whoknew.worlds.setting import Need

Make = Callable[[Model, Callable[[str], Mind]], Judge]


class Filling:
    """A model that fills in whatever it is asked to, each prompt always the same way."""

    name = "filling:"

    async def complete(self, request: Request) -> Reply:
        return Reply(text=msgspec.json.encode(judged(int(request.digest[:2], 16))).decode())


class Rambling:
    """A model that never comes to the point, and counts how often it was asked to."""

    name = "rambling:"
    asked = 0

    async def complete(self, request: Request) -> Reply:
        self.asked += 1
        return Reply(text="Where to begin? They were all quite good, or nine.")


class Away:
    """A model that is not reached."""

    name = "away:"
    asked = 0

    async def complete(self, request: Request) -> Reply:
        self.asked += 1
        raise ServerUnavailable("away: not reached")


class Collecting:
    """A judge that says nothing, and keeps what it was shown."""

    def __init__(self) -> None:
        self.cases: list[Case] = []

    async def review(self, case: Case) -> list[Verdict]:
        self.cases.append(case)
        return []


def mind(who: str) -> Mind:
    return Mind(who, ByDigest(), Recall(), Plain())


@pytest.fixture
async def cases() -> AsyncIterator[list[Case]]:
    """The episodes of a chain, in the last of which it counts what was said in the first."""
    *others, last = episodes()
    setting = replace(
        SETTING, scenarios=(*others, replace(last, needs=(Need("thursday", "Oda", "say"),)))
    )
    collecting = Collecting()
    async with log_at(VolatilePlace()) as log:
        panel = Panel(Plan("ferry"), setting, {"collecting": collecting})
        run = await chain_of_minds(log, ByDigest(), panel=panel)
        await chain.play(run, setting, setting.scenarios)
        assert len(collecting.cases) == len(setting.scenarios)
        yield collecting.cases


async def test_there_is_one_verdict_at_most_on_each_who_was_there(
    judge: Make, cases: list[Case]
) -> None:
    one = judge(Filling(), mind)
    for case in cases:
        judged_people = [verdict.character for verdict in await one.review(case)]
        assert len(set(judged_people)) == len(judged_people)
        assert set(judged_people) <= set(case.people)


async def test_a_verdict_has_scores_or_says_why_not(judge: Make, cases: list[Case]) -> None:
    one = judge(Filling(), mind)
    verdicts = [verdict for case in cases for verdict in await one.review(case)]
    assert any(verdict.scores for verdict in verdicts)
    for verdict in verdicts:
        if verdict.scores is None:
            assert verdict.reason
        else:
            assert verdict.scores and all(map(isfinite, verdict.scores.values()))


async def test_made_anew_it_says_the_same(judge: Make, cases: list[Case]) -> None:
    """Law 8: of one episode, and whatever it has judged before."""
    lived = judge(Filling(), mind)
    for case in [*cases, *cases]:
        assert await lived.review(case) == await judge(Filling(), mind).review(case)


async def test_a_model_that_cannot_be_understood_is_a_failure_and_no_score(
    judge: Make, cases: list[Case]
) -> None:
    """Law 7."""
    for case in cases:
        model = Rambling()
        verdicts = await judge(model, mind).review(case)
        if model.asked:
            assert verdicts and all(one.scores is None and one.reason for one in verdicts)


async def test_a_model_that_is_away_is_not_judged_without(judge: Make, cases: list[Case]) -> None:
    """Law 7: that is left to whoever plays, who can ask again when it is back."""
    model = Away()
    try:
        await judge(model, mind).review(cases[-1])
    except ModelError:
        assert model.asked
    else:
        assert not model.asked


async def test_to_judge_writes_nothing(judge: Make, cases: list[Case]) -> None:
    one, log = judge(Filling(), mind), cases[0].log
    before = await log.worlds()
    for case in cases:
        await one.review(case)
    assert await log.worlds() == before
