"""The tables of an SQLite log, as the named steps that made them. Steps are only ever added, and
each changes the tables: a number that is not theirs is damage, not a later version's."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from whoknew.eventlog.errors import NewerSchema, NotALog, NotBegun
from whoknew.eventlog.stores.sqlite_connection import (
    APPLICATION_ID,
    Connection,
    ahead_of,
    damaged,
)
from whoknew.eventlog.stores.store import Durability

Step = tuple[str, tuple[str, ...]]
"""What it is for, and its statements."""

STEPS: tuple[Step, ...] = (
    (
        "worlds and events",
        (
            """
            CREATE TABLE worlds(
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                parent TEXT,
                forked_at INTEGER NOT NULL DEFAULT 0
            ) STRICT
            """,
            # In order of arrival: clustering by world reads faster and appends five times slower.
            """
            CREATE TABLE events(
                position INTEGER PRIMARY KEY,
                world INTEGER NOT NULL REFERENCES worlds(id),
                seq INTEGER NOT NULL,
                hash BLOB NOT NULL,
                key TEXT,
                landmark INTEGER,
                body TEXT NOT NULL,
                UNIQUE(world, seq)
            ) STRICT
            """,
            "CREATE UNIQUE INDEX keys ON events(world, key) WHERE key IS NOT NULL",
            "CREATE INDEX landmarks ON events(world, seq) WHERE landmark IS NOT NULL",
            # For people: names instead of numbers, and the body taken apart.
            """
            CREATE VIEW readable AS
            SELECT
                events.position,
                worlds.name AS world,
                events.seq,
                body ->> '$.at' AS at,
                body ->> '$.recorded' AS recorded,
                coalesce(body ->> '$.episode', 0) AS episode,
                coalesce(body ->> '$.turn', 0) AS turn,
                body ->> '$.body.kind' AS kind,
                body ->> '$.actor' AS actor,
                body ->> '$.place' AS place,
                coalesce(body -> '$.witnesses', '[]') AS witnesses,
                coalesce(body -> '$.about', '[]') AS about,
                coalesce(
                    body ->> '$.body.text', body ->> '$.body.goal', body ->> '$.body.claim',
                    body ->> '$.body.scenario', body ->> '$.body.name', body ->> '$.body.title',
                    body ->> '$.body.question', body ->> '$.body.reason'
                ) AS text,
                body -> '$.body' AS body,
                lower(hex(hash)) AS hash
            FROM events JOIN worlds ON worlds.id = events.world
            """,
        ),
    ),
    (
        "a text for every kind in the readable view, and what brought an event about",
        (
            "DROP VIEW readable",
            """
            CREATE VIEW readable AS
            SELECT
                events.position,
                worlds.name AS world,
                events.seq,
                body ->> '$.at' AS at,
                body ->> '$.recorded' AS recorded,
                coalesce(body ->> '$.episode', 0) AS episode,
                coalesce(body ->> '$.turn', 0) AS turn,
                body ->> '$.actor' AS actor,
                body ->> '$.body.kind' AS kind,
                body ->> '$.place' AS place,
                coalesce(
                    body ->> '$.body.text', body ->> '$.body.goal', body ->> '$.body.claim',
                    body ->> '$.body.scenario', body ->> '$.body.question', body ->> '$.body.reply',
                    body ->> '$.body.error', body ->> '$.body.how',
                    (body ->> '$.body.of') || ' to ' || (body ->> '$.body.to') || ': '
                        || (body ->> '$.body.relation'),
                    CASE instr(body ->> '$.body.description', (body ->> '$.body.name') || '.')
                        WHEN 1 THEN body ->> '$.body.description'
                        ELSE (body ->> '$.body.name') || '. ' || (body ->> '$.body.description')
                    END,
                    body ->> '$.body.name', body ->> '$.body.title', body ->> '$.body.reason',
                    body ->> '$.body.scores', body ->> '$.body.emotion', body ->> '$.body.focus',
                    (body ->> '$.body.parent') || ' #' || (body ->> '$.body.seq'),
                    body ->> '$.body.id'
                ) AS text,
                coalesce(body -> '$.witnesses', '[]') AS witnesses,
                coalesce(body -> '$.about', '[]') AS about,
                body ->> '$.cause' AS cause,
                body -> '$.body' AS body,
                lower(hex(hash)) AS hash
            FROM events JOIN worlds ON worlds.id = events.world
            """,
        ),
    ),
)

VERSION = len(STEPS)

SETTINGS = (
    # Checkpoints are rare, and the writer's own.
    "PRAGMA wal_autocheckpoint = 4000",
    "PRAGMA journal_size_limit = 67108864",
    "PRAGMA cache_size = -65536",
)


def make_ready(writer: Connection, path: Path, durability: Durability) -> None:
    """Make a new file a log, and set up the connection that writes it."""
    if is_blank(writer):
        writer.execute("PRAGMA page_size = 8192")
        writer.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    done = recognise(writer, path)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute(f"PRAGMA synchronous = {durability}")
    for setting in SETTINGS:
        writer.execute(setting)
    if not done:
        writer.execute("BEGIN IMMEDIATE")
        _take(STEPS, writer)
        writer.execute(f"PRAGMA user_version = {VERSION}")
        writer.execute("COMMIT")


def check_begun(reader: Connection, path: Path) -> None:
    """Refuse a file that was to become a log, and in which there is nothing yet."""
    if is_blank(reader):
        raise NotBegun(
            f"{path} holds no log yet: who began it was broken off; the same command begins it anew"
        )
    recognise(reader, path)


def is_blank(connection: Connection) -> bool:
    """Whether a file is to be made a log, since it is no database of anything else."""
    return not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]


def is_older(connection: Connection, path: Path) -> bool:
    """Whether it is a log with steps to be taken, for which see `sqlite_migrations`."""
    ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    return ours and 0 < recognise(connection, path) < VERSION


def recognise(connection: Connection, path: Path) -> int:
    """How many steps have been taken, of a file that is a log that can be read."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        if _made_by(connection):
            raise damaged(path, "its header does not say that it is a log")
        tables = connection.execute(TABLES).fetchall()
        names = ", ".join(name for (name,) in tables) or "none"
        raise NotALog(f"{path} is an SQLite database of something else (tables: {names})")
    _check_length(connection, path)
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, VERSION) and (made := _made_by(connection)) not in (None, version):
        raise damaged(path, f"its header says schema {version}, its tables are of {made}")
    if not 0 <= version <= VERSION:
        raise NewerSchema(
            f"{path} has schema {version}; this Whoknew reads up to {VERSION}: upgrade to open it"
        )
    return version


def _check_length(connection: Connection, path: Path) -> None:
    """A page that is cut off in the middle reads as zeroes, and would go unnoticed."""
    ahead = ahead_of(path)
    if ahead.exists() and ahead.stat().st_size:
        return  # pages may still be on their way into the file
    pages, size = connection.execute(SIZE).fetchone()
    if path.stat().st_size < pages * size:
        raise damaged(path, f"it has {path.stat().st_size} of {pages * size} bytes")


def _made_by(connection: Connection) -> int | None:
    """The step that made exactly the tables that are there."""
    there = _tables(connection)
    for number in range(VERSION, 0, -1):
        with closing(sqlite3.connect(":memory:")) as scratch:
            _take(STEPS[:number], scratch)
            if _tables(scratch) == there:
                return number
    return None


def _take(steps: Sequence[Step], connection: Connection) -> None:
    for _, statements in steps:
        for statement in statements:
            connection.execute(statement)


def _tables(connection: Connection) -> list[list[str]]:
    return sorted(sql.split() for (sql,) in connection.execute(STATEMENTS).fetchall())


STATEMENTS = """
SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name <> '_sqlite_migrations'
"""

TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name LIMIT 5"

LAST_POSITION = "SELECT coalesce(max(position), 0) FROM events"

SIZE = "SELECT page_count, page_size FROM pragma_page_count, pragma_page_size"

HOMELESS = """
SELECT position FROM events WHERE world NOT IN (SELECT id FROM worlds) ORDER BY position LIMIT 20
"""

COUNT_WORLDS = "SELECT count(*) FROM worlds"

KNOWN = """
SELECT id, coalesce(newest.seq, forked_at), newest.hash
FROM worlds LEFT JOIN events AS newest ON newest.world = worlds.id
    AND newest.seq = (SELECT max(seq) FROM events WHERE world = worlds.id)
WHERE name = ?
"""

WORLDS = """
SELECT name, coalesce((SELECT max(seq) FROM events WHERE world = worlds.id), forked_at),
       parent, forked_at
FROM worlds
"""

ALL_WORLDS = WORLDS + " ORDER BY id"

ONE_WORLD = WORLDS + " WHERE name = ?"

# Not by the index: a world that it has lost would be taken for one that is not there, and begun again.
SOME_WORLDS = WORLDS + " NOT INDEXED WHERE name IN (SELECT value FROM json_each(?))"

INSERT_WORLD = "INSERT INTO worlds(id, name, parent, forked_at) VALUES (?, ?, ?, ?)"

COLUMNS = 7
"""How many values make up a row of events."""

MOST_VALUES = 512 * COLUMNS


def insert_events(values: int) -> str:
    """One statement that inserts as many events as these values make."""
    rows = ", ".join(["(?, ?, ?, ?, ?, ?, CAST(? AS TEXT))"] * (values // COLUMNS))
    return f"INSERT INTO events(position, world, seq, hash, key, landmark, body) VALUES {rows}"


_SPAN = """
FROM events
WHERE world = (SELECT id FROM worlds WHERE name = ?) AND seq > ? AND seq <= ?
"""

BODIES_FORWARD = f"SELECT CAST(body AS BLOB) {_SPAN} ORDER BY seq LIMIT ?"

BODIES_BACKWARD = f"SELECT CAST(body AS BLOB) {_SPAN} ORDER BY seq DESC LIMIT ?"

BODIES_OF_SEVERAL = """
SELECT CAST(body AS BLOB) FROM json_each(?) AS wanted
CROSS JOIN events ON world = (
    SELECT id FROM worlds WHERE name = json_extract(wanted.value, '$[0]')
) AND seq > json_extract(wanted.value, '$[1]') AND seq <= json_extract(wanted.value, '$[2]')
ORDER BY wanted.key, seq
"""

# The seqs come as a JSON list: one statement, however many.
PICK = """
SELECT CAST(body AS BLOB) FROM json_each(?) AS wanted
CROSS JOIN events ON world = (SELECT id FROM worlds WHERE name = ?) AND seq = wanted.value
ORDER BY wanted.key
"""

LANDMARKS = f"SELECT CAST(body AS BLOB) {_SPAN} AND landmark = 1 ORDER BY seq"

TELLINGS = f"SELECT CAST(body AS BLOB) {_SPAN} AND landmark = 2 ORDER BY seq LIMIT ?"

RECORDS = f"""
SELECT seq, hash, CAST(body AS BLOB), key, landmark {_SPAN} ORDER BY seq LIMIT ?
"""

KEYS = """
SELECT key, seq FROM events
WHERE world = (SELECT id FROM worlds WHERE name = ?) AND seq > ?
    AND key IS NOT NULL AND key BETWEEN ? AND ?
"""

ARRIVALS = """
SELECT position, CAST(body AS BLOB) FROM events WHERE position > ? ORDER BY position LIMIT ?
"""

PAGE = """
SELECT position, worlds.name, seq, hash, CAST(body AS BLOB), key, landmark
FROM events JOIN worlds ON worlds.id = events.world
WHERE position > ? ORDER BY position LIMIT ?
"""
