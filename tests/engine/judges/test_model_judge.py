"""Judges that ask a model: what they are given, what they make of answers, and what of none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_servers import judged
from msgspec.structs import replace
from store_places import VolatilePlace, log_at

from whoknew.agents.memories.nothing import NoMemory
from whoknew.agents.models.model import DEFAULT, Model, Reply, Request
from whoknew.engine.judges.checklist import EIGHT
from whoknew.engine.judges.dimensions import SEVEN
from whoknew.engine.judges.model_judge import ModelJudge
from whoknew.engine.judges.scales import CHECKS, DIMENSIONS, OVERALL, overall
from whoknew.engine.plan.plan import Plan
from whoknew.engine.playing import chain
from whoknew.engine.playing.panel import Panel
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Failed, Reviewed
from whoknew.testing.small_chain import SETTING, chain_of_minds, events_of

Answers = Callable[[int], str]


class Judge:
    """A model that answers call by call, and keeps what it was asked."""

    name = "judge:"

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        return Reply(text=self._answers(len(self.asked) - 1))


class Quiet:
    """Says one word of its own at each turn."""

    name = "quiet:"

    async def complete(self, request: Request) -> Reply:
        return Reply(text='{"act": "speak", "text": "Good evening, ferry."}')


def said(chosen: int, **otherwise: Any) -> str:
    return msgspec.json.encode({**judged(chosen), **otherwise}).decode()


async def judged_by(model: Model, reasks: int = 2) -> list[Event]:
    """The reviews of one short episode of two, by both judges."""
    scenario = replace(SETTING.scenarios[2], turns=3, cast=("Oda", "Bram"), goals={"Oda": "Sail."})
    setting = replace(SETTING, scenarios=(scenario,))
    async with log_at(VolatilePlace()) as log:
        judges = {
            "seven": ModelJudge(SEVEN, model, DEFAULT, reasks),
            "eight": ModelJudge(EIGHT, model, DEFAULT, reasks),
        }
        panel = Panel(Plan("ferry"), setting, judges)
        run = await chain_of_minds(log, Quiet(), memory=lambda who: NoMemory(), panel=panel)
        await chain.play(run, setting, setting.scenarios)
        found = await events_of(log)
    return [one for one in found if isinstance(one.body, Reviewed | Failed)]


async def test_every_verdict_is_a_review_of_one_who_was_there_with_its_reasons() -> None:
    found = await judged_by(Judge(said))
    assert [(one.actor, one.body.judge) for one in found] == [  # type: ignore[union-attr]
        ("Oda", "seven"),
        ("Bram", "seven"),
        ("Oda", "eight"),
        ("Bram", "eight"),
    ]
    for call, event in enumerate(found):
        review, wanted = event.body, judged(call)
        assert isinstance(review, Reviewed)
        assert event.cause == found[0].seq - 1 and event.witnesses == ()
        names = DIMENSIONS if review.judge == "seven" else CHECKS
        for name in names:
            given = wanted[name].get("score", wanted[name].get("passed"))
            assert review.scores[name] == float(given)
            assert f"{name} {float(given):g}: Because of {call}." in review.reason
        if review.judge == "seven":
            assert review.scores[OVERALL] == overall(review.scores)


async def test_a_judge_reads_all_of_the_episode_and_what_was_wanted_in_it() -> None:
    model = Judge(said)
    await judged_by(model)
    text = model.asked[0].messages[1].text
    assert '"Sail."' in text and '"Sun."' in text
    assert '[1] Oda says: "Good evening, ferry."' in text
    assert "3 turns." in text and "- Bram (friend)" in text
    assert "Sail" not in model.asked[1].messages[1].text, "Bram's goal is not Oda's"


OUT = {
    "believability": {"reason": "", "score": 11},
    "secret": {"reason": "", "score": 1},
    "social_rules": {"reason": "", "score": -10.5},
}


@pytest.mark.parametrize("name", OUT)
async def test_a_score_out_of_range_is_asked_again_and_then_a_failure(name: str) -> None:
    def wrong(call: int) -> str:
        return said(call, **{name: OUT[name]}) if call < 2 else said(call)

    model = Judge(wrong)
    first, *_ = await judged_by(model)
    assert isinstance(first.body, Reviewed)
    assert f'"{name}" is' in model.asked[1].messages[-1].text

    always = Judge(lambda call: said(call, **{name: OUT[name]}))
    found = await judged_by(always)
    failed = [one for one in found if isinstance(one.body, Failed)]
    assert [one.actor for one in failed] == ["Oda", "Bram"]
    assert all(one.body.what == "review" for one in failed)  # type: ignore[union-attr]
    assert all("seven" in one.body.error for one in failed)  # type: ignore[union-attr]
    assert len(found) == 4, "the other judge is heard all the same"


@pytest.mark.parametrize(
    "text",
    ["", "I would give it a nine.", "{}", '{"believability": 9}', "null", '{"goal": {"score": 3}}'],
)
async def test_a_broken_judge_is_a_failure_and_never_a_score(text: str) -> None:
    model = Judge(lambda _: text)
    found = await judged_by(model, reasks=1)
    assert len(found) == 4 and all(isinstance(one.body, Failed) for one in found)
    assert len(model.asked) == 8


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 255), st.booleans())
def test_an_answer_in_prose_and_fences_is_read_as_it_is_meant(chosen: int, fenced: bool) -> None:
    def wrapped(_: int) -> str:
        text = said(chosen)
        return f"Let me see.\n```json\n{text}\n```" if fenced else f"Here: {text} That is all."

    found = asyncio.run(judged_by(Judge(wrapped)))
    assert all(isinstance(one.body, Reviewed) for one in found)
    eight = found[-1].body
    assert isinstance(eight, Reviewed)
    assert [eight.scores[name] for name in CHECKS] == [float(chosen >> bit & 1) for bit in range(8)]
