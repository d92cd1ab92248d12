"""`whoknew fork`: a what-if, from its beginning on."""

from __future__ import annotations

from pathlib import Path

from command_runner import run
from diner_world import WORLD, nights


def test_a_what_if_is_gone_on_with_by_the_plan_on_its_log(tmp_path: Path) -> None:
    file = nights(tmp_path)
    words = ("--tell", "Vera", "Psst.", "--tell", "Yusuf", "Hm.", "--goal", "Vera", "Sing.")
    made = run("fork", WORLD, "--at", "E2.T1", *words, "--log", file).stdout
    assert f"whoknew run --world {WORLD}-what-if --log {file}" in made
    run("run", "--world", f"{WORLD}-what-if", "--log", file)
    assert "the same story" in run("rerun", f"{WORLD}-what-if", "--log", file).stdout
    assert "Psst." in run("diff", f"{WORLD}-what-if", "--log", file).stdout
    run("fork", WORLD, "--replace", "89", "I taste it.", "--name", "tasty", "--log", file)
    assert "Dorte: I taste it." in run("replay", "tasty", "--log", file).stdout
