"""`whoknew rerun`: the same story, or not."""

from __future__ import annotations

from pathlib import Path

from command_runner import run
from diner_world import WORLD, nights


def test_a_played_world_comes_out_the_same(tmp_path: Path) -> None:
    file = nights(tmp_path)
    assert "the same story, to the byte" in run("rerun", WORLD, "--recorded", "--log", file).stdout
    assert "run its plan" in run("rerun", WORLD, "--no-recorded", "--log", file, rc=2).stderr
