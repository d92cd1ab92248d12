"""`whoknew exam new`: a plan to start from, which is an exam as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import answer, run

from whoknew.engine.exams.kind import ExamKind
from whoknew.engine.exams.lifelong.lifelong_exam import LifelongExam
from whoknew.engine.exams.plan import ExamPlan
from whoknew.engine.exams.question_exam import QuestionExam
from whoknew.engine.exams.scenes.scene_exam import SceneExam


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_newcomer_has_a_first_table_in_three_commands(tmp_path: Path) -> None:
    assert "wrote mine.toml and mine.jsonl" in run("exam", "new", "questions", "mine.toml").stdout
    run("import", "play", "the-lamp-room", "--log", "plays.db")
    found = answer("exam", "run", "mine.toml")["table"]
    assert (found["name"], found["units"]) == ("mine", 10)
    assert [row["answered"] for row in found["rows"]] == [10, 10, 10, 10]
    means = {one["arm"]: one["micro"]["mean"] for one in found["figures"]["words.overlap"]}
    assert means["none"] < means["recall"]


def test_it_writes_nothing_over_and_nothing_by_halves(tmp_path: Path) -> None:
    Path("mine.jsonl").write_text("my own")
    assert "exists already" in run("exam", "new", "questions", "mine.toml", rc=1).stderr
    assert [one.name for one in tmp_path.iterdir()] == ["mine.jsonl"]
    assert "did you mean 'questions'" in run("exam", "new", "question", "a.toml", rc=1).stderr
    told = run("exam", "new", "questions", 'a"b.toml', rc=1).stderr
    assert "give the file another name" in told


def test_a_kind_without_a_plan_to_start_from_says_so(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from whoknew.engine import QuestionKind\n"
        "class Own(QuestionKind, frozen=True):\n    '''one of my own'''\n"
    )
    told = run("exam", "new", "mine:Own", "plan.toml", rc=1).stderr
    assert "comes without a plan to start from" in told


def test_an_exam_of_scenes_runs_as_it_is_written() -> None:
    assert "wrote duel.toml" in run("exam", "new", "scenes", "duel.toml").stdout
    found = answer("exam", "run", "duel.toml", "--limit", "2")["table"]
    assert (found["unit"], [row["answered"] for row in found["rows"]]) == ("scene", [2, 2])


@pytest.mark.parametrize("kind", [QuestionExam, SceneExam, LifelongExam])
def test_the_template_names_every_key(kind: type[ExamKind]) -> None:
    """Those of an arm and of a judge by one example each."""
    keys = {*ExamPlan.__struct_fields__, *kind.__struct_fields__}
    missing = {key for key in keys if key not in kind.template} | {"agents"}
    assert missing == {"settings", "agents", "models"} - {"models"}
