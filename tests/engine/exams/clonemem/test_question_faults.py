"""Each fault of a question about a life is found, and told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from random import Random

import pytest
from msgspec.structs import replace

from whoknew.engine.exams.clonemem.asked_life import LifeIndex, LifeItem
from whoknew.engine.exams.clonemem.choosing import BY_BAG, choices_of, recognised
from whoknew.engine.exams.clonemem.drawing import drawn
from whoknew.engine.exams.clonemem.question_faults import question_faults
from whoknew.eventlog.words import terms
from whoknew.worlds.lives.life import LifeGraph
from whoknew.worlds.lives.making import life_of
from whoknew.worlds.question import Question


@pytest.fixture(scope="module")
def life() -> LifeGraph:
    return life_of(3)


@pytest.fixture(scope="module")
def asked(life: LifeGraph) -> tuple[Question, ...]:
    return drawn(life, each=2, seed=1).questions


def test_what_is_drawn_has_none(life: LifeGraph, asked: tuple[Question, ...]) -> None:
    assert list(question_faults(life, asked)) == []


def _wrong(one: Question) -> str:
    return next(text for text in one.choices if text != one.correct)


BREAKS: dict[str, Callable[[Question], Question]] = {
    "has 0 sets of evidence": lambda one: replace(one, evidence=()),
    "has evidence that no trace shows": lambda one: replace(one, evidence=((),)),
    "rests on what was written later": lambda one: replace(one, at="@2000-01-01"),
    "holds its answer": lambda one: replace(one, question=f"Is it {one.reference}?"),
    "a right choice that is not its answer": lambda one: replace(one, correct=_wrong(one)),
    "two choices that say the same": lambda one: replace(
        one, choices=(one.choices[1], *one.choices[1:])
    ),
    "has no choices": lambda one: replace(one, choices=()),
    "has 4 choices": lambda one: replace(one, choices=one.choices[1:]),
    "by its own words": lambda one: replace(one, question=f"{one.question} {one.reference}"),
    "whoever knows what was written of": lambda one: replace(
        one, choices=("Xylo", "Zebu", "Quagga", one.correct or "", one.choices[-1])
    ),
    "rests on what tells of": lambda one: replace(
        one, labels={**one.labels, "points": " ".join(one.choices)}
    ),
}


@pytest.mark.parametrize("fault", BREAKS)
def test_each_fault_is_told(life: LifeGraph, asked: tuple[Question, ...], fault: str) -> None:
    one = next(it for it in asked if it.kind == "single-point")
    found = list(question_faults(life, [BREAKS[fault](one)]))
    assert any(fault in it for it in found), found


def test_the_same_question_twice_on_one_day_is_told(
    life: LifeGraph, asked: tuple[Question, ...]
) -> None:
    assert any("asked twice" in it for it in question_faults(life, [asked[0], asked[0]]))


def test_a_pattern_has_no_choice_that_was_done_in_that_time_too(
    life: LifeGraph, asked: tuple[Question, ...]
) -> None:
    for one in asked:
        if one.kind != "pattern" or "more than once" not in one.question:
            continue
        first, last = (date.fromisoformat(one.labels[name]) for name in ("from", "to"))
        done = {
            claim.claim.casefold()
            for claim in life.evidence
            if (event := next(it for it in life.events if it.id == claim.event)).sort == "shown"
            and first <= event.at.date() <= last
        }
        for wrong in set(one.choices[:-1]) - {one.correct}:
            assert not any(wrong.casefold() in it for it in done), (one.question, wrong)


def test_who_knows_what_was_written_of_does_not_find_the_right_one() -> None:
    written = set(terms("swan goose"))
    some = ("The swan", "The goose", "The emu")
    assert recognised("Which bird?", ("The swan", "The emu"), written) == "The swan"
    assert recognised("Which bird?", some, written) is None
    of_the_question = ("The swan's egg", "The emu")
    assert recognised("Which swan?", of_the_question, written) is None
    item = LifeItem(
        kind="single-point",
        dimension="experience",
        question="Which bird?",
        answer="The swan",
        wrong=("The emu", "The rhea", "The kiwi"),
        evidence=("v1",),
        outline="",
        scope=(date(2021, 1, 1), date(2021, 1, 1)),
        topic="birds",
    )
    assert choices_of(item, Random(1), written) is BY_BAG
    chosen = choices_of(replace(item, wrong=(*item.wrong, "The goose")), Random(1), written)
    assert isinstance(chosen, tuple) and "The goose" in chosen


@pytest.mark.parametrize(
    ("until", "whole"),
    [(date(2020, 2, 29), ["January 2020"]), (date(2020, 3, 1), ["January 2020", "February 2020"])],
)
def test_a_month_is_whole_when_its_last_day_is_over(
    life: LifeGraph, until: date, whole: list[str]
) -> None:
    arc = life.arcs[0]
    only = replace(arc, states=(replace(arc.states[0], begins=date(2020, 1, 1)),))
    moved_on = replace(only, states=(*only.states, replace(arc.states[1], begins=until)))
    index = LifeIndex(life)
    assert [*map(str, index.by(until).months(only, 0))] == whole
    assert [*map(str, index.by(date(2021, 1, 1)).months(moved_on, 0))] == whole
