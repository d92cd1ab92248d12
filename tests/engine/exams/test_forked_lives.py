"""Who lives in a world and in a fork of it is one: no independent proof of anything."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from command_runner import run


@pytest.fixture
def forked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A log with a world, a fork of it that was played on, and a fork of that."""
    monkeypatch.chdir(tmp_path)
    run("run", "flatmates", "--log", "flat.db")
    run("fork", "flatmates", "--at", "E2", "--name", "other", "--log", "flat.db")
    run("run", "--world", "other", "--log", "flat.db")
    run("fork", "other", "--at", "E4", "--name", "third", "--log", "flat.db")
    return "flat.db"


@pytest.mark.parametrize("kind", ["lifestate", "bookmarks"])
def test_questions_to_one_life_share_a_cluster_in_all_its_forks(forked: str, kind: str) -> None:
    run("exam", "new", kind, "asked.toml", "--from", forked)
    rows = [json.loads(line) for line in Path("asked.jsonl").read_text("utf-8").splitlines()]
    assert {row["world"] for row in rows} == {"flatmates", "other", "third"}
    assert {(row["character"], row["cluster"]) for row in rows} == {
        (name, f"{name}, flatmates") for name in ("Amadou", "Hester", "Petra")
    }


def test_questions_on_one_episode_share_a_cluster_in_all_its_forks(forked: str) -> None:
    run("exam", "new", "timechara", "asked.toml", "--from", forked)
    rows = [json.loads(line) for line in Path("asked.jsonl").read_text("utf-8").splitlines()]
    assert {row["world"] for row in rows} >= {"flatmates", "other"}
    assert {row["cluster"].partition(", ")[2] for row in rows} == {"flatmates"}


def test_questions_that_name_no_cluster_share_that_of_the_world_that_theirs_began_as(
    forked: str,
) -> None:
    asked = {"character": "Petra", "at": "E1", "question": "Who was there?", "kind": "fact"}
    own = {**asked, "world": "third", "cluster": "of my own"}
    rows = [{**asked, "world": world} for world in ("flatmates", "other", "third")]
    lines = [json.dumps(row) for row in (*rows, own)]
    Path("asked.jsonl").write_text("\n".join(lines), "utf-8")
    Path("asked.toml").write_text(
        f'exam = "questions"\nname = "forks"\nmaterial = "{forked}"\nquestions = "asked.jsonl"\n'
        'grid.models = ["offline:"]\n',
        "utf-8",
    )
    run("exam", "run", "asked.toml")
    run("exam", "report", "asked.toml", "--out", "out")
    with Path("out/cells.csv").open(encoding="utf-8") as file:
        clusters = [(row["world"], row["cluster"]) for row in csv.DictReader(file)]
    assert sorted(clusters) == [
        ("flatmates", "flatmates"),
        ("other", "flatmates"),
        ("third", "flatmates"),
        ("third", "of my own"),
    ]
