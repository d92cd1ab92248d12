"""A disk that is full, or fails, at any write: what was acknowledged stays, and appends go on."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import pytest
from adversity.failing_disk import Disk, failing_disk
from command_runner import run
from lamp_exams import lamp_exam
from small_worlds import opened, said

from whoknew.engine.opening import reading, reading_begun
from whoknew.eventlog import Draft, Log, backup, export_log, open_log, verify
from whoknew.eventlog.errors import BadAddress, NotBegun, OutOfSpace, ReadOnly, StoreUnavailable
from whoknew.eventlog.kinds import Narrated
from whoknew.eventlog.stores import sqlite_connection
from whoknew.eventlog.stores.sqlite import SqliteStore

LONG = "x" * 5000
"""So that a commit takes several pages."""


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    with failing_disk(monkeypatch) as disk:
        yield disk


def log_on(folder: Path) -> Log:
    return Log(SqliteStore(folder / "log.db", driver="apsw"))


@pytest.mark.parametrize(
    ("error", "told"),
    [(apsw.SQLITE_FULL, OutOfSpace), (apsw.SQLITE_IOERR_WRITE, StoreUnavailable)],
)
async def test_a_commit_can_fail_at_any_write_and_the_log_goes_on(
    tmp_path: Path, disk: Disk, error: int, told: type[Exception]
) -> None:
    disk.error, disk.syncs_too = error, True
    async with log_on(tmp_path) as log:
        await log.append("w", opened("Hamlet"))
        acknowledged = 2
        for left in range(12):
            disk.left = left
            try:
                appended = await log.append("w", [said("Hamlet", f"{left}{LONG}")] * 3)
                acknowledged = appended.last
            except told:
                pass
            disk.left = None
            appended = await log.append("w", [said("Hamlet", "space again")])
            assert appended.first == acknowledged + 1
            acknowledged = appended.last
        assert (await verify(log)).faults == ()
    async with log_on(tmp_path) as log:
        assert (await log.head("w")).seq == acknowledged
        assert (await verify(log)).faults == ()


async def test_a_full_disk_refuses_all_that_stand_on_what_it_refused(
    tmp_path: Path, disk: Disk
) -> None:
    async with log_on(tmp_path) as log:
        await log.append("w", opened("Hamlet"))
        disk.left = 0
        tries = (log.append("w", [said("Hamlet", f"{n}")]) for n in range(200))
        outcomes = await asyncio.gather(*tries, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {OutOfSpace}
        with pytest.raises(OutOfSpace, match=r"no space left .* on the log; make room"):
            await log.append("w", [said("Hamlet", "still full")])
        assert (await log.head("w")).seq == 2
        disk.left = None
        assert (await log.append("w", [said("Hamlet", "at last")])).last == 3


async def test_a_world_that_a_full_disk_refused_can_be_opened_later(
    tmp_path: Path, disk: Disk
) -> None:
    async with log_on(tmp_path) as log:
        await log.append("v", opened("Hamlet"))
        disk.left = 0
        with pytest.raises(OutOfSpace):
            await log.append("w", opened("Hamlet"))
        with pytest.raises(OutOfSpace):
            await log.fork("v", "u")
        disk.left = None
        assert [world.name for world in await log.worlds()] == ["v"]
        await log.append("w", opened("Hamlet"))
        await log.fork("v", "u")
        assert [world.name for world in await log.worlds()] == ["v", "w", "u"]


async def test_a_key_whose_append_failed_can_be_used_again(tmp_path: Path, disk: Disk) -> None:
    async with log_on(tmp_path) as log:
        await log.append("w", opened("Hamlet"))
        disk.left = 0
        with pytest.raises(OutOfSpace):
            await log.append("w", [said("Hamlet", "once")], key="k")
        disk.left = None
        first = await log.append("w", [said("Hamlet", "once")], key="k")
        assert await log.append("w", [said("Hamlet", "once")], key="k") == first


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system with room for 2 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mounting, capture_output=True, check=False).returncode:
        pytest.skip("a small file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.parametrize("driver", ["sqlite3", "apsw"])
async def test_a_disk_that_is_really_full_loses_nothing(small_disk: Path, driver: str) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(1_000_000))
    store = SqliteStore(small_disk / "log.db", driver=driver)  # type: ignore[arg-type]
    async with Log(store) as log:
        await log.append("w", opened())
        last = await append_until_full(log)
        assert (await log.head("w")).seq == last
        ballast.unlink()
        assert (await log.append("w", [Draft(Narrated("room again"))])).first == last + 1
        assert (await verify(log)).faults == ()


async def test_a_backup_onto_a_full_disk_is_told_by_its_name_and_leaves_nothing(
    small_disk: Path,
) -> None:
    async with open_log(":memory:") as log:
        await log.append("w", [*opened(), *(Draft(Narrated(LONG)) for _ in range(1000))])
        with pytest.raises(OutOfSpace, match=r"no space left for .*/copy\.db: make room"):
            await backup(log, small_disk / "copy.db")
    assert not any(small_disk.iterdir())


@pytest.mark.parametrize("replaced", [False, True])
async def test_a_log_that_is_moved_away_takes_nothing_until_it_is_back(
    tmp_path: Path, replaced: bool
) -> None:
    """A run wrote on into what had no name any more, and said that it was finished."""
    path, away = tmp_path / "log.db", tmp_path / "away.db"
    async with open_log(path) as log:
        await log.append("w", opened())
        path.rename(away)
        if replaced:
            path.write_bytes(b"another")
        with pytest.raises(StoreUnavailable, match="removed, or moved away"):
            await log.append("w", [Draft(Narrated("into nowhere"))])
        away.replace(path)
        last = (await log.append("w", [Draft(Narrated("here"))])).last
        assert last == len(opened()) + 1
    async with open_log(path, read_only=True) as log:
        assert (await log.head("w")).seq == last and (await verify(log)).faults == ()


async def append_until_full(log: Log) -> int:
    last = 1
    with pytest.raises(OutOfSpace):
        while True:
            last = (await log.append("w", [Draft(Narrated(LONG))])).last
    return last


LIMITED = """
import asyncio, resource, signal, sys
from pathlib import Path
from small_worlds import opened
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.errors import StoreUnavailable
from whoknew.eventlog.kinds import Narrated
from whoknew.eventlog.stores import sqlite_connection
from whoknew.eventlog.stores.sqlite import SqliteStore

async def main(path):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    refused = 0
    async with Log(SqliteStore(Path(path), driver="sqlite3")) as log:
        last = (await log.append("w", opened())).last
        for room in range(60_000, 400_000, 7_777):
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
            try:
                while True:
                    last = (await log.append("w", [Draft(Narrated("x" * 3000))] * 3)).last
            except StoreUnavailable:
                refused += 1
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
            assert (await log.head("w")).seq == last
    print(refused, last)

asyncio.run(main(sys.argv[1]))
"""


async def test_files_that_may_grow_no_further_lose_nothing(tmp_path: Path) -> None:
    """The standard library's driver, failing in the middle of a write, wherever that is."""
    if resource.getrlimit(resource.RLIMIT_FSIZE)[1] != resource.RLIM_INFINITY:
        pytest.skip("this process may not write files of any size itself")
    path = tmp_path / "log.db"
    tests = str(Path(__file__).parents[1] / "support")
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", LIMITED, path],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": tests},
    )
    assert done.returncode == 0, done.stderr
    refused, last = map(int, done.stdout.split())
    assert refused == 44
    async with open_log(path) as log:
        assert (await log.head("w")).seq == last
        assert (await verify(log)).faults == ()


def fill(folder: Path) -> Path:
    """A file that leaves no byte of room."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    return ballast


@pytest.mark.parametrize("driver", ["sqlite3", "apsw"])
async def test_a_log_that_a_full_disk_refused_can_be_opened_once_there_is_room(
    small_disk: Path, driver: str
) -> None:
    ballast = fill(small_disk)
    for _ in range(3):
        with pytest.raises(OutOfSpace):
            async with Log(SqliteStore(small_disk / "log.db", driver=driver)) as log:  # type: ignore[arg-type]
                await log.append("w", opened())
    ballast.unlink()
    async with Log(SqliteStore(small_disk / "log.db", driver=driver)) as log:  # type: ignore[arg-type]
        assert (await log.append("w", opened())).last == 1


async def test_a_log_on_a_full_disk_is_opened_and_refuses_what_is_appended(
    small_disk: Path,
) -> None:
    async with open_log(small_disk / "log.db") as log:
        await log.append("w", opened("Hamlet"))
    ballast = fill(small_disk)
    for _ in range(2):
        with pytest.raises(OutOfSpace):
            async with open_log(small_disk / "log.db") as log:
                await log.append("w", [said("Hamlet", LONG)])
    ballast.unlink()
    async with open_log(small_disk / "log.db") as log:
        assert (await log.append("w", [said("Hamlet", "room")])).last == 3


async def test_what_cannot_be_written_out_is_an_error_of_the_log_and_leaves_no_file(
    small_disk: Path, tmp_path: Path
) -> None:
    async with open_log(tmp_path / "log.db") as log:
        await log.append("w", opened("Hamlet"))
        await log.append("w", [said("Hamlet", LONG)] * 20)
        fill(small_disk)
        for write in (export_log, backup):
            with pytest.raises(OutOfSpace, match="copy"):
                await write(log, small_disk / "copy")
    assert [one.name for one in small_disk.iterdir()] == ["ballast"]


@pytest.mark.parametrize("driver", ["sqlite3", "apsw"])
async def test_a_read_only_disk_is_said_to_be_one(small_disk: Path, driver: str) -> None:
    async with open_log(small_disk / "log.db") as log:
        await log.append("w", opened("Hamlet"))
    remounting = ["mount", "-o", "remount,ro", str(small_disk)]
    subprocess.run(remounting, check=True)
    for path in (small_disk / "log.db", small_disk / "new.db"):
        with pytest.raises(ReadOnly, match=path.name):
            async with Log(SqliteStore(path, driver=driver)):  # type: ignore[arg-type]
                pass
    store = SqliteStore(small_disk / "log.db", read_only=True, driver=driver)  # type: ignore[arg-type]
    async with Log(store) as log:
        assert (await log.head("w")).seq == 2
        with pytest.raises(ReadOnly, match="copy"):
            await export_log(log, small_disk / "copy")


@pytest.mark.parametrize("driver", ["sqlite3", "apsw"])
async def test_a_log_on_a_read_only_disk_that_was_left_open_is_to_be_copied(
    small_disk: Path, tmp_path: Path, driver: str
) -> None:
    async with open_log(tmp_path / "log.db") as log:
        await log.append("w", opened("Hamlet"))
        for name in ("log.db", "log.db-wal"):
            shutil.copy(tmp_path / name, small_disk)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    store = SqliteStore(small_disk / "log.db", read_only=True, driver=driver)  # type: ignore[arg-type]
    with pytest.raises(BadAddress, match=r"copy it, with log\.db-wal, to a folder"):
        async with Log(store):
            pass


async def blank(path: Path, driver: str) -> None:
    """What somebody leaves who begins a log, and is killed before its tables are there."""
    connection = sqlite_connection.connect(path, driver, read_only=False)  # type: ignore[arg-type]
    connection.execute("PRAGMA page_size = 8192")
    connection.execute(f"PRAGMA application_id = {sqlite_connection.APPLICATION_ID}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()


@pytest.mark.parametrize("driver", ["sqlite3", "apsw"])
@pytest.mark.parametrize("left", ["nothing", "a header"])
async def test_a_log_whose_beginning_was_broken_off_is_none_yet_and_is_begun_anew(
    tmp_path: Path, driver: str, left: str
) -> None:
    path = tmp_path / "log.db"
    path.touch()
    if left == "a header":
        await blank(path, driver)
    async with reading_begun(str(path)) as nothing:
        assert nothing is None
    with pytest.raises(NotBegun, match="holds no log yet"):
        async with reading(str(path)):
            pass
    async with Log(SqliteStore(path, driver=driver)) as log:  # type: ignore[arg-type]
        assert (await log.append("w", opened())).last == 1
    async with reading_begun(str(path)) as found, reading_begun(str(tmp_path / "no.db")) as none:
        assert found is not None and none is None


def test_an_exam_goes_on_whose_log_was_broken_off_as_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = lamp_exam(tmp_path)
    asyncio.run(blank(tmp_path / "lamps.db", "sqlite3"))
    for verb in (("check",), ("run", "--dry-run"), ("run",), ("report",)):
        run("exam", verb[0], path, *verb[1:])
