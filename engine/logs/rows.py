"""The events of a log as rows of a table: `whoknew log rows`.

They are looked up by sqlite-utils in `readable`, the view for people that every log in a file has: so
a condition is one of SQLite's. A log on PostgreSQL is copied into such a file first, and looked up in
the same way.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

from whoknew.engine.errors import BadQuestion
from whoknew.engine.opening import file_of, reading
from whoknew.eventlog import backup
from whoknew.eventlog.stores import sqlite_connection
from whoknew.eventlog.stores.sqlite_schema import recognise

VIEW = "readable"

REFUSED = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG)
"""What is wrong with a condition, not with the log. The driver refuses without any code."""

STEPS = 100_000
"""So many of SQLite's steps pass, at most, before a Ctrl-C is heard."""


class FoundRows(NamedTuple):
    """`total` rows were asked for; of them, those past the first `skipped`, one by one."""

    columns: Sequence[str]
    total: int
    skipped: int
    rows: Iterator[dict[str, Any]]


@contextmanager
def found_rows(
    address: str,
    *,
    where: str | None = None,
    columns: Sequence[str] = (),
    limit: int | None = None,
    skip: int = 0,
) -> Iterator[FoundRows]:
    """The rows for which a condition holds, as they were recorded, in these columns or all."""
    with _in_a_file(address) as file, _explained(file, where), _opened(file) as database:
        from sqlite_utils import Database

        view = Database(database, execute_plugins=False).view(VIEW)
        chosen = _chosen(columns, list(view.columns_dict))
        condition = f"({where}\n)" if where else None
        yield FoundRows(
            columns=chosen,
            total=view.count_where(condition),
            skipped=skip,
            rows=view.rows_where(
                condition,
                select=", ".join(f'"{column}"' for column in chosen),
                order_by="position",
                limit=limit,
                offset=skip,
            ),
        )


@contextmanager
def _in_a_file(address: str) -> Iterator[Path]:
    log = reading(address)
    if file := file_of(address):
        yield sqlite_connection.real_file(file)
        return

    async def copy(into: Path) -> None:
        async with log:
            await backup(log, into)

    with TemporaryDirectory(prefix="whoknew-") as folder:
        file = Path(folder) / "copy.db"
        asyncio.run(copy(file))
        yield file


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """For sqlite-utils it has to be the standard library's."""
    with closing(sqlite_connection.connect(file, "sqlite3", read_only=True)) as opened:
        recognise(opened, file)
        database = cast(sqlite3.Connection, opened)
        database.set_progress_handler(lambda: 0, STEPS)  # Python's turn, in which Ctrl-C is raised
        yield database


def _chosen(columns: Sequence[str], there: Sequence[str]) -> Sequence[str]:
    for column in columns:
        if column not in there:
            raise BadQuestion(f"there is no column {column!r}: there are {', '.join(there)}")
    return columns or there


@contextmanager
def _explained(file: Path, where: str | None) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning) as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code == sqlite3.SQLITE_INTERRUPT:
            raise KeyboardInterrupt from None
        if where and code in REFUSED:
            said = " ".join(str(error).split())
            raise BadQuestion(
                f"--where {where!r} cannot be looked up ({said}): give a condition as SQLite has "
                "them, such as \"actor = 'Vera' AND episode = 2\""
            ) from None
        raise sqlite_connection.explained(error, file) from error
