"""A new SQLite log with all the rows that a damaged one still holds.

Nothing is judged here: rows that are missing are missing in it, and `verify` names them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.eventlog.errors import unwritable
from whoknew.eventlog.stores import sqlite_connection, sqlite_pages
from whoknew.eventlog.stores import sqlite_schema as schema
from whoknew.eventlog.stores.sqlite_pages import PageRow


class _Body(Struct):
    parent: str | None = None
    seq: int = 0


class _Event(Struct):
    """What an event says of its world. Where a fork begins, `body` says from what."""

    world: str
    seq: int
    body: _Body


class _Home(Struct):
    """A world as its row has it and as its own events do, which are hashed."""

    names: Counter[str]
    row: tuple[str, str | None, int] | None = None
    seam: tuple[str | None, int] | None = None
    newest: int = 0
    indexed: set[int] = set()


def salvage(path: Path, into: Path) -> dict[str, int]:
    """Make the log `into`. The newest seq of each world of which any trace was found."""
    try:
        return _salvage(path, into)
    except OSError as error:
        raise unwritable(error, into) from error


def _salvage(path: Path, into: Path) -> dict[str, int]:
    driver = sqlite_connection.preferred()
    target = sqlite_connection.connect(into, driver, read_only=False)
    homes: defaultdict[int, _Home] = defaultdict(lambda: _Home(Counter()))
    try:
        schema.make_ready(target, into, "normal")
        target.execute("BEGIN")
        for row in sqlite_pages.rows(sqlite_connection.real_file(path)):
            match row:
                case PageRow(int(id_), [None, str(name), str() | None as parent, int(forked_at)]):
                    homes[id_].row = (name, parent, forked_at)
                case PageRow(None, [int(id_), int(seq), int()]):
                    homes[id_].indexed.add(seq)
                case PageRow(int(), [None, int(id_), int(seq), bytes(), key, landmark, str(body)]):
                    _note(homes[id_], seq, body)
                    values = [row.rowid, *row.values[1:4], key, landmark, body.encode()]
                    _insert(target, values)
        newest = {}
        for id_, home in sorted(homes.items()):
            if world := _world(home):
                target.execute(
                    schema.INSERT_WORLD.replace("INSERT", "INSERT OR IGNORE"), (id_, *world)
                )
                newest[world[0]] = _newest(home)
        target.execute("COMMIT")
        return newest
    except sqlite_connection.errors(driver) as error:
        raise sqlite_connection.explained(error, into) from error
    finally:
        target.close()


def _newest(home: _Home) -> int:
    """What an index has beyond the events themselves, as far as it is in one piece."""
    seq = home.newest
    while seq + 1 in home.indexed:
        seq += 1
    return seq


def _note(home: _Home, seq: int, body: str) -> None:
    try:
        event = msgspec.json.decode(body, type=_Event)
    except ValueError:
        return
    if event.seq != seq:
        return
    home.newest = max(home.newest, seq)
    home.names[event.world] += 1
    if event.body.parent and event.body.seq == seq - 1:
        home.seam = (event.body.parent, seq - 1)


def _insert(target: sqlite_connection.Connection, values: Sequence[object]) -> None:
    """Of two rows of one event the first counts; a key that is damaged is left out."""
    sql = schema.insert_events(schema.COLUMNS).replace("INSERT", "INSERT OR IGNORE")
    whole = isinstance(values[4], str | None) and isinstance(values[5], int | None)
    target.execute(sql, values if whole else [*values[:4], None, None, values[6]])


def _world(home: _Home) -> tuple[str, str | None, int] | None:
    if not home.names:
        return home.row
    name = home.names.most_common(1)[0][0]
    parent, forked_at = home.seam or (home.row[1:] if home.row else (None, 0))
    return name, parent, forked_at
