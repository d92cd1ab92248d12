"""GRACE's codebook: add, widen, split, by hand, and by rule beside a plain reference. No torch."""

from __future__ import annotations

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whoknew.agents.weights.codebook import Codebook, Edit
from whoknew.agents.weights.key_matrix import Vector

RADIUS = 1.0


def at(*numbers: float) -> Vector:
    return numpy.array(numbers, dtype=numpy.float64)


def book(*edits: tuple[float, int]) -> Codebook:
    """Edits at places of a line, each with its label; each value is the edit's number."""
    made = Codebook(RADIUS)
    for number, (place, label) in enumerate(edits, 1):
        made.edit(Edit(number, label, at(place)), at(number))
    return made


def spread(made: Codebook) -> list[tuple[float, float, int]]:
    return [(float(one.key[0]), round(one.radius, 3), one.label) for one in made]


def test_where_nothing_is_near_an_edit_is_added() -> None:
    assert spread(book((0, 7), (2.5, 8))) == [(0, 1, 7), (2.5, 1, 8)]


def test_where_the_label_agrees_the_nearest_is_widened() -> None:
    made = book((0, 7), (1.5, 7))
    assert spread(made) == [(0, 1.5, 7)]
    assert [edit.number for edit in made[0].edits] == [1, 2]
    assert spread(book((0, 7), (0.5, 7))) == [(0, 1, 7)]  # it held it already


def test_where_the_label_differs_both_radii_are_split_and_touch_no_longer() -> None:
    made = book((0, 7), (1, 8))
    assert spread(made) == [(0, 0.5, 7), (1, 0.5, 8)]
    assert made[0].radius + made[1].radius < 1
    assert made.holding(at(0.5)) is None


def test_what_a_split_leaves_outside_gets_an_entry_of_its_own() -> None:
    made = book((0, 7), (1.5, 7), (1, 8))
    assert spread(made) == [(0, 0.5, 7), (1, 0.5, 8), (1.5, 0.25, 7)]
    assert made[2].value == at(1)


def test_what_lies_nearest_to_such_an_entry_now_gets_one_as_well() -> None:
    made = Codebook(RADIUS)
    edits = [(at(0, 0.1), 7), (at(0.3, 0), 7), (at(0.3, 0.3), 7), (at(0.5, -0.4), 8)]
    for number, (key, label) in enumerate(edits):
        made.edit(Edit(number, label, key), at(number))
    held = [made.holding(key) for key, _ in edits]
    assert [made[one].label for one in held if one is not None] == [7, 7, 7, 8]


def test_what_is_said_last_of_the_very_same_holds() -> None:
    made = book((0, 7), (0.5, 7), (0, 8))
    assert spread(made)[0] == (0, 1, 8) or spread(made)[0][2] == 8
    assert (held := made.holding(at(0.5))) is not None
    assert made[held].label == 7


def test_an_edit_is_taken_back_and_the_others_stay() -> None:
    made = book((0, 7), (1.5, 7), (9, 8))
    assert made.take_back(1)
    assert made.holding(at(0)) is None
    assert (held := made.holding(at(1.5))) is not None
    assert made[held].label == 7
    assert made.holding(at(9)) is not None
    assert not made.take_back(1)


def test_what_is_merged_answers_as_both_did() -> None:
    both = book((0, 7)).merged(book((0.5, 8), (9, 9)), beyond=10)
    held = [both.holding(at(key)) for key in (0, 0.5, 9)]
    assert [both[one].label for one in held if one is not None] == [7, 8, 9]
    assert sorted(edit.number for edit in both.edits) == [1, 11, 12]


def test_an_edit_that_needs_a_value_of_its_own_gets_an_entry() -> None:
    made = book((0, 7), (0.5, 7))
    there = made.part(made[0].edits[1], at(5))
    assert made.holding(at(0.5)) == there
    assert made[there].value == at(5)
    assert made.holding(at(0)) == 0


def test_a_radius_is_more_than_nothing() -> None:
    with pytest.raises(ValueError, match="more than 0"):
        Codebook(0)


class Reference:
    """The same by plain loops: what GRACE's paper says, and that every edit holds."""

    def __init__(self) -> None:
        self.keys: list[Vector] = []
        self.radii: list[float] = []
        self.held: list[list[tuple[int, Vector]]] = []

    def near(self, key: Vector) -> tuple[int, float]:
        # By rows, as of one row alone what is as far may differ in its last bit, and be taken for nearer.
        away = numpy.linalg.norm(numpy.array(self.keys) - key, axis=1)
        return int(numpy.argmin(away)), float(away.min())

    def answers(self, key: Vector) -> int | None:
        place, away = self.near(key) if self.keys else (0, numpy.inf)
        return self.held[place][0][0] if self.keys and away <= self.radii[place] else None

    def put(self, key: Vector, label: int, radius: float) -> None:
        self.keys.append(key)
        self.radii.append(radius)
        self.held.append([(label, key)])

    def edit(self, key: Vector, label: int) -> str:
        decision, before = self.decide(key, label), 0
        while before != len(self.keys):
            before = len(self.keys)
            for place in range(before):
                for one in list(self.held[place][1:]):
                    nearest, away = self.near(one[1])
                    if nearest != place or away > self.radii[place]:
                        self.held[place] = [other for other in self.held[place] if other is not one]
                        self.put(one[1], one[0], min(RADIUS, away / 2 * (1 - 1e-5)))
        return decision

    def decide(self, key: Vector, label: int) -> str:
        if not self.keys or self.near(key)[1] > self.radii[self.near(key)[0]] + RADIUS:
            self.put(key, label, RADIUS)
            return "add"
        place, away = self.near(key)
        if self.held[place][0][0] == label:
            self.radii[place] = max(self.radii[place], away)
            self.held[place].append((label, key))
            return "widen"
        half = away / 2 * (1 - 1e-5)
        self.radii[place] = min(self.radii[place], half)
        self.put(key, label, min(RADIUS, half))
        return "split"


PLACES = st.tuples(st.integers(-15, 15), st.integers(-15, 15)).map(
    lambda pair: at(pair[0] / 10, pair[1] / 10)
)
"""So near to one another that most edits touch others, and some none."""
EDITS = st.lists(
    st.tuples(PLACES, st.integers(0, 2)), max_size=30, unique_by=lambda one: one[0].tobytes()
)


@settings(max_examples=60, deadline=None, database=None)
@given(edits=EDITS, asked=st.lists(PLACES, max_size=10))
def test_every_decision_is_the_reference_s_and_every_edit_holds(
    edits: list[tuple[Vector, int]], asked: list[Vector]
) -> None:
    made, plain = Codebook(RADIUS), Reference()
    for number, (key, label) in enumerate(edits):
        change = made.edit(Edit(number, label, key), at(number))
        assert change.decision == plain.edit(key, label)
        assert [one.radius for one in made] == pytest.approx(plain.radii)
        assert [one.label for one in made] == [one[0][0] for one in plain.held]
    for key, label in edits:
        assert (held := made.holding(key)) is not None
        assert made[held].label == label
    for key in asked:
        held = made.holding(key)
        assert (None if held is None else made[held].label) == plain.answers(key)


@settings(max_examples=100, deadline=None, database=None)
@given(edits=EDITS, back=st.integers(0, 29))
def test_without_one_edit_all_others_hold(edits: list[tuple[Vector, int]], back: int) -> None:
    made = Codebook(RADIUS)
    for number, (key, label) in enumerate(edits):
        made.edit(Edit(number, label, key), at(number))
    assert made.take_back(back) == (back < len(edits))
    for number, (key, label) in enumerate(edits):
        held = made.holding(key)
        assert number == back or (held is not None and made[held].label == label)
    assert sorted(one.number for one in made.edits) == [
        number for number in range(len(edits)) if number != back
    ]


@settings(max_examples=100, deadline=None, database=None)
@given(edits=EDITS, cut=st.integers(0, 30))
def test_each_edit_of_what_is_merged_holds_by_the_value_that_it_had(
    edits: list[tuple[Vector, int]], cut: int
) -> None:
    books = Codebook(RADIUS), Codebook(RADIUS)
    for number, (key, label) in enumerate(edits):
        books[number >= cut].edit(Edit(number, label, key), at(number))
    both = books[0].merged(books[1], beyond=100)
    for number, (key, label) in enumerate(edits):
        book = books[number >= cut]
        before, now = book.holding(key), both.holding(key)
        assert before is not None
        assert now is not None
        assert both[now].label == label
        if number >= cut:
            assert both[now].value == book[before].value
