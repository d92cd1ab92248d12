"""A log as another log: `whoknew log backup`."""

from __future__ import annotations

from pathlib import Path

from whoknew.engine.logs.copies import Copied, write_copy
from whoknew.eventlog import backup
from whoknew.eventlog.salvage import backup_readable


async def write_backup(address: str, file: Path, *, anyway: bool = False) -> Copied:
    return await write_copy(
        address,
        file,
        None,
        lambda log, file, world: backup(log, file),
        lambda log, newest, file, world: backup_readable(log, newest, file),
        anyway=anyway,
    )
