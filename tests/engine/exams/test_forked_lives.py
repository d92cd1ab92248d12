"""Who lives in a world and in a fork of it is one: no independent proof of anything."""

from __future__ import annotations

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
