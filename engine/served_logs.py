"""Which logs are served now on this machine, and where: a server writes its log alone, so whoever
finds it in use is told how to do there what it came for."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec import Struct

from whoknew.engine.presence import alive, folder, present


class Served(Struct, frozen=True):
    """A server of a log."""

    pid: int
    log: str
    url: str


def announced(file: Path, url: str) -> AbstractContextManager[None]:
    """Say that this process serves this log, for as long as it does."""
    one = Served(os.getpid(), str(file.absolute()), url)
    without = "other commands cannot tell where this log is served"
    return present(folder() / f"{one.pid}.served", one, without)


def server_of(file: Path) -> Served | None:
    return next((one for one in alive("*.served", Served) if one.log == str(file.absolute())), None)
