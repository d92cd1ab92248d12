"""What went wrong, in words: which file, what was found, what to do."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from rich.text import Text

from whoknew.engine.terminal.console import err, safe

INTERNAL = (".new", ".lock", "-wal", "-shm", ".partial")
"""How the names of files end that stand beside the one which was named."""


def say_error(message: str) -> None:
    """One clear message, on stderr, never cut into pieces that a log could not be searched for."""
    lines = [safe(line) for line in message.split("\n")]
    text = Text("whoknew: ", style="bold red")
    text.append("\n".join(lines), style="default")
    err().print(text, soft_wrap=True)


def say_loading(what: str) -> None:
    """Which code from elsewhere is about to be loaded, on stderr."""
    err().print(Text(safe(what), style="dim"), soft_wrap=True)


def explained(error: Exception) -> str:
    """What the system refused is told by the file that was named, not by a number."""
    if not isinstance(error, OSError) or error.errno is None:
        return str(error)
    if not isinstance(error.filename, str) or not error.filename:
        return f"the system refused: {(error.strerror or str(error)).lower()}"
    file = _named(error.filename)
    if isinstance(error, PermissionError):
        return _forbidden(file, beside=str(file) != error.filename)
    if isinstance(error, FileNotFoundError) and file.parent.is_dir():
        return f"{file}: there is no such file"
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return f"{file}: there is no folder {file.parent}: make it, or name another"
    if isinstance(error, FileExistsError):
        return f"{file} is there already: name a new file"
    if isinstance(error, IsADirectoryError):
        return f"{file} is a folder: name a file"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{file}: the disk is full: make room, and give the same command again"
    return f"{file}: {(error.strerror or str(error)).lower()}"


def _forbidden(file: Path, *, beside: bool) -> str:
    if not os.access(file.parent, os.X_OK):
        return f"{file}: the folder {file.parent} may not be entered by you: check its permissions"
    if file.exists() and not beside:
        return f"{file} may not be opened by you: check its permissions"
    return f"{file}: the folder {file.parent} is not writable: name another folder"


def _named(name: str) -> Path:
    while name.endswith(INTERNAL):
        name = next(name.removesuffix(end) for end in INTERNAL if name.endswith(end))
    return Path(name)
