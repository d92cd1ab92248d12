"""Commands for tests: run as a shell would run them, and what they answered."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from collections.abc import Mapping
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


def run(
    *arguments: str | Path,
    rc: int = 0,
    given: str = "",
    environment: Mapping[str, str] | None = None,
) -> Done:
    """A command that ends with a code."""
    code, done = ended(*arguments, given=given, environment=environment)
    assert code == rc, done
    return done


def ended(
    *arguments: str | Path, given: str = "", environment: Mapping[str, str] | None = None
) -> tuple[int, Done]:
    """A command, as a shell would run it, but in this process: that is ten times as fast."""
    out, error = (TextIOWrapper(BytesIO(), encoding="utf-8") for _ in range(2))
    words = ["whoknew", *map(str, arguments)]
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(out),
        redirect_stderr(error),
        pytest.raises(SystemExit) as over,
    ):
        patch.setattr(sys, "stdin", StringIO(given))
        patch.setattr(sys, "argv", words)
        for name, value in {**USUAL, **(environment or {})}.items():
            patch.setenv(name, value)
        main()
    for stream in (out, error):
        stream.flush()
        stream.seek(0)
    return int(over.value.code or 0), Done(out.read(), error.read())


def refused(*arguments: str | Path) -> str:
    """The message of a command that the log refused: one line on stderr, nothing on stdout."""
    done = run(*arguments, rc=1)
    assert done.stdout == ""
    assert done.stderr.startswith("whoknew: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def answer(*arguments: str | Path, rc: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", rc=rc).stdout)


def harbour(file: Path) -> Path:
    """A log of a harbour where it rains, and of a fork of it."""
    asyncio.run(write(file))
    return file


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


def damage(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute("UPDATE events SET body = replace(body, 'It rains', 'It pours')")
    database.close()
