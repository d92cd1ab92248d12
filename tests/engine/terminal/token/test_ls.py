"""`whoknew token ls`: the tokens that stand."""

from __future__ import annotations

from pathlib import Path

from command_runner import answer, run
from diner_world import WORLD


def test_where_no_token_stands_looking_begins_no_file(file: Path) -> None:
    assert run("token", "ls", "--log", file).stdout == "no token stands\n"
    assert not file.with_name(f"{file.name}-tokens").exists()


def test_each_is_told_with_whose_it_is_and_never_itself(file: Path) -> None:
    given = answer("token", "give", WORLD, "Vera", "--log", file)
    shown = run("token", "ls", "--log", file).stdout
    assert f"{given['id']}  Vera in {WORLD}, until" in shown
    assert given["token"] not in shown
    (listed,) = answer("token", "ls", "--log", file)
    assert listed["id"] == given["id"] and "token" not in listed
