"""From an address to a log: a file, a PostgreSQL database, or memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from whoknew.eventlog.errors import BadAddress
from whoknew.eventlog.log import KEEP_EVENTS, Log, wall_clock
from whoknew.eventlog.shown_address import without_password
from whoknew.eventlog.stores.store import Durability, Store


def open_log(
    address: str | Path,
    *,
    durability: Durability = "full",
    read_only: bool = False,
    clock: Callable[[], datetime] = wall_clock,
    keep_events: int = KEEP_EVENTS,
    keep_worlds: int = 10_000,
) -> Log:
    """The log at `file.db`, `postgresql://...` or `:memory:`; use it in `async with`."""
    if not isinstance(address, str | Path):
        raise _no_address(address)
    store = _store(str(address), durability, read_only)
    return Log(store, clock=clock, keep_events=keep_events, keep_worlds=keep_worlds)


def _store(address: str, durability: Durability, read_only: bool) -> Store:
    if durability not in ("full", "normal"):
        raise BadAddress(f"durability is 'full' or 'normal', not {durability!r}")
    if address == ":memory:":
        from whoknew.eventlog.stores.volatile import VolatileStore

        return VolatileStore()
    if address.startswith(("postgresql://", "postgres://")):
        return _postgres(address, durability, read_only)
    if "://" in address or "\0" in address or not Path(address).name:
        raise _no_address(address)
    from whoknew.eventlog.stores.sqlite import SqliteStore

    return SqliteStore(Path(address), durability=durability, read_only=read_only)


def _no_address(address: object) -> BadAddress:
    shown = without_password(address) if isinstance(address, str) else address
    return BadAddress(
        f"{shown!r} is no address of a log: use a file's path, postgresql://... or :memory:"
    )


def _postgres(address: str, durability: Durability, read_only: bool) -> Store:
    shown = without_password(address)
    if durability != "full":
        raise BadAddress(f"{shown}: a log on PostgreSQL is always durable: leave durability out")
    try:
        from whoknew.eventlog.stores.postgres import PostgresStore
    except ModuleNotFoundError as missing:
        raise BadAddress(
            f"{shown}: {missing.name} is not installed: pip install 'whoknew[postgres]'"
        ) from None
    return PostgresStore(address, read_only=read_only)
