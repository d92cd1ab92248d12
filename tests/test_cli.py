"""The command line: what it answers, and how it refuses."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from datetime import datetime
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from whoknew.cli import main
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import CharacterAdded, EpisodeOpened, Narrated, WorldOpened

COMMAND = [sys.executable, "-m", "whoknew.cli"]
USUAL = {"COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
ENVIRONMENT = {**os.environ, **USUAL}


class Done(NamedTuple):
    stdout: str
    stderr: str


def run(*arguments: str | Path, rc: int = 0, given: str = "", **environment: str) -> Done:
    """A command, as a shell would run it, but in this process: that is ten times as fast."""
    out, error = (TextIOWrapper(BytesIO(), encoding="utf-8") for _ in range(2))
    words = ["whoknew", *map(str, arguments)]
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(out),
        redirect_stderr(error),
        pytest.raises(SystemExit) as ended,
    ):
        patch.setattr(sys, "stdin", StringIO(given))
        patch.setattr(sys, "argv", words)
        for name, value in {**USUAL, **environment}.items():
            patch.setenv(name, value)
        main()
    for stream in (out, error):
        stream.flush()
        stream.seek(0)
    done = Done(out.read(), error.read())
    assert (ended.value.code or 0) == rc, done
    return done


def refused(*arguments: str | Path) -> str:
    """The message of a command that the log refused: one line on stderr, nothing on stdout."""
    done = run(*arguments, rc=1)
    assert done.stdout == ""
    assert done.stderr.startswith("whoknew: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def answer(*arguments: str | Path, rc: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", rc=rc).stdout)


async def write(file: Path, world: str = "harbour", name: str = "Ann") -> None:
    async with open_log(file) as log:
        await log.append(
            world,
            [
                Draft(WorldOpened("Harbour"), datetime(2000, 1, 1, 12)),
                Draft(CharacterAdded(name)),
                Draft(EpisodeOpened("Rain."), episode=1, witnesses=(name,)),
                Draft(Narrated("It rains."), datetime(2000, 1, 2), episode=1, witnesses=(name,)),
            ],
        )
        await log.fork(world, f"{world}-fork", "#3")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "log.db"
    asyncio.run(write(file))
    return file


def damage(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute("UPDATE events SET body = replace(body, 'It rains', 'It pours')")
    database.close()


def test_help_answers_at_once() -> None:
    took = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([*COMMAND, "--help"], check=True, stdout=subprocess.DEVNULL)
        took.append(time.perf_counter() - start)
    assert min(took) < 0.25


def test_help_loads_nothing_heavy() -> None:
    code = "import sys, whoknew.cli; print([m for m in sys.modules if m in %r])"
    heavy = (
        "rich",
        "numpy",
        "sqlite3",
        "apsw",
        "asyncpg",
        "structlog",
        "tenacity",
        "msgspec",
        "asyncio",
    )
    done = subprocess.run(
        check=False, args=[sys.executable, "-c", code % (heavy,)], capture_output=True, text=True
    )
    assert done.stdout == "[]\n"


def test_it_says_its_version() -> None:
    assert run("--version").stdout == "whoknew 0.1.0\n"


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
    assert "it has 1 fault" in run("log", command, file, copy, "--anyway").stdout
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


@pytest.mark.parametrize(
    "arguments", [["log", "info"], ["log", "frob"], ["log", "info", "a", "-x"]]
)
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    done = run(*arguments, rc=2)
    assert done.stdout == ""
    assert done.stderr.startswith("whoknew: ")
    assert "(see `whoknew log" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ls", "--log", ""], "what follows `--log` is empty"),
        (["ls", "--log="], "what follows `--log=` is empty"),
        (["show", " "], "what follows `show` is empty"),
        (["stop"], "name a WORLD, or give --all"),
        (["stop", "harbour", "--all"], "name a WORLD, or give --all"),
        (["run", "harbour", "--chains", "0"], "'--chains'"),
    ],
)
def test_what_was_typed_wrong_is_said_in_one_line(arguments: list[str], said: str) -> None:
    told = run(*arguments, rc=2).stderr
    assert said in told
    assert told.count("\n") == 1


def test_a_pipe_is_refused_where_a_file_is_needed(file: Path, tmp_path: Path) -> None:
    for arguments in (
        ("log", "info", "-"),
        ("log", "export", file, "-"),
        ("log", "backup", file, "-"),
        ("log", "import", tmp_path / "new.db", "-"),
    ):
        assert "- is no " in refused(*arguments)
    assert not (tmp_path / "new.db").exists()


def test_without_a_command_it_shows_its_help() -> None:
    for group in ((), ("log",), ("import",), ("export",)):
        assert run(*group, rc=2).stderr.startswith("Usage: whoknew")


@pytest.mark.parametrize("command", [("run",), ("log", "verify"), ("export", "sotopia"), ("new",)])
def test_help_is_plain_and_has_an_example(command: tuple[str, ...]) -> None:
    told = run(*command, "--help").stdout
    assert f"Example: whoknew {' '.join(command)} " in told
    assert "<" not in told
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_can_complete_commands(shell: str) -> None:
    alone = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    assert "_WHOKNEW_COMPLETE" in run("--show-completion", shell, **alone).stdout
    asked = {
        "_WHOKNEW_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": "whoknew log ver",
        "COMP_CWORD": "2",
        "_TYPER_COMPLETE_ARGS": "whoknew log ver",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    assert "verify" in run(**asked).stdout


def test_a_run_shows_what_to_look_at_and_nothing_ends_in_blanks(tmp_path: Path) -> None:
    log = tmp_path / "my log.db"
    done = run("run", "flatmates", "--log", log, XDG_RUNTIME_DIR=str(tmp_path))
    assert f"To see it: whoknew show flatmates --log '{log}'" in done.stdout
    for width in ("80", "140"):
        shown = run("show", "flatmates", "--log", log, "--memories", COLUMNS=width).stdout
        lines = shown.splitlines()
        assert max(map(len, lines)) <= int(width)
        assert [line for line in lines if line != line.rstrip()] == []
    assert "remembers (" in shown
    assert run("ls", "--log", log).stdout.count("finished") == 1


def test_the_log_that_the_environment_names_is_used_everywhere(tmp_path: Path) -> None:
    named = {"WHOKNEW_LOG": str(tmp_path / "mine.db"), "XDG_RUNTIME_DIR": str(tmp_path)}
    run("run", "flatmates", **named)
    assert "flatmates" in run("ls", **named).stdout
    assert "Four Flights Up" in run("show", "flatmates", **named).stdout


def test_a_plan_is_never_written_over(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    assert "--dry-run" in run("new", plan, "--world", "harbour").stdout
    before = plan.read_text("utf-8")
    assert "is there already" in refused("new", plan)
    assert plan.read_text("utf-8") == before
    assert "there is no folder" in refused("new", tmp_path / "no" / "plan.toml")


def test_every_mistake_of_a_plan_has_a_line_of_its_own(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('world = "harbour"\nchians = 2\n[limits.run]\nmony = 1\n', "utf-8")
    told = run("run", plan, rc=1).stderr
    assert "2 mistakes" in told
    assert told.count("\n") == 3


def test_where_nothing_runs_stop_says_so(tmp_path: Path) -> None:
    nothing = run("stop", "--all", rc=1, XDG_RUNTIME_DIR=str(tmp_path)).stderr
    assert "nothing is going on here" in nothing


def test_warnings_go_into_a_file_as_json_where_that_is_asked_for(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    (tmp_path / "whoknew").write_text("in the way of what says that this runs")
    done = run(
        "run",
        "flatmates",
        "--log",
        tmp_path / "f.db",
        "--trace",
        trace,
        XDG_RUNTIME_DIR=str(tmp_path),
    )
    (line,) = trace.read_text().splitlines()
    assert json.loads(line)["level"] == "warning"
    assert "warning" not in done.stderr


def test_names_cannot_break_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "odd.db"
    asyncio.run(write(file, "真夜中", "\x1b[2J\x07Ann"))
    for command in ("info", "head", "verify"):
        shown = run("log", command, file).stdout
        assert "\x1b" not in shown and "\x07" not in shown
    assert "真夜中" in run("log", "info", file).stdout


def test_a_reader_that_goes_away_ends_it_quietly(file: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        check=False, args=[*COMMAND, "log", "info", str(file)], stdout=writing, stderr=-1
    )
    os.close(writing)
    assert done.stderr == b""


def test_an_interrupt_ends_it_quietly(tmp_path: Path) -> None:
    heads = tmp_path / "heads"
    os.mkfifo(heads)
    process = subprocess.Popen(
        [*COMMAND, "log", "verify", str(tmp_path / "x.db"), "--heads", str(heads)],
        stderr=subprocess.PIPE,
    )
    waited_for = os.open(heads, os.O_WRONLY)  # returns once the command has opened it to read
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=10)
    os.close(waited_for)
    assert (process.returncode, said) == (130, b"")


def test_long_work_shows_a_sign_of_life_on_a_terminal_only(file: Path, tmp_path: Path) -> None:
    assert run("log", "backup", file, tmp_path / "a.db").stderr == ""
    leader, follower = pty.openpty()
    done = subprocess.run(
        check=False,
        args=[*COMMAND, "log", "backup", str(file), str(tmp_path / "b.db")],
        env={**ENVIRONMENT, "TERM": "xterm"},
        stdout=subprocess.DEVNULL,
        stderr=follower,
    )
    os.close(follower)
    said = os.read(leader, 10_000).decode()
    os.close(leader)
    assert done.returncode == 0
    assert "backing up" in said
