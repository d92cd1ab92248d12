"""A log as JSON lines: `whoknew log export`."""

from __future__ import annotations

from pathlib import Path

from whoknew.engine.logs.copies import Copied, write_copy
from whoknew.eventlog import export_log
from whoknew.eventlog.salvage import export_readable


async def write_export(
    address: str, file: Path, world: str | None = None, *, anyway: bool = False
) -> Copied:
    return await write_copy(address, file, world, export_log, export_readable, anyway=anyway)
