"""The machine that a run was made on: figures of different machines do not compare."""

from __future__ import annotations

import importlib.util
import os
import platform
import subprocess
from pathlib import Path
from time import perf_counter

from postgres_server import NoPostgres, programs

from whoknew.eventlog.stores import sqlite_connection


def describe(folder: Path) -> dict[str, str]:
    return {
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0))),
        "memory": f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB",
        "load before": f"{os.getloadavg()[0]:.1f}",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "sqlite": _sqlite(),
        "postgresql": _postgres(),
        "disk": f"{filesystem(folder)}, {_syncs(folder):,.0f} syncs of 4 KiB a second",
    }


def filesystem(folder: Path) -> str:
    """The kind of file system that a folder is on."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    around = [mount for mount in mounts if folder.resolve().is_relative_to(mount[1])]
    return max(around, key=lambda mount: len(mount[1]))[2] if around else "unknown"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _sqlite() -> str:
    bundled = f"{sqlite_connection.version('sqlite3')} (sqlite3)"
    if not importlib.util.find_spec("apsw"):
        return bundled
    return f"{bundled}, {sqlite_connection.version('apsw')} (apsw)"


def _postgres() -> str:
    try:
        program = programs() / "postgres"
    except NoPostgres:
        return "none"
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.split(maxsplit=2)[-1].strip()


def _syncs(folder: Path, count: int = 300) -> float:
    path = folder / "syncs"
    with path.open("wb", buffering=0) as file:
        began = perf_counter()
        for _ in range(count):
            file.write(b"x" * 4096)
            os.fdatasync(file.fileno())
        took = perf_counter() - began
    path.unlink()
    return count / took
