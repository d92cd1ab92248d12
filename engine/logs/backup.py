"""A log as another log: `whoknew log backup`."""

from __future__ import annotations

from pathlib import Path

from whoknew.engine.logs.copies import Copied, check_sound, copied, saved
from whoknew.engine.opening import check_place, reading
from whoknew.eventlog import backup
from whoknew.eventlog.errors import Damaged, NotALog
from whoknew.eventlog.salvage import backup_readable, salvaged


async def write_backup(address: str, file: Path, *, anyway: bool = False) -> Copied:
    check_place(file)
    try:
        async with reading(address) as log:
            await check_sound(log, address, file, None)
            header = await backup(log, file)
    except (Damaged, NotALog) as error:
        if not anyway:
            raise
        async with salvaged(address, file) as (log, newest):
            if isinstance(error, NotALog) and not await log.worlds():
                raise
            return saved(file, await backup_readable(log, newest, file))
    return copied(file, header)
