"""An export, read into a log: `whoknew log import`."""

from __future__ import annotations

from pathlib import Path

from whoknew.engine.opening import file_of, is_there, writing
from whoknew.eventlog import import_log
from whoknew.eventlog.archive import ImportResult
from whoknew.eventlog.errors import BadAddress, BadArchive

ENDS = (".jsonl", ".jsonl.gz")
"""Of the names of exports in a folder."""


async def read_export(address: str, file: Path) -> ImportResult:
    """A file, or all exports in a folder, one after the other."""
    files = _found(file, address)
    place = file_of(address)
    made = place is not None and not place.exists()
    events = already = 0
    try:
        async with writing(address) as log:
            for one in files:
                result = await import_log(log, one)
                events, already = events + result.events, already + result.already
    except BadArchive:
        if made and place and not events:  # the log that was made for it is empty
            place.unlink()
        raise
    return ImportResult(events, already)


def _found(file: Path, address: str) -> list[Path]:
    if not file.is_dir():
        _check_there(file, address)
        return [file]
    if files := sorted(one for one in file.iterdir() if one.name.endswith(ENDS) and one.is_file()):
        return files
    raise BadArchive(f"{file} holds no export: no file in it ends in {' or '.join(ENDS)}")


def _check_there(file: Path, address: str) -> None:
    if str(file) == "-":
        raise BadArchive("- is no file: name the one to read, an export is not read from a pipe")
    if not is_there(file):
        raise BadArchive(f"{file}: there is no such file")
    if not file.is_file():
        raise BadArchive(f"{file} is no file: name an export")
    if file_of(address) == file:
        raise BadAddress(f"{file} is named twice: the log comes first, then the export")
