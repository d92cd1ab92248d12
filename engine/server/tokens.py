"""View tokens: each lets its holder be one character of one world, until it ends or is taken back.

A token is random, and only its digest is kept, with its scope and its end: of a log in a file, in
another beside it, readable by its owner alone; of a log on PostgreSQL there, for all servers that show
it. No export and no backup of the log takes it along.
"""

from __future__ import annotations

import os
import re
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.server.errors import NoSuchToken, NoTokens
from whoknew.eventlog.log import wall_clock

LASTS = "7d"
"""For how long a view token is good where nobody says: the default of its life."""

MOST = timedelta(days=366)
"""For how long a view token can be given at most."""

_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_TABLE = """
CREATE TABLE IF NOT EXISTS tokens (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    world TEXT NOT NULL,
    character TEXT NOT NULL,
    seat INTEGER NOT NULL,
    made TEXT NOT NULL,
    ends TEXT NOT NULL
)
"""


VIEW, SEAT, INVITATION = 0, 1, 2
"""What the column `seat` says that a token is."""


class Token(Struct, frozen=True, kw_only=True):
    """All that is kept of a token, but for its digest: the token itself is told once. Of a `seat`
    it is told to nobody: a browser has it as a cookie. An `invitation` shows nothing: whoever comes
    with it first takes the seat, and then it is a seat."""

    id: str
    world: str
    character: str
    seat: bool
    made: datetime
    ends: datetime
    invitation: bool = False


class Given(Struct, frozen=True, kw_only=True):
    """A new token, told this once."""

    token: str
    id: str
    world: str
    character: str
    ends: datetime


class NewToken(Struct, frozen=True, kw_only=True):
    """A new token, as it is kept."""

    digest: bytes
    id: str
    world: str
    character: str
    kind: int
    lasts: timedelta


class Tokens:
    """The tokens of one log, in a file; without one, for as long as this process lives. Another
    process may give and revoke meanwhile: what it wrote counts at once."""

    def __init__(
        self, file: Path | None = None, clock: Callable[[], datetime] = wall_clock
    ) -> None:
        self._file, self._clock = file, clock
        self._open: sqlite3.Connection | None = None
        self._inode: tuple[int, int] | None = None
        self._version: int | None = None
        self._known: dict[bytes, Token] = {}

    async def refresh(self, within: float = 0.0) -> None:
        """See what others have given and taken back: before each request, and of a stream `within` so
        many seconds. In a file that is seen as it is read."""

    async def give(
        self, world: str, character: str, lasts: str = LASTS, *, seat: bool = False
    ) -> Given:
        return await self._give(world, character, lasts, SEAT if seat else VIEW)

    async def invite(self, world: str, character: str, lasts: str = LASTS) -> Given:
        """An invitation to a seat: those before it that nobody has come with are no longer good."""
        lasting(lasts)  # one that is refused takes none away
        await self._withdraw(INVITATION, world, character)
        return await self._give(world, character, lasts, INVITATION)

    async def accept(self, text: str) -> Given | None:
        """The seat that an invitation is for, to the first who comes with it: from then on it is a
        seat, by a token that only that browser has."""
        invitation, token = self.find(text), _fresh()
        if invitation is None or not invitation.invitation:
            return None
        if not await self._take(_digest(text), _digest(token), invitation.id):
            return None
        return Given(
            token=token,
            id=invitation.id,
            world=invitation.world,
            character=invitation.character,
            ends=invitation.ends,
        )

    async def _give(self, world: str, character: str, lasts: str, kind: int) -> Given:
        text, id = _fresh(), secrets.token_hex(4)  # noqa: A001
        made = NewToken(
            digest=_digest(text),
            id=id,
            world=world,
            character=character,
            kind=kind,
            lasts=lasting(lasts),
        )
        ends = await self._add(made)
        return Given(token=text, id=id, world=world, character=character, ends=ends)

    def left(self, given: Given) -> timedelta:
        """How long it lasts from now on, by the clock by which it ends."""
        return given.ends - self._now()

    def find(self, text: str) -> Token | None:
        """What a token stands for, while it does."""
        return next(iter(self.among([text])), None)

    def among(self, texts: Iterable[str]) -> list[Token]:
        """The same of several, of which some may be none."""
        known, now = self._read(), self._now()
        found = [known.get(_digest(text)) for text in texts]
        return [token for token in found if token is not None and token.ends > now]

    def all(self) -> tuple[Token, ...]:
        """Those that stand, the oldest first."""
        now = self._now()
        return tuple(token for token in self._read().values() if token.ends > now)

    async def revoke(self, id: str) -> Token:  # noqa: A002  (it is called so everywhere)
        """Take a token back: whoever holds it sees nothing more."""
        token = next((one for one in self.all() if one.id == id), None)
        if token is None:
            raise NoSuchToken(f"there is no token {id[:40]!r}: `whoknew token ls` lists them")
        await self._remove(id)
        return token

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = self._version = None
        self._known = {}

    # How it is kept: here in a file.

    def _now(self) -> datetime:
        return self._clock()

    async def _add(self, made: NewToken) -> datetime:
        """When it ends."""
        now = self._clock()
        ends = now + made.lasts
        with self._writing() as file:
            file.execute("DELETE FROM tokens WHERE ends <= ?", (now.isoformat(),))
            file.execute(
                "INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    made.id,
                    made.digest,
                    made.world,
                    made.character,
                    made.kind,
                    now.isoformat(),
                    ends.isoformat(),
                ),
            )
        return ends

    async def _withdraw(self, kind: int, world: str, character: str) -> None:
        with self._writing() as file:
            file.execute(
                "DELETE FROM tokens WHERE seat = ? AND world = ? AND character = ?",
                (kind, world, character),
            )

    async def _take(self, digest: bytes, fresh: bytes, id: str) -> bool:  # noqa: A002
        with self._writing() as file:
            changed = file.execute(
                "UPDATE tokens SET seat = ?, digest = ? WHERE id = ? AND digest = ? AND seat = ?",
                (SEAT, fresh, id, digest, INVITATION),
            )
        return bool(changed.rowcount)

    async def _remove(self, id: str) -> None:  # noqa: A002
        with self._writing() as file:
            file.execute("DELETE FROM tokens WHERE id = ?", (id,))

    def _read(self) -> dict[bytes, Token]:
        with self._telling():
            file = self._connection()
            if file is None:
                return {}
            (version,) = file.execute("PRAGMA data_version").fetchone()
            if version != self._version:
                self._known = {
                    digest: token_of(*kept, *map(datetime.fromisoformat, times))
                    for digest, *kept, (times) in ((*row[:-2], row[-2:]) for row in _rows(file))
                }
                self._version = version
        return self._known

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction on the file, which begins with its first token."""
        with self._telling():
            file = self._connection() or self._begun()
            file.execute(_TABLE)
            with file:
                yield file
            self._version = None

    def _connection(self) -> sqlite3.Connection | None:
        """The file as it is now, if there is one: it may have been begun, or thrown away."""
        if self._file is not None and self._inode != (inode := _inode(self._file)):
            self.close()
            self._inode = inode
        if self._open is None and self._inode is not None:
            self._open = sqlite3.connect(str(self._file))
        return self._open

    def _begun(self) -> sqlite3.Connection:
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self._file, os.O_CREAT | os.O_RDWR, 0o600))
            self._inode = _inode(self._file)
        self._open = sqlite3.connect(str(self._file or ":memory:"))
        return self._open

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """What is wrong with the file, told as such."""
        try:
            yield
        except (sqlite3.Error, OSError, ValueError) as error:
            raise NoTokens(
                f"the view tokens in {self._file} cannot be used: {error}. Mend that; or move the "
                "file away, and give tokens anew: those in it end with it"
            ) from None


def lasting(text: str) -> timedelta:
    """For how long: 30m, 12h, 7d."""
    found = re.fullmatch(r"([0-9]{1,6})([mhd])", text)
    lasts = timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else timedelta()
    if not timedelta() < lasts <= MOST:
        raise BadQuestion(
            f"{text[:40]!r} is no time to give a token for: say 30m, 12h or 7d, {MOST.days}d at most"
        )
    return lasts


def token_of(
    id: str,  # noqa: A002
    world: str,
    character: str,
    seat: int,
    made: datetime,
    ends: datetime,
) -> Token:
    return Token(
        id=id,
        world=world,
        character=character,
        seat=seat == SEAT,
        invitation=seat == INVITATION,
        made=made,
        ends=ends,
    )


def _rows(file: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """Whoever gave the first token may have died before there was a table: then none stands."""
    if not file.execute("SELECT 1 FROM sqlite_master WHERE name = 'tokens'").fetchone():
        return []
    return file.execute(
        "SELECT digest, id, world, character, seat, made, ends FROM tokens ORDER BY made, id"
    ).fetchall()


def _fresh() -> str:
    return f"view.{secrets.token_urlsafe(32)}"


def _digest(text: str) -> bytes:
    """A token is as random as its digest: no key is needed, and there is nothing to guess."""
    return sha256(text.encode("utf-8", "surrogateescape")).digest()


def _inode(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
