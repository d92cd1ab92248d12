"""A printed command can be pasted: it does what it says, whatever the names in it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_runner import harbour, run

from whoknew.engine.command_text import command_text

ODD = [
    "-x",
    "E1",
    "end",
    "--all",
    "two words",
    "it's",
    '"quoted"',
    "$HOME",
    "a;b",
    "`ls`",
    "*",
    "#3",
    "~",
]


def printed(text: str) -> list[list[str]]:
    """The commands at the ends of lines of a text, as a shell takes them apart."""
    found = re.findall(r"whoknew .+?(?=`?$)", text, re.MULTILINE)
    return [shlex.split(one)[1:] for one in found]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of a world that can be gone on with."""
    folder = tmp_path_factory.mktemp("begun")
    plan = folder / "plan.toml"
    plan.write_text('world = "flatmates"\n[limits.run]\ncalls = 4\n')
    run("run", plan, "--log", folder / "my $log.db", rc=3)
    return folder / "my $log.db"


def test_a_command_is_quoted_and_shows_no_password() -> None:
    told = command_text("show", "a b", log="postgresql://me:secret@h/d", memories=True, at=None)
    assert told == "whoknew show 'a b' --log postgresql://me@h/d --memories"
    assert command_text("diff", "-x", log="l.db") == "whoknew diff --log l.db -- -x"


@pytest.mark.parametrize("name", ODD)
def test_what_a_fork_prints_works(begun: Path, name: str) -> None:
    told = run("fork", "flatmates", "--name", name, "--log", begun).stdout
    going_on, comparing = printed(told)
    assert "1 to go on with" in run(*going_on, "--dry-run").stdout
    run(*comparing)


@pytest.mark.parametrize("name", ODD)
def test_what_a_mark_prints_works(tmp_path: Path, name: str) -> None:
    log = harbour(tmp_path / "my $log.db")
    run("fork", "harbour", "--name", name, "--log", log)
    for more, mark in (([], name), (["--secret"], f"{name} too")):
        told = run("mark", "--at", "#3", "--log", log, *more, "--", name, mark).stdout
        (looking,) = printed(told)
        run(*looking)


@pytest.mark.parametrize("name", ["-x.toml", "my plan.toml", "it's.toml", "$HOME.toml"])
def test_what_a_new_plan_prints_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    told = run("new", "--world", "harbour", "--", name).stdout
    (looking,) = printed(told)
    run(*looking)


@pytest.mark.parametrize("name", ["-x", "two words", "it's $HOME"])
def test_what_a_run_prints_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = Path("my plan.toml")
    text = f'world = "flatmates"\nname = "{name}"\n[episodes]\nturns = 1\n'
    plan.write_text(f"{text}[limits.run]\ncalls = 1\n")
    (again,) = printed(run("run", plan, "--log", "-l.db", rc=3).stdout)
    plan.write_text(text)
    (looking,) = printed(run(*again).stdout)
    assert run(*looking).stdout
