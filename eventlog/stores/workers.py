"""Who is at work on a log that several processes write: each says so now and then, with how it goes, and
hears whether it is to stop. By the clock of the database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

TABLES = """
CREATE TABLE whoknew.workers(
    id text PRIMARY KEY,
    name text NOT NULL,
    version text NOT NULL,
    plan text NOT NULL,
    worlds text[] NOT NULL,
    began timestamptz NOT NULL,
    seen timestamptz NOT NULL,
    ahead float8 NOT NULL,  -- seconds that its machine's clock is ahead of this server's
    figures float8[] NOT NULL,
    stop text
) WITH (fillfactor = 50);
"""

PAUSES = """
ALTER TABLE whoknew.workers ADD COLUMN seats text[] NOT NULL DEFAULT '{}';
CREATE TABLE whoknew.pauses(plan text PRIMARY KEY, since timestamptz NOT NULL);
"""

# By the clock they might have come at the same moment, or, where that was set back, the other way round.
ORDER = """
ALTER TABLE whoknew.workers ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY;
"""

# One by one: whoever begins later sees all who began before.
SAY = """
INSERT INTO whoknew.workers SELECT
    $1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp(),
    extract(epoch FROM $6::timestamptz - clock_timestamp()), $7, NULL, $8
FROM (SELECT pg_advisory_xact_lock(hashtext('whoknew.workers'))) AS alone
ON CONFLICT (id) DO UPDATE SET
    seen = excluded.seen, ahead = excluded.ahead, figures = excluded.figures
RETURNING stop, EXISTS (SELECT FROM whoknew.pauses WHERE pauses.plan = $4)
"""

BEAT = """
UPDATE whoknew.workers SET seen = clock_timestamp(), figures = $3,
    ahead = extract(epoch FROM $2::timestamptz - clock_timestamp())
WHERE id = $1
RETURNING stop, EXISTS (SELECT FROM whoknew.pauses WHERE pauses.plan = workers.plan)
"""

LEAVE = "DELETE FROM whoknew.workers WHERE id = $1 OR seen < clock_timestamp() - interval '1 day'"

# A run may have ten thousand worlds, and this is read every two seconds by each page: the first few will do.
WORKERS = """
SELECT id, name, version, plan, worlds[1:3], extract(epoch FROM clock_timestamp() - began)::float8,
    extract(epoch FROM clock_timestamp() - seen)::float8, ahead, figures, seats,
    EXISTS (SELECT FROM whoknew.pauses WHERE pauses.plan = workers.plan)
FROM whoknew.workers
WHERE seen > clock_timestamp() - interval '1 day'
    AND ($1::text[] IS NULL OR worlds && $1 OR plan = ANY($1) OR name = ANY($1))
ORDER BY number
"""

STOP = "UPDATE whoknew.workers SET stop = $2 WHERE id = ANY($1::text[])"

PAUSE = """
INSERT INTO whoknew.pauses SELECT plan, clock_timestamp() FROM unnest($1::text[]) AS plan
ON CONFLICT DO NOTHING
"""

RESUME = "DELETE FROM whoknew.pauses WHERE plan = ANY($1::text[])"

GONE = 20.0
"""Seconds after which who said nothing is taken to be gone."""


class Worker(Struct, frozen=True, kw_only=True):
    """A process that plays: how long it is at work, when it said so last, how far its machine's clock is
    ahead, in seconds; and its figures, whose meaning is its own."""

    id: str
    name: str
    version: str
    plan: str
    worlds: tuple[str, ...]
    """The first few of those that it writes."""
    since: float
    silent: float
    ahead: float
    figures: tuple[float, ...]
    seats: tuple[str, ...] = ()
    """For people, in what it plays."""
    paused: bool = False

    @property
    def plays(self) -> bool:
        """Whether it is at work: who only looks at the log writes no world."""
        return bool(self.worlds) and self.is_there

    @property
    def is_there(self) -> bool:
        return self.silent < GONE


class ToldWorker(Struct, frozen=True):
    """What a worker is asked: to `stop`, for that reason; to pause until it is told otherwise."""

    stop: str | None
    paused: bool


class Workers:
    """Those who are at work on a log."""

    def __init__(self, fetch: Callable[..., Awaitable[list[Any]]]) -> None:
        self._fetch = fetch

    async def say(
        self,
        id: str,  # noqa: A002
        name: str,
        version: str,
        *,
        plan: str,
        worlds: Sequence[str],
        figures: Sequence[float],
        seats: Sequence[str] = (),
    ) -> ToldWorker:
        """A process is at work from now on, for one of its runs. What it is asked to do meanwhile."""
        now = datetime.now(UTC)
        given = id, name, version, plan, list(worlds), now, [float(one) for one in figures]
        rows = await self._fetch(SAY, *given, list(seats))
        return ToldWorker(*rows[0])

    async def beat(self, id: str, figures: Sequence[float]) -> ToldWorker | None:  # noqa: A002
        """It still is, with these figures; None, where nobody remembers it."""
        rows = await self._fetch(BEAT, id, datetime.now(UTC), [float(one) for one in figures])
        return ToldWorker(*rows[0]) if rows else None

    async def leave(self, id: str) -> None:  # noqa: A002
        await self._fetch(LEAVE, id)

    async def all(self, of: Sequence[str] | None = None) -> list[Worker]:
        """Those of the last day, the first that came first; of these worlds, plans or names alone."""
        fields, chosen = Worker.__struct_fields__, None if of is None else list(of)
        found = [dict(zip(fields, row, strict=True)) for row in await self._fetch(WORKERS, chosen)]
        lists = ("worlds", "figures", "seats")
        return [Worker(**{**row, **{name: tuple(row[name]) for name in lists}}) for row in found]

    async def stop(self, ids: Sequence[str], why: str) -> None:
        """Ask these to stop in order."""
        await self._fetch(STOP, list(ids), why)

    async def pause(self, plans: Sequence[str]) -> None:
        """Whoever plays one of these, now or later, begins no turn until it is resumed."""
        await self._fetch(PAUSE, list(plans))

    async def resume(self, plans: Sequence[str]) -> None:
        await self._fetch(RESUME, list(plans))
