"""What one may know of another follows from how they stand to each other."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.eventlog.kinds import CharacterAdded, Described, RelationSet
from whoknew.worlds import beginning
from whoknew.worlds.relationship import KNOWN, OWN, RELATIONSHIPS, Relationship, portrait
from whoknew.worlds.setting import Character, Relation, Scenario, Setting

ODA = Character(
    "Oda",
    looks="A tall woman.",
    age=46,
    gender="woman",
    pronouns="she/her",
    occupation="cook",
    public="Never sits down.",
    nature="Kind, and sharp.",
    secret="She means to sell.",
)

PERSON = "46-year-old woman cook (she/her)."

SEEN: dict[Relationship, str] = {
    "stranger": "A tall woman.",
    "known by name": "Oda. A tall woman.",
    "acquaintance": f"Oda. A tall woman. {PERSON} Never sits down.",
    "friend": f"Oda. A tall woman. {PERSON} Never sits down. Kind, and sharp.",
    "romantic": f"Oda. A tall woman. {PERSON} Never sits down. Kind, and sharp.",
    "family": (
        f"Oda. A tall woman. {PERSON} Never sits down. Kind, and sharp. Oda keeps something secret."
    ),
}


@pytest.mark.parametrize("relation", RELATIONSHIPS)
def test_what_each_may_know(relation: Relationship) -> None:
    assert portrait(ODA, KNOWN[relation]) == SEEN[relation]


def test_only_oneself_knows_the_secret() -> None:
    assert portrait(ODA, OWN).endswith("Secret: She means to sell.")


def test_who_stands_closer_knows_no_less() -> None:
    for distant, close in pairwise(RELATIONSHIPS):
        assert set(KNOWN[distant]) <= set(KNOWN[close])


WORDS = st.text("abc ", max_size=12).map(str.strip)


@given(st.builds(Character, st.just("Oda"), WORDS, st.none(), WORDS, WORDS, WORDS, WORDS, WORDS))
def test_no_secret_is_in_what_anybody_else_may_know(character: Character) -> None:
    hidden = Character(
        character.name,
        character.looks,
        character.age,
        character.gender,
        character.pronouns,
        character.occupation,
        character.public,
        character.nature,
        "QUARTZ",
    )
    for facets in KNOWN.values():
        assert "QUARTZ" not in portrait(hidden, facets)
    assert "QUARTZ" in portrait(hidden, OWN)


@pytest.mark.parametrize("relation", RELATIONSHIPS)
def test_a_world_begins_with_each_knowing_just_that(relation: Relationship) -> None:
    setting = Setting(
        "s",
        "S",
        datetime(2000, 1, 1),
        (ODA, Character("Bram"), Character("Kit")),
        (Scenario("one", "A room.", ("Oda", "Bram")),),
        relations=(Relation(relation, of="Bram", to="Oda"),),
    )
    drafts = beginning.world(setting, 0, 1)
    of_oda = [one for one in drafts if isinstance(one.body, Described) and one.body.name == "Oda"]
    known = {who: one.body.text for one in of_oda for who in one.witnesses}  # type: ignore[attr-defined]
    assert known == {"Bram": SEEN[relation]}, "a stranger learns of her when they meet"
    (own,) = [
        one for one in drafts if isinstance(one.body, CharacterAdded) and one.body.name == "Oda"
    ]
    assert own.witnesses == ("Oda",)
    (set_,) = [one for one in drafts if isinstance(one.body, RelationSet)]
    assert set_.witnesses == ("Bram",)
