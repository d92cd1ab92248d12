"""A throwaway PostgreSQL server, for tests and for the bench.

    with Cluster() as cluster, cluster.database() as url:
        ...

It needs PostgreSQL's programs and nothing else: no server that runs, no account, no free port.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from signal import SIGKILL
from time import monotonic, sleep
from typing import Self

from waiting import PATIENCE

OWNER = "postgres"

AT_ONCE = 8
"""Databases that are made, and taken away, together: most of what one takes is the process that asks for it, where
nothing waits for the disk."""

NO_POSTGRES = "there is no PostgreSQL"


class NoPostgres(Exception):
    """PostgreSQL's programs are not installed here."""


class Cluster:
    """A server of its own in a temporary folder, reached by a socket there.

    `fsync` is for the bench: tests that pull no plug go faster without.
    """

    def __init__(self, *, fsync: bool = False) -> None:
        self._programs = programs()
        self._fsync = fsync
        self._at_once = 1 if fsync else AT_ONCE
        self._numbers = count(1)
        self._empty, self._used = list[str](), list[str]()
        # Short, since the path of a socket may have no more than 107 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        if os.geteuid() == 0:  # initdb refuses to run as root
            shutil.chown(self.folder, OWNER)
        try:
            encoding = ("--no-locale", "-E", "UTF8")
            self._run(
                "initdb", "-D", self._data, "-A", "trust", "-U", OWNER, "--no-sync", *encoding
            )
            self.come_up()
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def stop(self) -> None:
        try:
            self._run("pg_ctl", "-D", self._data, "-m", "immediate", "stop")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def go_down(self) -> None:
        """As an administrator lets it, for a while: whoever is connected is sent away."""
        self._run("pg_ctl", "-D", self._data, "-m", "fast", "-w", "stop")

    def crash(self) -> None:
        """As by `kill -9`: of its processes the first, which all others follow."""
        file = self.folder / "data" / "postmaster.pid"
        first = int(file.read_text().split()[0])
        every = [first, *_begun_by(first)]
        os.kill(first, SIGKILL)
        begun = monotonic()
        while any(map(_runs, every)):
            assert monotonic() - begun < PATIENCE, f"{every} still run"
            sleep(0.02)
        # Where nobody asks how a dead process ended, these are taken to be of one that runs.
        for lock in (file, self.folder / ".s.PGSQL.5432.lock"):
            lock.unlink()

    def come_up(self) -> None:
        log = f"{self._data}/log"
        self._run("pg_ctl", "-D", self._data, "-l", log, "-w", "-o", self._options, "start")

    @contextmanager
    def database(self) -> Iterator[str]:
        """An empty database while it lasts: its URL."""
        if not self._empty:
            used, self._used = self._used, []
            self._empty = [f"test{next(self._numbers)}" for _ in range(self._at_once)]
            self.execute(
                *(f"DROP DATABASE {name} WITH (FORCE)" for name in used),
                *(f"CREATE DATABASE {name}" for name in self._empty),
            )
        name = self._empty.pop()
        try:
            yield self.url(name)
        finally:
            self._used.append(name)

    def url(self, database: str) -> str:
        return f"postgresql://{OWNER}@/{database}?host={self.folder}"

    def execute(self, *statements: str, database: str = "postgres") -> None:
        each = [word for sql in statements for word in ("-c", sql)]
        self._run("psql", "-q", "-v", "ON_ERROR_STOP=1", *each, self.url(database))

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    @property
    def _options(self) -> str:
        settings = {"listen_addresses": "''", "max_connections": "100"}
        if not self._fsync:
            settings |= {"fsync": "off", "full_page_writes": "off"}
        chosen = " ".join(f"-c {name}={value}" for name, value in settings.items())
        return f"-k {self.folder} {chosen}"

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._programs / program, *arguments],
            user=OWNER if os.geteuid() == 0 else None,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # a pipe would stay open as long as the server runs
            stderr=subprocess.PIPE if program == "psql" else subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
        if done.returncode:
            log = self.folder / "data" / "log"
            said = (done.stderr or b"").decode() or (log.read_text() if log.exists() else "")
            raise RuntimeError(f"{program} {' '.join(arguments)} failed: {said}")


def _begun_by(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in children.split()]


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def programs() -> Path:
    installed = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = sorted(installed, key=lambda path: float(path.parts[-3]), reverse=True)
    found = shutil.which("initdb")
    programs = [*newest, *([Path(found)] if found else [])]
    if not programs:
        raise NoPostgres(f"{NO_POSTGRES}: no initdb in PATH or /usr/lib/postgresql")
    return programs[0].resolve().parent
