"""What is refused of a life that a model writes, reason by reason; and what it is told as it goes on."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from life_writers import THINGS, Bad, LifeModel, told_in
from lives_by_model import Lived
from msgspec.structs import replace

from whoknew.engine.exams.clonemem.asked_life import LifeIndex
from whoknew.engine.exams.clonemem.stages.life_size import FixedLife
from whoknew.engine.exams.clonemem.stages.phase_events import LAST
from whoknew.engine.exams.clonemem.stages.plain_text import text_fault
from whoknew.engine.exams.clonemem.stages.question_drafts import SHOWN, buckets, solve_request
from whoknew.worlds.lives.bank import DIMENSIONS
from whoknew.worlds.lives.making import life_of


def _arcs(**changes: Any) -> Bad:
    """The first arc changed so."""

    def bad(said: dict[str, Any]) -> dict[str, Any]:
        first, *more = said["arcs"]
        return {"arcs": [{**first, **changes}, *more]}

    return bad


def _states(**changes: Any) -> Bad:
    """Each state of the first arc changed so."""

    def bad(said: dict[str, Any]) -> dict[str, Any]:
        states = [{**one, **changes} for one in said["arcs"][0]["states"]]
        return _arcs(states=states)(said)

    return bad


def _alike(said: dict[str, Any]) -> dict[str, Any]:
    return _arcs(title=said["arcs"][1]["title"].upper())(said)


def _stranger(said: dict[str, Any]) -> dict[str, Any]:
    return {"contacts": [*said["contacts"], {"name": "Nobody At All", "text": "Knows knots."}]}


def _event(place: int, **changes: Any) -> Bad:
    """An event changed so."""

    def bad(said: dict[str, Any]) -> dict[str, Any]:
        events = [*said["events"]]
        events[place] = {**events[place], **changes}
        return {"events": events}

    return bad


def _at_once(said: dict[str, Any]) -> dict[str, Any]:
    last = said["events"][-1]["at"]
    return {"events": [{**one, "at": last} for one in said["events"]]}


def _zoned(said: dict[str, Any]) -> dict[str, Any]:
    return _event(0, at=f"{said['events'][0]['at']}+00:00")(said)


def _not_begun(said: dict[str, Any]) -> dict[str, Any]:
    begun = {one["arc"] for one in said["events"]}
    return _event(-1, arc=next(one for one in THINGS[:3] if one not in begun))(said)


def _exhausted(said: dict[str, Any]) -> dict[str, Any]:
    """From the first event to the last by more than one takes, though not from where it began."""
    energy = said["events"][0]["energy"]
    *most, one, last = said["events"]
    low, high = max(0.0, energy - 0.4), min(1.0, energy + 0.4)
    return {"events": [*most, {**one, "energy": low}, {**last, "energy": high}]}


def _piece(claim: str) -> dict[str, str]:
    return {"sort": "fact", "claim": claim}


def _everywhere(said: dict[str, Any]) -> dict[str, Any]:
    same = _piece("A heron stood on the roof.")
    return {"events": [{**one, "evidence": [*one["evidence"], same]} for one in said["events"]]}


FOUR = [_piece(f"It was thing {number} of it.") for number in range(4)]


def _intent(**changes: Any) -> Bad:
    def bad(said: dict[str, Any]) -> dict[str, Any]:
        first, *more = said["traces"]
        return {"traces": [{**first, **changes}, *more]}

    return bad


def _to_others(said: dict[str, Any]) -> dict[str, Any]:
    friend = next(one["to"][0] for one in said["traces"] if one["to"])
    return _intent(medium="diary", to=[friend])(said)


def _post_to_one(said: dict[str, Any]) -> dict[str, Any]:
    friend = next(one["to"][0] for one in said["traces"] if one["to"])
    return _intent(medium="post", to=[friend])(said)


def _twice(said: dict[str, Any]) -> dict[str, Any]:
    friend = next(one["to"][0] for one in said["traces"] if one["to"])
    return _intent(medium="e-mail", to=[friend, friend])(said)


def _to_oneself(said: dict[str, Any]) -> dict[str, Any]:
    friend = next(one["to"][0] for one in said["traces"] if one["to"])
    return _intent(medium="e-mail", writer=friend, to=[friend])(said)


FRIENDS = [one.name for one in FixedLife.of("trial", 1).contacts[:2]]

REASONS: list[tuple[str, str, Bad]] = [
    ("life.persona", "4 concerns are given", lambda said: {"concerns": ["a", "b", "c", "d"]}),
    ("life.persona", "a concern has 21 words", lambda said: {"concerns": ["so " * 21, "rent"]}),
    ("life.persona", "nobody is called 'Nobody At All'", _stranger),
    (
        "life.arcs",
        "4 arcs are given: give 3",
        lambda said: {"arcs": [*said["arcs"], *said["arcs"][:1]]},
    ),
    ("life.arcs", "a title has 13 words", _arcs(title="so " * 13)),
    ("life.arcs", "a state has 1 words: give 2 to 20", _states(state="done")),
    ("life.arcs", "a cue has 41 words", _states(cue="so " * 41)),
    ("life.arcs", "has the cue 'a lamp burnt' twice", _states(cue="a lamp burnt")),
    ("life.arcs", "two arcs are called", _alike),
    ("life.events", "is not in these days", _event(-1, at="2099-01-01T08:00")),
    ("life.events", "is no time as", _zoned),
    ("life.events", "no matter is called", _not_begun),
    ("life.events", "has to be the turn", _at_once),
    ("life.events", "4 things are given: give one to three", _event(-1, evidence=FOUR)),
    ("life.events", "was said before", _everywhere),
    ("life.events", "by one event", _exhausted),
    ("life.intents", "outside of these days", _intent(after=-1)),
    ("life.intents", "a diary is written by", _to_others),
    ("life.intents", "a post is written by", _post_to_one),
    ("life.intents", "goes to one person", _intent(medium="private message", to=FRIENDS)),
    ("life.intents", "has to write to somebody else", _twice),
    ("life.intents", "has to write to somebody else", _to_oneself),
    (
        "life.intents",
        "neither writes nor reads it",
        _intent(medium="e-mail", writer=FRIENDS[0], to=FRIENDS[1:]),
    ),
]


@pytest.mark.parametrize(("purpose", "why", "bad"), REASONS)
async def test_each_reason_is_told(purpose: str, why: str, bad: Bad) -> None:
    lived = await Lived(LifeModel({purpose: bad})).lives(3)
    assert why in lived.refused[0][1]


async def test_what_was_said_in_an_earlier_phase_is_not_said_again() -> None:
    def again(said: dict[str, Any]) -> dict[str, Any]:
        first, *more = said["events"]
        return {
            "events": [
                first,
                *more[:-1],
                {**more[-1], "evidence": [_piece("A heron stood on it.")]},
            ]
        }

    lived = await Lived(LifeModel({"life.events": again})).lives(4)
    phases = [phase for major in lived.told.majors for phase in major.phases]
    assert len(lived.refused) == len(phases) - 1 >= 1


@pytest.fixture(scope="module")
def lived() -> Lived:
    return asyncio.run(Lived(LifeModel()).lives(2 + 9))


def test_a_phase_goes_on_from_what_happened_last_and_from_the_newest_turn(lived: Lived) -> None:
    life = lived.graph
    events = {one.id: one for one in life.events}
    asked = [one for one in lived.model.calls if one.purpose == "life.events"]
    before = 0
    for phase, request in zip(life.phases, asked, strict=True):
        last = [one.at for one in life.events[:before]][-LAST:]
        told = told_in(request.messages[1].text)
        assert [one["at"] for one in told["What happened last"]] == [
            f"{at:%A}, {at:%Y-%m-%d %H:%M}" for at in last
        ]
        before += len(phase.events)
        turns = [one.id for one in life.events[:before] if one.sort == "turn"]
        assert phase.major == turns[-1]
        assert {events[name].sort for name in phase.events} <= {"turn", "arc", "everyday"}
        assert all(bool(events[one].of) == (events[one].sort != "everyday") for one in phase.events)


def test_each_phase_is_offered_little_things_of_its_own(lived: Lived) -> None:
    asked = [one for one in lived.model.calls if one.purpose == "life.events"]
    offered = [
        tuple(told_in(one.messages[1].text)["Little things that could happen, to be taken or left"])
        for one in asked
    ]
    assert len({*offered}) == len(offered)


def test_of_few_days_few_events_are_wanted_and_it_is_asked_until_the_last_day() -> None:
    for seed in range(1, 20):
        fixed = FixedLife.of("long", seed)
        for number in range(len(fixed.majors)):
            for phase in fixed.phases(number):
                assert 1 <= phase.events <= 2 * ((phase.ends - phase.begins).days + 1)
        ending = replace(fixed, size=replace(fixed.size, days=16 * 7 + 1))
        assert ending.moments[-1] == ending.ends


def _backwards(said: dict[str, Any]) -> dict[str, Any]:
    """Its traces in no order, each number of evidence twice, and one of all."""
    traces = [{**one, "evidence": one["evidence"] * 2} for one in said["traces"]]
    traces[0]["evidence"] = sorted({number for one in traces for number in one["evidence"]})
    return {"traces": traces[::-1]}


async def test_traces_stand_in_the_order_of_their_times_and_show_each_thing_once() -> None:
    lived = await Lived(LifeModel({"life.intents": _backwards})).lives(3)
    life = lived.graph
    assert lived.refused == []
    days = {one.id: one.at for one in life.events}
    shown = {one.id: days[one.event] for one in life.evidence}
    for phase in lived.told.phases:
        times = [one.at for one in phase.traces]
        assert times == sorted(times) and len({*times}) > 1
    for trace in life.traces:
        assert len({*trace.evidence}) == len(trace.evidence)
        assert trace.at > max(shown[name] for name in trace.evidence)


def _answers(said: dict[str, Any]) -> dict[str, Any]:
    """To each message that somebody gets there is an answer."""
    back = [
        {**one, "writer": one["to"][0], "to": [one["writer"]], "after": one["after"] + 1}
        for one in said["traces"]
        if one["to"]
    ]
    own = [one for one in said["traces"] if not one["to"]]
    return {"traces": [*own, *back]}


async def test_who_writes_is_told_its_own_texts_and_only_the_person_how_it_is_inside() -> None:
    lived = await Lived(LifeModel({"life.intents": _answers})).lives(4)
    life, me = lived.graph, lived.graph.persona.name
    asked = [one for one in lived.model.calls if one.purpose == "life.trace"]
    events = {one.id: one.event for one in life.evidence}
    for number, (trace, request) in enumerate(zip(life.traces, asked, strict=True)):
        told = told_in(request.messages[1].text)
        before = [
            one.text
            for one in life.traces[:number]
            if (one.medium, one.writer) == (trace.medium, trace.writer)
        ]
        assert told["What was written last"] == before[: -3 - 1 : -1]
        assert bool(told["How it is inside"]) == (trace.writer == me)
        now = [one for one in life.events if one.at <= trace.at][-1].after
        if trace.writer == me:
            assert told["How it is inside"][0]["focus"] == now.focus
        assert len(told["What happened"]) == len({events[name] for name in trace.evidence})
    assert {one.writer for one in life.traces} > {me}


async def test_a_post_is_to_nobody_and_read_by_all() -> None:
    lived = await Lived(LifeModel({"life.intents": _intent(medium="post")})).lives(3)
    everybody = tuple(one.name for one in lived.graph.contacts)
    asked = [one for one in lived.model.calls if one.purpose == "life.trace"]
    whom = [
        told_in(one.messages[1].text)["In which medium, when, to whom, what for"][0]["to"]
        for one, trace in zip(asked, lived.graph.traces, strict=True)
        if trace.medium == "post" and trace.audience == everybody
    ]
    assert whom and not any(whom)


async def test_what_was_written_is_not_written_again_word_for_word() -> None:
    pages: list[str] = []

    def copied(said: dict[str, Any]) -> dict[str, Any]:
        claims = said["text"].partition(" So I wrote it")[0]
        pages.append(next((page for page in pages if claims in page), said["text"]))
        return {"text": pages[-1]}

    lived = await Lived(LifeModel({"life.trace": copied})).lives(3)
    assert {why for _, why in lived.refused} == {"this was written before, word for word."}
    assert len({one.text for one in lived.graph.traces}) == len(lived.graph.traces)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a b c", None),
        ("a b c d", "has 4 words"),
        ("a", "has 1 words"),
        ("a }", "braces"),
        ("a b {", "braces"),
        ("a b \x07", "no text"),
    ],
)
def test_a_text_is_one_of_so_many_words(text: str, why: str | None) -> None:
    fault = text_fault("it", text, 3, least=1 if "}" in text else 2)
    assert (fault is None) if why is None else (fault is not None and why in fault.why)


async def test_what_nothing_tells_rests_on_nothing() -> None:
    lived = await Lived(LifeModel()).lives(2 + 9)
    place = next(one for one in lived.stages.rows[0] if one.name == "questions")
    model = LifeModel({"life.gate": lambda said: {"evidence": said["evidence"] or [1]}})
    draft = await lived.stages.drafted(place, lambda who, address: model)
    assert (
        [one.why for one in draft.refused if one.check == "evidence"]
        == ["nothing tells the answer: give no evidence."]
        * sum(one.check == "evidence" for one in draft.refused)
        != []
    )


def test_only_what_was_written_of_matters_that_moved_is_asked_about(lived: Lived) -> None:
    life, until = lived.graph, lived.graph.ends
    asked = LifeIndex(life).by(until)
    for dimension in DIMENSIONS:
        arcs = [one.id for one in life.arcs if one.dimension == dimension]
        last = max(one.at.date() for arc in arcs for one in asked.of(arc))
        some = buckets(asked, dimension, last)
        assert some and {one.arc for one in some} <= {*arcs}
        assert buckets(asked, dimension, last + timedelta(days=1)) == []
        lost = some[0].id
        traces = tuple(one for one in life.traces if lost not in one.evidence)
        fewer = buckets(LifeIndex(replace(life, traces=traces)).by(until), dimension, last)
        assert fewer and lost not in {one.id for one in fewer}


def test_of_much_that_is_so_the_newest_is_told_and_the_second_one_in_no_order() -> None:
    life = life_of(1)
    some = buckets(LifeIndex(life).by(life.ends), "experience", life.begins)
    assert len(some) == SHOWN and [one.day for one in some] == sorted(one.day for one in some)
    events = {one.id: one for one in life.events}
    arcs = {one.id for one in life.arcs if one.dimension == "experience"}
    told = [one for one in life.evidence if events[one.event].of in arcs]
    assert some[-1].day == max(events[one.event].at.date() for one in told)
    request = solve_request("Which?", ["a", "b"], some, "1")
    known = told_in(request.messages[1].text)["What is known"]
    claims = [one.claim for one in some]
    assert sorted(known) == sorted(claims) and known != claims


async def test_a_life_reaches_as_far_as_it_is_told_and_each_state_has_its_cause() -> None:
    told = (await Lived(LifeModel()).lives(3)).told
    life, fixed = told.graph(), told.fixed
    assert life.ends == told.phases[-1].phase.ends < fixed.ends
    claims = {one.id: one.claim for one in life.evidence}
    ((state,),) = [one.states for one in life.arcs]
    assert claims[state.cause].casefold().startswith(state.trigger.claim.casefold())
    assert state.state.claim in claims[state.evidence]


async def test_no_step_is_ready_before_those_ahead_of_it_stand_there() -> None:
    steps = Lived(LifeModel()).stages.rows[0]
    for done in range(4):
        lived = await Lived(LifeModel()).lives(done)
        ready = [one for one in steps if lived.stages.ready(one)]
        assert steps[done] in ready
        assert not any(one in ready for one in steps[done + 1 :])
