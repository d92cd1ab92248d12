"""Lives and questions by a model, step by step: what passes, and what is refused by which check."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from life_writers import GOOD, Bad, LifeModel, found_out, told_in
from lives_by_model import Lived

from whoknew.agents.errors import BadAnswer
from whoknew.engine.exams.clonemem.asked_life import KINDS
from whoknew.engine.exams.clonemem.stages.life_size import SIZES, FixedLife
from whoknew.worlds.lives.bank import DIMENSIONS
from whoknew.worlds.lives.checks import life_faults


@pytest.fixture(scope="module")
def whole() -> Lived:
    return asyncio.run(Lived(LifeModel()).lives())


@pytest.fixture(scope="module")
def unasked() -> Lived:
    return asyncio.run(Lived(LifeModel()).lives(2 + 3 * SIZES["trial"].states))


async def test_a_model_that_writes_well_makes_a_whole_life(whole: Lived) -> None:
    life, fixed = whole.graph, whole.fixed
    assert list(life_faults(life)) == []
    assert whole.refused == [
        (check, why) for check, why in whole.refused if check in ("struck", "nothing to ask")
    ]
    assert len(life.majors) == 3 * SIZES["trial"].states
    assert [len(one.states) for one in life.arcs] == [3, 3, 3]
    assert [one.dimension for one in life.arcs] == list(DIMENSIONS)
    assert (life.begins, life.persona.name) == (fixed.begins, fixed.persona.name)
    assert life.persona.traits == fixed.persona.traits and "bookbinder" in life.persona.profile
    assert len(life.traces) > len(life.events) > 50 // 2


async def test_what_it_is_like_inside_is_carried_over_and_never_begun_anew(whole: Lived) -> None:
    events = whole.graph.events
    for one, following in pairwise(events):
        assert following.before == one.after
    prompts = [one for one in whole.model.calls if one.purpose == "life.events"]
    for phase, asked in zip(whole.graph.phases, prompts, strict=True):
        assert f'"energy":{phase.before.energy}' in asked.messages[1].text


async def test_questions_are_of_all_kinds_and_rest_on_what_was_written_by_then(
    whole: Lived,
) -> None:
    traces = {one.id: one for one in whole.graph.traces}
    assert {one.kind for one in whole.questions} == set(KINDS)
    for one in whole.questions:
        days = [traces[str(name)].at.date().isoformat() for part in one.evidence for name in part]
        assert all(day < one.at.removeprefix("@") for day in days)
        assert (one.kind == "unanswerable") == (not one.evidence)
        assert one.choices[-1] == "I do not know" and one.choices.count(one.correct or "") == 1
        assert len(one.choices) == (4 if one.kind == "unanswerable" else 5)
        assert "model openai:lives" in " ".join(one.tags) and one.labels["outline"]


async def test_where_the_right_choice_stands_tells_nothing_and_a_matter_is_one_cluster(
    whole: Lived,
) -> None:
    known = [one for one in whole.questions if one.correct and one.kind != "unanswerable"]
    assert {one.choices.index(one.correct or "") for one in known} == {0, 1, 2, 3}
    arcs = {one.id for one in whole.graph.arcs}
    assert {(one.cluster or "").partition(",")[0] for one in known} == arcs
    asked = [
        told_in(one.messages[1].text) for one in whole.model.calls if one.purpose == "life.solve"
    ]
    right = {one.reference for one in known}
    choices = [[it["choice"] for it in one["The choices"]] for one in asked]
    assert len({place for some in choices for place, it in enumerate(some) if it in right}) > 1


async def test_some_are_struck_with_reasons(whole: Lived) -> None:
    struck = [why for check, why in whole.refused if check == "struck"]
    assert struck and all(struck)
    assert len(whole.questions) > len(struck)


async def test_the_second_one_is_told_no_days_and_no_order(whole: Lived) -> None:
    for one in (it for it in whole.model.calls if it.purpose == "life.solve"):
        assert '"day"' not in one.messages[1].text


async def test_what_is_told_of_a_life_at_a_date_is_nothing_that_comes_later(unasked: Lived) -> None:
    later = {
        one.claim
        for one in unasked.graph.evidence
        if unasked.graph.events[int(one.event[1:]) - 1].at.date() >= unasked.fixed.moments[0]
    }
    place = next(one for one in unasked.stages.rows[0] if one.name == "questions")
    model = LifeModel()
    await unasked.stages.drafted(place, lambda who, address: model)
    told = "\n".join(message.text for one in model.calls for message in one.messages)
    assert later and not [claim for claim in later if claim in told]


def _first(**changes: Any) -> Bad:
    """The first of its list changed so."""

    def bad(said: dict[str, Any]) -> dict[str, Any]:
        ((name, (one, *more)),) = said.items()
        return {name: [{**one, **changes}, *more]}

    return bad


def _fewer(said: dict[str, Any]) -> dict[str, Any]:
    ((name, (_, *more)),) = said.items()
    return {name: more}


def _anew(said: dict[str, Any]) -> dict[str, Any]:
    *most, last = said["events"]
    return {"events": [*most, {**last, "stress": 0.99 if last["stress"] < 0.4 else 0.0}]}


def _early(said: dict[str, Any]) -> dict[str, Any]:
    first, second, *more = said["events"]
    return {"events": [first, {**second, "at": first["at"][:11] + "01:00"}, *more]}


BREAKS: Sequence[tuple[str, str, Bad]] = [
    ("life.persona", "people", lambda said: {"contacts": said["contacts"][1:]}),
    ("life.persona", "people", lambda said: {"contacts": [*said["contacts"]] * 2}),
    ("life.persona", "length", lambda said: {"job": ""}),
    ("life.persona", "persona", lambda said: {"personality": "Neuroticism 5."}),
    ("life.arcs", "arcs", _fewer),
    ("life.arcs", "arcs", lambda said: {"arcs": [said["arcs"][0]] * 3}),
    ("life.arcs", "feeling", lambda said: {"arcs": [_felt(one) for one in said["arcs"]]}),
    ("life.events", "events", _fewer),
    ("life.events", "times", _first(at="1999-01-01T08:00")),
    ("life.events", "times", _first(at="in the evening")),
    ("life.events", "times", _early),
    ("life.events", "turn", _first(arc="")),
    ("life.events", "arcs", _first(arc="another life")),
    ("life.events", "turn", _first(evidence=[{"sort": "fact", "claim": "It was so."}])),
    ("life.events", "snapshot", _first(energy=1.5)),
    ("life.events", "snapshot", _anew),
    ("life.events", "feeling", _first(emotion="hungry")),
    ("life.events", "evidence", _first(evidence=[{"sort": "fact", "claim": "It was so."}] * 2)),
    ("life.intents", "evidence", lambda said: {"traces": said["traces"][2:]}),
    ("life.intents", "evidence", _first(evidence=[99])),
    ("life.intents", "evidence", _first(evidence=[])),
    ("life.intents", "people", _first(to=["Nobody At All"])),
    ("life.intents", "people", _first(medium="private message", to=[])),
    ("life.intents", "people", _first(medium="e-mail", to=["Nobody At All"])),
    ("life.intents", "times", _first(after=10**9)),
    ("life.intents", "traces", lambda said: {"traces": said["traces"] * 9}),
    ("life.trace", "length", lambda said: {"text": "word " * 9000}),
    ("life.trace", "shows", lambda said: {"text": "Nothing."}),
    ("life.trace", "wording", lambda said: {"text": f"{said['text']} \x07"}),
]


def _felt(arc: dict[str, Any]) -> dict[str, Any]:
    return {**arc, "states": [{**one, "feeling": "hungry"} for one in arc["states"]]}


@pytest.mark.parametrize(("purpose", "check", "bad"), BREAKS)
async def test_what_breaks_a_check_is_asked_for_again_and_told_why(
    purpose: str, check: str, bad: Bad
) -> None:
    lived = await Lived(LifeModel({purpose: bad})).lives(3)
    assert {name for name, _ in lived.refused} == {check}
    assert list(life_faults(lived.graph)) == []
    _, why = lived.refused[0]
    again = next(one for one in lived.model.calls if len(one.messages) > 2)
    assert why in again.messages[-1].text


@pytest.mark.parametrize("purpose", ["life.persona", "life.arcs", "life.events", "life.trace"])
async def test_what_never_passes_is_a_failure_after_a_bounded_number_of_times(purpose: str) -> None:
    breaks = {name: bad for name, _, bad in reversed(BREAKS)}
    lived = Lived(LifeModel({purpose: breaks[purpose]}, always=True))
    with pytest.raises(BadAnswer, match=f"{purpose} did not do 3 times"):
        await lived.lives(3)
    assert sum(one.purpose == purpose for one in lived.model.calls) == 3


HOSTILE: Sequence[Any] = (
    None, "", 0, -1, 10**9, -(10**9), 10**30, 1e308, True, [], {}, [[]] * 50, ["x"] * 5000, "\x00",
    "\ud800", "a" * 70_000, "# The person\n{}", "9999-12-31T23:59", "0001-01-01T00:00",
    "2021-02-30T10:00", "2021-05-05T10:00+05:00", "2021-05-05", "\u202eevil",
)  # fmt: skip
"""What may stand wherever a model says something."""


def _spoilt(said: Any, draw: Random) -> Any:
    """One thing of it, however deep, is another."""
    if isinstance(said, dict | list) and said and draw.random() < 0.85:
        place = draw.choice(list(said) if isinstance(said, dict) else range(len(said)))
        copy = dict(said) if isinstance(said, dict) else [*said]
        copy[place] = _spoilt(said[place], draw)
        return copy
    return draw.choice(HOSTILE)


@pytest.mark.parametrize("purpose", sorted(GOOD))
async def test_whatever_a_model_says_is_asked_for_again_or_a_failure(purpose: str) -> None:
    for number in range(6):
        draw = Random(f"{purpose}/{number}")
        model = LifeModel({purpose: lambda said, draw=draw: _as_said(_spoilt(said, draw))})  # type: ignore[misc]
        lived = Lived(model)
        with suppress(BadAnswer):
            await lived.lives(12 if purpose in LATE else 3)
        assert len(model.calls) < 1000
        if lived.told.majors:
            assert list(life_faults(lived.graph)) == []


LATE = ("life.gate", "life.question", "life.wrong", "life.solve", "life.review")
"""What is asked when a life is whole."""


def _as_said(said: Any) -> dict[str, Any]:
    return said if isinstance(said, dict) else {"nothing": said}


QUESTION_BREAKS: Sequence[tuple[str, str, Bad]] = [
    ("life.gate", "evidence", lambda said: {"evidence": [10_000]}),
    ("life.gate", "times", lambda said: {"ends": "2099-01-01", "evidence": said["evidence"]}),
    ("life.gate", "nothing to ask", lambda said: {"possible": False, "why": "Too little."}),
    ("life.question", "one question", lambda said: {"question": "What was it? And who?"}),
    ("life.question", "one question", lambda said: {"question": "Tell me of it."}),
    ("life.question", "copy", lambda said: {"question": "What was there of all of it?"}),
    ("life.question", "given away", lambda said: {"question": f"Is it {said['answer']}?"}),
    ("life.question", "support", lambda said: {"answer": "A dromedary sang falsetto"}),
    ("life.wrong", "choices", lambda said: {"wrong": said["wrong"][:2]}),
    ("life.wrong", "choices", lambda said: {"wrong": ["I do not know", *said["wrong"][1:]]}),
    ("life.wrong", "one right", lambda said: {"wrong": [said["wrong"][0]] * 3}),
]


@pytest.mark.parametrize(("purpose", "check", "bad"), QUESTION_BREAKS)
async def test_a_question_that_breaks_a_check_is_asked_for_again(
    unasked: Lived, purpose: str, check: str, bad: Bad
) -> None:
    place = next(one for one in unasked.stages.rows[0] if one.name == "questions")
    model = LifeModel({purpose: bad})
    draft = await unasked.stages.drafted(place, lambda who, address: model)
    assert check in {one.check for one in draft.refused}
    assert all(one.why for one in draft.refused)


async def test_wrong_answers_that_are_seen_through_are_given_anew_and_then_it_is_struck(
    unasked: Lived,
) -> None:
    place = next(one for one in unasked.stages.rows[0] if one.name == "questions")
    model = Reading()
    draft = await unasked.stages.drafted(place, lambda who, address: model)
    assert {one.kind for one in draft.questions} <= {"unanswerable"}
    refused = [one for one in draft.refused if one.check == "seen through"]
    asked = [one for one in model.calls if one.purpose == "life.solve"]
    assert refused and len(asked) == 3 * len(refused)


class Reading(LifeModel):
    """The second one finds what was said."""

    async def complete(self, request: Any) -> Any:
        reply = await super().complete(request)
        if request.purpose != "life.solve":
            return reply
        found = found_out(request.messages[1].text)
        return type(reply)(text=str(found).replace("'", '"'), tokens_in=1, tokens_out=1)


async def test_each_seed_is_another_person_and_the_same_seed_the_same() -> None:
    lives = [FixedLife.of("short", seed) for seed in range(1, 40)]
    assert len({one.name for one in lives}) == len(lives)
    assert FixedLife.of("short", 7) == lives[6]
    for one in lives:
        days = [major.day for major in one.majors]
        assert days == sorted(set(days)) and one.begins <= days[0] and days[-1] <= one.ends
        phases = [phase for number in range(len(days)) for phase in one.phases(number)]
        for phase, following in pairwise(phases):
            assert phase.ends + timedelta(days=1) == following.begins
        assert phases[-1].ends == one.ends
