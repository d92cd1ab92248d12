"""`whoknew knows`: who knows of what."""

from __future__ import annotations

import json
from pathlib import Path

from command_runner import run
from lamp_room import PLAY


def test_the_matrix_has_a_sign_for_each_and_says_how_it_came(unchanged: Path) -> None:
    shown = run("knows", PLAY, "--log", unchanged).stdout
    assert "● present  ◐ told  ○ absent  · future" in shown
    assert "stones: FIRST BOATMAN: What does a shipowner want" in shown
    assert "○○○○○●●○" in shown
    early = run("knows", PLAY, "--at", "E1", "--log", unchanged).stdout
    assert "········" in early
    traced = run("knows", PLAY, "--about", "stones", "--trace", "--log", unchanged).stdout
    assert "Nobody was told of any of it." in traced


def test_how_many_events_are_meant_stands_above_those_that_are_shown(unchanged: str) -> None:
    def shown(*more: str) -> str:
        return run("knows", PLAY, "--about", "stones", "--log", unchanged, *more).stdout

    whole = json.loads(shown("--json", "--limit", "1000"))
    total = whole["total"]
    assert total == len(whole["rows"]) > 2
    assert f"\n{total} events\n" in shown("--limit", "1000")
    assert f"\n1-2 of {total} events: go on with --skip 2\n" in shown("--limit", "2")
    assert f"\n{total}-{total} of {total} events\n" in shown("--skip", str(total - 1))
    assert "none past the first 999" in shown("--skip", "999")
