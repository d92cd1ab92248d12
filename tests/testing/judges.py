"""What every judge is held to. None is excused from any of it.

- There is one verdict at most on each who was there, or on who answered: with scores that are numbers,
  or why there are none.
- Law 7: what a model says that cannot be understood is a verdict without scores; the error of a model
  that is away is left to whoever plays. It may raise a ModelError and nothing else.
- Law 8: made anew it says the same. To judge writes nothing.
- A judge that asks no model says so in its entry, and one that asks, too (so that its calls are forecast).

Give the fixture `judge`: its entry, with the settings to be tested; it is given episodes or answers, as
its `judges` says. A judge that asks for more than a schema can say gives the fixture `answering`, too: a
model that answers what it understands.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from math import isfinite
from typing import Any, TypeVar

import pytest
import pytest_asyncio
from msgspec.structs import replace

from whoknew.agents.errors import ModelError
from whoknew.agents.memories.recall import Recall
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Model, Sampling
from whoknew.engine.plan.plan import Plan
from whoknew.engine.playing import chain
from whoknew.engine.playing.case import AnswerCase, Case, EpisodeCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Verdict
from whoknew.engine.playing.panel import Panel
from whoknew.testing.small_chain import SETTING, chain_of_minds, episodes, volatile_log
from whoknew.testing.stub_models import Away, ByDigest, Rambling
from whoknew.worlds.setting import Need

T = TypeVar("T")

pytestmark = pytest.mark.asyncio


class _Collecting:
    """A judge that says nothing, and keeps what it was shown."""

    def __init__(self) -> None:
        self.cases: list[EpisodeCase] = []

    async def review(self, case: EpisodeCase) -> list[Verdict]:
        self.cases.append(case)
        return []


def made(judge: JudgeEntry, model: Model) -> Judge[Any]:
    bench = Bench(model=model, sampling=Sampling(temperature=0.0), reasks=2, mind=remembering)
    return judge.make(bench)


def remembering(who: str) -> Mind:
    return Mind(who, ByDigest(), Recall(10), Plain())


@pytest.fixture
def answering() -> Model:
    """A model that fills in whatever it is asked to, each prompt always the same way."""
    return ByDigest()


@pytest_asyncio.fixture
async def played() -> AsyncIterator[list[EpisodeCase]]:
    """The episodes of a chain, in the last of which it counts what was said in the first."""
    *others, last = episodes()
    setting = replace(
        SETTING, scenarios=(*others, replace(last, needs=(Need("thursday", "Oda", "say"),)))
    )
    collecting = _Collecting()
    async with volatile_log() as log:
        panel = Panel(Plan("ferry"), setting, {"collecting": collecting})
        run = await chain_of_minds(log, ByDigest(), panel=panel)
        await chain.play(run, setting, setting.scenarios)
        assert len(collecting.cases) == len(setting.scenarios)
        yield collecting.cases


@pytest_asyncio.fixture
async def cases(judge: JudgeEntry, played: list[EpisodeCase]) -> list[Case]:
    """The episodes, and answers that were given after them: all of it, half of it, nothing."""
    answers = [await answered(played[-1], text) for text in ANSWERS]
    given: dict[Judged, list[Any]] = {"episode": played, "answer": answers}
    return [case for what in judge.judges for case in given[what]]


ANSWERS = ("Bram shall pay on the other side.", "On the other side, I think.", "I do not know.")


async def answered(after: EpisodeCase, text: str) -> AnswerCase:
    view = await after.log.view(after.events[0].world, "Oda")
    (first,), (last,) = await view.events(0, 1), await view.last(1)
    return AnswerCase(
        character="Oda",
        question="Who pays, and where?",
        answer=text,
        rests_on=(first,),
        view=view,
        reference="Bram pays on the other side.",
        choices=("Bram", "Oda"),
        correct="Bram",
        evidence=((first.seq,), (first.seq, last.seq)),
        labels={"known": True, "temporal": "Bram has the ferry by now."},
        came=partial(_given, frozenset((first.seq,))),
        brought=partial(_given, ('[1] Oda says: "Bram pays."',)),
    )


async def _given(what: T) -> T:
    return what


async def test_there_is_one_verdict_at_most_on_each_whom_it_is_about(
    judge: JudgeEntry, answering: Model, cases: list[Case]
) -> None:
    one = made(judge, answering)
    for case in cases:
        judged_people = [verdict.character for verdict in await one.review(case)]
        assert len(set(judged_people)) == len(judged_people)
        assert set(judged_people) <= set(case.people)


async def test_a_verdict_has_scores_or_says_why_not(
    judge: JudgeEntry, answering: Model, cases: list[Case]
) -> None:
    one = made(judge, answering)
    verdicts = [verdict for case in cases for verdict in await one.review(case)]
    assert any(verdict.scores for verdict in verdicts)
    for verdict in verdicts:
        if verdict.scores is None:
            assert verdict.reason
        else:
            assert verdict.scores and all(map(isfinite, verdict.scores.values()))


async def test_made_anew_it_says_the_same(
    judge: JudgeEntry, answering: Model, cases: list[Case]
) -> None:
    """Law 8: of one episode, and whatever it has judged before."""
    lived = made(judge, answering)
    for case in [*cases, *cases]:
        assert await lived.review(case) == await made(judge, answering).review(case)


async def test_a_model_that_cannot_be_understood_is_a_failure_and_no_score(
    judge: JudgeEntry, cases: list[Case]
) -> None:
    """Law 7."""
    for case in cases:
        model = Rambling()
        verdicts = await made(judge, model).review(case)
        if model.asked:
            assert verdicts and all(one.scores is None and one.reason for one in verdicts)


async def test_a_model_that_is_away_is_not_judged_without(
    judge: JudgeEntry, cases: list[Case]
) -> None:
    """Law 7: that is left to whoever plays, who can ask again when it is back."""
    model = Away()
    try:
        await made(judge, model).review(cases[-1])
    except ModelError:
        assert model.asked
    else:
        assert not model.asked
    assert bool(model.asked) == judge.asks, "`asks` says otherwise"


async def test_it_makes_no_more_calls_than_its_entry_says(
    judge: JudgeEntry, cases: list[Case]
) -> None:
    """Those that are forecast, where no answer is understood."""
    for case in cases:
        model = Rambling()
        await made(judge, model).review(case)
        assert model.asked <= judge.most_calls(2) * len(case.people), "`most_calls` says less"


async def test_to_judge_writes_nothing(
    judge: JudgeEntry, answering: Model, cases: list[Case], played: list[EpisodeCase]
) -> None:
    one, log = made(judge, answering), played[0].log
    before = await log.worlds()
    for case in cases:
        await one.review(case)
    assert await log.worlds() == before
