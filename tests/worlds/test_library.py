"""The bundled settings: what each of them promises to hold, and that its lines can be performed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from whoknew.worlds.setting import Scenario, Setting

LIBRARY = Path(__file__).parents[2] / "worlds" / "library"
NAMES = ("flatmates", "midnight-diner", "harbour")

DIRECTION = re.compile(
    r'^(Say|Whisper to|Think|Do|Gesture|Leave|Go to)(?: ([^:"\n]+))?: "([^"]+)"$', re.MULTILINE
)


def contents(name: str) -> dict[str, Any]:
    return tomllib.loads((LIBRARY / f"{name}.toml").read_text("utf-8"))


def setting(name: str) -> Setting:
    return msgspec.convert(contents(name), Setting)


@pytest.fixture(params=NAMES)
def world(request: pytest.FixtureRequest) -> Setting:
    return setting(request.param)


def coming(scenario: Scenario) -> list[str]:
    """All who are ever in a scenario, each once, in no order that matters."""
    later = [one.who for one in scenario.turnings if one.who and one.enters]
    return list(dict.fromkeys([*scenario.cast, *later]))


def places(scenario: Scenario) -> set[str]:
    turnings = (one.place for one in scenario.turnings)
    return {place for place in (scenario.place, *scenario.where.values(), *turnings) if place}


def directions(scenario: Scenario) -> Iterator[tuple[str, str, str, str]]:
    for who, goal in scenario.goals.items():
        for verb, whom, text in DIRECTION.findall(goal):
            yield who, verb, whom, text


# what holds of all of them


def test_a_bundled_setting_bears_the_name_of_its_file() -> None:
    assert [setting(name).name for name in NAMES] == list(NAMES)


def test_every_name_is_known_and_nobody_is_named_twice(world: Setting) -> None:
    people = [one.name for one in world.characters]
    known = {one.name for one in world.places}
    assert len(set(people)) == len(people)
    assert len({one.name for one in world.scenarios}) == len(world.scenarios)
    for one in world.relations:
        assert {*one.between, one.of or people[0], one.to or people[0]} <= set(people)
    for scenario in world.scenarios:
        assert {*coming(scenario), *scenario.goals, *scenario.where} <= set(people)
        assert {*scenario.where, *scenario.hidden} <= set(scenario.cast)
        assert places(scenario) <= known
    assert all(set(place.hears) <= known - {place.name} for place in world.places)


def test_all_who_are_ever_in_a_scenario_want_something_and_nobody_else_does(world: Setting) -> None:
    for scenario in world.scenarios:
        assert set(scenario.goals) == set(coming(scenario)), scenario.name


def test_one_scenario_begins_after_another(world: Setting) -> None:
    times = [one.begins for one in world.scenarios]
    assert times[0] == world.begins
    assert all(a and b and a < b for a, b in pairwise(times))


def test_everybody_can_be_seen_and_most_have_something_to_hide(world: Setting) -> None:
    for one in world.characters:
        assert all((one.looks, one.age, one.gender, one.pronouns, one.occupation))
        assert one.public and one.nature
    assert sum(bool(one.secret) for one in world.characters) >= 3


def test_every_direction_in_a_goal_is_well_formed_and_can_be_followed(world: Setting) -> None:
    for scenario in world.scenarios:
        lines = [
            line for goal in scenario.goals.values() for line in goal.splitlines() if '"' in line
        ]
        assert len(lines) == len(list(directions(scenario))), scenario.name
        for who, verb, whom, _ in directions(scenario):
            assert bool(whom) == (verb in ("Whisper to", "Go to")), (scenario.name, who)
            assert verb != "Whisper to" or whom in set(coming(scenario)) - {who}
            assert verb != "Go to" or whom in places(scenario)


def test_one_who_is_hidden_is_given_nothing_to_say(world: Setting) -> None:
    for scenario in world.scenarios:
        unseen = {one.who for one in scenario.turnings if one.enters == "hidden"}
        for who, verb, _, _ in directions(scenario):
            speaks = verb in ("Say", "Whisper to")
            assert not (speaks and who in {*scenario.hidden, *unseen}), (scenario.name, who)


def test_turnings_come_while_the_scenario_plays(world: Setting) -> None:
    for scenario in world.scenarios:
        turns = [one.turn for one in scenario.turnings]
        assert turns == sorted(turns)
        assert all(0 < turn <= (scenario.turns or 0) for turn in turns)


def test_no_bundled_setting_takes_its_words_from_another() -> None:
    assert not any(runs(one, 5) & runs(other, 5) for one, other in combinations(NAMES, 2))


def test_no_person_and_no_place_is_in_two_bundled_worlds() -> None:
    names = [
        one["name"]
        for name in NAMES
        for part in ("characters", "places")
        for one in contents(name)[part]
    ]
    shared = {name for name in names if names.count(name) > 1}
    assert shared <= {"the kitchen"}  # every house has one


def strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for one in value.values():
                yield from strings(one)
        case list():
            for one in value:
                yield from strings(one)


def runs(name: str, length: int) -> set[tuple[str, ...]]:
    """Every run of so many words, each within one sentence."""
    found: set[tuple[str, ...]] = set()
    for text in strings(contents(name)):
        for sentence in re.split(r'[.!?:"\n]', text.lower()):
            words = re.findall(r"[a-z']+", sentence)
            found.update(zip(*(words[one:] for one in range(length)), strict=False))
    return found


# flatmates: things to divide


def test_the_flatmates_divide_something_ten_times_mostly_by_twos() -> None:
    flat = setting("flatmates")
    assert (len(flat.characters), len(flat.scenarios)) == (3, 10)
    assert [len(one.cast) for one in flat.scenarios].count(3) == 2
    assert all((one.turns, one.stale) in ((6, 4), (9, 4)) for one in flat.scenarios)


def test_everybody_knows_what_each_thing_in_the_pool_is_worth_to_them() -> None:
    for one in setting("flatmates").scenarios:
        assert set(one.worth) == set(one.cast), one.name
        assert all(set(worth) == set(one.pool) for worth in one.worth.values()), one.name


def test_tastes_never_change_so_that_they_are_worth_remembering() -> None:
    tastes: dict[tuple[str, str], set[int]] = {}
    for one in setting("flatmates").scenarios:
        for who, worth in one.worth.items():
            for thing, points in worth.items():
                tastes.setdefault((who, thing), set()).add(points)
    assert len(tastes) == 18  # three people, six kinds of things
    assert all(len(points) == 1 for points in tastes.values())


def test_all_that_there_is_has_its_price_in_points() -> None:
    totals = {one.name: totals_of(one) for one in setting("flatmates").scenarios}
    assert totals["boxes"] == {"Hester": 25, "Amadou": 26}
    assert totals["hall"] == {"Petra": 16, "Hester": 16}
    assert totals["inheritance"] == {"Hester": 26, "Amadou": 21, "Petra": 31}
    assert all(10 <= points <= 50 for each in totals.values() for points in each.values())


def test_some_division_beats_an_even_split_for_all_in_all_scenarios_but_one() -> None:
    even = [one.name for one in setting("flatmates").scenarios if not beats_an_even_split(one)]
    assert even == ["hall"]


def test_there_is_a_good_deal_to_gain_for_those_who_know_each_other() -> None:
    gains = {one.name: gain(one) for one in setting("flatmates").scenarios}
    assert gains["hall"] == 0  # each wants all of it
    assert sum(each >= 0.3 for each in gains.values()) >= 7, gains


def totals_of(scenario: Scenario) -> dict[str, int]:
    return {who: points(scenario.pool, worth) for who, worth in scenario.worth.items()}


def points(share: Mapping[str, int], worth: Mapping[str, int]) -> int:
    return sum(count * worth[thing] for thing, count in share.items())


def divisions(scenario: Scenario) -> Iterator[tuple[dict[str, int], ...]]:
    """Every way to give away all that there is: a share each, in the order of the cast."""
    ways = [list(parts(count, len(scenario.cast))) for count in scenario.pool.values()]
    for chosen in product(*ways):
        yield tuple(
            dict(zip(scenario.pool, share, strict=True)) for share in zip(*chosen, strict=True)
        )


def parts(count: int, shares: int) -> Iterator[tuple[int, ...]]:
    """Every way to give `count` of a thing to so many."""
    if shares == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in parts(count - first, shares - 1):
            yield (first, *rest)


def gain(scenario: Scenario) -> float:
    """Of the best division, what it gives the one whom it serves least, past an even split."""
    people = len(scenario.cast)
    totals = totals_of(scenario)
    return max(
        min(
            points(share, scenario.worth[who]) * people / totals[who] - 1
            for who, share in zip(scenario.cast, shares, strict=True)
        )
        for shares in divisions(scenario)
    )


def beats_an_even_split(scenario: Scenario) -> bool:
    return gain(scenario) > 0


# midnight-diner: secrets that pass from one to another


def test_the_diner_is_open_for_ten_nights_and_has_staff_and_guests() -> None:
    diner = setting("midnight-diner")
    assert len(diner.scenarios) == 10
    assert len(diner.characters) == 9
    assert all(8 <= (one.turns or 0) <= 14 for one in diner.scenarios)
    assert all(
        one.begins and (one.begins.hour >= 23 or one.begins.hour < 4) for one in diner.scenarios
    )
    guests = {one.name for one in diner.characters} - {"Dorte", "Emil", "Yusuf"}
    nights = {name: sum(name in coming(one) for one in diner.scenarios) for name in guests}
    assert all(1 < seen < len(diner.scenarios) for seen in nights.values()), nights


def test_people_come_and_go_in_the_middle_of_a_night() -> None:
    scenarios = setting("midnight-diner").scenarios
    turnings = [one for scenario in scenarios for one in scenario.turnings]
    assert sum(one.enters == "openly" for one in turnings) >= 6
    assert any(one.enters == "hidden" for one in turnings)
    assert any(one.narrates for one in turnings)
    assert any(scenario.hidden for scenario in scenarios)
    verbs = {verb for scenario in scenarios for _, verb, _, _ in directions(scenario)}
    assert verbs == {"Say", "Whisper to", "Think", "Do", "Gesture", "Leave", "Go to"}


def test_the_pantry_hears_the_kitchen_and_the_kitchen_the_counter() -> None:
    hears = {place.name: place.hears for place in setting("midnight-diner").places}
    assert hears == {
        "the counter": (),
        "the kitchen": ("the counter",),
        "the pantry": ("the kitchen",),
    }


def test_the_cook_s_secret_is_told_where_the_pantry_hears_it_and_whispered_on() -> None:
    scenarios = {one.name: one for one in setting("midnight-diner").scenarios}
    assert scenarios["onions"].where["Yusuf"] == "the pantry"
    assert ("Dorte", "Say", "") in told(scenarios["onions"], "cannot taste")
    assert ("Yusuf", "Whisper to", "Vera") in told(scenarios["tyre"], "cannot taste")
    assert ("Vera", "Say", "") in told(scenarios["spoon"], "cannot taste")
    assert ("Yusuf", "Whisper to", "Emil") in told(scenarios["thirty"], "cannot taste")


def told(scenario: Scenario, words: str) -> list[tuple[str, str, str]]:
    return [(who, verb, whom) for who, verb, whom, text in directions(scenario) if words in text]


# harbour: many people, in many places at once


def test_the_harbour_has_twelve_people_in_seven_places_over_six_scenes() -> None:
    harbour = setting("harbour")
    assert (len(harbour.characters), len(harbour.places), len(harbour.scenarios)) == (12, 7, 6)
    assert sum(len(one.cast) == 12 for one in harbour.scenarios) == 3
    assert all(len(places(one)) >= 3 for one in harbour.scenarios)
    assert sum(len(places(one)) >= 4 for one in harbour.scenarios) == 5


def test_some_places_of_the_harbour_overhear_others() -> None:
    hears = {place.name: place.hears for place in setting("harbour").places if place.hears}
    assert hears == {"the chart room": ("the harbour office",), "the net loft": ("the quay",)}


def test_a_truth_and_a_rumour_go_from_place_to_place_on_foot() -> None:
    scenarios = setting("harbour").scenarios
    moves = [one for scenario in scenarios for one in directions(scenario) if one[1] == "Go to"]
    assert len({whom for _, _, whom, _ in moves}) >= 5
    truth = [{who for who, _, _ in told(one, "bankrupt")} for one in scenarios]
    assert truth[:2] == [{"Ysolde"}, {"Pim", "Aagot"}]
    rumour = {who for one in scenarios for who, _, _ in told(one, "two passages to run off")}
    assert rumour == {"Crispin", "Barnaby"}


@pytest.mark.parametrize("name", NAMES)
def test_people_stand_to_one_another_as_family_and_more_closely_still(name: str) -> None:
    relations = {one.relation for one in setting(name).relations}
    assert {"family", "friend", "acquaintance"} <= relations
    assert name == "flatmates" or "romantic" in relations
