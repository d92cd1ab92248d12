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

from fast_folder import fast_folder
from waiting import PATIENCE

OWNER = "postgres"

QUIETLY = ("-q", "-v", "ON_ERROR_STOP=1")
DONE = "done"

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
        self._numbers = count(1)
        self._psql: subprocess.Popen[str] | None = None
        # Short, since the path of a socket may have no more than 107 bytes.
        kept = "/tmp" if fsync else fast_folder()
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir=kept))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        if _owner():
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
        self._hang_up()
        try:
            self._run("pg_ctl", "-D", self._data, "-m", "immediate", "stop")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def go_down(self) -> None:
        """As an administrator lets it, for a while: whoever is connected is sent away."""
        self._hang_up()
        self._run("pg_ctl", "-D", self._data, "-m", "fast", "-w", "stop")

    def crash(self) -> None:
        """As by `kill -9`: of its processes the first, which all others follow."""
        self._hang_up()
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
    def database(self, like: str = "template1") -> Iterator[str]:
        """A database while it lasts, empty or like another: its URL."""
        name = f"test{next(self._numbers)}"
        self.create(name, like)
        try:
            yield self.url(name)
        finally:
            self.drop(name)

    def create(self, name: str, like: str = "template1") -> None:
        self._ask(f"CREATE DATABASE {name} TEMPLATE {like} STRATEGY file_copy")

    def drop(self, name: str) -> None:
        self._ask(f"DROP DATABASE {name} WITH (FORCE)")

    def url(self, database: str) -> str:
        return f"postgresql://{OWNER}@/{database}?host={self.folder}"

    def execute(self, sql: str, database: str = "postgres") -> None:
        self._run("psql", *QUIETLY, "-c", sql, self.url(database))

    def _ask(self, sql: str) -> None:
        """By one psql for all: to start one takes as long as to make a database."""
        if self._psql is None:
            self._psql = subprocess.Popen(
                [self._programs / "psql", *QUIETLY, self.url("postgres")],
                user=_owner(),
                cwd=self.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        assert self._psql.stdin and self._psql.stdout
        self._psql.stdin.write(f"{sql};\n\\echo {DONE}\n")
        self._psql.stdin.flush()
        said = ""
        while (line := self._psql.stdout.readline()) != f"{DONE}\n":
            said += line
            if not line:
                self._hang_up()
                raise RuntimeError(f"{sql} failed: {said}")

    def _hang_up(self) -> None:
        if self._psql is not None:
            self._psql.communicate(timeout=PATIENCE)
            self._psql = None

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
            user=_owner(),
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


def _owner() -> str | None:
    """As whom PostgreSQL's programs are run: not as root, which they refuse."""
    return OWNER if os.geteuid() == 0 else None


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
