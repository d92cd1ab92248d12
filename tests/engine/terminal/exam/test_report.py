"""`whoknew exam report`: the table, and what is to be known before it is believed."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from command_runner import answer, run
from kitchen_runs import said
from lamp_exams import PLAN, lamp_exam, without_a_reference
from model_servers import Doing, serving


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lamp_exam(tmp_path)


def test_it_says_how_far_the_exam_has_come(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    run("exam", "run", path, "--only", "none", "--limit", "1")
    shown = " ".join(run("exam", "report", path).stdout.split())
    assert "none 1 of 3 0" in shown and "recall 0 of 3 0 -" in shown


def test_it_has_figures_by_kind_and_all_that_decides_an_answer(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    run("exam", "run", path)
    found = answer("exam", "report", path)["table"]
    assert found["kinds"] == {"fact": 2, "self": 1}
    first, _ = found["figures"]["words.overlap"]
    assert set(first["kinds"]) == {"fact", "self"} and first["micro"]["number"] == 3
    (pair,) = found["comparisons"]["words.overlap"]
    assert (pair["first"], pair["second"], pair["cells"]) == ("none", "recall", 3)
    memory = found["arms"][1]["settings"]["memory"]
    assert memory == {"name": "recall", "version": 1, "k": 10}
    assert found["version"]


def test_the_commands_that_are_shown_at_its_end_can_be_pasted(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    ran = run("exam", "run", path, "--log", "of its own.db")
    shown = [line.partition(": whoknew ")[2] for line in ran.stderr.splitlines()]
    report, cell = [shlex.split(line) for line in shown if line]
    assert report[:2] == ["exam", "report"] and cell[:2] == ["exam", "show"]
    run(*report)
    assert (tmp_path / report[report.index("--out") + 1] / "report.html").exists()
    assert "WREN in the-lamp-room at #120: How much oil" in run(*cell).stdout


def test_a_figure_that_is_of_a_part_of_the_questions_says_so(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    without_a_reference(tmp_path)
    ran = run("exam", "run", path, "--repeats", "2")
    shown = " ".join(ran.stdout.split())
    said = "judge words judges 8 of 12 answers: the other questions lack what it needs (reference)"
    assert said in shown and "fact (1 of 2)" in shown and "self (1)" in shown


def test_what_was_spent_on_memory_stands_apart(tmp_path: Path) -> None:
    plan = PLAN.replace('"recall"]', '"summary"]\nmethods = ["plain", "stepwise"]')
    path = lamp_exam(tmp_path, plan)
    shown = " ".join(run("exam", "run", path).stdout.split())
    found = answer("exam", "report", path)["table"]
    (took,) = found["remembering"]
    assert took["arms"] == ["summary-plain", "summary-stepwise"] and took["failed"] == 0
    assert took["calls"] == took["steps"] > 0 and took["tokens"] > 0
    assert f"remembering (summary) {took['digest']} {took['calls']}" in shown
    assert {row["arm"]: row["calls"] for row in found["rows"]}["summary-plain"] == 3
    assert found["memories"][0]["settings"]["steps"] == {"version": 1, "tokens": 4000}


def test_what_is_not_counted_any_more_is_told(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    run("exam", "run", path)
    lamp_exam(tmp_path, PLAN + "[agents.everyone]\nrecall = { k = 3 }\n")
    found = answer("exam", "report", path)["table"]
    assert [row["answered"] for row in found["rows"]] == [3, 0]
    assert found["remarks"] == [
        "arm recall was another one before, which is not counted: memory.k was 10 and is 3",
        "3 more answers on the log are of arms that the plan does not have: they are not counted",
    ]


async def test_failures_are_said_first_and_an_offline_judge_beside_a_real_player_is_named(
    tmp_path: Path,
) -> None:
    async with serving("openai", after=Doing("No JSON.")) as server:
        plan = PLAN.replace("[grid]", f'may_fail = 1.0\n[grid]\nmodels = ["{server.url}#m"]')
        plan = plan.replace('"reference"', '"rubric"\nmodel = "offline:"')
        path = lamp_exam(tmp_path, plan)
        told = await said("exam", "run", path, folder=tmp_path)
        lamp_exam(tmp_path, plan.replace("may_fail = 1.0", "may_fail = 0.9"))
        again = await said("exam", "run", path, folder=tmp_path, rc=1)
    assert "6 of 6 cells failed, more than may_fail = 0.9 allows: --again tries" in again
    assert "reviews to be had" not in again
    assert told.index("all 6 cells failed") < told.index("commonest failure, 6 of 6: ")
    assert told.index("commonest failure") < told.index("lamps: 3 questions")
    assert "all 6 cells failed: there are no figures" in told and "answered yet" not in told
    assert "judge words is the offline model, which counts words" in told


async def test_of_answers_of_which_a_judge_gave_no_verdict_the_other_scores_count(
    tmp_path: Path,
) -> None:
    async with serving("openai", after=Doing("No JSON.")) as server:
        judge = f'[judges.grade]\nby = "rubric"\nmodel = "{server.url}#m"\n'
        path = lamp_exam(tmp_path, PLAN.replace("[grid]", "may_fail = 1.0\n[grid]") + judge)
        told = await said("exam", "run", path, folder=tmp_path)
        apart = await said("exam", "report", path, "--differ", "none", "recall", folder=tmp_path)
    assert "6 of 6 cells failed, or a review of them did: no figure counts what failed" in told
    assert "words.overlap 0.333, grade gave no verdict" in apart


def test_before_anything_was_asked_it_says_what_begins_the_exam(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    for command in (("report", path), ("show", path, "none", "1")):
        told = run("exam", *command, rc=1).stderr
        assert "lamps.db is not there: nothing was asked yet. `whoknew exam run " in told


def test_it_writes_its_files_beside_an_earlier_one_and_shows_where_two_arms_differ(
    tmp_path: Path,
) -> None:
    path = lamp_exam(tmp_path)
    run("exam", "run", path, "--limit", "2")
    assert "wrote before/report.html" in run("exam", "report", path, "--out", "before").stdout
    run("exam", "run", path)
    shown = run("exam", "report", path, "--compare", "before", "--out", "now").stdout
    assert "beside lamps of lamps.db" in shown
    run("exam", "run", path, "--repeats", "2")
    other = run("exam", "report", path, "--compare", "now", "--repeats", "2").stdout
    assert "not the same: repeats: was 1 and is 2" in other and "-0.000" not in other
    told = run("exam", "report", path, "--differ", "none", "recall", "--repeats", "2").stdout
    assert ", repeat 1: " in told and ", repeat 2: " in told
    assert "Beside an earlier one" in Path("now/report.html").read_text("utf-8")
    told = run("exam", "report", path, "--differ", "none", "recall").stdout
    assert "none and recall differ on 1 cell, and are alike on 2" in told
    assert "recall: WREN: Nine jars with ours." in told


def test_what_it_cannot_do_it_says_before_it_looks_at_anything(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    for options, why in (
        (("--differ", "none", "recal"), "did you mean 'recall'"),
        (("--differ", "none", "none"), "name two"),
        (("--compare", "nowhere"), "is not there"),
        (("--out", path), "is a file: name a folder"),
        (("--out", "out.csv"), "arms.csv, cells.csv, comparisons.csv, figures.csv: name a folder"),
        (("--out", "out.HTML"), "report.html: name a folder"),
    ):
        run("exam", "run", path)
        assert why in " ".join(run("exam", "report", path, *options, rc=1).stderr.split())
    assert not Path("out.csv").exists()
    (tmp_path / "report.json").write_text("{}")
    assert "is no report of" in run("exam", "report", path, "--compare", ".", rc=1).stderr
    told = run("exam", "report", path, "--viewer", "javascript:alert(1)", rc=2).stderr
    assert "give http://" in told


def test_what_options_leave_out_is_told_as_that(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    run("exam", "run", path)
    (remark,) = answer("exam", "report", path, "--limit", "1")["table"]["remarks"]
    assert remark == (
        "4 more answers on the log are to questions after the first 1, or worded otherwise: they are "
        "not counted"
    )
    (remark,) = answer("exam", "report", path, "--only", "none")["table"]["remarks"]
    assert remark.startswith(
        "3 more answers on the log are of arms that --only leaves out, or that"
    )


def test_a_table_that_is_too_wide_has_higher_heads_or_is_turned(tmp_path: Path) -> None:
    judges = (("first-judge", "reference"), ("second-judge", "exact"), ("third-judge", "overlap"))
    told = "".join(f'[judges.{name}]\nby = "{by}"\n' for name, by in judges)
    path = lamp_exam(tmp_path, PLAN.replace('[judges.words]\nby = "reference"\n', told))
    run("exam", "run", path)

    def shown(columns: str) -> list[list[str]]:
        found = run("exam", "report", path, environment={"COLUMNS": columns}).stdout
        return [line.split() for line in found.splitlines()]

    heads = ["first-judge.overlap", "second-judge.exact", "third-judge.f1"]
    assert ["arm", "cells", "failed", *heads] in shown("120")
    high = shown("70")
    assert ["first-", "second-", "third-"] in high
    assert ["arm", "cells", "failed", "overlap", "exact", "f1"] in high
    turned = shown("52")
    assert ["none", "recall"] in turned and ["cells", "3", "3"] in turned
    assert all(any(line[:1] == [head] and len(line) == 3 for line in turned) for head in heads)


def test_that_all_is_of_one_cluster_is_said_once(tmp_path: Path) -> None:
    plan = PLAN.replace('"recall"]', '"recall", "entire"]')
    path = lamp_exam(tmp_path, plan)
    told = run("exam", "run", path).stdout
    assert " ".join(told.split()).count("of one cluster") == 1
    assert "none and recall: " in told and "recall and entire: " in told
    run("exam", "report", path, "--out", "out")
    page = Path("out/report.html").read_text()
    assert page.count("of one cluster") == 1
    assert "The stories" in page and '<img src="data:image/svg+xml;base64,' in page


def test_a_report_that_cannot_be_written_there_says_what_is_in_the_way(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    run("exam", "run", path)
    Path("out/report.html").mkdir(parents=True)
    told = run("exam", "report", path, "--out", "out", rc=1).stderr
    assert "report.html is a folder, and a file of the report is called so" in " ".join(
        told.split()
    )
    told = run("exam", "report", path, "--out", path / "out", rc=1).stderr
    assert "there is a file" in " ".join(told.split()) and "disk" not in told
    told = run("exam", "report", path, "--out", "x" * 300, rc=1).stderr
    assert "name too long" in " ".join(told.split())
