"""`whoknew prompt`: what a model was given."""

from __future__ import annotations

from pathlib import Path

from command_runner import answer, run
from diner_world import WORLD, nights


def test_a_prompt_is_shown_with_what_came_of_it(tmp_path: Path) -> None:
    file = nights(tmp_path)
    shown = run("prompt", WORLD, "E2.T3", "--log", file).stdout
    assert "to the byte what the model was given" in shown.replace("\n", " ")
    assert "# Who you are" in shown
    assert "What came of it" in shown
    (decision,) = answer("prompt", WORLD, "E2.T3", "--log", file)
    assert decision["calls"][0]["digest"] == decision["calls"][0]["called"]["digest"]
