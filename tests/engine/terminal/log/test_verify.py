"""`whoknew log verify`: every event, and the heads that were kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from command_runner import answer, damage, run


def test_kept_heads_are_counted_from_lines_from_json_and_from_a_pipe(
    file: Path, tmp_path: Path
) -> None:
    lines, json_text = run("log", "head", file).stdout, run("log", "head", file, "--json").stdout
    heads = tmp_path / "heads"
    for printed in (lines, json_text):
        heads.write_text(printed, "utf-8")
        assert (
            "2 of 2 kept heads found in it" in run("log", "verify", file, "--heads", heads).stdout
        )
        piped = run("log", "verify", file, "--heads", "-", given=printed).stdout
        assert "2 of 2 kept heads found in it" in piped


def test_heads_that_are_none_are_wrong_usage(file: Path, tmp_path: Path) -> None:
    heads = tmp_path / "heads"
    endless = '[{"world": "harbour", "seq": 99999999999999999999, "hash": ""}]'
    for text, said in (
        ("\n", "holds no head"),
        ("[]", "holds no head"),
        ("[1]", "is not what"),
        (endless, "is not what"),
    ):
        heads.write_text(text, "utf-8")
        assert said in run("log", "verify", file, "--heads", heads, rc=2).stderr


def test_a_head_that_does_not_stand_is_a_fault(file: Path) -> None:
    kept = [f"harbour #4 {'0' * 64}", f"harbour #9 {'0' * 64}", f"gone #1 {'0' * 64}"]
    options = [part for head in kept for part in ("--head", head)]
    found = run("log", "verify", file, *options, rc=1).stdout
    assert "harbour #4: another history" in found
    assert "harbour #9: the head that was kept is gone: the world ends at #4" in found
    assert "gone #1: the head that was kept is of a world that is gone" in found
    assert "0 of 3 kept heads found in it: 3 faults" in found


def test_heads_that_cannot_be_looked_up_hide_no_other_fault(file: Path) -> None:
    heads = run("log", "head", file).stdout.splitlines()
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE worlds SET name = 'pier' WHERE name = 'harbour'")
    kept = [part for head in (*heads, f"harbour-fork #1 {'0' * 64}") for part in ("--head", head)]
    found = run("log", "verify", file, *kept, rc=1).stdout
    assert "pier #1: it says of itself that it is harbour #1" in found
    assert "harbour #4: the head that was kept is of a world that is gone" in found
    assert "harbour-fork #1: the head that was kept cannot be looked up: 'harbour-fork' is" in found


def test_what_is_no_head_is_wrong_usage(file: Path) -> None:
    assert "is no head" in run("log", "verify", file, "--head", "harbour", rc=2).stderr


def test_verify_names_the_world_and_seq_of_a_changed_byte(file: Path) -> None:
    damage(file)
    assert "harbour #4: its bytes are not" in run("log", "verify", file, rc=1).stdout
    (fault,) = answer("log", "verify", file, rc=1)["faults"]
    assert (fault["world"], fault["seq"]) == ("harbour", 4)


def test_a_fault_says_how_much_behind_it_was_not_checked(file: Path) -> None:
    damage(file)
    assert "4 events of 2 worlds checked, 1 behind a fault not checked: 1 fault" in (
        run("log", "verify", file, rc=1).stdout
    )


def test_verify_of_one_world_checks_its_past_too(file: Path) -> None:
    found = answer("log", "verify", file, "--world", "harbour-fork")
    assert [head["world"] for head in found["heads"]] == ["harbour", "harbour-fork"]
