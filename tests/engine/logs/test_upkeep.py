"""Looking after a log: `whoknew log`, as it is typed."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest
from command_runner import answer, damage, harbour, refused, run, write

from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import WorldOpened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return harbour(tmp_path / "log.db")


def test_info_tells_what_the_log_is_and_holds(file: Path) -> None:
    found = answer("log", "info", file)
    assert (found["store"], found["schema"]) == ("SQLite file", 1)
    assert found["engine"].startswith("SQLite 3.")
    assert found["size"] > 0
    first, fork = found["worlds"]
    assert (first["name"], first["head"], first["own"]) == ("harbour", 4, 4)
    assert (first["characters"], first["episodes"]) == (1, 1)
    assert (first["begins"], first["ends"]) == ("2000-01-01T12:00:00", "2000-01-02T00:00:00")
    assert (fork["parent"], fork["forked_at"], fork["head"], fork["own"]) == ("harbour", 3, 4, 1)


def test_info_reads_well_at_eighty_columns(file: Path) -> None:
    shown = run("log", "info", file).stdout
    assert "harbour-fork\n  fork of harbour #3" in shown
    assert "#4, 4 events of its own, 1 character, 1 episode" in shown


def test_info_of_an_empty_log_is_no_error(tmp_path: Path) -> None:
    async def begin() -> None:
        async with open_log(tmp_path / "empty.db"):
            pass

    asyncio.run(begin())
    assert answer("log", "info", tmp_path / "empty.db")["worlds"] == []
    assert run("log", "head", tmp_path / "empty.db").stdout == ""


def test_info_works_on_postgresql(database: str) -> None:
    async def begin() -> None:
        async with open_log(database) as log:
            await log.append("w", [Draft(WorldOpened(), datetime(2000, 1, 1))])

    asyncio.run(begin())
    found = answer("log", "info", database)
    assert found["store"].startswith("PostgreSQL")
    assert found["engine"].startswith("PostgreSQL ")
    assert [world["name"] for world in found["worlds"]] == ["w"]


def test_reading_commands_work_beside_a_writer(file: Path, tmp_path: Path) -> None:
    async def beside() -> None:
        async with open_log(file):
            for command in ("info", "head", "verify"):
                await asyncio.to_thread(run, "log", command, file)
            await asyncio.to_thread(run, "log", "export", file, tmp_path / "e.jsonl")
            await asyncio.to_thread(run, "log", "backup", file, tmp_path / "b.db")
            again = await asyncio.to_thread(refused, "log", "import", file, tmp_path / "e.jsonl")
            assert "being written by another process" in again

    asyncio.run(beside())


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


def test_kept_heads_are_counted_from_lines_from_json_and_from_a_pipe(
    file: Path, tmp_path: Path
) -> None:
    lines, json_text = run("log", "head", file).stdout, run("log", "head", file, "--json").stdout
    heads = tmp_path / "heads"
    for printed in (lines, json_text):
        heads.write_text(printed, "utf-8")
        assert "2 of 2 kept heads stand" in run("log", "verify", file, "--heads", heads).stdout
        piped = run("log", "verify", file, "--heads", "-", given=printed).stdout
        assert "2 of 2 kept heads stand" in piped


def test_heads_that_are_none_are_wrong_usage(file: Path, tmp_path: Path) -> None:
    heads = tmp_path / "heads"
    for text, said in (("\n", "holds no head"), ("[]", "holds no head"), ("[1]", "is not what")):
        heads.write_text(text, "utf-8")
        assert said in run("log", "verify", file, "--heads", heads, rc=2).stderr


def test_a_head_that_does_not_stand_is_a_fault(file: Path) -> None:
    kept = [f"harbour #4 {'0' * 64}", f"harbour #9 {'0' * 64}", f"gone #1 {'0' * 64}"]
    options = [part for head in kept for part in ("--head", head)]
    found = run("log", "verify", file, *options, rc=1).stdout
    assert "harbour #4: another history" in found
    assert "harbour #9: the head that was kept is gone: the world ends at #4" in found
    assert "gone #1: the head that was kept is of a world that is gone" in found
    assert "0 of 3 kept heads stand: 3 faults" in found


def test_what_is_no_head_is_wrong_usage(file: Path) -> None:
    assert "is no head" in run("log", "verify", file, "--head", "harbour", rc=2).stderr


def test_verify_names_the_world_and_seq_of_a_changed_byte(file: Path) -> None:
    damage(file)
    assert "harbour #4: its bytes are not" in run("log", "verify", file, rc=1).stdout
    (fault,) = answer("log", "verify", file, rc=1)["faults"]
    assert (fault["world"], fault["seq"]) == ("harbour", 4)


def test_a_fault_says_how_much_behind_it_was_not_checked(file: Path) -> None:
    damage(file)
    assert "4 events of 2 worlds checked, 1 from a fault on not checked: 1 fault" in (
        run("log", "verify", file, rc=1).stdout
    )


@pytest.mark.parametrize("command", ["export", "backup"])
def test_a_damaged_log_is_copied_only_where_that_is_asked_for(
    file: Path, tmp_path: Path, command: str
) -> None:
    damage(file)
    copy = tmp_path / "copy.db"
    said = refused("log", command, file, copy)
    assert "has 1 fault: harbour #4" in said
    assert "--anyway" in said
    assert not copy.exists()
    shown = run("log", command, file, copy, "--anyway", rc=1).stdout
    assert "lost: harbour #4: it is there, but is not what was hashed" in shown
    assert copy.exists()


def test_verify_of_one_world_checks_its_past_too(file: Path) -> None:
    found = answer("log", "verify", file, "--world", "harbour-fork")
    assert [head["world"] for head in found["heads"]] == ["harbour", "harbour-fork"]


def test_a_bad_export_leaves_no_log_behind(file: Path, tmp_path: Path) -> None:
    assert "is no export of a log" in refused("log", "import", tmp_path / "new.db", file)
    run("log", "export", file, tmp_path / "cut.jsonl")
    cut = (tmp_path / "cut.jsonl").read_text().splitlines(keepends=True)[:-1]
    (tmp_path / "cut.jsonl").write_text("".join(cut))
    assert "cut short" in refused("log", "import", tmp_path / "new.db", tmp_path / "cut.jsonl")
    assert not [one for one in tmp_path.iterdir() if one.name.startswith("new.db")]


@pytest.mark.parametrize("name", ["e.jsonl", "e.jsonl.gz"])
def test_an_export_is_imported_hash_for_hash(file: Path, tmp_path: Path, name: str) -> None:
    assert answer("log", "export", file, tmp_path / name)["events"] == 5
    new = tmp_path / "new.db"
    assert answer("log", "import", new, tmp_path / name) == {"events": 5, "already": 0}
    assert run("log", "head", new).stdout == run("log", "head", file).stdout
    assert answer("log", "import", new, tmp_path / name) == {"events": 0, "already": 5}


def test_one_world_is_exported_with_all_of_its_past(file: Path, tmp_path: Path) -> None:
    done = answer("log", "export", file, tmp_path / "e.jsonl", "--world", "harbour-fork")
    assert done["worlds"] == {"harbour": 3, "harbour-fork": 4}


def test_a_backup_is_a_log_with_the_same_heads(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert run("log", "backup", file, copy).stdout.startswith("backed up 5 events of 2 worlds to ")
    assert run("log", "head", copy).stdout == run("log", "head", file).stdout


def test_nothing_is_written_over(file: Path) -> None:
    for command in ("export", "backup"):
        assert "exists already" in refused("log", command, file, file)
    run("log", "verify", file)


@pytest.mark.parametrize("command", ["info", "head", "verify"])
def test_reading_a_log_that_is_not_there_creates_none(tmp_path: Path, command: str) -> None:
    assert "there is no such file" in refused("log", command, tmp_path / "no.db")
    assert list(tmp_path.iterdir()) == []


def test_copying_a_log_that_is_not_there_creates_nothing(tmp_path: Path) -> None:
    for command in ("export", "backup"):
        assert "no such file" in refused("log", command, tmp_path / "no.db", tmp_path / "out")
    assert "no such file" in refused("log", "import", tmp_path / "new.db", tmp_path / "no.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_log_is_said_to_be_none(tmp_path: Path) -> None:
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("not a database, but long enough to have a header " * 9, "utf-8")
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE recipes(name)")
    database.close()
    assert "not a Whoknew log" in refused("log", "info", text)
    assert "tables: recipes" in refused("log", "info", other)
    assert "is a folder" in refused("log", "info", tmp_path)
    assert "is no address" in refused("log", "info", "mysql://here")
    assert "ends with its process" in refused("log", "info", ":memory:")


def test_a_bad_export_is_refused(file: Path, tmp_path: Path) -> None:
    run("log", "export", file, tmp_path / "e.jsonl")
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join((tmp_path / "e.jsonl").read_bytes().splitlines(True)[:-1]))
    assert "cut short" in refused("log", "import", tmp_path / "new.db", cut)
    assert "no export of a log" in refused("log", "import", tmp_path / "new.db", file)


def test_an_unknown_world_is_named_with_those_there_are(file: Path) -> None:
    assert "harbour-fork" in refused("log", "head", file, "--world", "harbor")


def test_names_cannot_break_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "odd.db"
    asyncio.run(write(file, "真夜中", "\x1b[2J\x07Ann"))
    for command in ("info", "head", "verify"):
        shown = run("log", command, file).stdout
        assert "\x1b" not in shown and "\x07" not in shown
    assert "真夜中" in run("log", "info", file).stdout
