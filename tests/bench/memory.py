"""Memory of a process, in MB: of this one, where none is named.

As the kernel counts it since the program began: `getrusage` tells the most of what it was forked
from, too, and a bench that holds much would be counted into all that it starts.
"""

from __future__ import annotations

from pathlib import Path


def now(process: int | None = None) -> float:
    return _status("VmRSS", process)


def most(process: int | None = None) -> float:
    return _status("VmHWM", process)


def _status(name: str, process: int | None = None) -> float:
    status = Path(f"/proc/{process or 'self'}/status")
    for line in status.read_text("ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    raise LookupError(f"no {name} in {status}")
