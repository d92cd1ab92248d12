"""`whoknew recall`: a search of what a character knows."""

from __future__ import annotations

from pathlib import Path

from command_runner import run
from lamp_room import PLAY


def test_recall_shows_seqs_scores_and_words(unchanged: Path) -> None:
    shown = run("recall", PLAY, "WREN", "chapel oil", "-k", "2", "--log", unchanged).stdout
    assert "WREN: Nine jars" in shown or "chapel lamps" in shown
    none = run("recall", PLAY, "WREN", "zyzzyva", "--log", unchanged).stdout
    assert "nothing that WREN knows" in none
