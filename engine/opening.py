"""The log that a command names: opened to be read, beside whoever writes it, or to be written."""

from __future__ import annotations

from pathlib import Path

from whoknew.eventlog import Log, open_log
from whoknew.eventlog.errors import BadAddress


def file_of(address: str) -> Path | None:
    """The file that an address names, where it is one."""
    return None if "://" in address or address == ":memory:" else Path(address)


def reading(address: str) -> Log:
    """Reading creates nothing: a log that is not there is an error."""
    _check_lasting(address)
    file = file_of(address)
    if file is not None:
        if file.is_dir():
            raise BadAddress(f"{file} is a folder: name the file of a log in it")
        if not file.exists():
            raise BadAddress(f"{file}: there is no such file")
    return open_log(address, read_only=True)


def writing(address: str) -> Log:
    """Where there is no log yet, one begins."""
    _check_lasting(address)
    file = file_of(address)
    if file is not None and file.is_dir():
        raise BadAddress(f"{file} is a folder: name a file in it")
    return open_log(address)


def _check_lasting(address: str) -> None:
    if address == ":memory:":
        raise BadAddress(":memory: ends with its process: name a file, or postgresql://...")
