"""What this machine has and lacks for Whoknew: `whoknew doctor`."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from msgspec import Struct

from whoknew.agents.errors import AgentError, Rejected
from whoknew.agents.models.address import opened
from whoknew.agents.models.model import Message, Request
from whoknew.engine.opening import file_of, writing
from whoknew.worlds.plan import Loaded

RACE_MENDED = (3, 51, 3)
"""SQLite before this can lose a commit when two connections reset the WAL at once; Whoknew writes
and checkpoints through one connection only, so that it does not happen to it."""

LITTLE = 500 * 2**20


class Finding(Struct, frozen=True):
    """`fine`, a `note` that is worth knowing, or a `fault` that something will fail on."""

    state: Literal["fine", "note", "fault"]
    what: str
    found: str
    do: str = ""


async def examine(loaded: Loaded | None = None, log: str | None = None) -> list[Finding]:
    """Look at the machine; with a plan, also at the models that it calls."""
    findings = [*_machine(log)]
    findings += [one async for one in _log(log)]
    findings += [*_keys(), *_extras()]
    if loaded is not None:
        addresses = {seat.model for seat in loaded.plan.agents.values() if seat.agent == "mind"}
        findings += [await _model(one) for one in sorted(addresses)]
    return findings


def _machine(log: str | None) -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding("fine", "Python", version)
    mended = sqlite3.sqlite_version_info >= RACE_MENDED
    yield Finding(
        "fine",
        "SQLite",
        sqlite3.sqlite_version + ("" if mended else ", with the WAL-reset race"),
        ""
        if mended
        else "it does not touch logs that Whoknew alone writes; `pip install apsw` brings a newer one",
    )
    folder = _folder(log)
    if not folder.is_dir():
        yield Finding("fault", "folder", f"{folder} is not there", "make it, or name another log")
        return
    free = shutil.disk_usage(folder).free
    yield Finding(
        "fine" if free > LITTLE else "fault",
        "disk",
        f"{free / 2**30:,.1f} GiB free at {folder}",
        ""
        if free > LITTLE
        else "make room: appends stop when the disk is full, and nothing is lost",
    )
    now = datetime.now(UTC)
    right = now.year >= 2025
    yield Finding(
        "fine" if right else "fault",
        "clock",
        f"{now:%Y-%m-%d %H:%M} UTC",
        "" if right else "set it: every event says when it was recorded",
    )


async def _log(log: str | None) -> AsyncIterator[Finding]:
    """Whether a log can be written here; one that is there already is not touched."""
    if log and ("://" in log or (file := file_of(log)) is None or not file.exists()):
        try:
            if "://" in log:
                async with writing(log):
                    yield Finding("fine", "log", f"{log.partition('://')[0]} can be reached")
                return
        except Exception as error:  # noqa: BLE001  (whatever it is, it is what is found)
            yield Finding("fault", "log", str(error), "check the address and that the server runs")
            return
    folder = _folder(log)
    try:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            async with writing(str(Path(place) / "log.db")):
                pass
        yield Finding("fine", "log", f"can be written in {folder}")
    except OSError as error:
        what = f"cannot be written in {folder}: {error.strerror}"
        yield Finding("fault", "log", what, "go to a folder of your own")


def _folder(log: str | None) -> Path:
    return Path(log).absolute().parent if log and "://" not in log else Path()


def _keys() -> Iterator[Finding]:
    """Keys are never shown, only that they are there."""
    for scheme, variables in (
        ("openai:", ("OPENAI_API_KEY",)),
        ("gemini:", ("GEMINI_API_KEY", "GOOGLE_API_KEY")),
        ("http://", ("WHOKNEW_HTTP_KEY",)),
    ):
        held = [name for name in variables if os.environ.get(name)]
        if held:
            yield Finding("fine", f"{scheme} key", f"{held[0]} is set")
        elif scheme == "http://":
            yield Finding("note", f"{scheme} key", "none", "most local servers need none")
        else:
            yield Finding(
                "note", f"{scheme} key", "none", f"to use it, set {' or '.join(variables)}"
            )


def _extras() -> Iterator[Finding]:
    for module, extra, good in (
        ("apsw", "fast", "a newer SQLite"),
        ("asyncpg", "postgres", "logs on PostgreSQL"),
    ):
        if find_spec(module):
            yield Finding("fine", module, "installed")
        else:
            do = f"for {good}: pip install 'whoknew[{extra}]'"
            yield Finding("note", module, "not installed", do)


async def _model(address: str) -> Finding:
    """Ask a model for one word."""
    asked = Request("doctor", (Message("user", "Answer with the word yes."),))
    try:
        async with opened(address, 20.0) as model, asyncio.timeout(25):
            reply = await model.complete(asked)
    except (AgentError, TimeoutError) as error:
        do = (
            "mend that first"
            if isinstance(error, Rejected)
            else "is it running, and the address right?"
        )
        return Finding("fault", address, str(error) or "no answer within 25 seconds", do)
    tokens = "" if reply.tokens_in is not None else ", without counting tokens"
    return Finding("fine", address, f"answered in {reply.seconds:.2f} s{tokens}")
