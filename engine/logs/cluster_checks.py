"""What would go wrong where several machines play one plan: `whoknew doctor --cluster`, given on each of
them, before anything is paid."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from whoknew.engine.logs.findings import Finding
from whoknew.engine.opening import file_of, writing
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.shown_address import without_password
from whoknew.eventlog.stores.workers import Worker

APART = 5.0
"""Seconds by which a clock may be off: a connection takes some of them."""

DOCTOR = "doctor"


async def of_cluster(log: str | None) -> list[Finding]:
    """Say on the log that this machine is there, and look at what the others have said there."""
    return [*await _log(log), *_ray()]


async def _log(log: str | None) -> list[Finding]:
    if log is None or file_of(log) is not None:
        found = f"{log} is a file, which one process plays" if log else "none is named"
        do = "name one on PostgreSQL: --log postgresql://..., or WHOKNEW_LOG on each machine"
        return [Finding("fault", "shared log", found, do)]
    try:
        async with writing(log) as opened:
            assert opened.store.leases is not None, "it is no file"
            there = opened.store.leases.workers
            here = f"{platform.node()} ({DOCTOR})"
            await there.say(here, here, version("whoknew"), plan="", worlds=(), figures=())
            return list(_among(await there.all(), here, without_password(log)))
    except LogError as error:
        do = "every process needs this log: mend that first"
        return [Finding("fault", "shared log", str(error), do)]


def _among(all_workers: list[Worker], here: str, log: str) -> Iterator[Finding]:
    others = [one for one in all_workers if one.name != here and (one.is_there or not one.worlds)]
    yield Finding("fine", "shared log", f"{log} can be written")
    names = ", ".join(one.name for one in others) or "no other yet"
    do = (
        "" if others else "give this command on each machine: each is compared with those before it"
    )
    yield Finding("fine" if others else "note", "machines", names, do)
    mine = version("whoknew")
    if odd := [f"{one.name} has {one.version}" for one in others if one.version != mine]:
        do = "install the same version on each machine"
        yield Finding("fault", "versions", f"{mine} here, but {', '.join(odd)}", do)
    elif others:
        yield Finding("fine", "versions", f"{mine} everywhere")
    clocks = [(one.name, one.ahead) for one in all_workers if one.is_there or not one.worlds]
    if late := [(name, ahead) for name, ahead in clocks if abs(ahead) > APART]:
        told = ", ".join(f"{name} is {_apart(ahead)}" for name, ahead in late)
        do = "set the clocks (NTP): leases go by the database's, but each event says when it was recorded"
        yield Finding("fault", "clocks", f"beside the database's: {told}", do)
    else:
        yield Finding("fine", "clocks", "as the database's")
    plans = {one.plan for one in others if one.plan}
    if len(plans) > 1:
        yield Finding("note", "plans", f"several are being played: {', '.join(sorted(plans))}")


def _apart(ahead: float) -> str:
    return f"{abs(ahead):.0f} s {'ahead' if ahead > 0 else 'behind'}"


def _ray() -> Iterator[Finding]:
    """Only --cluster needs it."""
    if find_spec("ray") is None:
        do = "only --cluster needs it: pip install 'whoknew[cluster]'"
        yield Finding("note", "Ray", "not installed", do)
        return
    yield Finding("fine", "Ray", version("ray"))
    mode = os.environ.get("RAY_AUTH_MODE")
    if mode is not None and mode != "token":
        found = f"RAY_AUTH_MODE is {mode!r}: whoever reaches the cluster can run anything on it"
        yield Finding("fault", "Ray's token", found, "set it to token, on each machine")
    elif mode is None:
        do = "set RAY_AUTH_MODE=token where you give `ray start`; `whoknew run --cluster` sets it"
        yield Finding("note", "Ray's token", "RAY_AUTH_MODE is not set here", do)
    elif not os.environ.get("RAY_AUTH_TOKEN") and not (Path.home() / ".ray/auth_token").exists():
        do = "make one with `ray get-auth-token --generate`, and copy it to each machine"
        yield Finding("fault", "Ray's token", "there is none on this machine", do)
    else:
        yield Finding("fine", "Ray's token", "is asked for")
