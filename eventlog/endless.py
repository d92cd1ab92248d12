"""Paths behind which there is no file: whoever opens a device or a pipe may wait for ever."""

from __future__ import annotations

import errno
import stat
from pathlib import Path


def check_ends(path: Path) -> None:
    """An OSError where it is a device or a pipe."""
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISFIFO(mode):
        raise OSError(errno.EINVAL, "it is no file, and what it holds might never end")
