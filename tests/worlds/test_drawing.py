"""Lives drawn from a bank: what is drawn, for whom, and in which order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from strategies import texts

from whoknew.worlds import shelf
from whoknew.worlds.bank import Bank, Earlier, Sketch
from whoknew.worlds.drawing import drawn, fits
from whoknew.worlds.errors import BadDocument, TooFew, WorldError
from whoknew.worlds.people import Pair, People
from whoknew.worlds.relationship import RELATIONSHIPS, Relationship
from whoknew.worlds.setting import Character

LIFE = (40, 5)
"""A life of the length that the banks are made for."""

TRADES = ("baker", "Actor", "actor", "")

ages = st.integers(18, 30)
ranges = st.tuples(ages, ages).map(lambda both: (min(both), max(both)))
trades = st.lists(st.sampled_from(TRADES), max_size=2).map(tuple)


def both(one: st.SearchStrategy[tuple[object, ...]]) -> st.SearchStrategy[tuple[object, ...]]:
    """One for each side; or nothing, so that all fit."""
    return st.just(()) | st.tuples(one, one)


@st.composite
def banks(draw: st.DrawFn) -> Bank:
    """Banks of which some sketches fit few, and the hard ones stand anywhere."""
    found = []
    for number in range(draw(st.integers(0, 12))):
        needs = draw(st.sampled_from([(), (Earlier("s0", "first"),)]))
        found.append(
            Sketch(
                f"s{number}",
                "A room.",
                "it",
                ("Stay.", "Go."),
                ages=draw(both(ranges)),
                occupations=draw(both(trades)),
                needs=needs,
            )
        )
    return Bank("bank", "friend", tuple(found))


pairs = st.tuples(
    *(
        st.builds(
            Character, st.just(name), age=st.none() | ages, occupation=st.sampled_from(TRADES)
        )
        for name in ("Oda", "Bram")
    )
)


def can_play(one: Sketch, pair: Pair) -> bool:
    """As it is said of a sketch: who is known to be too young or too old cannot, nor who has
    another trade."""
    for side, person in enumerate(pair):
        if one.ages and person.age is not None:
            least, most = one.ages[side]
            if person.age not in range(least, most + 1):
                return False
        wanted = [trade.lower() for trade in one.occupations[side]] if one.occupations else []
        if wanted and person.occupation.lower() not in wanted:
            return False
    return True


def parted(bank: Bank, pair: Pair) -> tuple[list[Sketch], list[Sketch]]:
    """The ordinary and the hard ones that fit."""
    fitting = [one for one in bank.sketches if can_play(one, pair)]
    ordinary = [one for one in fitting if not one.needs]
    possible = "s0" in {one.name for one in ordinary}
    return ordinary, [one for one in fitting if one.needs and possible]


def lives_of_friends() -> tuple[Bank, Pair]:
    return shelf.find_bank("friend"), shelf.find_people("people").pairs("friend")[0]


# laws of every draw


@given(banks(), pairs, texts, st.data())
def test_a_life_is_of_the_length_that_was_asked_and_repeats_nothing(
    bank: Bank, pair: Pair, seed: str, data: st.DataObject
) -> None:
    ordinary, hard = parted(bank, pair)
    episodes = data.draw(st.integers(0, len(ordinary)))
    difficult = data.draw(st.integers(0, len(hard)))
    if difficult and not episodes:
        with pytest.raises(TooFew, match="need 1 earlier ones, but only 0"):
            drawn(bank, pair, episodes, difficult, seed)
        return
    life = drawn(bank, pair, episodes, difficult, seed)
    assert len(life) == episodes + difficult == len({one.name for one in life})
    assert all(one in ordinary for one in life[:episodes])
    assert life[episodes:] == hard[:difficult]
    assert not difficult or "s0" in {one.name for one in life[:episodes]}, "which they all need"
    assert drawn(bank, pair, episodes, difficult, seed) == life


@given(banks(), pairs, texts)
def test_what_does_not_fit_changes_nothing(bank: Bank, pair: Pair, seed: str) -> None:
    ordinary, hard = parted(bank, pair)
    fitting = tuple(one for one in bank.sketches if fits(one, pair))
    without = replace(bank, sketches=fitting)
    life = drawn(bank, pair, len(ordinary), len(hard), seed)
    assert drawn(without, pair, len(ordinary), len(hard), seed) == life


@given(banks(), pairs)
def test_a_sketch_fits_whoever_has_the_age_and_the_trade_for_it(bank: Bank, pair: Pair) -> None:
    for one in bank.sketches:
        assert fits(one, pair) == can_play(one, pair)


@given(banks(), pairs, texts, st.integers(1, 9), st.booleans())
def test_too_few_is_told_with_how_many_are_wanted_and_there(
    bank: Bank, pair: Pair, seed: str, more: int, lacking_hard: bool
) -> None:
    ordinary, hard = (len(part) for part in parted(bank, pair))
    wanted = (ordinary, hard + more) if lacking_hard else (ordinary + more, hard)
    with pytest.raises(TooFew) as caught:
        drawn(bank, pair, *wanted, seed)
    what = f"{hard + more} hard scenarios" if lacking_hard else f"{ordinary + more} scenarios"
    there = hard if lacking_hard else ordinary
    expected = f"{what} are wanted, but the bank 'bank' has {there} that fit Oda and Bram"
    assert str(caught.value).startswith(expected)
    assert isinstance(caught.value, WorldError)


# what comes with Whoknew


@pytest.mark.parametrize("relationship", ["friend", "family"])
def test_every_pair_of_ours_can_lead_a_whole_life(relationship: Relationship) -> None:
    bank, people = shelf.find_bank(relationship), shelf.find_people("people")
    for first, second in people.pairs(relationship):
        for pair in ((first, second), (second, first)):
            life = drawn(bank, pair, *LIFE, "7")
            assert [one.hard for one in life] == [False] * 40 + [True] * 5
            needed = {need.sketch for one in life for need in one.needs}
            assert needed <= {one.name for one in life[:40]}


def test_other_seeds_draw_other_orders() -> None:
    bank, pair = lives_of_friends()
    orders = {tuple(one.name for one in drawn(bank, pair, *LIFE, str(seed))) for seed in range(50)}
    assert len(orders) == 50
    assert len({names[-5:] for names in orders}) == 1  # the hard ones keep the bank's order


PROGRAM = """
from whoknew.worlds import shelf
from whoknew.worlds.drawing import drawn
pair = shelf.find_people("people").pairs("friend")[0]
print([one.name for one in drawn(shelf.find_bank("friend"), pair, 40, 5, "11/2/episodes")])
"""


def test_a_life_is_the_same_in_another_process_under_another_hash_seed() -> None:
    bank, pair = lives_of_friends()
    life = drawn(bank, pair, *LIFE, "11/2/episodes")
    there = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        check=True,
        text=True,
    )
    assert there.stdout.strip() == str([one.name for one in life])


# people


@pytest.mark.parametrize("relationship", RELATIONSHIPS)
def test_at_least_three_pairs_of_ours_stand_so_to_each_other(relationship: Relationship) -> None:
    pairs = shelf.find_people("people").pairs(relationship)
    assert len(pairs) >= 3
    assert len({frozenset((first.name, second.name)) for first, second in pairs}) == len(pairs)


def test_two_of_ours_stand_to_each_other_in_one_way_only() -> None:
    people = shelf.find_people("people")
    found = [frozenset(one.between) for one in people.relations]
    assert len(set(found)) == len(found) == sum(len(people.pairs(one)) for one in RELATIONSHIPS)


def test_all_of_ours_can_be_described_and_have_something_to_hide() -> None:
    for one in shelf.find_people("people").characters:
        assert all((one.looks, one.age, one.gender, one.pronouns, one.occupation)), one.name
        assert one.public and one.nature and one.secret, one.name


PEOPLE = """name = "quay"
begins = 2000-01-01T10:00:00
characters = [{ name = "Oda" }, { name = "Bram" }, { name = "Kit" }]
relations = [
  { relation = "friend", between = ["Kit", "Oda"] },
  { relation = "family", between = ["Oda", "Bram"] },
  { relation = "friend", between = ["Bram", "Kit"] },
  { relation = "friend", of = "Oda", to = "Bram" },
]
"""


def people(tmp_path: Path, text: str) -> People:
    (tmp_path / "quay.toml").write_text(text)
    return shelf.find_people("quay.toml", tmp_path)


def test_pairs_are_those_who_stand_so_to_each_other_as_they_are_listed(tmp_path: Path) -> None:
    found = people(tmp_path, PEOPLE)
    names = {
        relationship: [(first.name, second.name) for first, second in found.pairs(relationship)]
        for relationship in RELATIONSHIPS
    }
    assert names["friend"] == [("Kit", "Oda"), ("Bram", "Kit")]
    assert names["family"] == [("Oda", "Bram")]
    assert not any(names[one] for one in RELATIONSHIPS if one not in ("friend", "family"))


def test_every_mistake_of_people_comes_in_one_report(tmp_path: Path) -> None:
    text = PEOPLE.replace('name = "Kit"', 'name = "Oda"').replace(', "Bram"]', "]")
    with pytest.raises(BadDocument) as caught:
        people(tmp_path, text)
    assert [(one.line, one.key, one.what) for one in caught.value.mistakes] == [
        (3, "characters[2].name", "is 'Oda', as an earlier one is"),
        (5, "relations[0].between[0]", "'Kit' is no character: there are: 'Oda', 'Bram'"),
        (6, "relations[1]", WHOSE),
        (7, "relations[2].between[1]", "'Kit' is no character: there are: 'Oda', 'Bram'"),
    ]


WHOSE = "whose relation is it? Give `between` two people, or `of` one `to` another"


def test_people_who_are_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(
        BadDocument, match="nor have the people that come with Whoknew: did you mean 'people'"
    ):
        shelf.find_people("poeple")
    with pytest.raises(BadDocument, match=r"nobody\.toml: there is no such file"):
        shelf.find_people("nobody.toml", tmp_path)
