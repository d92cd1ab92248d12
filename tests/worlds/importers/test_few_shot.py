"""The authors' examples: whose they are, and which are not shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from timechara_files import PEOPLE, SERIES, instances, written

from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.few_shot import FewShotFile
from whoknew.worlds.importers.timechara import worlds_of
from whoknew.worlds.question import Question

MARA, ODO = PEOPLE
ELSEWHERE = "Perpetua Hask-1-At the end of the scene"


def pairs(*texts: str) -> str:
    return "\n***\n".join(f"Question: {one}?\nResponse: {one}, I say." for one in texts)


def given(path: Path, told: dict[str, str]) -> FewShotFile:
    path.write_text(json.dumps(told), "utf-8")
    return FewShotFile(path)


def asked(folder: Path, told: dict[str, str]) -> tuple[list[Question], tuple[object, ...]]:
    examples = given(folder / "shown.json", told)
    (world,) = worlds_of(written(folder / "a.json"), None, examples)
    return list(world.questions), world.remarks


@pytest.mark.parametrize(
    ("key", "period"),
    [
        ("Mara Quill-2-on halloween", "2nd-year / on Halloween"),
        ("Mara Quill-2-at the end of the scene", "2nd-year"),
        ("Mara Quill-3-at Shelob's lair", "3 / at Shelob's lair"),
    ],
)
def test_examples_are_those_of_a_moment(key: str, period: str, tmp_path: Path) -> None:
    found = given(tmp_path / "a.json", {key: pairs("Who", "Where"), ELSEWHERE: pairs("What")})
    first, second = found.of(MARA, period)
    assert first == ("Who?", '{"answer":"Who, I say.","rests_on":[]}')
    assert second[0] == "Where?" and found.of(ODO, period) == ()
    assert found.of_others(PEOPLE)[0][0] == "What?"


def test_each_question_brings_those_of_its_character_then(tmp_path: Path) -> None:
    told = {f"{MARA}-1-at the end of the scene": pairs("Who"), ELSEWHERE: pairs("What")}
    questions, (remark,) = asked(tmp_path, told)
    shown = {(one.character, one.labels["point"]): one.examples[0][0] for one in questions}
    assert set(shown.values()) == {"Who?", "What?"}
    assert {key[0] for key, text in shown.items() if text == "Who?"} == {MARA}
    assert "of another series are shown" in str(remark)


def test_an_example_that_gives_away_a_scene_is_not_shown(tmp_path: Path) -> None:
    """Where that is yet to come, or happened without its character; to others it is."""
    scene = next(one["event_summary"] for one in instances() if "14" in one["event_summary"])
    told = {
        f"{MARA}-{chapter}-at the end of the scene": pairs("Who", f"Is it so that {scene}")
        for chapter in (1, 4)
    }
    questions, remarks = asked(tmp_path, {**told, ELSEWHERE: pairs("What", "Why")})
    early, *_ = (one for one in questions if (one.character, one.at) == (MARA, "E1"))
    late, *_ = (one for one in questions if (one.character, one.at) == (MARA, "E4"))
    assert [text for text, _ in early.examples] == ["Who?", "Why?"]
    assert "Is it so" in late.examples[1][0]
    assert "cannot know then" in str(remarks[0])


@pytest.mark.parametrize("told", [{"a-1-b": "Question: Who?"}, {"a-1-b": ""}, ["a"], {"a": 1}])
def test_what_is_no_such_file_is_refused(told: object, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(told), "utf-8")
    with pytest.raises(BadSource):
        FewShotFile(path)


def test_the_series_is_asked_with_them(tmp_path: Path) -> None:
    questions, _ = asked(tmp_path, {ELSEWHERE: pairs("What")})
    assert {one.world for one in questions} == {SERIES}
    assert all(one.examples for one in questions)
