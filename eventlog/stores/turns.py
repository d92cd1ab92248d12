"""Turns that wait for a person, on a log that several servers show: whoever plays says whose turn it is,
any server offers what the person does, and whoever plays takes it.

An action is accepted when it stands here. From then on it is nobody's to change, and it is taken by
whoever plays the world: another process, too, where the one that asked died. By the clock of the
database.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

from msgspec import Struct

from whoknew.eventlog.errors import LeaseLost

TABLES = """
CREATE TABLE whoknew.turns(
    world text COLLATE "C",
    character text COLLATE "C",
    epoch bigint NOT NULL,  -- of the lease under which it is asked
    upto bigint NOT NULL,  -- the seq up to which the log was told
    number bigint NOT NULL,  -- of events that the character had perceived by then
    shown bytea NOT NULL,
    ends timestamptz,
    action bytea,
    offer text,  -- by which an action was accepted: the same, sent once more, is accepted once more
    closed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (world, character)
) WITH (fillfactor = 50);
"""

ASKED = "SELECT upto, number FROM whoknew.turns WHERE world = $1 AND character = $2"

# What was accepted for this very turn, and not taken by whoever asked before, is kept.
ASK = """
INSERT INTO whoknew.turns AS turn
VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7::interval, NULL, NULL, false)
ON CONFLICT (world, character) DO UPDATE
SET epoch = $3, upto = $4, number = $5, shown = $6, ends = excluded.ends, closed = false,
    action = CASE WHEN $8 OR (turn.epoch, turn.upto, turn.number) = ($3, $4, $5) THEN turn.action END
WHERE turn.epoch <= $3
RETURNING action, pg_notify('whoknew', '')
"""

# Whoever plays it still holds its lease: else it would lie there, and nobody might ever take it.
_PLAYED = """
EXISTS (
    SELECT FROM whoknew.leases WHERE leases.world = turns.world
    AND leases.epoch = turns.epoch AND runs_out > clock_timestamp()
)
"""

OFFER = f"""
UPDATE whoknew.turns SET action = $4, offer = $6
WHERE world = $1 AND character = $2 AND number = $3 AND upto = $5 AND NOT closed
    AND (action IS NULL OR offer = $6)
    AND (ends IS NULL OR ends > clock_timestamp()) AND {_PLAYED}
RETURNING pg_notify('whoknew', '')
"""

CLOSE = """
UPDATE whoknew.turns SET closed = true
WHERE world = $1 AND character = $2 AND epoch = $3 AND action IS NULL
RETURNING pg_notify('whoknew', '')
"""

ACTION = "SELECT action FROM whoknew.turns WHERE world = $1 AND character = $2 AND epoch = $3"

WAITING = f"""
SELECT world, character, epoch, upto, number, shown,
    extract(epoch FROM ends - clock_timestamp())::float8, action
FROM whoknew.turns WHERE NOT closed AND {_PLAYED}
"""

FORGET = "DELETE FROM whoknew.turns WHERE world = ANY($1::text[])"


class OpenTurn(Struct, frozen=True, kw_only=True):
    """A turn that waits for its person, `left` seconds more; or whose `action` was accepted."""

    world: str
    character: str
    epoch: int
    upto: int
    number: int
    shown: bytes
    left: float | None
    action: bytes | None = None


class OpenTurns:
    def __init__(self, fetch: Callable[..., Awaitable[list[Any]]]) -> None:
        self._fetch = fetch

    async def asked(self, world: str, character: str) -> tuple[int, int] | None:
        """Up to which seq, and at which number, a character was asked last."""
        rows = await self._fetch(ASKED, world, character)
        return (rows[0][0], rows[0][1]) if rows else None

    async def ask(self, turn: OpenTurn, *, keep: bool) -> bytes | None:
        """It waits from now on; the action that was accepted for it already, where that is to be kept.
        LeaseLost, where another process asks by now."""
        lasts = None if turn.left is None else timedelta(seconds=turn.left)
        given = turn.world, turn.character, turn.epoch, turn.upto, turn.number, turn.shown
        rows = await self._fetch(ASK, *given, lasts, keep)
        if not rows:
            raise LeaseLost(turn.world, turn.epoch, turn.epoch + 1, "another process")
        return rows[0][0]  # type: ignore[no-any-return]

    async def offer(self, turn: OpenTurn, action: bytes) -> bool:
        """Whether the action is accepted for this turn: the first is, while the turn waits."""
        given = turn.world, turn.character, turn.number, action, turn.upto, uuid4().hex
        return bool(await self._fetch(OFFER, *given))

    async def close(self, turn: OpenTurn) -> bytes | None:
        """Wait no longer; the action that was accepted before, if any."""
        given = turn.world, turn.character, turn.epoch
        if await self._fetch(CLOSE, *given):
            return None
        rows = await self._fetch(ACTION, *given)
        return rows[0][0] if rows else None

    async def waiting(self) -> list[OpenTurn]:
        """All turns of worlds that are being played."""
        fields = OpenTurn.__struct_fields__
        rows = await self._fetch(WAITING)
        return [OpenTurn(**dict(zip(fields, row, strict=True))) for row in rows]

    async def forget(self, worlds: Sequence[str]) -> None:
        """Of worlds that are played to their end nobody is asked any more."""
        await self._fetch(FORGET, list(worlds))
