"""`whoknew diff`: two of anything, side by side."""

from __future__ import annotations

from pathlib import Path

from command_runner import run
from lamp_room import PLAY


def test_a_fork_beside_its_parent(unchanged: Path) -> None:
    shown = run("diff", "told", "--log", unchanged).stdout
    assert "are the same up to #" in shown
    assert "There are stones in her." in shown
    assert "Only in the-lamp-room" in shown
    between = run("diff", PLAY, "--from", "E4", "--at", "E5", "--log", unchanged).stdout
    assert "CAPTAIN MARROW dies" in between


def test_each_side_says_in_which_episode_and_what_it_does_not_show(diner: Path) -> None:
    shown = run("diff", "midnight-diner", "--who", "Dorte,Vera", "--at", "E2", "--log", diner)
    side = shown.stdout.split("Only Dorte: ")[1].split("Only Vera: ")[0].splitlines()
    told = [line for line in side if "  #" in line]
    rest = next(line for line in side if "that no line tells of" in line)
    assert int(side[0].split()[0]) == len(told) + int(rest.split()[2])
    assert [line for line in side if line in ("E1", "E2")] == ["E1", "E2"]
