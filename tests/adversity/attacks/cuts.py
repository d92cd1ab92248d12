"""A SQLite log cut short at any byte, or its write-ahead file: never called whole."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from adversity.attack import Attack, Ground, Strike
from adversity.examined import contents, examine, sound
from adversity.mutations import cut
from small_worlds import opened, said

from whoknew.eventlog import Event, open_log
from whoknew.eventlog.errors import LogError


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    with ground.fresh() as folder:
        whole = sound(folder)
        main, ahead, written = asyncio.run(_under_way(folder / "log.db"))

        def strike(chance: Random) -> None:
            with ground.fresh() as folder:
                file = folder / "cut.db"
                if chance.random() < 0.7:
                    file.write_bytes(cut(whole.data, chance))
                    examine(file, whole, chance)
                else:
                    file.write_bytes(main)
                    file.with_name("cut.db-wal").write_bytes(cut(ahead, chance))
                    asyncio.run(_check_beginning(file, written))

        yield strike


ATTACK = Attack(setup=setup, short=15)


async def _under_way(file: Path) -> tuple[bytes, bytes, list[Event]]:
    """A log that is being written: its file, what stands ahead of it, and its events."""
    async with open_log(file) as log:
        await log.append("w", opened("Hamlet"))
        for turn in range(40):
            await log.append("w", [said("Hamlet", f"Words, {turn}. " * 50)])
        ahead = file.with_name(f"{file.name}-wal")
        return file.read_bytes(), ahead.read_bytes(), [event async for event in log.read("w")]


async def _check_beginning(file: Path, written: list[Event]) -> None:
    """What was written last may be gone, whole commits of it; nothing else may."""
    try:
        found = (await contents(file)).get("w", [])
    except LogError as error:
        assert "cut.db" in str(error)
        return
    assert found == written[: len(found)]
