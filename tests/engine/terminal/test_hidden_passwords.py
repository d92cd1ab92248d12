"""The password of a log on PostgreSQL stands in no answer, be it in words or in JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import run
from question_writers import NEW

DUEL = """
exam = "scenes"
name = "duel"
worlds = ["flatmates"]
[episodes]
play = ["boxes"]
[agents.everyone]
agent = "bargainer"
[arms.plain]
"""

COMMANDS = (
    (*NEW, "--model", "offline:", "--dry-run"),
    (*NEW, "--model", "offline:"),
    ("exam", "run", "duel.toml", "--dry-run"),
    ("exam", "run", "duel.toml"),
    ("exam", "show", "duel.toml", "plain", "1"),
    ("exam", "check", "duel.toml"),
    ("exam", "ls"),
    ("run", "flatmates", "--dry-run"),
    ("run", "flatmates"),
)


def test_no_answer_tells_the_password_of_a_log(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    address = database.replace("@", ":hidden@", 1)
    assert address != database
    Path("duel.toml").write_text(DUEL)
    told = {
        (*command, *how): run(*command, *how, environment={"WHOKNEW_LOG": address})
        for command in COMMANDS
        for how in ((), ("--json",))
    }
    assert [
        " ".join(map(str, command))
        for command, done in told.items()
        if "hidden" in done.stdout + done.stderr
    ] == []
