"""Which runs are going on on this machine, and how `whoknew stop` asks one of them to stop."""

from __future__ import annotations

import os
import platform
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec
from msgspec import Struct

from whoknew.engine.command_text import command_text
from whoknew.engine.errors import BeingPlayed, NotRunning, StillRunning
from whoknew.engine.opening import file_of
from whoknew.engine.playing.control import Flight
from whoknew.engine.presence import alive, folder, present
from whoknew.eventlog.shown_address import without_password

STOP, STOP_NOW = signal.SIGUSR1, signal.SIGUSR2
"""How another command asks a run to stop: in order, or at once."""

TELLS = 2.0
"""Seconds after which it is told what a run that is to stop waits for, and then again."""


_numbers = count(1)
"""A server plays several runs at a time."""


class Running(Struct, frozen=True, kw_only=True):
    """A process that plays worlds into a log: a command, or a server one of its runs."""

    pid: int
    log: str
    plan: str
    worlds: tuple[str, ...]
    started: datetime
    by_server: bool = False
    command: str = ""
    """What began it, as it can be given again; empty for a server's."""


_ON_ITS_PAGE = "on the page of its server, or with POST /api/v1/runs/N/stop"


@contextmanager
def announced(
    log: str, plan: str, worlds: tuple[str, ...], *, by_server: bool = False, command: str = ""
) -> Iterator[None]:
    """Say that this process plays these worlds, for as long as it does."""
    one = Running(
        pid=os.getpid(),
        log=absolute(log),
        plan=plan,
        worlds=worlds,
        started=datetime.now(UTC),
        by_server=by_server,
        command=command,
    )
    path = folder() / f"{one.pid}-{next(_numbers)}.json"
    with present(path, one, "this run cannot be seen or stopped by other commands"):
        try:
            yield
        finally:
            with suppress(OSError):
                _waits(one.pid).unlink()


def check_unplayed(log: str, worlds: Sequence[str]) -> None:
    """Refuse what another process here plays already."""
    for one in running():
        there = set(one.worlds)
        clash = [world for world in worlds if world in there]
        if one.log == absolute(log) and clash and one.pid != os.getpid():
            more = f" and {len(clash) - 1} more are" if len(clash) > 1 else " is"
            stop = _ON_ITS_PAGE if one.by_server else command_text("stop", clash[0])
            raise BeingPlayed(
                f"{clash[0]!r}{more} being played already: by process {one.pid} on "
                f"{platform.node()}, since {one.started:%Y-%m-%d %H:%M} UTC, as {one.plan}. Wait for "
                f"it, or stop it: {stop}"
            )


def check_alone(log: str, worlds: Sequence[str]) -> None:
    """A file is written by one process; those that play into a database share what there is to play, by
    leases."""
    if file_of(log) is not None:
        check_unplayed(log, worlds)


def tell_waits(flights: Sequence[Flight]) -> None:
    """Let whoever wants this process to stop know what it waits for."""
    path = _waits(os.getpid())
    with suppress(OSError):
        unnamed = path.with_suffix(".new-waits")
        unnamed.write_bytes(msgspec.json.encode(flights))
        unnamed.replace(path)


def waits_of(one: Running) -> list[Flight]:
    """The calls that a process which is to stop waits for, as far as it has told."""
    try:
        return msgspec.json.decode(_waits(one.pid).read_bytes(), type=list[Flight])
    except (OSError, msgspec.MsgspecError):
        return []


def running() -> list[Running]:
    """Those that are alive, the oldest first."""
    return sorted(alive("*.json", Running), key=lambda one: one.started)


def stop(
    world: str | None,
    log: str | None = None,
    *,
    now: bool = False,
    patience: float = 60.0,
    pause: float = 0.1,
    waiting: Callable[[Running, Sequence[Flight]], None] = lambda one, flights: None,
) -> list[Running]:
    """Ask the runs of a world, or all of them, to stop in order, or `now`, and wait until they
    have; `waiting` is told, once in a while, which calls one still waits for. What a server plays
    is stopped there: a signal would end all that it does."""
    there = running()
    asked = [
        one
        for one in there
        if (world is None or world in one.worlds or world == one.plan)
        and (log is None or absolute(log) == one.log)
    ]
    played = [one for one in asked if one.by_server]
    if played and world is not None:
        raise NotRunning(
            f"no command plays {world!r}, but the server that is process {played[0].pid}: stop it "
            f"{_ON_ITS_PAGE}"
        )
    asked = [one for one in asked if not one.by_server]
    if not asked:
        playing = ", ".join(repr(name) for one in there for name in one.worlds[:3]) or "nothing"
        what = "no run" if world is None else f"no run of {world!r}"
        what += f" into {without_password(log)}" if log else ""
        raise NotRunning(f"{what} is going on here: this machine plays {playing}")
    for one in asked:
        _signal(one, STOP_NOW if now else STOP)
    begun, told = time.monotonic(), 0.0
    while left := _left(asked):
        waited = time.monotonic() - begun
        if waited > patience:
            raise StillRunning("; ".join(_still(one) for one in left))
        if waited > told + TELLS:
            told = waited
            for one in left:
                waiting(one, waits_of(one))
        time.sleep(pause)
    return asked


def _still(one: Running) -> str:
    flights = waits_of(one)
    what = f"{len(flights)} of its calls" if flights else "its turns in flight"
    return (
        f"process {one.pid} still waits for {what}: wait on, or drop them with "
        f"`{command_text('stop', one.worlds[0], now=True)}`; nothing that was answered is lost either way"
    )


def _waits(pid: int) -> Path:
    return folder() / f"{pid}.waits"


def absolute(log: str) -> str:
    """A log's address as it is the same from any folder, without a password in it."""
    return without_password(log) if "://" in log else os.path.realpath(log)


def is_same_log(one: str, other: str) -> bool:
    """Whether two addresses lead to one log, by whatever way: a link, another spelling."""
    first, second = file_of(one), file_of(other)
    if first is None and second is None:
        return absolute(one) == absolute(other) or _database(one) == _database(other)
    if first is None or second is None:
        return False
    there = first.exists() and second.exists()
    return absolute(one) == absolute(other) or (there and first.samefile(second))


def _database(address: str) -> tuple[str, ...]:
    """Which database of which server an address names, whoever asks for it."""
    try:
        found = urlsplit(address)
        host, port = found.hostname or "", found.port
    except ValueError:  # it is none that could be asked
        return (address,)
    more = parse_qs(found.query)
    host = host or more.get("host", [""])[0]
    name = found.path.strip("/") or more.get("dbname", [found.username or ""])[0]
    return "" if host in HERE else host, str(port or more.get("port", ["5432"])[0]), name


HERE = ("localhost", "127.0.0.1", "::1")
"""This machine."""


def _left(asked: list[Running]) -> list[Running]:
    pids = {one.pid for one in running()}
    return [one for one in asked if one.pid in pids]


def _signal(one: Running, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(one.pid, number)
