"""`whoknew exam show`: one cell, with all that led to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from kitchen_runs import said
from lamp_exams import PLAN, QUESTIONS, lamp_exam
from model_servers import Doing, serving


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = lamp_exam(tmp_path, PLAN.replace('"recall"]', '"recall"]\nmethods = ["stepwise"]'))
    file = tmp_path / "questions.jsonl"
    asked = [{**QUESTIONS[0], "evidence": [["Act I, Scene I, speech 1"], [1]]}, *QUESTIONS[1:]]
    file.write_text("\n".join(map(json.dumps, asked)), "utf-8")
    return path


def test_a_cell_is_shown_with_its_prompt_to_the_byte(path: Path) -> None:
    run("exam", "run", path)
    shown = " ".join(run("exam", "show", path, "recall", "1").stdout.split())
    assert "WREN in the-lamp-room at #" in shown and "How much oil is in nine jars?" in shown
    assert shown.count("to the byte what the model was given") == 2
    assert "words: overlap" in shown
    found = answer("exam", "show", path, "recall", "1")
    assert [call["digest"] == call["called"]["digest"] for call in found["calls"]] == [True, True]
    assert len(found["came_to_mind"]) == 10
    assert answer("exam", "show", path, "recall", found["unit"][:6])["unit"] == found["unit"]


def test_evidence_is_found_missed_or_was_not_witnessed(path: Path) -> None:
    run("exam", "run", path)
    first, second = answer("exam", "show", path, "none", "1")["evidence"]
    assert second[0]["event"]["seq"] == 1 and not second[0]["witnessed"]
    assert not first[0]["came_to_mind"]
    shown = run("exam", "show", path, "none", "1").stdout
    assert "1. missed" in shown and "2. not witnessed by then" in shown


def test_of_a_question_that_is_put_alone_no_evidence_was_found(path: Path) -> None:
    asked = [{**QUESTIONS[0], "evidence": [["Act I, Scene I, speech 2"]]}]
    (path.parent / "questions.jsonl").write_text("\n".join(map(json.dumps, asked)), "utf-8")
    bare = '\n[arms.nothing]\nmethod = "unaided"\n[arms.all]\nmemory = "entire"\n'
    path.write_text(path.read_text("utf-8") + bare, "utf-8")
    run("exam", "run", path)
    seen = [answer("exam", "show", path, arm, "1")["evidence"] for arm in ("nothing", "all")]
    assert [{one["came_to_mind"] for one in some} for (some,) in seen] == [{False}, {True}]


def test_a_memory_that_was_derived_is_shown_with_what_it_was_written_from(path: Path) -> None:
    lamp_exam(path.parent, PLAN.replace('"recall"', '"summary"'))
    run("exam", "run", path)
    shown = " ".join(run("exam", "show", path, "summary", "1").stdout.split())
    assert "remembered (summary), of all up to #" in shown and "written from #" in shown
    assert "to the byte what the model was given" in shown
    found = answer("exam", "show", path, "summary", "1")
    assert [note["strategy"] for note in found["memory"]] == ["summary"] * len(found["memory"])
    assert all(note["sources"] and note["text"] for note in found["memory"])
    before = answer("exam", "show", path, "summary", "2")
    assert before["question"]["at"] == "E1" and before["memory"] == []


def test_a_number_is_a_line_before_it_is_the_beginning_of_an_id(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    asked = [{**QUESTIONS[0], "question": f"Number {n}?"} for n in range(1, 31)]
    file.write_text("\n".join(map(json.dumps, asked)), "utf-8")
    run("exam", "run", path, "--limit", "1")
    for line in range(1, 31):
        shown = answer("exam", "show", path, "none", str(line))
        assert shown["question"]["question"] == f"Number {line}?"


def test_a_cell_that_was_not_asked_yet_is_said_to_be_that(path: Path) -> None:
    run("exam", "run", path, "--only", "none")
    assert "not asked yet" in run("exam", "show", path, "recall", "1").stdout


def test_a_repeat_that_is_not_there_is_refused_with_those_that_are(path: Path) -> None:
    run("exam", "run", path, "--repeats", "3")
    assert answer("exam", "show", path, "recall", "1", "--repeat", "3")["answer"]
    said = refused("exam", "show", path, "recall", "1", "--repeat", "5")
    assert "there is no repeat 5: there is 1 by the plan, and 2, 3 on the log" in said
    path.write_text(path.read_text("utf-8").replace("[grid]", "repeats = 2\n[grid]"), "utf-8")
    said = refused("exam", "show", path, "recall", "1", "--repeat", "5")
    assert "there is no repeat 5: there are 1 to 2 by the plan, and 3 on the log" in said


def test_a_judge_that_cannot_be_read_hides_no_answer(path: Path, tmp_path: Path) -> None:
    rubric = tmp_path / "own.toml"
    rubric.write_text('text = "Is it true?"\n')
    own = '[judges.own]\nby = "rubric"\nrubric = "own.toml"\nmodel = "offline:"\n'
    path.write_text(path.read_text() + own)
    run("exam", "run", path)
    why = "judge own cannot be read, and what it gave is not shown: "
    for wrong, what in (("scale = 3", "own.toml:1: scale: "), (None, "rubric: there is no such")):
        rubric.write_text(wrong) if wrong else rubric.unlink()
        shown = run("exam", "show", path, "recall", "1")
        assert why in shown.stderr and what in shown.stderr
        assert "words: overlap" in shown.stdout
        found = answer("exam", "report", path)["table"]
        assert any(one.startswith(why) and what in one for one in found["remarks"])
        assert [row["answered"] for row in found["rows"]] == [3, 3]
        assert set(found["figures"]) == {"words.overlap"}
        assert what in run("exam", "run", path, rc=1).stderr, "who asks has to say who judges"


async def test_a_cell_whose_call_failed_is_not_said_to_be_unasked(
    path: Path, tmp_path: Path
) -> None:
    async with serving("openai", after=Doing(status=503)) as server:
        url = f"{server.url}#m"
        plan = PLAN.replace("[grid]", f'at_once = 1\n[grid]\nmodels = ["{url}"]')
        path = lamp_exam(tmp_path, plan + f'[models."{url}"]\nattempts = 1\n')
        await said("exam", "run", path, folder=tmp_path, rc=3)
        assert "nothing is answered yet" in await said("exam", "report", path, folder=tmp_path)
    shown = await said("exam", "show", path, "none", "2", folder=tmp_path)
    assert "its call failed, and the next run asks again" in shown


def test_an_arm_or_a_question_that_is_not_there_is_refused(path: Path) -> None:
    run("exam", "run", path)
    assert "did you mean 'recall'?" in refused("exam", "show", path, "recal", "1")
    assert "'99': no question of" in refused("exam", "show", path, "recall", "99")


def test_a_question_that_is_not_there_is_told_with_the_lines_that_are(path: Path) -> None:
    run("exam", "run", path)
    told = refused("exam", "show", path, "recall", "99")
    assert (
        "'99': no question of lamps has this id or line (they are on lines 1 to 3; of an id" in told
    )
    asked = answer("exam", "show", path, "recall", "1")["unit"]
    assert "of an id give 4 signs at least" in refused("exam", "show", path, "recall", asked[:3])
    assert "lines 1 to 3)" in refused("exam", "show", path, "recall", "99999")
