"""Sotopia's scenarios as banks, and its characters as those who can play them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from shared_data import data

from whoknew.worlds.bank import Bank, Sketch
from whoknew.worlds.drawing import drawn, fits
from whoknew.worlds.errors import BadDocument
from whoknew.worlds.importers.sotopia.bank import sotopia_bank
from whoknew.worlds.people import People
from whoknew.worlds.people import faults as faults_of_people
from whoknew.worlds.relationship import RELATIONSHIPS
from whoknew.worlds.setting import Character


def rows(name: str) -> list[dict[str, Any]]:
    text = data("sotopia", f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def banks() -> dict[str, Bank]:
    return {one: sotopia_bank(data("sotopia"), one)[1] for one in RELATIONSHIPS}


def friends() -> tuple[People, Bank]:
    return sotopia_bank(data("sotopia"), "friend")


# the real files


def test_every_scenario_is_in_the_bank_of_its_relationship() -> None:
    scenarios = rows("environment_profiles")
    counts = Counter(RELATIONSHIPS[int(one["relationship"])] for one in scenarios)
    found = banks()
    assert {name: len(bank.sketches) for name, bank in found.items()} == {
        name: counts[name] for name in RELATIONSHIPS
    }
    assert sum(counts.values()) == len(scenarios) == 90
    names = {one.name for bank in found.values() for one in bank.sketches}
    assert names == {f"{one['codename']} {one['env_id']}" for one in scenarios}
    assert all(bank.relationship == name for name, bank in found.items())


def test_every_scenario_has_two_goals_as_their_owners_read_them() -> None:
    sketches = [one for bank in banks().values() for one in bank.sketches]
    assert len(sketches) == 90
    for one in sketches:
        assert one.text and len(one.goals) == 2 and all(one.goals), one.name
        assert not any(mark in goal for goal in one.goals for mark in ("<extra", "_hint>", "</"))
        scenario = one.cast("Ann Hill", "Ben O'Dea", ("first", "second"))
        assert tuple(scenario.goals.values()) == tuple(goal.strip() for goal in one.goals)


def test_all_the_characters_are_there_and_stand_as_the_file_says() -> None:
    people, _ = friends()
    profiles = rows("agent_profiles")
    assert len(people.characters) == len(profiles) == 40
    names = {f"{one['first_name']} {one['last_name']}" for one in profiles}
    assert {one.name for one in people.characters} == names
    assert list(faults_of_people(people)) == []
    told: dict[frozenset[str], str] = {}
    for one in rows("relationship_profiles"):  # of two pairs it is told twice: the first counts
        pair = frozenset((one["agent1_id"], one["agent2_id"]))
        told.setdefault(pair, RELATIONSHIPS[int(one["relationship"])])
    counts = Counter(told.values())
    for relationship in RELATIONSHIPS:
        assert len(people.pairs(relationship)) == counts[relationship]


def test_the_scenario_of_two_actors_fits_only_actors() -> None:
    (row,) = [
        one for one in rows("environment_profiles") if "actor" in one["occupation_constraint"]
    ]
    people, bank = sotopia_bank(data("sotopia"), RELATIONSHIPS[int(row["relationship"])])
    (one,) = [sketch for sketch in bank.sketches if row["env_id"] in sketch.name]
    assert one.occupations == (("actor",), ("actor",))
    assert [sketch for sketch in bank.sketches if sketch.occupations] == [one]
    actors = [who for who in people.characters if who.occupation.lower() == "actor"]
    others = [who for who in people.characters if who not in actors]
    assert others
    actor = replaced(others[0], "Actor")
    for who in (*actors, actor):
        assert fits(one, (who, actor))
    for who in others:
        assert not fits(one, (who, actor)) and not fits(one, (actor, who))


def replaced(who: Character, occupation: str) -> Character:
    return Character(who.name, age=who.age, occupation=occupation)


def test_forty_episodes_of_friends_can_be_drawn() -> None:
    people, bank = friends()
    for pair in people.pairs("friend"):
        life = drawn(bank, pair, 40, 0, "1/episodes")
        assert len({one.name for one in life}) == 40
        assert all(fits(one, pair) for one in life)


# what is read of a constraint


@pytest.mark.parametrize(
    ("constraint", "ages"),
    [
        ("[(18, 30), (40, 70)]", ((18, 30), (40, 70))),
        (f"[(18, {'9' * 5000}), (40, 70)]", ()),
        ("nan", ()),
        (None, ()),
    ],
)
def test_ages_are_given_for_each_side_or_for_neither(
    tmp_path: Path, constraint: str | None, ages: tuple[tuple[int, int], ...]
) -> None:
    assert brought(tmp_path, age_constraint=constraint).ages == ages


@pytest.mark.parametrize(
    ("constraint", "occupations"),
    [
        ("[actor, actor]", (("actor",), ("actor",))),
        ("['Baker', 'sea cook']", (("Baker",), ("sea cook",))),
        ("[['actor', 'actress'], ['writer']]", (("actor", "actress"), ("writer",))),
        ("[['writer', 'artist'], ['nan']]", (("writer", "artist"), ())),
        ("[['nan'], ['nan']]", ((), ())),
        ("[[], []]", ((), ())),
        ("nan", ()),
        (None, ()),
    ],
)
def test_trades_are_one_or_several_for_each_side_in_every_form_that_sotopia_has(
    tmp_path: Path, constraint: str | None, occupations: tuple[tuple[str, ...], ...]
) -> None:
    assert brought(tmp_path, occupation_constraint=constraint).occupations == occupations


def brought(folder: Path, **fields: Any) -> Sketch:
    """A scenario of our own in Sotopia's form, as a sketch."""
    row = {
        "env_id": "01ENV",
        "codename": "shed",
        "scenario": "A shed.",
        "agent_goals": ["Sell (<extra_info>honey</extra_info>)", "Buy"],
        "relationship": "3",
        **fields,
    }
    (folder / "environment_profiles.jsonl").write_text(json.dumps(row))
    _, bank = sotopia_bank(folder, "friend")
    (one,) = bank.sketches
    assert (one.name, one.goals) == ("shed 01ENV", ("Sell (honey)", "Buy"))
    return one


def test_an_unknown_relationship_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(BadDocument) as caught:
        sotopia_bank(tmp_path, "freind")
    what = "bank: 'freind' is no relationship: did you mean 'friend'?"
    assert str(caught.value) == f"{tmp_path}: {what}"
