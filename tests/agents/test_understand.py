"""What models say, understood: JSON as it should be, and as it is."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.agents import lenient
from whoknew.agents.errors import BadAnswer
from whoknew.agents.mind import DealingAndGoing, Said
from whoknew.agents.understand import TRIES, _objects, understand

HELLO = Said("speak", "Hello.", ["Bram"], [3])


@pytest.mark.parametrize(
    "text",
    [
        '{"act": "speak", "text": "Hello.", "to": ["Bram"], "refers_to": [3]}',
        'Sure!\n```json\n{"act": "speak", "text": "Hello.", "to": ["Bram"], "refers_to": [3]}\n```\nBye',
        "```\n{'act': 'speak', 'text': 'Hello.', 'to': ['Bram',], 'refers_to': [3,],}\n```",
        "I say: {act: 'speak', text: \"Hello.\", to: ['Bram'], refers_to: ['3']} and no more.",
        '{"Act": "SPEAK", "Text": "Hello.", "TO": ["Bram"], "refers to": [3], "mood": "calm"}',
        "{“act”: “speak”, “text”: “Hello.”, “to”: [“Bram”], “refers_to”: [3]}",
        '// a note\n{"act": "speak", /* why */ "text": "Hello.", "to": ["Bram"], "refers_to": [3] # end\n}',
        '[{"act": "speak", "text": "Hello.", "to": ["Bram"], "refers_to": [3]}]',
        '{} {"act": "speak", "text": "Hello.", "to": ["Bram"], "refers_to": [3]}',
    ],
)
def test_what_models_write_is_understood(text: str) -> None:
    assert understand(text, Said) == HELLO


def test_apostrophes_and_line_ends_in_a_text_are_part_of_it() -> None:
    said = understand(
        "{'act': 'speak', 'text': 'It\\'s Ann's book,\nand\\u00e9 \\ud83d\\ude00'}", Said
    )
    assert said.text == "It's Ann's book,\nandé 😀"


def test_words_of_python_and_missing_values_are_taken() -> None:
    said = understand("{'act': 'none', 'agrees': True, 'goes': None, 'to': None}", DealingAndGoing)
    assert (said.agrees, said.goes, said.to) == (True, None, [])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("I would rather not.", "there is no JSON object in 'I would rather not.'"),
        ('{"act": "fly"}', "invalid enum value 'fly'"),
        ('{"text": "Hello."}', "missing required field `act`"),
        ('{"act": "speak", "text": "Hel', "was expected where the end stands"),
        ("[" * 100_000, "there is no JSON object"),
        ('{"a":' * 100_000, "nested more than 60 deep"),
        ("", "there is no JSON object in ''"),
    ],
    ids=["prose", "no such act", "no act", "cut off", "deep lists", "deep objects", "nothing"],
)
def test_what_cannot_be_understood_is_said_in_words_for_the_model(text: str, why: str) -> None:
    with pytest.raises(BadAnswer) as caught:
        understand(text, Said)
    told = str(caught.value)
    assert why in told
    assert 'the fields "act", "text", "to", "refers_to"' in told
    assert len(told) < 400
    assert "\n" not in told


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=5)


@given(OBJECTS, st.booleans())
def test_all_json_is_read_as_it_is(value: dict[str, Any], ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert lenient.read(text, 0) == (value, len(text))


@given(OBJECTS, st.text("prose ", max_size=20), st.sampled_from(["", "json", "python"]))
def test_a_fence_and_prose_around_it_change_nothing(
    value: dict[str, Any], prose: str, language: str
) -> None:
    said = {"act": "speak", "text": json.dumps(value)}
    text = f"{prose}\n```{language}\n{json.dumps(said)}\n```\n{prose}"
    assert understand(text, Said).text == said["text"]


@given(st.text())
def test_nothing_but_a_bad_answer_is_ever_raised(text: str) -> None:
    with suppress(BadAnswer):
        understand(text, Said)


def test_five_megabytes_of_anything_are_read_once() -> None:
    for text in ("{" * 5_000_000, '{"' * 2_500_000, "'" * 5_000_000, '{"act": "' + "x" * 5_000_000):
        with pytest.raises(BadAnswer):
            understand(text, Said)


def test_the_schema_that_is_asked_for_is_that_of_the_struct() -> None:
    from whoknew.agents.models.model import schema_of

    raw = schema_of(Said)
    assert raw is not None
    schema = msgspec.json.decode(raw)
    assert schema["properties"]["act"]["enum"] == sorted(
        ["speak", "non-verbal", "action", "leave", "none"]
    )
    assert schema["required"] == ["act"]


def test_no_more_fences_are_looked_into_than_an_answer_may_have() -> None:
    """Ten thousand of them, which a reply can hold, took more than a second."""
    found = list(_objects("```{'text': 1}```" * 10_000))
    assert len(found) == TRIES + TRIES
