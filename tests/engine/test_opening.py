"""What is told of a log's address, and what is kept back."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from whoknew.engine.opening import existing, file_of, reading, writing
from whoknew.engine.running.stop import is_same_log
from whoknew.eventlog.errors import BadAddress
from whoknew.eventlog.shown_address import without_password


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("log.db", "log.db"),
        ("postgresql://host/db", "postgresql://host/db"),
        ("postgresql://me@host:5432/db", "postgresql://me@host:5432/db"),
        ("postgresql://me:se:c@ret@host:5432/db", "postgresql://me@host:5432/db"),
        ("postgresql+psycopg://me:secret@host/db", "postgresql+psycopg://me@host/db"),
        ("postgresql://host/db?user=me&password=secret", "postgresql://host/db?user=me"),
        ("postgresql://host/db?password=secret&user=me", "postgresql://host/db?user=me"),
        ("postgresql://host/db?password=secret", "postgresql://host/db"),
        ("postgresql://me:a@host/db?sslpassword=secret&x=1", "postgresql://me@host/db?x=1"),
        ("odd?password=x", "odd?password=x"),
    ],
)
def test_a_password_is_never_shown(address: str, shown: str) -> None:
    assert without_password(address) == shown


def test_what_no_file_can_be_called_is_refused() -> None:
    for look in (lambda: file_of("a\0.db"), lambda: is_same_log("a\0.db", "b.db")):
        with pytest.raises(BadAddress, match=r"U\+0000"):
            look()


@pytest.mark.parametrize(
    ("address", "same"),
    [
        ("postgresql://127.0.0.1:5432/lives", True),
        ("postgresql://other:secret@localhost/lives", True),
        ("postgresql://me@[::1]/lives?sslmode=require", True),
        ("postgresql:///lives?host=localhost&port=5432", True),
        ("postgresql://localhost/?dbname=lives", True),
        ("postgresql://localhost/others", False),
        ("postgresql://localhost:5433/lives", False),
        ("postgresql://db.example.org/lives", False),
        ("postgresql://[::1/lives", False),
        ("lives.db", False),
    ],
)
def test_one_database_is_one_log_however_it_is_spelled(address: str, same: bool) -> None:
    log = "postgresql://me@localhost/lives"
    assert is_same_log(log, address) == is_same_log(address, log) == same


def test_a_link_that_leads_round_in_a_circle_is_no_log_of_anybody(tmp_path: Path) -> None:
    (tmp_path / "a.db").symlink_to("a.db")
    assert not is_same_log(str(tmp_path / "a.db"), str(tmp_path / "b.db"))


@pytest.mark.parametrize("opened", [reading, existing, lambda log: asyncio.run(begun(log))])
def test_a_pipe_is_no_log(tmp_path: Path, opened: Callable[[str], object]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(BadAddress, match="might never end: name the file of one"):
        opened(str(pipe))


@pytest.mark.parametrize("opened", [reading, existing, lambda log: asyncio.run(begun(log))])
def test_a_link_that_leads_to_itself_is_told_as_that(
    tmp_path: Path, opened: Callable[[str], object]
) -> None:
    """It was said not to be there, and was offered to be begun."""
    link = tmp_path / "link.db"
    link.symlink_to(link)
    with pytest.raises(OSError, match="symbolic links"):
        opened(str(link))


async def begun(log: str) -> None:
    async with writing(log):
        pass
