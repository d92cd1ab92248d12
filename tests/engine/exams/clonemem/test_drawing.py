"""Questions about lives, made by rule: right by an independent look at the life and at its traces."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from functools import cache

import pytest

from whoknew.engine.exams.clonemem.asked_life import KINDS, LifeIndex, Month
from whoknew.engine.exams.clonemem.choosing import UNTOLD, guessed
from whoknew.engine.exams.clonemem.drawing import DrawnQuestions, drawn
from whoknew.engine.exams.naming import holds_name
from whoknew.engine.exams.questions import check
from whoknew.eventlog import open_log
from whoknew.eventlog.words import terms
from whoknew.worlds import question
from whoknew.worlds.lives.bank import DIMENSIONS
from whoknew.worlds.lives.life import LifeArc, LifeGraph
from whoknew.worlds.lives.life_world import world_of_life
from whoknew.worlds.lives.making import life_of
from whoknew.worlds.question import Question, QuestionFile

SEEDS = (1, 2, 3)


@cache
def life(seed: int) -> LifeGraph:
    return life_of(seed)


@cache
def asked(seed: int) -> DrawnQuestions:
    return drawn(life(seed), each=4, seed=1)


def of(kind: str, seed: int) -> list[Question]:
    return [one for one in asked(seed).questions if one.kind == kind]


def asked_on(one: Question) -> date:
    return date.fromisoformat(one.at.removeprefix("@"))


def arc_of(one: Question, seed: int) -> LifeArc:
    name = str(one.labels["outline"]).partition(":")[0]
    return next(arc for arc in life(seed).arcs if arc.id == name)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_struck_is_counted_once_on_however_many_days_it_could_be_asked(seed: int) -> None:
    struck = [one.question for one in asked(seed).struck]
    assert struck and len(set(struck)) == len(struck) < asked(seed).candidates


@pytest.mark.parametrize("seed", SEEDS)
def test_there_are_all_kinds_in_all_dimensions(seed: int) -> None:
    found = Counter((one.kind, one.labels["dimension"]) for one in asked(seed).questions)
    assert set(found) == {(kind, dimension) for kind in KINDS for dimension in DIMENSIONS}
    assert len(asked(seed).questions) > 80
    for (kind, _), count in found.items():
        assert count <= (4 + 2 * 4 if kind == "single-point" else 4)


@pytest.mark.parametrize("seed", SEEDS)
def test_evidence_comes_before_its_question_and_only_what_cannot_be_told_has_none(
    seed: int,
) -> None:
    traces = {one.id: one for one in life(seed).traces}
    for one in asked(seed).questions:
        assert bool(one.evidence) == (one.kind != "unanswerable"), one
        for name in (name for some in one.evidence for name in some):
            assert traces[str(name)].at.date() < asked_on(one)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_choice_is_right_and_the_words_of_the_question_do_not_give_it_away(seed: int) -> None:
    for one in asked(seed).questions:
        assert one.choices[-1] == UNTOLD and len(set(one.choices)) == len(one.choices)
        assert len(one.choices) == (4 if one.kind == "unanswerable" else 5)
        assert (one.correct == UNTOLD) == (one.kind == "unanswerable")
        assert one.correct == one.reference
        if one.kind != "unanswerable":
            assert guessed(one.question, one.choices[:-1]) != one.correct


@pytest.mark.parametrize("seed", SEEDS)
def test_a_detail_stands_in_the_traces_that_show_it(seed: int) -> None:
    traces = {one.id: one for one in life(seed).traces}
    for one in of("single-point", seed):
        texts = [traces[str(name)].text.casefold() for some in one.evidence for name in some]
        assert any(str(one.reference).casefold() in text for text in texts), one
        for wrong in one.choices[:-1]:
            if wrong != one.correct and "updated" not in one.tags:
                shown = [text for text in texts if f" {wrong.casefold()} " in text]
                assert len(shown) < len(texts), (wrong, one)


@pytest.mark.parametrize("seed", SEEDS)
def test_where_an_arc_stood_in_a_month_is_where_it_stood(seed: int) -> None:
    for one in of("comparative", seed):
        then, later = re.findall(r"[A-Z][a-z]+ \d{4}", one.question)[::-1]
        states = re.fullmatch(rf"In {then} (.*); in {later} (.*)", str(one.reference))
        assert states is not None
        for month, state in zip((then, later), states.groups(), strict=True):
            days = [day for day in all_days(month) if day < asked_on(one)]
            assert {stood(arc_of(one, seed), day) for day in days} == {state}


@pytest.mark.parametrize("seed", SEEDS)
def test_ways_and_causes_and_what_would_have_been_are_in_order(seed: int) -> None:
    for one in of("trajectory", seed):
        said = re.fullmatch(r"First (.*), then (.*), in the end (.*)", str(one.reference))
        states = [state.state.asked for state in arc_of(one, seed).states]
        assert said is not None
        start = states.index(said[1])
        assert list(said.groups()) == states[start : start + 3]
    for one in of("causal", seed):
        (month,) = re.findall(r"[A-Z][a-z]+ \d{4}", one.question)
        (state,) = [state for state in arc_of(one, seed).states if state.begins in all_days(month)]
        assert str(one.reference).casefold() == state.trigger.asked.casefold()
    for one in of("counterfactual", seed):
        arc = arc_of(one, seed)
        (place,) = [
            place for place, state in enumerate(arc.states) if state.trigger.asked in one.question
        ]
        before = arc.states[place - 1]
        assert str(one.reference).casefold() == before.state.asked.casefold()
        assert before.now is None and not before.passes


@pytest.mark.parametrize("seed", SEEDS)
def test_where_an_arc_stood_is_told_by_neither_what_was_done_nor_what_brought_it_about(
    seed: int,
) -> None:
    """By one of them one could guess the other: what is asked for is named by its time."""
    for one in (*of("causal", seed), *of("pattern", seed), *of("inferential", seed)):
        if re.match(r"(habit|wish)-", str(one.labels["outline"])):
            continue
        arc = arc_of(one, seed)
        for state in arc.states:
            for told in (state.state.asked, state.shown.asked, state.trigger.asked):
                assert told not in one.question
        said = set(terms(one.question)) & set(terms(str(one.correct)))
        assert said <= set(terms(arc.title.asked)), one


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_done_on_a_day_says_where_an_arc_stood_on_it(seed: int) -> None:
    traces = {one.id: one for one in life(seed).traces}
    for one in of("inferential", seed):
        if not one.question.startswith("To judge by what you did on "):
            continue
        day, arc = date.fromisoformat(str(one.labels["from"])), arc_of(one, seed)
        assert f"on {day.day} {day:%B %Y}, " in one.question
        assert stood(arc, day).casefold() == str(one.correct).casefold()
        shown = one.evidence[0]
        assert {traces[str(name)].at.date() for name in shown} == {day}


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_done_more_than_once_was_done_at_both_ends_of_its_time(seed: int) -> None:
    claims = {one.event: one.claim for one in life(seed).evidence}
    for one in of("pattern", seed):
        if "more than once" not in one.question:
            continue
        first, last = (date.fromisoformat(str(one.labels[name])) for name in ("from", "to"))
        done = {
            event.at.date()
            for event in life(seed).events
            if event.sort == "shown" and str(one.correct).casefold() in claims[event.id].casefold()
        }
        assert first < last and {first, last} <= done


def test_a_life_by_a_date_is_what_had_happened_before_it() -> None:
    whole = life(1)
    index, days = LifeIndex(whole), {one.id: one.at.date() for one in whole.events}
    for until in (date(1999, 1, 1), whole.events[700].at.date(), date.max):
        so_far = index.by(until)
        mine = [one for one in whole.events if days[one.id] < until]
        for arc in whole.arcs:
            assert list(so_far.of(arc.id, "arc")) == [
                one for one in mine if (one.of, one.sort) == (arc.id, "arc")
            ]
        assert [one for one, _ in so_far.details(date.min)] == [one for one in mine if one.detail]
        for one in whole.evidence[::40]:
            assert so_far.is_so(one.id) == (days[one.event] < until)
            assert so_far.traces(one.id) == [
                trace.id
                for trace in whole.traces
                if one.id in trace.evidence and trace.at.date() < until
            ]
        said = {word for one in whole.evidence if so_far.is_so(one.id) for word in terms(one.claim)}
        assert all(word in so_far.told for word in said)
        assert not any(word in so_far.told for word in set(index.told) - said)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_changed_is_asked_for_as_it_is_now(seed: int) -> None:
    updated = [one for one in asked(seed).questions if "updated" in one.tags]
    assert len(updated) >= 12
    for one in updated:
        *before, now = held(one, seed)
        assert one.correct == now
        assert set(one.labels["older"]) == {*before} - {now}
        assert {*before} & {*one.choices}


def held(one: Question, seed: int) -> list[str]:
    """What held of it, one after another, until it was asked."""
    name, day = str(one.labels["outline"]).partition(":")[0], asked_on(one)
    matters = {matter.id: matter.settled for matter in life(seed).matters}
    values = [state.value for state in matters.get(name, ()) if state.begins < day]
    values = values or [
        state.now.value for state in arc_of(one, seed).states if state.now and state.begins < day
    ]
    return [value[:1].upper() + value[1:] for value in values]


def test_the_same_life_has_the_same_questions() -> None:
    assert drawn(life(1), each=4, seed=1) == asked(1)
    assert drawn(life(1), each=4, seed=2) != asked(1)


async def test_they_can_be_put_to_the_world_of_the_life() -> None:
    world, some = world_of_life(life(1)), asked(1).questions
    assert [fault for one in some for fault in question.faults(one)] == []
    async with open_log(":memory:") as log:
        await log.append(world.name, world.drafts)
        found = await check(log, QuestionFile("some", some, tuple(range(1, len(some) + 1))))
    assert found.mistakes == ()
    assert [one for one in found.remarks if one.key.startswith("evidence")] == []


def stood(arc: LifeArc, day: date) -> str:
    return [one.state.asked for one in arc.states if one.begins <= day][-1]


def all_days(month: str) -> list[date]:
    name, year = month.split()
    number = next(n for n in range(1, 13) if f"{date(2000, n, 1):%B}" == name)
    first = Month(int(year), number)
    return [
        date.fromordinal(day) for day in range(first.first.toordinal(), first.last.toordinal() + 1)
    ]


def test_nobody_asks_about_oneself_by_name() -> None:
    askers = set[str]()
    for seed in SEEDS:
        roles = {one.name: one.role for one in life(seed).contacts}
        for one in asked(seed).questions:
            assert one.asked_by is not None
            assert not holds_name(one.asked_by.split()[0], " ".join((one.question, *one.choices)))
            askers.add(roles[one.asked_by])
    assert len(askers) > 1 and "friend" in askers
