"""`whoknew token give`: a token for a character."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from pathlib import Path

from command_runner import refused, run
from diner_world import WORLD

from whoknew.engine.server.tokens import Tokens


def test_a_token_is_told_once_and_lasts_as_long_as_was_said(file: Path) -> None:
    lines = run("token", "give", WORLD, "Vera", "--for", "2d", "--log", file).stdout.splitlines()
    with closing(Tokens(Path(f"{file}-tokens"))) as tokens:
        found = tokens.find(lines[0])
    assert found is not None and found.ends - found.made == timedelta(days=2)
    assert (found.world, found.character) == (WORLD, "Vera")
    assert found.id in lines[1] and "shown only this once" in lines[1]


def test_for_nobody_there_is_no_token(file: Path) -> None:
    assert "did you mean 'Vera'" in refused("token", "give", WORLD, "Verra", "--log", file)
    with closing(Tokens(Path(f"{file}-tokens"))) as tokens:
        assert tokens.all() == ()


def test_a_time_that_is_none_is_told(file: Path) -> None:
    assert "say 30m" in refused("token", "give", WORLD, "Vera", "--for", "long", "--log", file)
