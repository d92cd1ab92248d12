"""`whoknew import longmemeval`: a world and a question for each record; and an exam of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import answer, run
from longmemeval_file import sessions_file


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sessions_file(Path())


def test_its_sessions_are_a_world_and_its_question_stands_in_a_file() -> None:
    found = answer(
        "import", "longmemeval", "longmemeval_s.json", "--log", "l.db", "--questions", "q.jsonl"
    )
    assert (found["worlds"], found["questions"]) == (["longmemeval-q7"], 1)
    shown = run("replay", "longmemeval-q7", "--log", "l.db").stdout
    assert shown.index("in the cellar") < shown.index("in the hall now")


def test_it_is_asked_in_the_exam_of_lives_without_judges_of_choices() -> None:
    run("exam", "new", "clonemem", "exam.toml", "--from", "longmemeval_s.json")
    assert "\n# [judges.choice]" in Path("exam.toml").read_text("utf-8")
    rows = answer("exam", "run", "exam.toml")["table"]["rows"]
    scores = {row["arm"]: row for row in rows}
    assert scores["oracle"]["failed"] == 0
