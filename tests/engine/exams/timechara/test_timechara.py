"""The exam TimeChara: from a text to a table."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from command_runner import answer, refused, run
from timechara_files import written

ARMS = {
    *("zero-shot", "stepwise", "few-shot", "self-refine", "unsafe:rag", "rag-cutoff"),
    *("experts", "experts-rag-cutoff"),
}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An exam on the play that comes with Whoknew, of 10 questions of each sort."""
    monkeypatch.chdir(tmp_path)
    run("exam", "new", "timechara", "lamp.toml", "--from", "the-lamp-room")
    plan = tmp_path / "lamp.toml"
    text = plan.read_text("utf-8").replace("# each = 100 ", "each = 10 ")
    plan.write_text(text.replace('questions = "lamp.jsonl"', ""), "utf-8")
    return plan


def questions(plan: Path) -> list[dict[str, Any]]:
    return [one["question"] for one in answer("exam", "questions", plan, "--limit", "200")["rows"]]


def test_from_a_play_to_a_table_in_two_commands(made: Path) -> None:
    told = answer("exam", "run", made)["table"]
    assert {one["arm"] for one in told["rows"]} == ARMS
    assert all(one["failed"] == 0 and one["unreviewed"] == 0 for one in told["rows"])
    assert told["kinds"] == {
        "future": 20,
        "past-absence": 10,
        "past-only": 20,
        "past-presence": 10,
    }
    future = {one["arm"]: one["kinds"]["future"]["mean"] for one in told["figures"]["moment.right"]}
    assert future["unsafe:rag"] < future["rag-cutoff"] <= future["experts-rag-cutoff"]


def test_what_it_counts_itself_is_as_counted_by_hand(made: Path) -> None:
    run("exam", "run", made, "--only", "experts")
    found = answer("exam", "report", made, "--out", "report")["table"]
    cells = [json.loads(one) for one in Path("report/cells.jsonl").read_text("utf-8").splitlines()]
    mine = [one for one in cells if one["arm"] == "experts"]
    right = [one["scores"]["moment.right"] for one in mine]
    assert found["own"]["average %"]["experts"] == pytest.approx(100 * sum(right) / len(right))
    assert 0 < found["own"]["temporal expert %"]["experts"] <= 100
    assert set(found["own"]["spatial expert %"]) == {"experts"}


def test_what_experts_said_stands_on_the_log(made: Path) -> None:
    run("exam", "run", made, "--only", "experts")
    run("log", "export", "lamp.db", "lamp.export.jsonl")
    said = re.findall(r'"hint":"(\w+)"', Path("lamp.export.jsonl").read_text("utf-8"))
    assert len(said) == 60 and set(said) == {"future", "absent", "none"}


def test_the_papers_rows_stand_beside_ours_when_asked(made: Path) -> None:
    run("exam", "run", made, "--only", "zero-shot", "--limit", "5")
    found = answer("exam", "report", made, "--paper")["table"]["published"]
    assert found["the paper's: GPT-4 Turbo, experts"]["average %"][0] == 83.3
    assert "the paper's" in run("exam", "report", made, "--paper").stdout


def test_a_world_that_is_not_there_is_refused(made: Path) -> None:
    text = made.read_text("utf-8").replace("# worlds = []", 'worlds = ["the-lamp-rom"]')
    made.write_text(text, "utf-8")
    assert "the-lamp-room" in refused("exam", "check", made)


def test_points_can_be_given(made: Path) -> None:
    text = made.read_text("utf-8")
    given = '[points]\n"the first night" = ["E1", "E2"]\n\n[agents.everyone]'
    made.write_text(text.replace("[agents.everyone]", given, 1), "utf-8")
    assert {one["at"] for one in questions(made)} == {"E1", "E2"}


def test_as_in_the_paper_everybody_knows_the_past(made: Path) -> None:
    text = made.read_text("utf-8").replace('# mode = "witness"', 'mode = "paper"')
    made.write_text(text, "utf-8")
    only = [one for one in questions(made) if one["kind"] == "past-only"]
    assert any("evidence" not in one for one in only), "of what one neither witnessed nor was told"


def test_from_the_authors_file_to_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = written(tmp_path / "novels.json", hub=True)
    run("exam", "new", "timechara", "novels.toml", "--from", file)
    told = answer("exam", "run", "novels.toml", "--limit", "60")["table"]
    assert told["units"] == 60
    assert all(one["failed"] == 0 and one["unreviewed"] == 0 for one in told["rows"])
