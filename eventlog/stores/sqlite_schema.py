"""The tables of an SQLite log, as the named steps that made them. Steps are only ever added."""

from __future__ import annotations

APPLICATION_ID = 0x57484F4B
"""`WHOK`, in the header of every SQLite log: what tells it from other databases."""

STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
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
                body ->> '$.body.text' AS text,
                body -> '$.body' AS body,
                lower(hex(hash)) AS hash
            FROM events JOIN worlds ON worlds.id = events.world
            """,
        ),
    ),
)

VERSION = len(STEPS)

SETTINGS = (
    # A connection reads and writes 8 KiB pages; checkpoints are rare, and the writer's own.
    "PRAGMA wal_autocheckpoint = 4000",
    "PRAGMA journal_size_limit = 67108864",
    "PRAGMA cache_size = -65536",
)

LAST_POSITION = "SELECT coalesce(max(position), 0) FROM events"

WORLD_IDS = "SELECT name, id FROM worlds"

WORLDS = """
SELECT name, coalesce((SELECT max(seq) FROM events WHERE world = worlds.id), forked_at),
       parent, forked_at
FROM worlds
"""

ALL_WORLDS = WORLDS + " ORDER BY id"

ONE_WORLD = WORLDS + " WHERE name = ?"

INSERT_WORLD = "INSERT INTO worlds(id, name, parent, forked_at) VALUES (?, ?, ?, ?)"

INSERT_EVENT = """
INSERT INTO events(position, world, seq, hash, key, landmark, body)
VALUES (?, ?, ?, ?, ?, ?, CAST(? AS TEXT))
"""

_SPAN = """
FROM events
WHERE world = (SELECT id FROM worlds WHERE name = ?) AND seq > ? AND seq <= ?
"""

BODIES_FORWARD = f"SELECT CAST(body AS BLOB) {_SPAN} ORDER BY seq LIMIT ?"

BODIES_BACKWARD = f"SELECT CAST(body AS BLOB) {_SPAN} ORDER BY seq DESC LIMIT ?"

BODY_AT = """
SELECT CAST(body AS BLOB) FROM events
WHERE world = (SELECT id FROM worlds WHERE name = ?) AND seq = ?
"""

LANDMARKS = f"SELECT CAST(body AS BLOB) {_SPAN} AND landmark IS NOT NULL ORDER BY seq"

RECORDS = f"""
SELECT seq, hash, CAST(body AS BLOB), key, landmark {_SPAN} ORDER BY seq LIMIT ?
"""

KEYS = """
SELECT key, seq FROM events
WHERE world = (SELECT id FROM worlds WHERE name = ?) AND key IS NOT NULL
"""

PAGE = """
SELECT position, worlds.name, seq, hash, CAST(body AS BLOB), key, landmark
FROM events JOIN worlds ON worlds.id = events.world
WHERE position > ? ORDER BY position LIMIT ?
"""
