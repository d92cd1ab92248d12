"""Memory of this process, in MB.

As the kernel counts it since the program began: `getrusage` tells the most of what it was forked
from, too, and a bench that holds much would be counted into all that it starts.
"""

from __future__ import annotations

from pathlib import Path


def now() -> float:
    return _status("VmRSS")


def most() -> float:
    return _status("VmHWM")


def _status(name: str) -> float:
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    raise LookupError(f"no {name} in /proc/self/status")
