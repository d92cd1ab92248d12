"""`whoknew exam judge`: judges alone are heard, on what is there and on what is planted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import answer, run
from lamp_exams import PLAN, QUESTIONS, lamp_exam

MARK = '[judges.mark]\nby = "rubric"\nmodel = "offline:"\n'


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lamp_exam(tmp_path)


def test_a_new_judge_judges_old_answers_and_nobody_is_asked(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    run("exam", "run", path, "--only", "none")
    before = answer("exam", "report", path)["table"]
    lamp_exam(tmp_path, PLAN + MARK)
    found = answer("exam", "judge", path, "--judge", "mark")["table"]
    assert [row["answered"] for row in found["rows"]] == [3, 0]
    assert [row["calls"] for row in found["rows"]] == [row["calls"] for row in before["rows"]]
    assert found["figures"]["mark.mark"][0]["micro"]["number"] == 3
    assert found["figures"]["words.overlap"] == before["figures"]["words.overlap"]


def test_a_judge_that_was_changed_takes_over_no_grade(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path, PLAN + MARK)
    run("exam", "run", path)
    lamp_exam(tmp_path, PLAN + MARK + "temperature = 0.5\n")
    found = answer("exam", "report", path)["table"]
    assert "mark.mark" not in found["figures"]
    found = answer("exam", "judge", path)["table"]
    assert found["figures"]["mark.mark"][0]["micro"]["number"] == 3
    assert any("judge mark was another one before" in one for one in found["remarks"])


def test_its_card_says_what_a_judge_lets_pass(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path, PLAN + MARK)
    run("exam", "run", path)
    assert answer("exam", "report", path)["table"]["cards"] == []
    shown = " ".join(run("exam", "judge", path, "--card").stdout.split())
    assert "what judges take of planted answers" in shown
    words, mark = answer("exam", "report", path)["table"]["cards"]
    assert (words["score"], mark["score"]) == ("overlap", "mark")
    for card in (words, mark):
        assert card["kinds"]["perfect"]["taken"] == card["kinds"]["perfect"]["number"] == 3
        assert card["kinds"]["empty"]["taken"] == 0


def test_judges_are_held_against_what_people_gave(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    run("exam", "run", path)
    cells = [answer("exam", "show", path, arm, "1") for arm in ("none", "recall")]
    labels = [{"unit": one["unit"], "arm": one["arm"], "score": 1.0} for one in cells]
    file = tmp_path / "labels.jsonl"
    file.write_text("\n".join(map(json.dumps, labels)))
    found = answer("exam", "judge", path, "--labels", file)
    (agreement,) = found["table"]["agreements"]
    assert (agreement["judge"], agreement["labels"], agreement["wanted"]) == ("words", 2, 2)
    assert found["table"]["unmet"] == 0
    shown = " ".join(run("exam", "judge", path, "--labels", file).stdout.split())
    assert "judges beside people" in shown and "kappa" in shown
    told = run("exam", "report", path, "--labels", file, "--out", tmp_path / "out").stdout
    assert "judges beside people" in told
    assert (tmp_path / "out" / "labels.csv").read_text().count("words,overlap,2,") == 1
    assert "Judges beside people" in (tmp_path / "out" / "report.html").read_text()
    run("exam", "report", path, "--out", tmp_path / "out")
    assert not (tmp_path / "out" / "labels.csv").exists(), "it would be of another report"


@pytest.mark.parametrize(
    ("plan", "more", "said"),
    [
        (PLAN, ["--judge", "word"], "is no judge of this plan: did you mean 'words'?"),
        (PLAN[: PLAN.index("[judges")], [], "judges: there are none: add one"),
        (PLAN, ["--labels", "no.jsonl"], "no.jsonl cannot be read"),
    ],
)
def test_what_cannot_be_judged_is_refused(
    plan: str, more: list[str], said: str, tmp_path: Path
) -> None:
    told = run("exam", "judge", lamp_exam(tmp_path, plan), *more, rc=1).stderr
    assert said in told and "cells" not in told  # before anybody is heard


OWN = """
text = "Is it right?"
scale = [0, 1]
whole = true
"""


def test_a_rubric_in_a_file_beside_the_plan_is_known_by_what_it_says(tmp_path: Path) -> None:
    judge = '[judges.right]\nby = "rubric"\nrubric = "right.toml"\nmodel = "offline:"\n'
    (tmp_path / "right.toml").write_text(OWN)
    path = lamp_exam(tmp_path, PLAN + judge)
    run("exam", "run", path)
    table = answer("exam", "report", path)["table"]
    settings = table["judges"][1]["settings"]["by"]["rubric"]
    assert (settings["text"], settings["scale"]) == ("Is it right?", [0.0, 1.0])
    assert 0 <= table["figures"]["right.mark"][0]["micro"]["mean"] <= 1
    (tmp_path / "right.toml").write_text(OWN.replace("right?", "true?"))
    assert "right.mark" not in answer("exam", "report", path)["table"]["figures"]


def test_all_mistakes_of_a_rubric_are_told_with_their_lines(tmp_path: Path) -> None:
    judge = '[judges.right]\nby = "rubric"\nrubric = "right.toml"\nmodel = "offline:"\n'
    path, rubric = lamp_exam(tmp_path, PLAN + judge), tmp_path / "right.toml"
    rubric.write_text('text = ""\nscale = [1]\nneed = ["labels"]\nneeds = ["labls"]\n')
    said = run("exam", "check", path, rc=1).stderr
    for what in (
        'right.toml:1: text: is empty: give a text in quotes, as "..."',
        "right.toml:2: scale: is a list, but should be a list of 2, each of it a number",
        "right.toml:3: need: no such key: did you mean 'needs'?",
        "right.toml:4: needs[0]: is 'labls': did you mean 'labels'?",
    ):
        assert what in said, said
    rubric.write_text('text = "Right?"\nscale = [1, 0]\n')
    said = run("exam", "check", path, rc=1).stderr
    assert "scale is 1 to 0: give the worst mark first, and then the best" in said
    rubric.write_text('text = "Right?"\nneeds = ["labels"]\n')
    said = run("exam", "check", path, rc=1).stderr
    assert "'rubric' needs 'labels' of a question, and none has it" in said


def test_a_rubric_that_is_not_there_is_told_with_the_line_that_names_it(tmp_path: Path) -> None:
    judge = '[judges.right]\nby = "rubric"\nrubric = "rigth.toml"\nmodel = "offline:"\n'
    path = lamp_exam(tmp_path, PLAN.replace('"recall"', '"recal"') + judge)
    (tmp_path / "right.toml").write_text(OWN)
    said = run("exam", "check", path, rc=1).stderr
    assert "2 mistakes" in said
    what = "judges.right.rubric: there is no such file: rigth.toml; did you mean 'right.toml'?"
    assert what in said, said


def test_a_card_says_what_is_heard(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    run("exam", "run", path)
    told = run("exam", "judge", path, "--card").stderr
    assert "planted answers: " in told and "0 cells" not in told


def test_its_card_is_had_in_one_go_whatever_fails_of_it(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path, PLAN.replace('by = "reference"', 'by = "choice"'))
    asked = [
        {**one, "question": f"{one['question']} {n}", "choices": ["Snow.", one["reference"]]}
        for n in range(7)
        for one in QUESTIONS
    ]
    lines = [json.dumps({**one, "correct": one["reference"]}) for one in asked]
    (tmp_path / "questions.jsonl").write_text("\n".join(lines), "utf-8")
    [card] = answer("exam", "judge", path, "--card")["table"]["cards"]
    assert card["kinds"]["perfect"]["taken"] == 20
    assert {name: one["failed"] for name, one in card["kinds"].items() if one["failed"]} == {
        "empty": 20,
        "vague": 20,
        "injecting": 20,
    }
