"""Others at the same file: a second writer, readers, a backup, while a log is written."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from small_worlds import elsinore, opened, said
from waiting import PATIENCE

from whoknew.engine.logs.rows import found_rows
from whoknew.eventlog import backup, open_log, verify
from whoknew.eventlog.errors import BadAddress, LogInUse, ReadOnly
from whoknew.eventlog.salvage import salvaged


async def test_a_second_writer_is_told_who_the_first_is(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    async with open_log(path) as log:
        await log.append("w", opened("Hamlet"))
        with pytest.raises(
            LogInUse, match=rf"being written by another process \(pid {os.getpid()}"
        ):
            async with open_log(path):
                pass
        await log.append("w", [said("Hamlet", "still mine")])
    async with open_log(path) as log:
        assert (await log.head("w")).seq == 3


async def test_a_link_to_a_log_is_that_log(tmp_path: Path) -> None:
    path, link = tmp_path / "log.db", tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    link.symlink_to("../log.db")
    async with open_log(link) as log:  # which begins it
        await log.append("w", opened("Hamlet"))
    async with open_log(path) as log:
        await log.append("v", [*opened("Hamlet"), *[said("Hamlet", "x" * 1000)] * 100])
        with pytest.raises(LogInUse, match=re.escape(f"{path} is being written")):
            async with open_log(link):
                pass
        async with open_log(link, read_only=True) as reader:
            assert (await reader.head("v")).seq == 102
        with found_rows(str(link)) as found:
            assert found.total == 104
        async with salvaged(str(link), tmp_path / "copy.db") as (_, newest):
            assert newest == {"w": 2, "v": 102}
    assert [one.name for one in link.parent.iterdir()] == ["link.db"]


async def test_a_log_with_two_names_is_read_and_not_written(tmp_path: Path) -> None:
    """What one writes by a name, whoever writes by the other would not see, and lose."""
    path, other = tmp_path / "log.db", tmp_path / "other.db"
    async with open_log(path) as log:
        await log.append("w", opened("Hamlet"))
        other.hardlink_to(path)
        with pytest.raises(BadAddress, match=r"other\.db has a second name"):
            async with open_log(other):
                pass
        await log.append("w", [said("Hamlet", "still mine")])
    async with open_log(path, read_only=True) as log:
        assert (await verify(log)).faults == () and (await log.head("w")).seq == 3
    path.unlink()
    async with open_log(other) as log:
        assert (await log.head("w")).seq == 3


async def test_a_link_that_leads_nowhere_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "round.db").symlink_to("round.db")
    with pytest.raises(BadAddress, match=r"round\.db"):
        async with open_log(tmp_path / "round.db"):
            pass


async def test_a_killed_writer_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    program = [sys.executable, Path(__file__).with_name("appender.py"), path, "sqlite3", "full"]
    with subprocess.Popen(program, stdout=subprocess.PIPE) as writer:
        assert writer.stdout and writer.stdout.readline()
        with pytest.raises(LogInUse, match=str(writer.pid)):
            async with open_log(path):
                pass
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    async with open_log(path) as log:
        assert (await verify(log)).faults == ()


async def test_a_reader_follows_what_another_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    async with open_log(path) as log:
        await log.append("w", opened("Hamlet"))
    program = [sys.executable, Path(__file__).with_name("appender.py"), path, "sqlite3", "full"]
    async with open_log(path) as log:
        for n in range(16):
            await log.append(f"world {n}", opened("Hamlet"))
    with subprocess.Popen(program, stdout=subprocess.DEVNULL) as writer:
        seqs = []
        async with asyncio.timeout(PATIENCE), open_log(path, read_only=True) as reader:
            async for event in reader.follow("world 3"):
                seqs.append(event.seq)
                if len(seqs) == 1000:
                    break
            view = await reader.view("world 3", "Hamlet", "#900")
            assert len(await view.last(500)) == 500
        writer.kill()
    assert seqs == list(range(1, 1001))


async def test_a_log_opened_for_reading_takes_no_append(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    async with open_log(path) as log:
        await elsinore(log)
    async with open_log(path, read_only=True) as log:
        with pytest.raises(ReadOnly, match="open it for writing to append"):
            await log.append("elsinore", [said("Horatio", "No?")])
        with pytest.raises(ReadOnly):
            await log.fork("elsinore", "what-if")


async def test_looking_never_writes(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    async with open_log(path) as log:
        await elsinore(log)
    before = path.read_bytes()
    async with open_log(path, read_only=True) as log:
        view = await log.view("elsinore", "Horatio", "E1.T3")
        await view.recall("ghost")
        (await log.knowledge("elsinore")).trace(7, "Horatio")
        await log.head("elsinore")
        await verify(log)
    assert path.read_bytes() == before


async def test_a_backup_taken_while_writers_run_is_whole(tmp_path: Path) -> None:
    async with open_log(tmp_path / "log.db") as log:
        await asyncio.gather(*(log.append(f"w{n}", opened("Hamlet")) for n in range(8)))
        stop = asyncio.Event()

        async def write(world: str) -> None:
            while not stop.is_set():
                await log.append(world, [said("Hamlet", "words, words, words")])

        async with asyncio.TaskGroup() as group:
            for n in range(8):
                group.create_task(write(f"w{n}"))
            for n in range(3):
                await asyncio.sleep(0.05)
                await backup(log, tmp_path / f"copy{n}.db")
            stop.set()
        for n in range(3):
            async with open_log(tmp_path / f"copy{n}.db") as copy:
                assert (await verify(copy)).faults == ()
                for head in (await verify(copy)).heads:
                    ours = await log.lineage.record(head.world, head.seq)
                    assert ours and ours.hash == head.hash


async def test_a_backup_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "precious.db").write_text("precious")
    async with open_log(tmp_path / "log.db") as log:
        await log.append("w", opened())
        with pytest.raises(BadAddress, match="exists already"):
            await backup(log, tmp_path / "precious.db")
        with pytest.raises(BadAddress, match="there is no folder"):
            await backup(log, tmp_path / "nowhere" / "copy.db")
    assert (tmp_path / "precious.db").read_text() == "precious"
    assert not [one for one in tmp_path.iterdir() if "partial" in one.name]


async def test_a_crowd_of_sleeping_readers_keeps_no_checkpoint_away(tmp_path: Path) -> None:
    """A follower holds a cursor, not a transaction: the write-ahead file does not grow for it."""
    path = tmp_path / "log.db"
    async with open_log(path) as log:
        await log.append("w", opened("Hamlet"))
        async with open_log(path, read_only=True) as reader:
            sleepers = [reader.follow("w") for _ in range(20)]
            for sleeper in sleepers:
                await anext(sleeper)
            for _ in range(60):
                await log.append("w", [said("Hamlet", "x" * 10_000)] * 100)
            ahead = path.with_name("log.db-wal").stat().st_size
            for sleeper in sleepers:
                await sleeper.aclose()
    assert ahead < 45_000_000 < path.stat().st_size
