"""Tokens of a log that several servers show; and where the tokens of a log are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic

from whoknew.engine.opening import existing, file_of
from whoknew.engine.server.errors import SeatTaken
from whoknew.engine.server.tokens import INVITATION, Given, NewToken, Token, Tokens, token_of
from whoknew.eventlog import Log
from whoknew.eventlog.stores.tokens import TokenRows


class SharedTokens(Tokens):
    """The tokens of a log on PostgreSQL: what one server gives, all accept. By the database's clock."""

    def __init__(self, rows: TokenRows) -> None:
        super().__init__()
        self._rows = rows
        self._ahead = timedelta()
        """How far the database's clock is ahead of this machine's."""
        self._seen: float | None = None
        """When it was looked last."""
        self._looking = asyncio.Lock()

    async def refresh(self, within: float = 0.0) -> None:
        if not within:
            await self._look(within)
            return
        async with self._looking:  # a thousand viewers ask for one look
            await self._look(within)

    async def _look(self, within: float) -> None:
        begun = monotonic()
        if self._seen is not None and begun - self._seen < within:
            return
        number, now = await self._rows.changes()
        self._ahead = now - self._clock()
        if self._is_news(number):  # read before the tokens: what changes now is seen next time
            rows = await self._rows.standing()
            if self._is_news(number):  # else another request has read newer ones meanwhile
                self._known = {digest: token_of(*row) for digest, *row in rows}
                self._version = number
        self._seen = begun

    def _is_news(self, number: int) -> bool:
        return self._version is None or number > self._version

    def close(self) -> None:
        """It is the log's to close."""

    def _now(self) -> datetime:
        return self._clock() + self._ahead

    def _read(self) -> dict[bytes, Token]:
        return self._known

    async def _add(self, made: NewToken) -> datetime:
        ends = await self._rows.give(
            digest=made.digest,
            id=made.id,
            world=made.world,
            character=made.character,
            kind=made.kind,
            lasts=made.lasts,
        )
        if ends is None:
            raise SeatTaken(f"somebody else has taken the seat of {made.character} meanwhile")
        await self.refresh()
        return ends

    async def _withdraw(self, kind: int, world: str, character: str) -> None:
        await self._rows.withdraw(kind, world, character)

    async def _take(self, digest: bytes, fresh: bytes, id: str) -> bool:  # noqa: A002
        taken = await self._rows.accept(digest, INVITATION, fresh, id)
        await self.refresh()
        return taken

    async def _remove(self, id: str) -> None:  # noqa: A002
        await self._rows.revoke(id)
        await self.refresh()


def tokens_in(log: Log, address: str) -> Tokens:
    """The tokens of an open log: in a file beside it, or on it where several servers show it."""
    if log.store.leases is not None:
        return SharedTokens(log.store.leases.tokens)
    return Tokens(_file(address))


@asynccontextmanager
async def tokens_of(address: str) -> AsyncIterator[Tokens]:
    """The tokens of the log at an address, without opening it where it is a file."""
    if file_of(address):
        with closing(Tokens(_file(address))) as tokens:
            yield tokens
        return
    async with existing(address) as log:
        tokens = tokens_in(log, address)
        await tokens.refresh()
        yield tokens


async def give(log: Log, address: str, world: str, character: str, lasts: str) -> Given:
    """A token for a character that is there."""
    await log.view(world, character)
    async with tokens_of(address) as tokens:
        return await tokens.give(world, character, lasts)


async def standing(address: str) -> tuple[Token, ...]:
    async with tokens_of(address) as tokens:
        return tokens.all()


async def revoke(address: str, token: str) -> Token:
    async with tokens_of(address) as tokens:
        return await tokens.revoke(token)


def _file(address: str) -> Path | None:
    """Where the tokens of a log in a file are kept: beside it."""
    file = file_of(address)
    return file.with_name(f"{file.name}-tokens") if file else None
