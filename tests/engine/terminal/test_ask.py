"""`whoknew ask`: a question to a character."""

from __future__ import annotations

from pathlib import Path

from command_runner import answer, ended, run
from lamp_room import PLAY


def test_one_who_was_told_in_a_fork_answers_from_it(unchanged: Path) -> None:
    ask = ("TOBIAS PELL", "Where are the stones?", "--no-save", "--log", unchanged)
    assert answer("ask", "told", *ask)["answer"] == "There are stones in her."
    assert "stones in her" not in answer("ask", PLAY, *ask)["answer"]


def test_an_answer_is_judged_beside_a_reference(unchanged: Path) -> None:
    ask = ("ask", PLAY, "WREN", "How much oil is in nine jars?", "--no-save", "--log", unchanged)
    right = ("--reference", "Nine jars, and one of them is broken.")
    shown = run(*ask, *right).stdout
    assert "reference: overlap 0.5\n2 of 4 words; missed: one, broken" in shown
    both = answer(*ask, *right, "--judge", "rubric", "--judge", "reference")
    assert {name: one["scores"] for name, one in both["verdicts"].items()} == {
        "rubric": {"mark": 5.0},
        "reference": {"overlap": 0.5},
    }
    assert len(both["judging"]) == 1
    code, done = ended(*ask, "--judge", "rubric")
    assert code == 1 and "the judge 'rubric' needs a reference: give one" in done.stderr
    code, done = ended(*ask, *right, "--judge", "checklist")
    assert code == 1 and "'checklist' judges episodes, not answers" in done.stderr
    code, done = ended(*ask, "--reference", "...")
    assert code == 1 and "reference gave no verdict: there are no words" in done.stdout


def test_a_question_is_kept_unless_it_shall_not_be(tmp_path: Path) -> None:
    file = tmp_path / "p.db"
    run("import", "play", PLAY, "--log", file)
    before = answer("log", "info", file)["worlds"][0]["head"]
    shown = run("ask", PLAY, "WREN", "How much oil is in nine jars?", "--log", file).stdout
    assert "WREN: Nine jars with ours." in shown
    assert "It rests on" in shown
    assert f"Kept as #{before + 1}, witnessed by nobody." in shown
    assert answer("log", "info", file)["worlds"][0]["head"] == before + 3
    assert "WREN is asked at #" in run("replay", PLAY, "--log", file).stdout
