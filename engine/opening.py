"""The log that a command names: opened to be read, beside whoever writes it, or to be written."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from whoknew.engine.presence import server_of
from whoknew.eventlog import Log, open_log
from whoknew.eventlog.endless import check_ends
from whoknew.eventlog.errors import BadAddress, LogInUse, NotBegun
from whoknew.eventlog.log import KEEP_EVENTS

DEFAULT_LOG = "whoknew.db"
"""The log where none is named."""


def file_of(address: str) -> Path | None:
    """The file that an address names, where it is one."""
    if "://" in address or address == ":memory:":
        return None
    if "\0" in address:
        raise BadAddress(f"{address!r} is no name of a file: leave out the character U+0000")
    return Path(address)


def weights_beside(address: str) -> Path:
    """Where models that are trained for a log are kept: in a folder beside its file; of a database in one
    of its name, where the command is given."""
    file = file_of(address)
    if file is None:
        name = Path(urlsplit(address).path).name or "whoknew"
        return Path(f"{name}.weights")
    return file.with_suffix(".weights")


def reading(address: str) -> Log:
    """Reading creates nothing: a log that is not there is an error."""
    _check_lasting(address)
    file = file_of(address)
    if file is not None:
        if file.is_dir():
            raise BadAddress(f"{file} is a folder: name the file of a log in it")
        if not is_there(file):
            raise BadAddress(
                f"{file}: there is no such file: name a log that is there (--log LOG, or "
                "WHOKNEW_LOG), or begin one with `whoknew run` or `whoknew serve --new`"
            )
        _check_ends(file)
    return open_log(address, read_only=True)


@asynccontextmanager
async def reading_begun(address: str) -> AsyncIterator[Log | None]:
    """The same; nothing where no log was begun yet, in a file or in a database."""
    file = file_of(address)
    async with AsyncExitStack() as opened:
        log = None
        if file is None or is_there(file):
            with suppress(NotBegun):
                log = await opened.enter_async_context(reading(address))
        yield log


def existing(address: str) -> AbstractAsyncContextManager[Log]:
    """A log that is there, to be written."""
    reading(address)
    return writing(address)


@asynccontextmanager
async def writing(address: str, *, keep_events: int = KEEP_EVENTS) -> AsyncIterator[Log]:
    """Where there is no log yet, one begins. So many of its newest events are held in memory."""
    _check_lasting(address)
    file = file_of(address)
    if file is not None:
        if file.is_dir():
            raise BadAddress(f"{file} is a folder: name a file in it")
        if is_there(file):
            _check_ends(file)
        else:
            check_place(file)
    async with AsyncExitStack() as opened:
        try:
            log = await opened.enter_async_context(open_log(address, keep_events=keep_events))
        except LogInUse as error:
            raise _in_use(error, file) from None
        yield log


def _in_use(error: LogInUse, file: Path | None) -> LogInUse:
    """Where a server has the log, what one came for can be done there."""
    server = server_of(file) if file else None
    if server is None:
        return error
    return LogInUse(
        f"{file} is served at {server.url} (process {server.pid}), which alone writes it: do it "
        "there, on its page or over HTTP (POST /api/v1/worlds/WORLD/forks, marks, tellings or ask, POST "
        "/api/v1/runs), or stop the server first"
    )


def is_there(file: Path) -> bool:
    """Whether something lies at a path. Links that lead to one another are an OSError, which says so."""
    try:
        file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def check_place(file: Path) -> None:
    """Whether a new file can be written there, said by the name that was given for it."""
    if str(file) == "-":
        raise BadAddress("- is no file: name the one to write, this is not written to a pipe")
    folder = file.absolute().parent
    if not folder.is_dir():
        raise BadAddress(f"{file}: there is no folder {file.parent}: make it, or name another")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BadAddress(f"{file}: the folder {file.parent} is not writable: name another")


def check_new(file: Path) -> None:
    """Whether a file can begin there: nothing is written over."""
    check_place(file)
    if file.exists():
        raise BadAddress(f"{file} exists already: name a new file")


def check_picture(file: Path) -> None:
    """Whether a new picture can be written there: under the name of another format nothing opens it."""
    check_new(file)
    if file.suffix.lower() != ".svg":
        other = file.with_suffix(".svg")
        raise BadAddress(
            f"{file}: a picture is SVG: name a file that ends in .svg, such as {other}"
        )


def _check_ends(file: Path) -> None:
    """Whoever opens a pipe waits for its other end."""
    try:
        check_ends(file)
    except OSError as error:
        raise BadAddress(
            f"{file} cannot be opened as a log: {error.strerror}: name the file of one"
        ) from None


def _check_lasting(address: str) -> None:
    if address == ":memory:":
        raise BadAddress(":memory: ends with its process: name a file, or postgresql://...")
    if address == "-":
        raise BadAddress("- is no log: name a file, or postgresql://...")
