"""Several processes that look for tellings in one world at once: nothing stands twice, nothing is
missing."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import AbstractAsyncContextManager
from itertools import product
from pathlib import Path

from child_process import started
from small_worlds import opened, said

from whoknew.engine.travel.tellings import tellings
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import TellingFound, TellingsSought

LOOKER = Path(__file__).parents[2] / "support" / "looker.py"

SMALL = ("rain again", "pass the salt", "it is late", "good soup tonight", "mind the step")
WHO = ("Corvin", "Brannoc", "Isolde", "Tamsin")
WHAT = (
    "buried forty candlesticks",
    "poisoned the chancellor",
    "burnt the granary",
    "forged a will",
)
Pairs = list[tuple[int, int]]


def talk() -> list[Draft]:
    """Ann tells Bob of each crime, who tells Cid of it, with much small talk."""
    drafts = opened("Ann", "Bob", "Cid")
    small = [said("Cid", text, "Ann", "Bob") for text in SMALL]
    for who, what in product(WHO, WHAT):
        crime = f"{who} {what} beneath the chapel at midsummer."
        drafts += [
            *small,
            said("Ann", crime, "Bob"),
            *small,
            said("Bob", f"Listen: {crime}", "Cid"),
        ]
    return drafts


def looker(address: str | Path) -> AbstractAsyncContextManager[Process]:
    return started(sys.executable, LOOKER, address, "w", stdin=PIPE, stdout=PIPE)


async def line(process: Process) -> str:
    assert process.stdout is not None
    return (await process.stdout.readline()).decode().strip()


async def look(process: Process) -> int:
    assert process.stdin is not None
    process.stdin.write(b"\n")
    await process.stdin.drain()
    return int(await line(process))


async def on_record(log: Log) -> tuple[Pairs, list[int]]:
    """Which tellings were written, and up to where they were looked for, each as it stands."""
    events = [event async for event in log.read("w")]
    found = [
        (one.cause or 0, one.body.fact) for one in events if isinstance(one.body, TellingFound)
    ]
    return found, [one.body.upto for one in events if isinstance(one.body, TellingsSought)]


async def alone() -> Pairs:
    """What is found where nobody else looks."""
    async with open_log(":memory:") as log:
        await log.append("w", talk())
        await tellings(log, "w")
        found, _ = await on_record(log)
    assert len(found) > 10
    return found


async def plays(log: Log) -> None:
    for text in SMALL * 6:
        await log.append("w", [said("Ann", text, "Cid")])


async def test_two_processes_look_in_one_database_while_it_is_played(database: str) -> None:
    async with open_log(database) as log, looker(database) as one, looker(database) as other:
        await log.append("w", talk())
        assert [await line(one), await line(other)] == ["open", "open"]
        written, _ = await asyncio.gather(asyncio.gather(look(one), look(other)), plays(log))
        found, sought = await on_record(log)
        assert sum(written) == len(found)
        assert sorted(found) == sorted(await alone())
        assert sought == sorted(set(sought))
        report = await tellings(log, "w")
        assert (report.found, report.taken_back) == (0, 0)


async def test_of_two_processes_at_one_file_the_second_is_told_who_writes_it(
    tmp_path: Path,
) -> None:
    file = tmp_path / "a.db"
    async with open_log(file) as log:
        await log.append("w", talk())
    async with looker(file) as one:
        assert await line(one) == "open"
        async with looker(file) as other:
            assert f"is being written by another process (pid {one.pid})" in await line(other)
        assert await look(one) == len(await alone())
        await one.wait()
    async with looker(file) as again:
        assert await line(again) == "open"
        assert await look(again) == 0
    async with open_log(file) as log:
        found, sought = await on_record(log)
    assert found == await alone()
    assert sought == sorted(set(sought))
