"""Tokens of a log that several servers show: what each stands for, under its digest, by the clock of the
database. No token stands in it, and none can be made of what does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

TABLES = """
CREATE TABLE whoknew.tokens(
    digest bytea PRIMARY KEY,  -- of what is as random as its digest: there is nothing to guess
    id text NOT NULL UNIQUE,
    world text COLLATE "C" NOT NULL,
    character text COLLATE "C" NOT NULL,
    kind smallint NOT NULL,
    made timestamptz NOT NULL,
    ends timestamptz NOT NULL
);
-- A seat is one person's, whichever server it is asked of.
CREATE UNIQUE INDEX one_has_a_seat ON whoknew.tokens(world, character) WHERE kind = 1;
CREATE TABLE whoknew.token_changes(number bigint NOT NULL);
INSERT INTO whoknew.token_changes VALUES (0);
"""

CHANGES = "SELECT number, clock_timestamp() FROM whoknew.token_changes"

STAND = """
SELECT digest, id, world, character, kind, made, ends FROM whoknew.tokens
WHERE ends > clock_timestamp() ORDER BY made, id
"""

END = "DELETE FROM whoknew.tokens WHERE ends <= clock_timestamp()"

_COUNT = "counted AS (UPDATE whoknew.token_changes SET number = number + 1)"

# Where the connection was lost it is done once more: then what was given stands there already.
GIVE = f"""
WITH {_COUNT}, given AS (
    INSERT INTO whoknew.tokens
    VALUES ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp() + $6::interval)
    ON CONFLICT DO NOTHING RETURNING ends
)
SELECT ends FROM given UNION ALL SELECT ends FROM whoknew.tokens WHERE digest = $1
"""

WITHDRAW = f"""
WITH {_COUNT}
DELETE FROM whoknew.tokens WHERE kind = $1 AND world = $2 AND character = $3
"""

# The row is not changed but moved: where the seat is another's by now it is not there to be had.
ACCEPT = f"""
WITH {_COUNT}, came AS (
    DELETE FROM whoknew.tokens WHERE digest = $1 AND kind = $2 AND ends > clock_timestamp()
    RETURNING world, character, made, ends
), accepted AS (
    INSERT INTO whoknew.tokens SELECT $3::bytea, $4::text, world, character, 1, made, ends FROM came
    ON CONFLICT (world, character) WHERE kind = 1 DO NOTHING RETURNING id
)
SELECT id FROM accepted UNION ALL SELECT id FROM whoknew.tokens WHERE digest = $3
"""

REVOKE = f"WITH {_COUNT} DELETE FROM whoknew.tokens WHERE id = $1 RETURNING id"


class TokenRows:
    def __init__(self, fetch: Callable[..., Awaitable[list[Any]]]) -> None:
        self._fetch = fetch

    async def changes(self) -> tuple[int, datetime]:
        """How often tokens were given and taken back so far; and what the database's clock shows."""
        number, now = (await self._fetch(CHANGES))[0]
        return number, now

    async def standing(self) -> list[Any]:
        return await self._fetch(STAND)

    async def give(
        self,
        *,
        digest: bytes,
        id: str,  # noqa: A002
        world: str,
        character: str,
        kind: int,
        lasts: timedelta,
    ) -> datetime | None:
        """When it ends; None, where it is a seat that somebody has."""
        await self._fetch(END)
        rows = await self._fetch(GIVE, digest, id, world, character, kind, lasts)
        return rows[0][0] if rows else None

    async def withdraw(self, kind: int, world: str, character: str) -> None:
        await self._fetch(WITHDRAW, kind, world, character)

    async def accept(self, digest: bytes, kind: int, fresh: bytes, id: str) -> bool:  # noqa: A002
        """What is of a kind becomes a seat, by another digest: for the first who comes."""
        await self._fetch(END)
        return bool(await self._fetch(ACCEPT, digest, kind, fresh, id))

    async def revoke(self, id: str) -> bool:  # noqa: A002
        return bool(await self._fetch(REVOKE, id))
