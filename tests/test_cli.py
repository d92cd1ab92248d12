"""The command line: what it answers, and how it refuses."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_runner import COMMAND, ENVIRONMENT, harbour, refused, run
from waiting import PATIENCE
from weight_exams import exam_in


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return harbour(tmp_path / "log.db")


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


def loaded(*arguments: str | Path) -> set[str]:
    """The modules that a command has loaded by its end."""
    code = (
        "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr));"
        "from whoknew.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


TRAINS = {"torch", "transformers", "peft"}


def test_who_makes_no_call_loads_nothing_to_make_it_again_with(tmp_path: Path) -> None:
    played = loaded("run", "flatmates", "--log", tmp_path / "f.db")
    assert "whoknew.engine.running.models" in played
    assert "structlog" not in played, "nothing went wrong"
    assert played.isdisjoint({"tenacity", "openai", "google.genai", "aiohttp"})
    assert played.isdisjoint(TRAINS)


def test_who_trains_nothing_loads_nothing_to_train_with(tmp_path: Path) -> None:
    """Not even where a plan names models in this process."""
    plan = exam_in(tmp_path / "exam", tmp_path, 2)
    used = loaded("train", plan, "--prune")
    assert "whoknew.engine.exams.document" in used
    assert used.isdisjoint(TRAINS)


@pytest.mark.parametrize(
    "words",
    [
        ("ls",),
        ("show", "flatmates"),
        ("prompt", "flatmates", "E1.T1"),
        ("run", "flatmates", "--dry-run"),
    ],
)
def test_who_only_reads_has_nothing_to_log(words: tuple[str, ...], tmp_path: Path) -> None:
    run("run", "flatmates", "--log", tmp_path / "f.db")
    assert "structlog" not in loaded(*words, "--log", tmp_path / "f.db")


def test_who_looks_at_a_log_loads_no_more_than_that_takes(file: Path) -> None:
    looked = loaded("replay", "harbour", "--log", file)
    assert "rich.text" in looked
    assert looked.isdisjoint(
        {
            "structlog",
            "rich.table",
            "rich.progress",
            "sqlite_utils",
            "numpy",
            "aiohttp",
            "whoknew.engine.plan.plan",
            "whoknew.agents.models.model",
            "whoknew.worlds",
        }
    )


def test_it_says_its_version() -> None:
    assert run("--version").stdout == "whoknew 0.1.0\n"


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
        (["stop"], "give a WORLD or --all: one of the two"),
        (["stop", "harbour", "--all"], "give a WORLD or --all: one of the two"),
        (["run", "harbour", "--chains", "0"], "'--chains'"),
    ],
)
def test_what_was_typed_wrong_is_said_in_one_line(arguments: list[str], said: str) -> None:
    told = run(*arguments, rc=2).stderr
    assert said in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "at_hand"),
    [
        (["fork", "w", "--tell", "Vera"], "fork"),
        (["fork", "w", "--goal=Vera"], "fork"),
        (["fork", "w", "--about", "x"], "fork"),
        (["log", "info", ""], "log info"),
        (["token", "give", "w", "Vera", "--for="], "token give"),
        (["frob", ""], ""),
    ],
)
def test_what_was_typed_wrong_points_to_the_help_of_its_command(
    arguments: list[str], at_hand: str
) -> None:
    told = run(*arguments, rc=2).stderr
    assert f"(see `{' '.join(['whoknew', *at_hand.split()])} --help`)" in told


@pytest.mark.parametrize("words", [["ls"], ["show", "harbour"], ["knows", "harbour"]])
def test_a_log_that_is_one_argument_too_many_is_said_to_be_an_option(
    file: Path, words: list[str]
) -> None:
    assert f"name a log by --log {file} (see" in run(*words, file, rc=2).stderr
    told = run(*words, "postgresql://me:hush@there/whoknew", rc=2).stderr
    assert "name a log by --log postgresql://me@there/whoknew (see" in told
    assert "hush" not in told
    assert "name a log" not in run(*words, "a" * 5000, rc=2).stderr


def test_words_to_look_for_that_are_one_argument_too_many_are_said_to_be_an_option(
    file: Path,
) -> None:
    told = run("knows", "harbour", "nine jars", "--log", file, rc=2).stderr
    assert "say which events by --about 'nine jars' (see" in told
    assert "--about" not in run("fork", "harbour", "E1", "mine", "more", "--log", file, rc=2).stderr


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
    assert "_WHOKNEW_COMPLETE" in run("--show-completion", shell, environment=alone).stdout
    asked = {
        "_WHOKNEW_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": "whoknew log ver",
        "COMP_CWORD": "2",
        "_TYPER_COMPLETE_ARGS": "whoknew log ver",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    assert "verify" in run(environment=asked).stdout


def test_the_log_that_the_environment_names_is_used_everywhere(tmp_path: Path) -> None:
    named = {"WHOKNEW_LOG": str(tmp_path / "mine.db"), "XDG_RUNTIME_DIR": str(tmp_path)}
    run("run", "flatmates", environment=named)
    assert "flatmates" in run("ls", environment=named).stdout
    assert "Four Flights Up" in run("show", "flatmates", environment=named).stdout


def test_a_log_that_the_environment_names_in_place_of_a_plans_own_is_told(tmp_path: Path) -> None:
    plan, own = tmp_path / "own.toml", tmp_path / "own.db"
    plan.write_text(f'world = "flatmates"\nlog = "{own}"\n[agents.everyone]\n', "utf-8")
    named = {"WHOKNEW_LOG": str(tmp_path / "mine.db"), "XDG_RUNTIME_DIR": str(tmp_path)}
    told = run("run", plan, "--dry-run", environment=named).stderr
    assert f"names the log {own}; WHOKNEW_LOG names {tmp_path / 'mine.db'}" in told
    same = {**named, "WHOKNEW_LOG": str(own)}
    assert "names the log" not in run("run", plan, "--dry-run", environment=same).stderr
    asked = run("run", plan, "--dry-run", "--log", tmp_path / "other.db", environment=named)
    assert "names the log" not in asked.stderr


def test_a_log_that_the_environment_names_is_told_without_its_password(tmp_path: Path) -> None:
    secret = "postgresql://me:s3cret@127.0.0.1:1/lives"
    plan = tmp_path / "own.toml"
    plan.write_text(f'world = "flatmates"\nlog = "{secret}2"\n[agents.everyone]\n', "utf-8")
    named = {"WHOKNEW_LOG": secret, "XDG_RUNTIME_DIR": str(tmp_path)}
    told = run("run", plan, "--dry-run", rc=1, environment=named)
    assert "WHOKNEW_LOG names postgresql://me@127.0.0.1:1/lives," in told.stderr
    assert "s3cret" not in told.stderr + told.stdout


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
    _, said = process.communicate(timeout=PATIENCE)
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
