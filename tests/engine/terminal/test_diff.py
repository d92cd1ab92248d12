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
