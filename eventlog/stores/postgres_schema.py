"""The tables of a log on PostgreSQL, as the named steps that made them. Steps are only ever added.

They stand in a schema of their own, `whoknew`, so that a log can share a database.
"""

from __future__ import annotations

CHANNEL = "whoknew"
"""Where a writer notifies. A notification is a wake-up, never data."""

STEPS: tuple[tuple[str, str], ...] = (
    (
        "worlds and events",
        """
        CREATE TABLE whoknew.worlds(
            id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text COLLATE "C" NOT NULL UNIQUE,
            head bigint NOT NULL,
            parent text COLLATE "C",
            forked_at bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 50);  -- room for the next head on the same page

        -- No sequence: numbers are taken in one order and committed in another, and whoever reads
        -- "past the last number seen" misses what commits late. The transaction's id tells which
        -- rows are old enough that nothing can appear before them.
        CREATE TABLE whoknew.events(
            world integer NOT NULL,
            seq bigint NOT NULL,
            xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
            hash bytea NOT NULL,
            key text COLLATE "C",
            landmark smallint,
            body bytea NOT NULL,
            PRIMARY KEY (world, seq)
        );
        CREATE INDEX arrivals ON whoknew.events(xid, world, seq);
        CREATE UNIQUE INDEX keys ON whoknew.events(world, key) WHERE key IS NOT NULL;
        CREATE INDEX landmarks ON whoknew.events(world, seq) WHERE landmark IS NOT NULL;

        -- For people: names instead of numbers, and the body taken apart.
        CREATE VIEW whoknew.readable AS
        SELECT
            name AS world,
            seq,
            json ->> 'at' AS at,
            json ->> 'recorded' AS recorded,
            coalesce((json ->> 'episode')::bigint, 0) AS episode,
            coalesce((json ->> 'turn')::bigint, 0) AS turn,
            json -> 'body' ->> 'kind' AS kind,
            json ->> 'actor' AS actor,
            json ->> 'place' AS place,
            coalesce(json -> 'witnesses', '[]') AS witnesses,
            coalesce(json -> 'about', '[]') AS about,
            coalesce(
                json -> 'body' ->> 'text', json -> 'body' ->> 'goal', json -> 'body' ->> 'claim',
                json -> 'body' ->> 'scenario', json -> 'body' ->> 'name',
                json -> 'body' ->> 'title', json -> 'body' ->> 'question',
                json -> 'body' ->> 'reason'
            ) AS text,
            json -> 'body' AS body,
            encode(hash, 'hex') AS hash
        FROM whoknew.events
        JOIN whoknew.worlds ON worlds.id = events.world,
        LATERAL (SELECT convert_from(events.body, 'UTF8')::json) AS decoded(json);
        """,
    ),
    (
        "a text for every kind in the readable view, and what brought an event about",
        """
        DROP VIEW whoknew.readable;
        CREATE VIEW whoknew.readable AS
        SELECT
            name AS world,
            seq,
            json ->> 'at' AS at,
            json ->> 'recorded' AS recorded,
            coalesce((json ->> 'episode')::bigint, 0) AS episode,
            coalesce((json ->> 'turn')::bigint, 0) AS turn,
            json ->> 'actor' AS actor,
            body ->> 'kind' AS kind,
            json ->> 'place' AS place,
            coalesce(
                body ->> 'text', body ->> 'goal', body ->> 'claim', body ->> 'scenario',
                body ->> 'question', body ->> 'reply', body ->> 'error', body ->> 'how',
                (body ->> 'of') || ' to ' || (body ->> 'to') || ': ' || (body ->> 'relation'),
                CASE strpos(body ->> 'description', (body ->> 'name') || '.')
                    WHEN 1 THEN body ->> 'description'
                    ELSE (body ->> 'name') || '. ' || (body ->> 'description')
                END,
                body ->> 'name', body ->> 'title', body ->> 'reason', body ->> 'scores',
                body ->> 'emotion', body ->> 'focus',
                (body ->> 'parent') || ' #' || (body ->> 'seq'), body ->> 'id'
            ) AS text,
            coalesce(json -> 'witnesses', '[]') AS witnesses,
            coalesce(json -> 'about', '[]') AS about,
            (json ->> 'cause')::bigint AS cause,
            body,
            encode(hash, 'hex') AS hash
        FROM (
            SELECT name, seq, hash, json, json -> 'body' AS body
            FROM whoknew.events
            JOIN whoknew.worlds ON worlds.id = events.world,
            LATERAL (SELECT convert_from(events.body, 'UTF8')::json) AS decoded(json)
        ) AS opened;
        """,
    ),
)

VERSION = len(STEPS)

PREPARE = """
SELECT pg_advisory_xact_lock(hashtext('whoknew'));
CREATE SCHEMA IF NOT EXISTS whoknew;
CREATE TABLE IF NOT EXISTS whoknew.steps(number integer PRIMARY KEY, name text NOT NULL);
"""

PRESENT = "SELECT to_regclass('whoknew.steps') IS NOT NULL"

DONE = "SELECT coalesce(max(number), 0) FROM whoknew.steps"

SIZE = """
SELECT current_setting('server_version'), pg_total_relation_size('whoknew.events')
"""

INSERT_STEP = "INSERT INTO whoknew.steps(number, name) VALUES ($1, $2)"

WORLDS = "SELECT name, head, parent, forked_at FROM whoknew.worlds ORDER BY id"

ONE_WORLD = "SELECT name, head, parent, forked_at FROM whoknew.worlds WHERE name = $1"

OPEN_WORLDS = """
INSERT INTO whoknew.worlds(name, head, parent, forked_at)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[])
ON CONFLICT (name) DO NOTHING
RETURNING name
"""

# One statement checks and moves the heads, and writes the events of the worlds that matched.
COMMIT = """
WITH wanted AS (
    SELECT worlds.id, batch.after, batch.head
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[])
        AS batch(name, after, head, stands_on)
    JOIN whoknew.worlds USING (name)
    LEFT JOIN whoknew.events AS newest ON newest.world = worlds.id AND newest.seq = batch.after
    WHERE stands_on IS NULL OR newest.hash = stands_on
), moved AS (
    UPDATE whoknew.worlds SET head = wanted.head
    FROM wanted WHERE worlds.id = wanted.id AND worlds.head = wanted.after
    RETURNING worlds.id, worlds.name
), written AS (
    INSERT INTO whoknew.events(world, seq, hash, key, landmark, body)
    SELECT moved.id, record.seq, hash, key, landmark, body
    FROM unnest($5::text[], $6::bigint[], $7::bytea[], $8::text[], $9::smallint[], $10::bytea[])
        AS record(name, seq, hash, key, landmark, body)
    JOIN moved USING (name)
)
SELECT array_agg(name), pg_notify('whoknew', '') FROM moved
"""

HASHES = """
SELECT name, events.seq, hash
FROM unnest($1::text[], $2::bigint[]) AS batch(name, seq)
JOIN whoknew.worlds USING (name)
JOIN whoknew.events ON events.world = worlds.id AND events.seq = batch.seq
"""

_SPAN = """
FROM whoknew.events
WHERE world = (SELECT id FROM whoknew.worlds WHERE name = $1) AND seq > $2 AND seq <= $3
"""

BODIES_FORWARD = f"SELECT body {_SPAN} ORDER BY seq LIMIT $4"

BODIES_BACKWARD = f"SELECT body {_SPAN} ORDER BY seq DESC LIMIT $4"

LANDMARKS = f"SELECT body {_SPAN} AND landmark = 1 ORDER BY seq"

TELLINGS = f"SELECT body {_SPAN} AND landmark = 2 ORDER BY seq LIMIT $4"

RECORDS = f"SELECT seq, hash, body, key, landmark {_SPAN} ORDER BY seq LIMIT $4"

PICK = """
SELECT body FROM whoknew.events
WHERE world = (SELECT id FROM whoknew.worlds WHERE name = $1) AND seq = ANY($2::bigint[])
ORDER BY seq
"""

KEYS = """
SELECT key, seq FROM whoknew.events
WHERE world = (SELECT id FROM whoknew.worlds WHERE name = $1) AND key IS NOT NULL
    AND key BETWEEN $2 AND $3
"""

# Below the oldest transaction that still runs, nothing can appear any more.
_SETTLED = """
WHERE (xid, events.world, seq) > ($1::text::xid8, $2, $3)
  AND xid < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY xid, events.world, seq LIMIT $4
"""

ARRIVALS = f"SELECT xid::text::bigint, world, seq, body FROM whoknew.events {_SETTLED}"

PAGE = f"""
SELECT xid::text::bigint, events.world, seq, name, hash, body, key, landmark
FROM whoknew.events JOIN whoknew.worlds ON worlds.id = events.world {_SETTLED}
"""

# Whether anything has arrived past a position, settled or not.
WAITING = """
SELECT xid::text::bigint, world, seq FROM whoknew.events
WHERE (xid, world, seq) > ($1::text::xid8, $2, $3)
ORDER BY xid, world, seq LIMIT 1
"""

# Only transactions that have an id hold others up: one that has written, locked, or asked for it.
OLDEST_TRANSACTION = """
SELECT * FROM (
    SELECT 'pid ' || pid AS holder, datname AS database, usename AS "user", xact_start AS since,
           age(backend_xid) AS age
    FROM pg_stat_activity WHERE backend_xid IS NOT NULL
    UNION ALL
    SELECT 'prepared ' || gid, database, owner, prepared, age(transaction) FROM pg_prepared_xacts
) AS open ORDER BY age DESC LIMIT 1
"""

SESSION = {"default_transaction_isolation": "read committed"}
"""What every connection to PostgreSQL is set to. A commit counts on it: whoever waited for another's checks the head that this one left."""
