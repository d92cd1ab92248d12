"""`whoknew bookmarks`: what somebody asks itself, at any moment."""

from __future__ import annotations

import json
import zlib
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from command_runner import refused, run
from lamp_room import PLAY
from rich.console import Console

from whoknew.engine.terminal.bookmarks import shown
from whoknew.engine.travel.bookmarks import bookmarks
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeOpened, Remembered, WorldOpened

PLAN = """
world = "flatmates"
[episodes]
turns = 6
play = ["boxes", "greenhouse"]
[agents.everyone]
memory = "bookmarks"
"""


def kept(folder: Path) -> Path:
    plan, log = folder / "kept.toml", folder / "kept.db"
    plan.write_text(PLAN, "utf-8")
    run("run", plan, "--log", log)
    return log


def test_bookmarks_are_shown_as_they_were_at_a_moment(tmp_path: Path) -> None:
    log = kept(tmp_path)
    shown = run("bookmarks", "flatmates", "--who", "Hester", "--log", log).stdout
    assert "Where is Hester now?" in shown and "rests on #" in shown and "* " in shown
    asked = ("bookmarks", "flatmates", "--who", "Hester", "--json", "--log", log)
    early, late = (json.loads(run(*asked, "--at", at).stdout) for at in ("E1", "end"))
    assert 0 < early["steps"] < late["steps"] and early["cursor"] < late["cursor"]
    assert all(max(one["rests_on"], default=0) <= early["cursor"] for one in early["bookmarks"])
    assert late["hits"] <= late["proposals"] and 0 < late["saved"] < 1


def test_a_fork_takes_them_along_and_names_are_taken_out_of_them(tmp_path: Path) -> None:
    log, out = kept(tmp_path), tmp_path / "hidden.jsonl"
    run("fork", "flatmates", "--at", "E1", "--name", "else", "--log", log)
    told = [
        json.loads(
            run("bookmarks", world, "--who", "Hester", "--at", at, "--json", "--log", log).stdout
        )
        for world, at in (("flatmates", "E1"), ("else", "end"))
    ]
    assert told[0]["bookmarks"] == told[1]["bookmarks"] != []
    run("log", "anonymise", log, out, tmp_path / "key.json")
    run("log", "import", tmp_path / "hidden.db", out)
    alias = next(
        key
        for key, name in json.loads((tmp_path / "key.json").read_text())["aliases"].items()
        if name == "Hester"
    )
    asked = ("bookmarks", "flatmates", "--who", alias, "--log", tmp_path / "hidden.db")
    shown = run(*asked).stdout
    assert f"Where is {alias} now?" in shown and "Hester" not in shown
    run("log", "restore", out, tmp_path / "key.json", tmp_path / "back.jsonl")
    run("log", "export", log, tmp_path / "whole.jsonl")
    assert (tmp_path / "back.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_who_keeps_none_is_told_so(unchanged: Path) -> None:
    shown = run("bookmarks", PLAY, "--who", "WREN", "--log", unchanged).stdout
    assert "WREN keeps no bookmarks" in shown
    assert "NOBODY" in refused("bookmarks", PLAY, "--who", "NOBODY", "--log", unchanged)


WHERE = {"question": "Where is\x1b[2J Kit\u202e now?", "kind": "state"}
LIES: list[dict[str, Any]] = [
    {"answer": {"text": "Here.", "rests": [1_000_000]}},
    {"answer": {"text": "Here.", "rests": [0]}},
    {"hits": [99_999, 3, 0]},
    {"folds": [{"upto": 10**12, "answer": {"text": "Here."}}]},
    {"read": 10**400},
    {"unseen": 9},
    {"parent": 1},
    {"number": 10**400},
    {"number": -1},
]


async def log_with(log: Log, change: dict[str, Any]) -> None:
    """Three lines, and a record of a step that somebody else wrote."""
    begun = {"number": 1, "begun": WHERE, **change}
    step = {
        "who": "Oda",
        "at": 3,
        "proposed": [{"asked": WHERE, "number": begun["number"]}],
        "changes": [begun],
    }
    told, at = ("Oda",), datetime(2000, 1, 1)
    packed = zlib.compress(json.dumps(step).encode())
    await log.append(
        "w",
        [
            Draft(WorldOpened("w"), at),
            Draft(CharacterAdded("Oda"), witnesses=told),
            Draft(EpisodeOpened("s", told, "as-written"), episode=1, witnesses=told),
            *[Draft(Acted("No."), episode=1, turn=1, actor="Oda", witnesses=told)] * 3,
            Draft(Remembered("Oda", "bookmarks", "", packed=packed), episode=1, witnesses=told),
        ],
    )


@pytest.mark.parametrize("lie", LIES)
async def test_a_record_that_lies_is_no_step(lie: dict[str, Any]) -> None:
    async with open_log(":memory:") as log:
        await log_with(log, lie)
        assert (await bookmarks(log, "w", "Oda")).steps == 0


async def test_what_a_record_says_moves_no_screen() -> None:
    async with open_log(":memory:") as log:
        await log_with(log, {"answer": {"text": "\x1b]0;evil\x07", "rests": [3]}})
        found = await bookmarks(log, "w", "Oda")
    console = Console(width=80, record=True, file=StringIO())
    console.print(shown(found, 20))
    said = console.export_text()
    assert found.steps == 1 and "rests on #6" in said
    assert not set(said) & {"\x1b", "\x07", "\u202e"}
