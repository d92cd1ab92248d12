"""The unaided method puts real names in, and aliases back into what is answered."""

from __future__ import annotations

import json

from whoknew.agents.methods.unaided import Aliases

NAMES = {"Person1": "MACBETH", "Person1_001": "Macbeth", "Person2": "FIRST BOATMAN"}


def put(names: dict[str, str], answer: object) -> object:
    return json.loads(Aliases(names).put(json.dumps(answer)))


def test_names_are_hidden_in_what_is_said_and_nowhere_else() -> None:
    names = {"Person1": "An", "Person2": "answer", "Person3": "rests", "Person3_001": "on"}
    said = put(names, {"answer": "An said: answer me.", "rests_on": [1]})
    assert said == {"answer": "Person1 said: Person2 me.", "rests_on": [1]}


def test_each_spelling_has_its_own_alias_and_one_that_the_world_lacks_that_of_its_name() -> None:
    said = put(NAMES, {"answer": "Macbeth and MACBETH met the first boatman"})
    assert said == {"answer": "Person1_001 and Person1 met the Person2"}


def test_a_name_in_escapes_is_a_name() -> None:
    assert put({"Person1": "Zo\u00eb"}, {"answer": "It was Zo\u00eb."}) == {
        "answer": "It was Person1."
    }
    assert "\\u00eb" in json.dumps("Zo\u00eb")


def test_what_is_no_json_stays_as_it_is() -> None:
    for text in ('"MACBETH', "MACBETH", '{"answer": "\\q MACBETH"}', '\\"' * 50_000):
        assert Aliases(NAMES).put(text) == text
