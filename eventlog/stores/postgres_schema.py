"""The tables of a log on PostgreSQL, as the named steps that made them. Steps are only ever added.

They stand in a schema of their own, `whoknew`, so that a log can share a database.
"""

from __future__ import annotations

from whoknew.eventlog.stores import postgres_slices, tokens, turns, workers

CHANNEL = "whoknew"
"""Where a writer notifies. A notification is a wake-up, never data."""

_DECODED = "convert_from(events.body, 'UTF8')"

READABLE = """
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
"""
"""The view for people, made anew."""

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
        READABLE,
    ),
    (
        "leases",
        """
        -- Who plays a world, by the clock of this server. A row stays when it is given back: its
        -- epoch only ever grows.
        CREATE TABLE whoknew.leases(
            world text COLLATE "C" PRIMARY KEY,
            holder text NOT NULL,
            epoch bigint NOT NULL,
            runs_out timestamptz NOT NULL
        ) WITH (fillfactor = 50);
        """,
    ),
    ("limits that processes share", postgres_slices.TABLES),
    ("who is at work", workers.TABLES),
    ("tokens of all servers", tokens.TABLES),
    ("turns that wait for a person", turns.TABLES),
    ("pauses, and seats for people", workers.PAUSES),
    (
        "leases of what has ended",
        """
        -- Given back by who had played it to its end: nobody need hold it to see that.
        ALTER TABLE whoknew.leases ADD COLUMN ended boolean NOT NULL DEFAULT false;
        """,
    ),
    (
        "texts that hold U+0000 in the readable view, of which PostgreSQL makes no text",
        READABLE.replace(_DECODED, f"replace({_DECODED}, '\\u0000', '\\ufffd')"),
    ),
    ("workers in the order in which they came", workers.ORDER),
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

_WORLDS = "SELECT name, head, parent, forked_at FROM whoknew.worlds"

WORLDS = f"{_WORLDS} ORDER BY id"

ONE_WORLD = f"{_WORLDS} WHERE name = $1"

SOME_WORLDS = f"{_WORLDS} WHERE name = ANY($1::text[])"

# One statement checks and moves the heads, and writes the events of the worlds that matched. Where
# a lease is stated its row is locked until that is on the log: who takes it over waits, and then sees
# it. All lock in the order of names, so that none waits for one who waits for it.
COMMIT = """
WITH batch AS (
    SELECT * FROM unnest(
        $1::text[], $2::bigint[], $3::bigint[], $4::bytea[], $5::boolean[], $6::text[]
    ) WITH ORDINALITY AS batch(name, after, head, stands_on, opens, parent, number)
), stated AS (
    SELECT * FROM unnest($7::text[], $8::text[], $9::bigint[]) AS stated(name, lease, epoch)
), held AS (
    SELECT world, leases.epoch FROM whoknew.leases
    JOIN stated ON stated.lease = leases.world AND stated.epoch = leases.epoch
    ORDER BY world FOR SHARE OF leases
), lost AS (
    SELECT name FROM stated
    WHERE NOT EXISTS (SELECT FROM held WHERE world = lease AND held.epoch = stated.epoch)
), wanted AS (
    SELECT * FROM batch WHERE name NOT IN (SELECT name FROM lost)
), opened AS (
    INSERT INTO whoknew.worlds(name, head, parent, forked_at)
    SELECT name, head, parent, after FROM wanted WHERE opens ORDER BY number
    ON CONFLICT (name) DO NOTHING
    RETURNING id, name
), standing AS (
    SELECT worlds.id, wanted.after, wanted.head
    FROM wanted
    JOIN whoknew.worlds USING (name)
    LEFT JOIN whoknew.events AS newest ON newest.world = worlds.id AND newest.seq = wanted.after
    WHERE NOT opens AND (stands_on IS NULL OR newest.hash = stands_on)
), moved AS (
    UPDATE whoknew.worlds SET head = standing.head
    FROM standing WHERE worlds.id = standing.id AND worlds.head = standing.after
    RETURNING worlds.id, worlds.name
), gone_on AS (
    SELECT id, name FROM opened UNION ALL SELECT id, name FROM moved
), written AS (
    INSERT INTO whoknew.events(world, seq, hash, key, landmark, body)
    SELECT gone_on.id, record.seq, hash, key, landmark, body
    FROM unnest(
        $10::text[], $11::bigint[], $12::bytea[], $13::text[], $14::smallint[], $15::bytea[]
    ) AS record(name, seq, hash, key, landmark, body)
    JOIN gone_on USING (name)
)
SELECT array_agg(name), pg_notify('whoknew', '') FROM gone_on
"""

# The first so many of these worlds that nobody holds and nobody has ended, but for some, and which of them
# are held from now on: where another came first there are fewer.
CLAIM = """
WITH free AS (
    SELECT name FROM unnest($1::text[]) WITH ORDINALITY AS wanted(name, number)
    LEFT JOIN whoknew.leases ON world = name
    WHERE runs_out IS NULL OR runs_out <= clock_timestamp() AND (NOT ended OR name = ANY($5::text[]))
    ORDER BY number LIMIT $4
), claimed AS (
    INSERT INTO whoknew.leases AS lease (world, holder, epoch, runs_out)
    SELECT name, $2, 1, clock_timestamp() + $3::interval FROM free ORDER BY name
    ON CONFLICT (world) DO UPDATE
    SET holder = $2, epoch = lease.epoch + 1, runs_out = clock_timestamp() + $3::interval, ended = false
    WHERE lease.runs_out <= clock_timestamp()
    RETURNING world, epoch
)
SELECT name, epoch FROM free LEFT JOIN claimed ON world = name
"""

_STATED = """
SELECT leases.world FROM whoknew.leases
JOIN unnest($1::text[], $2::bigint[]) AS stated(world, epoch) USING (world, epoch)
ORDER BY world FOR UPDATE OF leases
"""

# Also of one that ran out, where nobody took it over; not of one that is given back meanwhile.
RENEW = f"""
UPDATE whoknew.leases SET runs_out = clock_timestamp() + $3::interval
WHERE world IN ({_STATED}) AND runs_out > '-infinity' RETURNING world
"""

RELEASE = f"""
UPDATE whoknew.leases SET runs_out = '-infinity', ended = world = ANY($3::text[])
WHERE world IN ({_STATED})
"""

ENDED = "SELECT world FROM whoknew.leases WHERE world = ANY($1::text[]) AND ended"

LEASES = """
SELECT world, holder, epoch, extract(epoch FROM runs_out - clock_timestamp())::float8
FROM whoknew.leases WHERE runs_out > '-infinity' ORDER BY world
"""

ONE_LEASE = "SELECT holder, epoch FROM whoknew.leases WHERE world = $1"

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


def _portion(columns: str, source: str, order: str) -> str:
    """At most $4 rows of what is selected, which has a body, in that order; and no further than to the one
    with which their bodies come to $5 bytes. How long one is stands before it: none is read for that."""
    return f"""
SELECT {columns} FROM (
    SELECT *, sum(octet_length(body)) OVER (ORDER BY {order} ROWS UNBOUNDED PRECEDING) AS size
    FROM ({source}) AS events ORDER BY {order} LIMIT $4
) AS events WHERE size - octet_length(body) < $5 ORDER BY {order}
"""


BODIES_FORWARD = _portion("body", f"SELECT seq, body {_SPAN}", "seq")

BODIES_BACKWARD = _portion("body", f"SELECT seq, body {_SPAN}", "seq DESC")

# OFFSET 0 keeps each stretch a look into the index of its own, however many the planner believes there are.
BODIES_OF_SEVERAL = """
SELECT body
FROM unnest($1::text[], $2::bigint[], $3::bigint[])
    WITH ORDINALITY AS wanted(name, after, upto, number)
CROSS JOIN LATERAL (
    SELECT seq, body FROM whoknew.events
    WHERE world = (SELECT id FROM whoknew.worlds WHERE worlds.name = wanted.name)
        AND seq > after AND seq <= upto
    ORDER BY seq OFFSET 0
) AS own
ORDER BY number, seq
"""

LANDMARKS = f"SELECT body {_SPAN} AND landmark = 1 ORDER BY seq"

TELLINGS = f"SELECT body {_SPAN} AND landmark = 2 ORDER BY seq LIMIT $4"

RECORDS = _portion(
    "seq, hash, body, key, landmark", f"SELECT seq, hash, body, key, landmark {_SPAN}", "seq"
)

PICK = """
SELECT body FROM whoknew.events
WHERE world = (SELECT id FROM whoknew.worlds WHERE name = $1) AND seq = ANY($2::bigint[])
ORDER BY seq
"""

KEYS = """
SELECT key, seq FROM whoknew.events
WHERE world = (SELECT id FROM whoknew.worlds WHERE name = $1) AND key IS NOT NULL
    AND key BETWEEN $2 AND $3 AND seq > $4
"""

# Below the oldest transaction that still runs, nothing can appear any more. A bare `xid` would be the
# column of what is selected, a text made a number: sorted by that, each page reads all there is.
_SETTLED = """
WHERE (xid, events.world, seq) > ($1::text::xid8, $2, $3)
  AND xid < pg_snapshot_xmin(pg_current_snapshot())
"""

ARRIVALS = _portion(
    "xid::text::bigint, world, seq, body",
    f"SELECT xid, world, seq, body FROM whoknew.events {_SETTLED}",
    "events.xid, events.world, events.seq",
)

PAGE = _portion(
    "xid::text::bigint, world, seq, name, hash, body, key, landmark",
    f"""
    SELECT xid, events.world, seq, name, hash, body, key, landmark
    FROM whoknew.events JOIN whoknew.worlds ON worlds.id = events.world {_SETTLED}
    """,
    "events.xid, events.world, events.seq",
)

# Whether anything has arrived past a position, settled or not.
WAITING = """
SELECT xid::text::bigint, world, seq FROM whoknew.events
WHERE (xid, world, seq) > ($1::text::xid8, $2, $3)
ORDER BY events.xid, world, seq LIMIT 1
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

SESSION = {
    # A commit counts on it: whoever waited for another's checks the head that this one left.
    "default_transaction_isolation": "read committed",
    # Who is frozen in the middle of a commit, or cut off, holds up nobody for longer than that.
    "idle_in_transaction_session_timeout": "5s",
}
"""What every connection to PostgreSQL is set to."""


async def reset_nothing(connection: object) -> None:
    """What is to be reset of a connection that was read from: it listens to nothing, and sets and locks
    nothing that outlasts its statement. To ask the server for it takes as long as most of what is read."""
