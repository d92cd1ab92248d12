"""`whoknew export rows`: what a character lived through, a chat a line."""

from __future__ import annotations

import json
from pathlib import Path

from command_runner import refused, run


def test_a_file_holds_what_its_character_witnessed_and_no_more(tmp_path: Path) -> None:
    log = tmp_path / "plays.db"
    run("import", "play", "the-lamp-room", "--log", log)
    early, late = tmp_path / "early.jsonl", tmp_path / "late.jsonl"
    told = run("export", "rows", "the-lamp-room", "WREN", early, "--at", "E2", "--log", log)
    assert "of 1 episode that WREN lived through" in told.stdout
    found = json.loads(
        run("export", "rows", "the-lamp-room", "WREN", late, "--json", "--log", log).stdout
    )
    lines = late.read_text("utf-8").splitlines()
    assert found["rows"] == len(lines)
    assert lines[: len(early.read_text("utf-8").splitlines())] == (
        early.read_text("utf-8").splitlines()
    )
    assert json.loads(lines[0])["messages"][0]["content"].startswith("You are WREN.")
    assert "exists" in refused("export", "rows", "the-lamp-room", "WREN", late, "--log", log)
