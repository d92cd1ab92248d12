"""A tree of if-then statements holds what the actions bear out, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from whoknew.agents.lines import Line
from whoknew.agents.memories.habit_tree import (
    FEW,
    PROPOSED,
    Borne,
    Deed,
    HabitRule,
    IfThen,
    TreeLimits,
    grown,
)

WORDS = ["storm", "money", "night"]


def deed(place: int, scene: str, done: str) -> Deed:
    return Deed(Line(done, place, "Oda", done), (Line(scene),))


class ByWords(Struct):
    """Proposes what it is given, by how many statements it is within; a statement is about words."""

    levels: Sequence[Sequence[IfThen]]
    calls: int = 0

    async def proposed(self, deeds: Sequence[Deed], within: Sequence[IfThen]) -> Sequence[IfThen]:
        self.calls += 1
        return self.levels[len(within)]

    async def borne(self, said: IfThen, deeds: Sequence[Deed]) -> Borne:
        self.calls += 1
        applies = [n for n, one in enumerate(deeds) if said.when in str(one.scene[0])]
        holds = [n for n in applies if said.does in deeds[n].done.text]
        return Borne(tuple(applies), tuple(holds))


def lived(*some: tuple[int, str, str]) -> list[Deed]:
    every = [(scene, done) for count, scene, done in some for _ in range(count)]
    return [deed(place, *one) for place, one in enumerate(every, start=1)]


STORM, MONEY, NIGHT = IfThen("storm", "tells"), IfThen("money", "gives"), IfThen("night", "gives")


@pytest.mark.parametrize(
    ("right", "wrong", "kept"),
    [(8, 2, True), (10, 0, True), (5, 5, False), (1, 9, False), (7, 3, False)],
)
async def test_what_four_of_five_bear_out_holds(right: int, wrong: int, kept: bool) -> None:
    deeds = lived((right, "storm", "tells"), (wrong, "storm", "sings"))
    found = await grown(ByWords([[STORM], []]), deeds, TreeLimits())
    assert [(one.right, one.of) for one in found] == ([(right, 10)] if kept else [])


async def test_what_bears_it_out_just_often_enough_holds() -> None:
    deeds = lived((14, "storm", "tells"), (11, "storm", "sings"))
    (found,) = await grown(ByWords([[STORM], []]), deeds, TreeLimits(accept=0.56))
    assert found.holds, "14 of 25 are 0.56, and 25 * 0.56 is more than 14 in floats"


async def test_what_lies_between_is_the_condition_of_narrower_ones() -> None:
    deeds = lived((7, "money at night", "gives"), (4, "money by day", "keeps"))
    (found,) = await grown(ByWords([[MONEY], [NIGHT]]), deeds, TreeLimits())
    assert list(found.told()) == ["If money:", "  If night: gives (7 of 7)"]
    assert {*found.rests_on()} == {0, *range(1, 12)}, (
        "all that it was checked against, with its scenes"
    )


async def test_on_few_actions_nothing_is_asked() -> None:
    asking = ByWords([[STORM]])
    assert await grown(asking, lived((8, "storm", "tells")), TreeLimits()) == ()
    assert asking.calls == 0


DEEDS = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from(["tells", "gives", "tells, gives"])),
    max_size=60,
).map(lambda some: [deed(place, *one) for place, one in enumerate(some, start=1)])
SAID = st.builds(IfThen, st.sampled_from([*WORDS, ""]), st.sampled_from(["tells", "gives", ""]))


@given(DEEDS, st.lists(st.lists(SAID, max_size=5), min_size=3, max_size=3))
async def test_each_statement_of_a_tree_is_borne_out(
    deeds: list[Deed], levels: list[list[IfThen]]
) -> None:
    limits, asking = TreeLimits(), ByWords(levels)
    found = await grown(asking, deeds, limits)

    def check(one: HabitRule, depth: int) -> None:
        assert one.of >= FEW and depth <= limits.depth
        assert one.right > limits.reject * one.of
        assert one.holds == (one.right >= limits.accept * one.of)
        assert bool(one.narrower) != one.holds
        for other in one.narrower:
            check(other, depth + 1)

    for one in found:
        check(one, 1)
    assert len(found) <= PROPOSED and asking.calls <= limits.most_calls
