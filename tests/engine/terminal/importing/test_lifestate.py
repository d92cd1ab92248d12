"""`whoknew import lifestate`: its episodes as a world, its questions as a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from lifestate_files import FORM, form_file


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_its_episodes_are_a_world_and_its_questions_a_file() -> None:
    form_file(Path("lamp.json"))
    found = answer("import", "lifestate", "lamp.json", "--log", "l.db", "--questions", "q.jsonl")
    assert (found["worlds"], found["questions"]) == (["lifestate-the-lamp"], 3)
    shown = run("replay", "lifestate-the-lamp", "--as", "Tobias Pell", "--log", "l.db").stdout
    assert "Eight of the jars are full" in shown and "another year" not in shown
    kinds = [json.loads(one)["kind"] for one in Path("q.jsonl").read_text("utf-8").splitlines()]
    assert kinds == ["self", "fact", "relation"]


def test_what_is_wrong_is_told_with_its_path_and_nothing_is_written() -> None:
    questions = {"three": {"Q1": FORM["questions"]["two"]["Q1"]}}
    form_file(Path("lamp.json"), questions=questions)
    told = refused("import", "lifestate", "lamp.json", "--log", "l.db")
    assert "lamp.json: questions.three: 'three' is no episode" in told
    assert not Path("l.db").exists()
