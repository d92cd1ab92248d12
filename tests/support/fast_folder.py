"""Where tests keep files: in memory where there is much of it, since what no test pulls the plug of need
not be synced to a disk, and a commit waits for that longer than for all else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

MEMORY = Path("/dev/shm")
ENOUGH = 4 << 30
"""Bytes: several times what all tests at once keep."""


def fast_folder() -> str:
    there = MEMORY.is_dir() and os.access(MEMORY, os.W_OK | os.X_OK)
    return str(MEMORY) if there and shutil.disk_usage(MEMORY).free > ENOUGH else "/tmp"
