"""What is made once for all tests of a run, in however many processes."""

from __future__ import annotations

import os
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from pathlib import Path
from shutil import rmtree

import pytest


def made_once(paths: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Whoever needs it first makes it, under the path that it is given."""
    temporary = paths.getbasetemp()
    whole = temporary.parent if "PYTEST_XDIST_WORKER" in os.environ else temporary
    path, over = whole / name, whole / f"{name}.made"
    with (whole / f"{name}.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not over.exists():
            rmtree(path, ignore_errors=True)
            make(path)
            over.touch()
    return path
