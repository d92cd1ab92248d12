"""`whoknew token revoke`: a token is taken back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from command_runner import answer, refused, run
from diner_world import WORLD

from whoknew.engine.server.tokens import Tokens


def test_a_token_that_was_taken_back_shows_nothing_any_more(file: Path) -> None:
    given = answer("token", "give", WORLD, "Vera", "--log", file)
    other = answer("token", "give", WORLD, "Dorte", "--log", file)
    assert "taken back" in run("token", "revoke", given["id"], "--log", file).stdout
    with closing(Tokens(Path(f"{file}-tokens"))) as tokens:
        assert tokens.find(given["token"]) is None
        assert tokens.find(other["token"]) is not None


def test_an_id_of_no_token_is_told_where_they_are_listed(file: Path) -> None:
    assert "token ls" in refused("token", "revoke", "nope", "--log", file)
