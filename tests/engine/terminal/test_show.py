"""`whoknew show`: what happened in a world."""

from __future__ import annotations

from pathlib import Path

from command_runner import run


def test_a_run_shows_what_to_look_at_and_nothing_ends_in_blanks(tmp_path: Path) -> None:
    log = tmp_path / "my log.db"
    done = run("run", "flatmates", "--log", log, environment={"XDG_RUNTIME_DIR": str(tmp_path)})
    assert f"To see it: whoknew show flatmates --log '{log}'" in done.stdout
    for width in ("80", "140"):
        shown = run(
            "show", "flatmates", "--log", log, "--memories", environment={"COLUMNS": width}
        ).stdout
        lines = shown.splitlines()
        assert max(map(len, lines)) <= int(width)
        assert [line for line in lines if line != line.rstrip()] == []
    assert "remembers (" in shown
    assert shown.splitlines()[-1].startswith("story ")
    assert run("ls", "--log", log).stdout.count("finished") == 1
