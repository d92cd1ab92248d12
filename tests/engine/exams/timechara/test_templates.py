"""The 18 structured questions."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import sqrt
from random import Random

from whoknew.engine.exams.timechara.templates import (
    OF_THOSE_ALWAYS_THERE,
    TEMPLATES,
    structured,
)

DRAWS = 18_000


def test_there_are_18_in_eight_families() -> None:
    families = Counter(family for family, _ in TEMPLATES)
    assert len({text for _, text in TEMPLATES}) == 18
    assert families.pop("felt") == 4
    assert set(families.values()) == {2} and len(families) == 7
    assert all(text.count("{event}") == 1 for _, text in TEMPLATES)


def test_two_of_a_family_differ_by_words_that_are_added() -> None:
    for (_, plain), (_, insisting) in list(pairwise(TEMPLATES))[::2]:
        said = insisting.replace(",", "").split()
        assert all(word in said for word in plain.replace(",", "").split())


def test_each_is_drawn_as_often_as_any_other() -> None:
    draw = Random(1)
    found = Counter(structured(draw, "it rained")[1] for _ in range(DRAWS))
    share = 1 / len(TEMPLATES)
    sigma = sqrt(DRAWS * share * (1 - share))
    assert len(found) == 18
    assert all(abs(count - DRAWS * share) < 3 * sigma for count in found.values())


def test_who_is_always_there_is_asked_of_feelings_and_experience() -> None:
    draw = Random(1)
    found = {structured(draw, "it rained", always=True)[0] for _ in range(500)}
    assert found == {"felt", "lived"}


def test_of_both_kinds_of_people_each_is_drawn_as_often_by_the_seeds_of_a_grid() -> None:
    """As questions are drawn: a seed of its own for each event, character and moment."""
    for always, some in ((False, TEMPLATES), (True, OF_THOSE_ALWAYS_THERE)):
        seeds = (f"1/grid/w/{event}/Ann/{upto}" for event in range(300) for upto in range(60))
        found = Counter(structured(Random(seed), "it rained", always=always)[1] for seed in seeds)
        share = 1 / len(some)
        sigma = sqrt(DRAWS * share * (1 - share))
        assert set(found) == {text.format(event="it rained") for _, text in some}
        assert sum(found.values()) == DRAWS
        assert all(abs(count - DRAWS * share) < 3 * sigma for count in found.values())


def test_a_question_does_not_hang_on_which_template_it_is() -> None:
    """The event stands in each whole, once, and is not changed by it."""
    told = 'you said to Bob at the quay, "The {tide} turns at four, I think"'
    for seed in range(200):
        _, text = structured(Random(seed), told)
        assert text.count(told) == 1
