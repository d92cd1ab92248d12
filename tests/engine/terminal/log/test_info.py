"""`whoknew log info`: what a log is, and holds."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import datetime
from pathlib import Path

from command_runner import answer, refused, run

from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import WorldOpened


def test_info_tells_what_the_log_is_and_holds(file: Path) -> None:
    found = answer("log", "info", file)
    assert (found["store"], found["schema"]) == ("SQLite file", 2)
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
