"""What this machine has and lacks for Whoknew: `whoknew doctor`."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from whoknew.agents.errors import AgentError, Rejected
from whoknew.agents.models.address import RECORDED, HttpEntry, HttpsEntry
from whoknew.agents.models.model import Message, ModelEntry, Request
from whoknew.engine.logs.cluster_checks import of_cluster
from whoknew.engine.logs.findings import Finding
from whoknew.engine.opening import file_of, reading, writing
from whoknew.engine.plan.plan import Loaded
from whoknew.engine.registry import MODELS
from whoknew.engine.running.models import opened
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.shown_address import without_password
from whoknew.eventlog.stores.sqlite_connection import preferred, version

RACE_MENDED = (3, 51, 3)
"""SQLite before this can lose a commit when two connections reset the WAL at once; Whoknew writes
and checkpoints through one connection only, so that it does not happen to it."""

LITTLE = 500 * 2**20
"""Bytes: about a million events."""

NO_EARLIER = 2025
"""A year that is over: a clock before it was never set."""

PATIENCE = 25.0
"""Seconds for one word of a model."""


async def examine(
    loaded: Loaded | None = None, log: str | None = None, *, cluster: bool = False
) -> list[Finding]:
    """Look at the machine; with a plan, also at the models that it calls; as one of a `cluster`, at what
    the others have, too."""
    findings = [_python(), _sqlite(), _disk(_folder(log)), _clock(datetime.now(UTC))]
    findings += await of_cluster(log) if cluster else [await _log(log)]
    findings += [*_keys(), *_extras()]
    if loaded is not None:
        findings += [await _model(one) for one in _addresses(loaded)]
    return findings


def _python() -> Finding:
    return Finding("fine", "Python", ".".join(map(str, sys.version_info[:3])))


def _sqlite() -> Finding:
    driver = preferred()
    found = f"{version(driver)} ({'apsw' if driver == 'apsw' else 'of Python'})"
    if driver == "apsw" or sqlite3.sqlite_version_info >= RACE_MENDED:
        return Finding("fine", "SQLite", found)
    return Finding(
        "note",
        "SQLite",
        f"{found}, before 3.51.3: two programs that write one file at once can damage it",
        "logs that Whoknew alone writes are safe; `pip install apsw` brings a newer SQLite",
    )


def _disk(folder: Path) -> Finding:
    """How much space is left for the log."""
    if not folder.is_dir():
        return Finding("fault", "disk", f"there is no folder {folder}", "make it, or name another")
    free = shutil.disk_usage(folder).free
    found = f"{free / 2**30:,.1f} GiB free at {folder}"
    if free > LITTLE:
        return Finding("fine", "disk", found)
    do = "make room: on a full disk a run suspends itself, and nothing is lost"
    return Finding("fault", "disk", found, do)


def _clock(now: datetime) -> Finding:
    found = f"{now:%Y-%m-%d %H:%M} UTC"
    if now.year >= NO_EARLIER:
        return Finding("fine", "clock", found)
    return Finding("fault", "clock", found, "set the clock: every event says when it was recorded")


async def _log(log: str | None) -> Finding:
    """One that is there is only read; elsewhere, whether one could begin."""
    try:
        if log and ("://" in log or ((file := file_of(log)) and file.exists())):
            async with reading(log) as there:
                worlds = len(await there.worlds())
            return Finding("fine", "log", f"{without_password(log)} can be read (worlds: {worlds})")
        folder = _folder(log)
        with tempfile.TemporaryDirectory(dir=folder) as place:
            async with writing(str(Path(place) / "log.db")):
                pass
    except LogError as error:
        return Finding("fault", "log", str(error), "mend that, or name another with --log")
    except OSError as error:
        found = f"cannot be written in {_folder(log)}: {(error.strerror or str(error)).lower()}"
        return Finding(
            "fault", "log", found, "go to a folder of your own, or name a log with --log"
        )
    except Exception as error:  # noqa: BLE001  (a driver's own: whatever it is, it is what is found)
        do = "check the address, and that the server runs"
        return Finding("fault", "log", f"{type(error).__name__}: {error}", do)
    return Finding("fine", "log", f"can be written in {folder}")


def _folder(log: str | None) -> Path:
    return Path(log).parent if log and "://" not in log else Path()


def _keys() -> Iterator[Finding]:
    """Which keys of models the environment has: they are never shown, only that they are there, and whom
    they are shown to."""
    entries: dict[type[ModelEntry], str] = {MODELS.entry(name): name for name in MODELS.ours}
    for entry, name in entries.items():
        if not entry.keys or entry is HttpsEntry:  # whose key is that of http
            continue
        held = next((one for one in entry.keys if os.environ.get(one)), None)
        other = os.environ.get(entry.other_server)
        at = f", for {without_password(other)} ({entry.other_server})" if other else ""
        wanted = " or ".join(entry.keys)
        if held:
            yield Finding("fine", f"{name} key", f"{held} is set{at}")
        elif entry is HttpEntry:
            do = f"for a server of one's own that wants one, set {wanted}"
            yield Finding("note", f"{name} key", "none; most servers of one's own need none", do)
        else:
            do = f"for models {entry.form}, set {wanted}"
            yield Finding("note", f"{name} key", f"none{at}", do)


def _extras() -> Iterator[Finding]:
    for module, extra, good in (
        ("apsw", "fast", "a newer and faster SQLite"),
        ("asyncpg", "postgres", "logs on PostgreSQL"),
    ):
        if find_spec(module):
            yield Finding("fine", module, "installed")
        else:
            do = f"for {good}: pip install 'whoknew[{extra}]'"
            yield Finding("note", module, "not installed", do)


def _addresses(loaded: Loaded) -> list[str]:
    """The models that some character of the plan is played by."""
    seats = [loaded.plan.seat(one.name) for one in loaded.setting.characters]
    return sorted({seat.model for seat in seats if seat.thinks})


async def _model(address: str) -> Finding:
    """Ask a model for one word; of recorded calls, see that they are there."""
    if address.startswith(RECORDED):
        found = await _log(address.removeprefix(RECORDED))
        return Finding(found.state, address, found.found, found.do)
    asked = Request("doctor", (Message("user", "Answer with the word yes."),))
    try:
        async with opened(address, PATIENCE) as model, asyncio.timeout(PATIENCE):
            reply = await model.complete(asked)
    except (AgentError, TimeoutError) as error:
        rejected = isinstance(error, Rejected)
        do = "mend that first" if rejected else "does it run there, and is the address right?"
        return Finding("fault", address, str(error) or f"no answer in {PATIENCE:g} s", do)
    tokens = "" if reply.tokens_in is not None else ", without counting tokens"
    return Finding("fine", address, f"answered in {reply.seconds:.2f} s{tokens}")
