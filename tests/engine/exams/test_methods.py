"""Every method answers with every memory, in no more calls than were forecast."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import run
from lamp_exams import PLAN, lamp_exam

from whoknew.engine.registry import MEMORIES, METHODS


def test_every_method_answers_with_every_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    memories, methods = list(MEMORIES.ours), list(METHODS.ours)
    grid = f"memories = {json.dumps(memories)}\nmethods = {json.dumps(methods)}"
    path = lamp_exam(tmp_path, PLAN.replace('memories = ["none", "recall"]', grid))
    told = json.loads(run("exam", "run", path, "--dry-run", "--json").stdout)
    expected = {arm["name"]: arm for arm in told["arms"]}
    rows = json.loads(run("exam", "run", path, "--json").stdout)["table"]["rows"]
    assert len(rows) == len(expected) == len(memories) * len(methods)
    for row in rows:
        assert (row["answered"], row["failed"]) == (3, 0)
        assert row["calls"] == expected[row["arm"]]["calls"] <= expected[row["arm"]]["most"]
