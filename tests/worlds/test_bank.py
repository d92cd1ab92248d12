"""Banks: what those that come with Whoknew promise, how a sketch is cast, what is told of mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from msgspec.structs import replace

from whoknew.eventlog.words import terms
from whoknew.worlds import shelf
from whoknew.worlds.bank import (
    SIDES,
    Bank,
    Earlier,
    Side,
    Sketch,
    copies,
    faults,
    near_copy,
)
from whoknew.worlds.faults import faults as faults_of_setting
from whoknew.worlds.relationship import RELATIONSHIPS
from whoknew.worlds.setting import Character, Need, Setting
from whoknew.worlds.toml_text import toml_of

NAMES = {one: one.replace(" ", "-") for one in RELATIONSHIPS}
LIVED = ("friend", "family")
"""The banks that are long enough for a life of forty episodes and five hard ones."""

ADA, BO = "Ada Voss", "Bo Lund"


@pytest.fixture(params=RELATIONSHIPS)
def bank(request: pytest.FixtureRequest) -> Bank:
    return bundled(request.param)


def bundled(relationship: str) -> Bank:
    return shelf.find_bank(NAMES[relationship])


def ordinary(bank: Bank) -> list[Sketch]:
    return [one for one in bank.sketches if not one.hard]


def hard(bank: Bank) -> list[Sketch]:
    return [one for one in bank.sketches if one.hard]


def parts(one: Sketch) -> Iterator[str]:
    """Every text of a sketch in which somebody may be named."""
    yield from (one.text, one.over, *one.goals)
    for lines in one.lines:
        yield from lines


# those that come with Whoknew


def test_there_is_a_bank_for_every_relationship_and_it_bears_the_name_of_its_file() -> None:
    assert shelf.bundled_banks() == sorted(NAMES.values())
    for relationship, name in NAMES.items():
        found = bundled(relationship)
        assert (found.name, found.relationship) == (name, relationship)
        assert found.about


def test_a_bank_is_sound_and_of_the_size_that_is_promised(bank: Bank) -> None:
    assert list(faults(bank)) == []
    least, difficult = (41, 5) if bank.relationship in LIVED else (20, 0)
    assert len(ordinary(bank)) >= least
    assert len(hard(bank)) == difficult


def test_one_sketch_in_four_divides_something_of_exact_worth_to_both(bank: Bank) -> None:
    dividing = [one for one in ordinary(bank) if one.pool]
    assert 0.20 <= len(dividing) / len(ordinary(bank)) <= 0.32
    for one in dividing:
        mine, theirs = one.worth
        assert set(mine) == set(theirs) == set(one.pool), one.name
        assert mine != theirs, one.name  # else there is nothing to find out
        assert all(sum(worth.values()) > 0 for worth in one.worth), one.name


def test_a_bundled_bank_written_as_toml_is_read_as_it_was(bank: Bank) -> None:
    assert shelf.parse_bank(toml_of(bank), "again.toml") == bank


def test_everybody_in_a_sketch_has_something_to_say(bank: Bank) -> None:
    for one in bank.sketches:
        assert len(one.lines) == 2 and all(one.lines), one.name


def test_only_the_two_sides_stand_in_braces(bank: Bank) -> None:
    for one in bank.sketches:
        for text in parts(one):
            rest = text.replace("{first}", "").replace("{second}", "")
            assert "{" not in rest and "}" not in rest, (one.name, text)


@pytest.mark.parametrize("relationship", LIVED)
def test_the_hard_ones_stand_last(relationship: str) -> None:
    found = bundled(relationship)
    assert list(found.sketches) == [*ordinary(found), *hard(found)]


@pytest.mark.parametrize("relationship", LIVED)
def test_what_a_hard_one_needs_is_really_said_or_offered_earlier(relationship: str) -> None:
    found = bundled(relationship)
    earlier = {one.name: one for one in ordinary(found)}
    for one in hard(found):
        for need in one.needs:
            there = earlier[need.sketch]
            words = set(terms(need.words))
            said = [len(words & set(terms(line))) for line in there.lines[SIDES.index(need.by)]]
            assert max(said) >= 2 if need.words else there.pool, (one.name, need)


def test_every_sketch_of_a_bank_is_known_again_and_told_from_all_the_others(bank: Bank) -> None:
    assert list(copies(bank.sketches)) == []
    for one in bank.sketches:
        others = [other for other in bank.sketches if other is not one]
        assert near_copy(one, others) is None
        assert near_copy(replace(one, name="another"), bank.sketches) == one.name


# the casting


LONG_AGO = datetime(2000, 1, 1)

SPEECHLESS: list[tuple[Side, ...]] = [(), ("first",), ("second",), SIDES]


@pytest.mark.parametrize("speechless", SPEECHLESS)
def test_a_cast_sketch_names_its_two_people_and_nobody_else(
    bank: Bank, speechless: tuple[Side, ...]
) -> None:
    for one in bank.sketches:
        scenario = one.cast(ADA, BO, speechless)
        assert (scenario.name, scenario.cast) == (one.name, (ADA, BO))
        assert set(scenario.goals) == {ADA, BO}
        for text in (scenario.text, *scenario.goals.values()):
            assert "{" not in text and "}" not in text, one.name
        assert scenario.text == named(one.text)


@pytest.mark.parametrize("speechless", SPEECHLESS)
def test_everybody_reads_their_own_goal_and_the_speechless_their_own_lines(
    bank: Bank, speechless: tuple[Side, ...]
) -> None:
    for one in bank.sketches:
        scenario = one.cast(ADA, BO, speechless)
        for side, who, goal, lines in zip(SIDES, (ADA, BO), one.goals, one.lines, strict=True):
            given, *directions = scenario.goals[who].splitlines()
            assert given == named(goal)
            said = [spoken(each) for each in directions]
            assert said == ([*map(named, lines)] if side in speechless else []), one.name


def test_nobody_reads_what_the_other_wants_or_will_say(bank: Bank) -> None:
    for one in bank.sketches:
        scenario = one.cast(ADA, BO, SIDES)
        for number, other in ((0, BO), (1, ADA)):
            private = (one.goals[number], *one.lines[number])
            shown = f"{scenario.text}\n{scenario.goals[other]}"
            assert not [text for text in private if named(text) in shown], one.name


def test_what_is_cast_makes_a_sound_setting(bank: Bank) -> None:
    scenarios = tuple(one.cast(ADA, BO, SIDES) for one in bank.sketches)
    people = (Character(ADA), Character(BO))
    setting = Setting("life", "A life", LONG_AGO, people, scenarios)
    assert list(faults_of_setting(setting)) == []


def test_the_pool_its_worth_and_the_needs_go_to_the_people_who_are_cast() -> None:
    pool, worth = {"pans": 7, "ladles": 2}, ({"pans": 3, "ladles": 0}, {"pans": 1, "ladles": 5})
    goals = ("Get the pans.", "Keep the ladles.")
    pans = Sketch("pans", "A cold stove.", "pans", goals, pool=pool, worth=worth, turns=4)
    scenario = pans.cast(ADA, BO)
    assert scenario.pool == pool
    assert scenario.worth == {ADA: worth[0], BO: worth[1]}
    assert (scenario.turns, scenario.stale) == (4, 4)
    snow = Sketch("snow", "Snow.", "it", ("Go.", "Stay."), needs=(Earlier("cat", "second", "ice"),))
    plain = snow.cast(ADA, BO)
    assert (plain.pool, plain.worth, plain.turns, plain.stale) == ({}, {}, None, None)
    assert plain.needs == (Need("cat", BO, "ice"),)


@pytest.mark.parametrize("line", ['"Hush," said the sign.', "One.\nTwo.", "back\\slash", '\\"'])
def test_a_line_is_one_direction_whatever_it_holds(line: str) -> None:
    one = Sketch("a", "A room.", "it", ("Stay.", "Go."), ((line,), ()))
    _, *directions = one.cast(ADA, BO, SIDES).goals[ADA].split("\n")
    assert [spoken(each) for each in directions] == [line.replace("\n", " ")]


def named(text: str) -> str:
    return text.replace("{first}", ADA).replace("{second}", BO)


def spoken(direction: str) -> str:
    """What a direction lets somebody say, as the offline model reads it."""
    found = re.fullmatch('Say: "(.*)"', direction)
    assert found, direction
    return found[1].replace('\\"', '"')
