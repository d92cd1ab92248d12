"""A log as JSON lines: `whoknew log export`."""

from __future__ import annotations

from pathlib import Path

from whoknew.engine.logs.copies import Copied, check_sound, copied, saved
from whoknew.engine.opening import check_place, reading
from whoknew.eventlog import export_log
from whoknew.eventlog.errors import Damaged, NotALog
from whoknew.eventlog.salvage import export_readable, salvaged


async def write_export(
    address: str, file: Path, world: str | None = None, *, anyway: bool = False
) -> Copied:
    check_place(file)
    try:
        async with reading(address) as log:
            await check_sound(log, address, file, world)
            header = await export_log(log, file, world)
    except (Damaged, NotALog) as error:
        if not anyway:
            raise
        async with salvaged(address, file) as (log, newest):
            if isinstance(error, NotALog) and not await log.worlds():
                raise
            return saved(file, await export_readable(log, newest, file, world))
    return copied(file, header)
