"""`whoknew rerun`: the same story, or not."""

from __future__ import annotations

import json
from pathlib import Path

from command_runner import run
from diner_world import WORLD, nights


def test_a_played_world_comes_out_the_same(tmp_path: Path) -> None:
    file = nights(tmp_path)
    assert "the same story, to the byte" in run("rerun", WORLD, "--recorded", "--log", file).stdout
    assert "run its plan" in run("rerun", WORLD, "--no-recorded", "--log", file, rc=2).stderr


def test_what_was_asked_of_a_world_is_no_answer_that_it_was_played_from(tmp_path: Path) -> None:
    file = nights(tmp_path)
    before = run("rerun", WORLD, "--log", file).stdout
    run("ask", WORLD, "Vera", "Who cannot taste?", "--log", file)
    [listed] = json.loads(run("ls", "--log", file, "--json").stdout)
    after = json.loads(run("rerun", WORLD, "--log", file, "--json").stdout)
    assert after["calls"] == listed["calls"]
    assert f"with {after['calls']} recorded calls" in before
