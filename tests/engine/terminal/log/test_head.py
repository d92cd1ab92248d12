"""`whoknew log head`: what one keeps elsewhere."""

from __future__ import annotations

from pathlib import Path

from command_runner import refused, run


def test_a_printed_head_still_stands_in_the_log(file: Path, tmp_path: Path) -> None:
    printed = run("log", "head", file).stdout
    assert [line.split(" ")[:2] for line in printed.splitlines()] == [
        ["harbour", "#4"],
        ["harbour-fork", "#4"],
    ]
    one = run("log", "head", file, "--world", "harbour").stdout
    assert one == printed.splitlines(keepends=True)[0]
    heads = tmp_path / "heads.txt"
    heads.write_text(printed, "utf-8")
    run("log", "verify", file, "--head", one.strip(), "--heads", heads)


def test_an_unknown_world_is_named_with_those_there_are(file: Path) -> None:
    assert "did you mean 'harbour'?" in refused("log", "head", file, "--world", "harbor")
    assert "harbour-fork" in refused("log", "head", file, "--world", "elsewhere")
