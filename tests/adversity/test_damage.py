"""Files that are not what they should be: said clearly, whatever is wrong with them."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_worlds import elsinore
from waiting import PATIENCE

from whoknew.eventlog import Draft, Event, Fault, Log, open_log, verify
from whoknew.eventlog.errors import BadAddress, Damaged, LogError, NewerSchema, NotALog
from whoknew.eventlog.kinds import TellingsSought


async def complaint(path: Path, *, read_only: bool = False) -> LogError:
    with pytest.raises(LogError) as caught:
        async with open_log(path, read_only=read_only) as log:
            for world in await log.worlds():
                async for _ in log.read(world.name):
                    pass
    return caught.value


@pytest.fixture(params=[False, True], ids=["writing", "reading"])
def read_only(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


async def test_a_text_file_is_no_log(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Not a database, though long enough to have a header of one. " * 10)
    error = await complaint(path, read_only=read_only)
    assert isinstance(error, NotALog)
    assert "notes.txt is not a Whoknew log: it is not an SQLite database" in str(error)
    assert path.read_text().startswith("Not a database")


async def test_a_database_of_something_else_is_no_log(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as shop:
        shop.execute("CREATE TABLE orders(id)")
    shop.close()
    before = path.read_bytes()
    error = await complaint(path, read_only=read_only)
    assert isinstance(error, NotALog)
    assert "SQLite database of something else (tables: orders)" in str(error)
    assert path.read_bytes() == before


async def test_an_event_at_the_end_of_all_positions_is_damage(tmp_path: Path) -> None:
    path = await written(tmp_path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE events SET position = ? WHERE position = 3", (2**63 - 1,))
    with pytest.raises(Damaged, match=f"it has an event at {2**63 - 1}"):
        async with open_log(path) as log:
            await elsinore(log, "another")


async def test_a_log_of_a_later_version_is_not_opened(tmp_path: Path, read_only: bool) -> None:
    path = await written(tmp_path)
    with sqlite3.connect(path) as later:
        later.execute("CREATE TABLE later(id)")
        later.execute("PRAGMA user_version = 99")
    later.close()
    error = await complaint(path, read_only=read_only)
    assert isinstance(error, NewerSchema)
    assert "has schema 99; this Whoknew reads up to 2: upgrade to open it" in str(error)


@pytest.mark.parametrize("part", [0.3, 0.5, 0.9])
async def test_a_file_cut_short_is_damaged(tmp_path: Path, part: float, read_only: bool) -> None:
    path = await written(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * part)])
    error = await complaint(path, read_only=read_only)
    assert isinstance(error, Damaged)
    assert "damaged or cut short" in str(error)
    assert "restore a backup" in str(error)


async def test_a_folder_is_no_log(tmp_path: Path, read_only: bool) -> None:
    assert isinstance(await complaint(tmp_path, read_only=read_only), BadAddress)


async def test_a_file_in_no_folder_cannot_be_made(tmp_path: Path) -> None:
    error = await complaint(tmp_path / "nowhere" / "log.db")
    assert isinstance(error, BadAddress)
    assert "there is no folder" in str(error)


async def test_reading_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    assert isinstance(await complaint(path, read_only=True), BadAddress)
    assert not path.exists()


async def test_a_refused_file_is_not_locked(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Not a database. " * 100)
    await complaint(path)
    assert not path.with_name("notes.txt.lock").exists()


# one changed byte


async def written(folder: Path) -> Path:
    path = folder / "log.db"
    async with open_log(path) as log:
        await elsinore(log)
        await log.fork("elsinore", "what-if", "E1")
    return path


async def contents(path: Path) -> dict[str, list[Event]]:
    async with open_log(path, read_only=True) as log:
        return {
            world.name: [event async for event in log.read(world.name)]
            for world in await log.worlds()
        }


async def faults(path: Path) -> tuple[Fault, ...]:
    async with open_log(path, read_only=True) as log:
        return (await verify(log)).faults


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(written(tmp_path_factory.mktemp("sound")))


@example(place=0.0, bit=0)
@given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
@settings(max_examples=150)
async def test_a_flipped_bit_is_found_or_changes_nothing(
    sound: Path, place: float, bit: int
) -> None:
    data = bytearray(sound.read_bytes())
    data[int(place * len(data))] ^= 1 << bit
    path = sound.with_name("flipped.db")
    path.write_bytes(data)
    try:
        if not await faults(path):
            assert await contents(path) == await contents(sound)
    except LogError as error:
        assert "flipped.db" in str(error)


@given(st.data())
@settings(max_examples=60)
async def test_a_changed_event_is_named(sound: Path, data: st.DataObject) -> None:
    """Wherever in its bytes: world and seq of the first wrong one."""
    whole = await contents(sound)
    event = data.draw(st.sampled_from([*whole["elsinore"], whole["what-if"][-1]]))
    async with open_log(sound, read_only=True) as log:
        body = log.codec.encode(event)
    stored = sound.read_bytes()
    assert stored.count(body) == 1
    offset = stored.index(body) + data.draw(st.integers(0, len(body) - 1))
    changed = bytearray(stored)
    changed[offset] ^= 1 << data.draw(st.integers(0, 6))
    path = sound.with_name("changed.db")
    path.write_bytes(changed)
    first = (await faults(path))[0]
    assert (first.world, first.seq) == (event.world, event.seq)


async def test_events_before_a_damaged_one_can_still_be_read(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    shutil.copy(sound, path)
    with sqlite3.connect(path) as writer:
        writer.execute("UPDATE events SET body = 'torn' WHERE world = 1 AND seq = 9")
    writer.close()
    async with open_log(path, read_only=True) as log:
        assert len([event async for event in log.read("elsinore", upto="#8")]) == 8
        with pytest.raises(Damaged, match="not JSON any more"):
            [event async for event in log.read("elsinore")]
        assert str((await verify(log)).faults[0]).startswith("elsinore #9: its bytes are not")


async def test_an_event_without_a_body_is_told_by_all_that_reads_it(
    sound: Path, tmp_path: Path
) -> None:
    path = tmp_path / "log.db"
    shutil.copy(sound, path)
    loosened = (
        "UPDATE sqlite_schema SET sql = replace(replace(sql, 'body TEXT NOT NULL', 'body'), "
        "') STRICT', ')') WHERE name = 'events'"
    )
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA writable_schema = 1")
        database.execute(loosened)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE events SET body = NULL WHERE world = 1 AND seq = 9")
    async with open_log(path, read_only=True) as log:
        store = log.store
        for reading in (
            store.read("elsinore", 0, 20, 20),
            store.records("elsinore", 0, 20, 20),
            store.arrivals((), 100),
            store.page((), 100),
        ):
            with pytest.raises(Damaged, match="an event has no body"):
                await reading
        assert (await verify(log)).faults


async def test_events_that_are_missing_are_said_to_be(sound: Path, tmp_path: Path) -> None:
    """And nothing waits for them for ever."""
    path = tmp_path / "log.db"
    shutil.copy(sound, path)
    with sqlite3.connect(path) as writer:
        writer.execute("DELETE FROM events WHERE world = 1 AND seq IN (7, 8, 9)")
    writer.close()
    async with asyncio.timeout(PATIENCE), open_log(path, read_only=True) as log:
        for looking in (
            log.view("what-if", "Horatio", "#9"),
            log.cursor("elsinore", "@1599-06-01T21:30"),
            log.knowledge("what-if", "#9"),
            events_of(log, "elsinore"),
            events_of(log, "elsinore", backward=True),
        ):
            with pytest.raises(
                Damaged, match=r"#\d+ is missing: see what `whoknew log verify` says"
            ):
                await looking
        assert (await verify(log)).faults[0].seq == 7


@pytest.mark.parametrize(("place", "other"), [(9, 2), (14, 1), (14, 13)])
async def test_an_event_that_says_it_is_another_is_not_read_in_its_place(
    sound: Path, tmp_path: Path, place: int, other: int
) -> None:
    """And nobody who goes by its number reads the same events again for ever."""
    path = tmp_path / "log.db"
    shutil.copy(sound, path)
    with sqlite3.connect(path) as writer:
        body = "SELECT body FROM events WHERE world = 1 AND seq = ?"
        writer.execute(
            f"UPDATE events SET body = ({body}) WHERE world = 1 AND seq = ?", (other, place)
        )
    writer.close()
    async with asyncio.timeout(PATIENCE), open_log(path, read_only=True) as log:
        for looking in (
            events_of(log, "elsinore"),
            events_of(log, "elsinore", backward=True),
            log.view("elsinore", "Horatio"),
        ):
            with pytest.raises(Damaged, match=f"#{place} is missing"):
                await looking


async def test_what_was_found_of_tellings_is_not_read_twice(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    shutil.copy(sound, path)
    async with open_log(path) as log:
        for upto in (3, 6):
            await log.append("elsinore", [Draft(TellingsSought(upto, "rule"))])
    with sqlite3.connect(path) as writer:
        body = "SELECT body FROM events WHERE world = 1 AND seq = 15"
        writer.execute(f"UPDATE events SET body = ({body}) WHERE world = 1 AND seq = 16")
    writer.close()
    async with asyncio.timeout(PATIENCE), open_log(path) as log:
        for looking in (log.fork("elsinore", "another", "E1"), log.knowledge("elsinore", "#14")):
            with pytest.raises(Damaged, match="#15 is there twice"):
                await looking


async def events_of(log: Log, world: str, *, backward: bool = False) -> list[Event]:
    return [event async for event in log.read(world, backward=backward)]
