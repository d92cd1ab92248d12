"""Exams of scenes in the terminal."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from duel_exams import DUEL


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "duel.toml").write_text(DUEL, "utf-8")
    return tmp_path / "duel.toml"


def test_scenes_are_checked_played_and_shown(plan: Path) -> None:
    checked = run("exam", "check", plan).stdout
    assert "duel: 21 scenes x 2 arms = 42 cells" in checked and "kept in duel.db" in checked
    dry = run("exam", "run", plan, "--limit", "3", "--dry-run").stdout
    assert "6 chains into duel.db: 0 done already, 0 to go on with, 6 to begin" in dry
    assert not Path("duel.db").exists()
    played = run("exam", "run", plan, "--limit", "3")
    assert "6 cells: 6 reviews to be had" in played.stderr
    assert "who plays, over all arms and sides" in played.stdout
    assert all(len(line) <= 80 for line in played.stdout.splitlines())
    assert "6 played already" in run("exam", "run", plan, "--limit", "3").stderr
    assert [one["kind"] for one in answer("exam", "ls", "duel.db")] == ["scenes"]
    shown = run("exam", "show", plan, "duel", "2").stdout
    assert "first: " in shown and "rules: " in shown and "To see it: whoknew show duel-" in shown
    found = answer("exam", "show", plan, "duel-swapped", "2")
    assert [side["agent"] for side in found["sides"]] == ["bargainer", "mind"]
    assert found["world"] in run("ls", "--log", "duel.db").stdout
    assert "not played yet" in run("exam", "show", plan, "duel", "4").stdout
    assert "by number there are 1 to 21" in refused("exam", "show", plan, "duel", "zz")


def test_one_table_in_one_file(plan: Path) -> None:
    run("exam", "run", plan, "--limit", "3")
    run("exam", "report", plan, "--limit", "3", "--out", "out")
    rows = list(csv.DictReader(Path("out/cells.csv").read_text("utf-8").splitlines()))
    assert len(rows) == 6 and {row["arm"] for row in rows} == {"duel", "duel-swapped"}
    assert all(row["rules.stalling.first"] and int(row["seq"]) > 5 for row in rows)
    figures = list(csv.DictReader(Path("out/figures.csv").read_text("utf-8").splitlines()))
    assert {"duel", "duel-swapped", "mind", "bargainer"} == {row["arm"] for row in figures}
    page = Path("out/report.html").read_text("utf-8")
    assert "who plays" in page and "world=duel-" in page
