"""A question as data: what it may hold, and that its id is of its content alone."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.worlds import question
from whoknew.worlds.errors import BadDocument
from whoknew.worlds.question import Question

ASKED: dict[str, Any] = {
    "world": "ferry",
    "character": "Oda",
    "at": "E1",
    "question": "Who paid?",
    "kind": "fact",
}
NAMES = st.text("abcdef", min_size=1, max_size=5)
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip)
LABELS = st.recursive(
    st.booleans() | st.integers(-(2**60), 2**60) | TEXTS | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=4,
)


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    optional = {
        "reference": TEXTS,
        "evidence": st.lists(
            st.lists(st.integers(1, 9) | NAMES, min_size=1, max_size=3), max_size=3
        ),
        "labels": st.dictionaries(NAMES, LABELS, max_size=3),
        "asked_by": NAMES,
        "cluster": NAMES,
        "tags": st.lists(NAMES, unique=True, max_size=3),
    }
    data = {**ASKED, "question": draw(TEXTS)}
    for key in draw(st.sets(st.sampled_from(sorted(optional)))):
        data[key] = draw(optional[key])
    return data


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "questions.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return file


def read(folder: Path, *rows: dict[str, Any]) -> tuple[Question, ...]:
    return question.read(written(folder, *rows)).questions


def mistakes(folder: Path, **changed: Any) -> list[str]:
    file = written(folder, {**ASKED, **changed})
    with pytest.raises(BadDocument) as caught:
        question.read(file)
    return [str(one).removeprefix(f"{file}:1: ") for one in caught.value.mistakes]


@given(questions(), st.randoms(use_true_random=False))
def test_its_id_is_the_same_however_its_keys_stand(data: dict[str, Any], chance: Any) -> None:
    def shuffled(value: Any) -> Any:
        if isinstance(value, list):
            return [shuffled(one) for one in value]
        if not isinstance(value, dict):
            return value
        pairs = list(value.items())
        chance.shuffle(pairs)
        return {key: shuffled(one) for key, one in pairs}

    with tempfile.TemporaryDirectory() as folder:
        first, again = read(Path(folder), data, shuffled(data))
        assert first == again and first.id == again.id
        file = Path(folder) / "again.jsonl"
        question.write(file, [first])
        assert question.read(file).questions == (first,)


def test_its_id_says_all_that_it_holds(tmp_path: Path) -> None:
    changes: list[dict[str, Any]] = [
        {},
        {"at": "E2"},
        {"reference": "Bram"},
        {"labels": {"known": True}},
        {"labels": {"known": 1}},
        {"tags": ["a", "b"]},
        {"evidence": [[1], [2]]},
        {"evidence": [[1, 2]]},
        {"choices": ["Bram", "Oda"]},
    ]
    found = read(tmp_path, *({**ASKED, **change} for change in changes))
    assert len({one.id for one in found}) == len(changes)


def test_an_id_stays_what_it_was_in_earlier_versions() -> None:
    assert Question(**ASKED).id == "82173ae1777e252d"
    assert Question(**ASKED, labels={"b": 1, "a": None}, tags=("x",)).id == "3d495605dad7b460"


def test_what_is_left_out_is_as_what_is_null(tmp_path: Path) -> None:
    plain, nulls = read(tmp_path, ASKED, {**ASKED, "reference": None, "cluster": None})
    assert plain == nulls and plain.id == nulls.id


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"world": " ferry"}, "world: is ' ferry': use 1 to 200 printable characters, no space"),
        ({"tags": ["a", "a"]}, "tags[1]: is as an earlier one is: leave it out"),
        ({"labels": {"": 1}}, "is '': use 1 to 200 printable characters"),
        ({"reference": ""}, "reference: is empty: write it, or leave the key out"),
        ({"at": "#x"}, "at: '#x' is no cursor: use one of #1200, E3"),
        ({"choices": ["a"]}, "choices: has 1 choice, but needs 2 at least"),
        ({"choices": ["a b", "A  B"]}, "choices[1]: is as an earlier one is: leave it out"),
        ({"correct": "a"}, "correct: is right of which? Give `choices`"),
        (
            {"choices": ["Bram", "Oda"], "correct": "Bran"},
            "correct: 'Bran' is no choice: did you mean 'Bram'?",
        ),
        ({"evidence": [[1], []]}, "evidence[1]: is a set of no events: name some"),
        ({"evidence": [[0]]}, "evidence[0][0]: is 0, but the first event of a world is 1"),
        (
            {"evidence": [3]},
            "evidence[0]: is 3, but should be a list, each of it a whole number or",
        ),
        ({"evidence": [3]}, 'or a text in quotes, as "...": write [3]'),
        ({"evidence": 3}, 'or a text in quotes, as "...": write [[3]]'),
        ({"evidence": "m3"}, 'or a text in quotes, as "...": write [["m3"]]'),
        ({"evidence": [[True]]}, "evidence[0][0]: is true, but should be a whole number"),
        ({"qestion": "x"}, "qestion: no such key: did you mean 'question'?"),
    ],
)
def test_what_is_wrong_with_it_is_told(tmp_path: Path, changed: dict[str, Any], told: str) -> None:
    assert any(told in one for one in mistakes(tmp_path, **changed)), mistakes(tmp_path, **changed)


def test_what_must_be_there_is_not_to_be_left_out(tmp_path: Path) -> None:
    [told] = mistakes(tmp_path, question="  ")
    assert told.endswith("question: is empty: write it")


def test_the_keys_in_the_docs_are_those_of_a_question(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "exams.md").read_text("utf-8")
    of_questions = text.partition("## A file of questions")[2]
    keys = re.findall(r"^\| `(\w+)` \|", of_questions, re.MULTILINE)
    assert keys[: len(Question.__struct_fields__)] == list(Question.__struct_fields__)
    [example] = re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(read(tmp_path, json.loads(example))) == 1
