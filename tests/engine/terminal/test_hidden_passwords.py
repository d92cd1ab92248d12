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

LAMP = """
<PLAY><TITLE>The Lamp</TITLE><PERSONAE><PERSONA>ANN</PERSONA><PERSONA>BEN</PERSONA></PERSONAE>
<ACT><TITLE>ACT I</TITLE><SCENE><TITLE>SCENE I. A room.</TITLE>
<STAGEDIR>Enter ANN and BEN</STAGEDIR>
<SPEECH><SPEAKER>ANN</SPEAKER><LINE>Good evening.</LINE></SPEECH></SCENE></ACT></PLAY>
"""

LOG = "LOG"
"""Stands for the address."""

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
    ("import", "play", "lamp.xml"),
    ("show", "flatmates", "--episode", "1"),
    ("replay", "flatmates", "--at", "E1"),
    ("knows", "flatmates", "--about", "rent"),
    ("recall", "flatmates", "Petra", "rent"),
    ("prompt", "flatmates", "E1.T1"),
    ("tellings", "flatmates"),
    ("audit", "flatmates"),
    ("ask", "flatmates", "Petra", "Who pays?"),
    ("rerun", "flatmates"),
    ("token", "give", "flatmates", "Petra"),
    ("token", "ls"),
    ("workers",),
    ("ls",),
    ("doctor",),
    ("log", "info", LOG),
    ("log", "head", LOG),
    ("log", "verify", LOG),
)
ONCE = (
    ("mark", "flatmates", "early", "--at", "E1"),
    ("fork", "flatmates", "--at", "E1", "--name", "other"),
    ("diff", "other"),
    ("log", "export", LOG, "all.jsonl"),
    ("log", "backup", LOG, "copy.db"),
    ("export", "csv", "flatmates", "all.csv"),
    ("bundle", "flatmates", "folder"),
    ("demo", "--log", LOG),
)


@pytest.mark.parametrize("form", ["before the host", "among the fields"])
def test_no_answer_tells_the_password_of_a_log(
    form: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    address = database.replace("@", ":hidden@", 1)
    if form == "among the fields":
        address = f"{database}&password=hidden"
    assert address != database and "?" in database
    Path("duel.toml").write_text(DUEL)
    Path("lamp.xml").write_text(LAMP)
    both = [(*command, *how) for command in COMMANDS for how in ((), ("--json",))]
    told = {
        command: run(
            *(address if word is LOG else word for word in command),
            environment={"WHOKNEW_LOG": address},
        )
        for command in (*both, *ONCE)
    }
    assert [
        " ".join(map(str, command))
        for command, done in told.items()
        if "hidden" in done.stdout + done.stderr
    ] == []
