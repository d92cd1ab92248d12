"""An older log is brought up to date when it is opened to be written, and is what it was."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from whoknew.eventlog import export_log, open_log, verify
from whoknew.eventlog.errors import Damaged, LogError
from whoknew.eventlog.log import Log
from whoknew.eventlog.stores import sqlite_migrations
from whoknew.eventlog.stores import sqlite_schema as schema
from whoknew.eventlog.stores.sqlite import SqliteStore
from whoknew.eventlog.stores.sqlite_connection import Driver

STORED = Path(__file__).parents[2] / "stored" / "v1.db"


@pytest.fixture
def older(tmp_path: Path) -> Path:
    return Path(shutil.copy(STORED, tmp_path / "older.db"))


def asked(path: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize("driver", ["sqlite3", "apsw"])
async def test_an_older_log_is_brought_up_to_date_and_gone_on_with(
    older: Path, driver: Driver
) -> None:
    if driver == "apsw":
        pytest.importorskip("apsw")
    async with Log(SqliteStore(older, driver=driver)) as log:
        facts = await log.store.facts()
        assert facts.schema == schema.VERSION
        assert (await verify(log)).faults == ()
        await log.fork("elsinore", "later", "#9")
    taken = asked(older, "SELECT migration_set, name FROM _sqlite_migrations ORDER BY id")
    assert taken == [("whoknew", name) for name, _ in schema.STEPS[1:]]
    assert all(
        text
        for _, text in asked(older, "SELECT kind, text FROM readable WHERE kind = 'world.relation'")
    )


async def test_reading_leaves_an_older_log_as_it_is(older: Path) -> None:
    before = older.read_bytes()
    async with open_log(older, read_only=True) as log:
        assert (await log.store.facts()).schema == 1
        assert (await verify(log)).faults == ()
    assert older.read_bytes() == before


async def test_an_older_log_exports_the_same_before_and_after(older: Path, tmp_path: Path) -> None:
    async with open_log(older, read_only=True) as log:
        await export_log(log, tmp_path / "before.jsonl")
    async with open_log(older) as log:
        await export_log(log, tmp_path / "after.jsonl")
    assert (tmp_path / "before.jsonl").read_bytes() == (tmp_path / "after.jsonl").read_bytes()


async def test_a_log_of_today_loads_nothing_to_bring_it_up_to_date_with(tmp_path: Path) -> None:
    async with open_log(tmp_path / "new.db"):
        pass
    code = """if True:
        import asyncio, sys
        from whoknew.eventlog import open_log
        async def opened():
            async with open_log(sys.argv[1]):
                pass
        asyncio.run(opened())
        print("sqlite_utils" in sys.modules)
    """
    for file, loaded in (("new.db", "False"), ("older.db", "True")):
        if file == "older.db":
            shutil.copy(STORED, tmp_path / file)
        done = subprocess.run(
            [sys.executable, "-c", code, tmp_path / file],
            check=True,
            capture_output=True,
            text=True,
        )
        assert done.stdout.strip() == loaded


async def test_a_step_that_fails_leaves_the_log_as_it_was(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = ("a broken step", ("CREATE TABLE extra(a) STRICT", "SELECT nothing FROM nowhere"))
    monkeypatch.setattr(sqlite_migrations, "STEPS", (schema.STEPS[0], broken))
    with pytest.raises(LogError):
        async with open_log(older):
            pass
    monkeypatch.undo()
    assert asked(older, "PRAGMA user_version") == [(1,)]
    assert asked(older, "SELECT name FROM sqlite_schema WHERE name = 'extra'") == []
    async with open_log(older) as log:
        assert (await log.store.facts()).schema == schema.VERSION


async def test_a_number_that_is_not_that_of_its_tables_is_damage(older: Path) -> None:
    async with open_log(older):
        pass
    asked(older, "PRAGMA user_version = 1")
    for read_only in (True, False):
        with pytest.raises(Damaged, match="its header says schema 1, its tables are of 2"):
            async with open_log(older, read_only=read_only):
                pass


async def test_every_kind_has_a_text_in_the_readable_view(older: Path) -> None:
    async with open_log(older):
        pass
    silent = asked(older, "SELECT DISTINCT kind FROM readable WHERE text IS NULL ORDER BY kind")
    assert silent == [("episode.entered",), ("episode.left",), ("life.felt",)]
