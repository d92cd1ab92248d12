"""An export, read into a log: `whoknew log import`."""

from __future__ import annotations

from pathlib import Path

from whoknew.engine.opening import file_of, writing
from whoknew.eventlog import import_log
from whoknew.eventlog.archive import ImportResult
from whoknew.eventlog.errors import BadAddress, BadArchive


async def read_export(address: str, file: Path) -> ImportResult:
    _check_there(file, address)
    place = file_of(address)
    made = place is not None and not place.exists()
    try:
        async with writing(address) as log:
            return await import_log(log, file)
    except BadArchive:
        if made and place:  # nothing was written, so the log that was made for it is empty
            place.unlink()
        raise


def _check_there(file: Path, address: str) -> None:
    if str(file) == "-":
        raise BadArchive("- is no file: name the one to read, an export is not read from a pipe")
    if not file.is_file():
        raise BadArchive(f"{file}: there is no such file")
    if file_of(address) == file:
        raise BadAddress(f"{file} is named twice: the log comes first, then the export")
