"""The upgrade of an old log to the tables of today: by sqlite-utils, which is loaded when a log is older.

What each step does: `STEPS` of `sqlite_schema.py`. Each is taken in one transaction with the note of when that was, which the library keeps in a
table of its own. Which steps are due is told by the number in the header of the file, as ever:
whoever opens a log of today reads that and nothing else.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database, Migrations

from whoknew.eventlog.stores.sqlite_connection import explained
from whoknew.eventlog.stores.sqlite_schema import STEPS, VERSION, recognise


def migrate(path: Path) -> None:
    """Take the steps that are due. This process must have no other connection to the file: it is
    the standard library's SQLite that does this, and two SQLites in one process lose each other's
    locks."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = full")
            due = Migrations("whoknew")
            for number in range(recognise(connection, path) + 1, VERSION + 1):
                due(name=STEPS[number - 1][0])(_step(number))
            due.apply(Database(connection, execute_plugins=False))
    except sqlite3.Error as error:
        raise explained(error, path) from error


def _step(number: int) -> Callable[[Database], None]:
    def take(database: Database) -> None:
        for statement in STEPS[number - 1][1]:
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {number}")

    return take
