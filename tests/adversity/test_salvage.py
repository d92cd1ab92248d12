"""What can still be read of a damaged file comes out, with a list of what cannot."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from small_worlds import elsinore, said

from whoknew.engine.logs.backup import write_backup
from whoknew.engine.logs.copies import Copied
from whoknew.engine.logs.export import write_export
from whoknew.eventlog import open_log, verify
from whoknew.eventlog.errors import Damaged, NotALog
from whoknew.eventlog.stores import sqlite_pages

PAGE = 8192


async def begun(path: Path) -> None:
    """Some forty pages: two worlds and a fork, side by side, texts that overflow their page."""
    async with open_log(path) as log:
        await elsinore(log)
        await elsinore(log, "another")
        await log.fork("elsinore", "what-if", "E1")
        for turn in range(40):
            for world in ("elsinore", "another", "what-if"):
                long = "x" * (20_000 if turn % 10 == 3 else 1500)
                await log.append(world, [said("Horatio", f"{turn} {long}")])


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "log.db"
    asyncio.run(begun(path))
    return path


def whole_events(path: Path) -> dict[tuple[str, int], str]:
    """What stands in an export, by world and seq: the event's text as it is."""
    _, *lines = path.read_text("utf-8").splitlines()
    found: dict[tuple[str, int], str] = {}
    for line in lines:
        event = json.loads(line)["event"]
        found[event["world"], event["seq"]] = json.dumps(event)
    return found


async def exported(path: Path) -> dict[tuple[str, int], str]:
    target = path.with_name("whole.jsonl")
    target.unlink(missing_ok=True)
    await write_export(str(path), target)
    return whole_events(target)


async def saved(path: Path) -> tuple[dict[tuple[str, int], str], Copied]:
    target = path.with_name("saved.jsonl")
    target.unlink(missing_ok=True)
    copied = await write_export(str(path), target, anyway=True)
    return whole_events(target), copied


def accounted(whole: Any, left: Any, copied: Copied) -> None:
    """All that was saved is as it was, or listed; all that is gone is listed, but a lost end."""
    lost = {name: set[int]() for name, _ in whole}
    for line in copied.lost:
        name, span = line.partition(": ")[0].split(" ", 1)
        first, *last = (int(seq) for seq in span.replace("#", "").split(" to "))
        lost[name] |= set(range(first, (last or [first])[0] + 1))
    for (name, seq), event in left.items():
        assert event == whole[name, seq] or seq in lost[name]
    for name, seq in whole.keys() - left.keys():
        newest = max([at for world, at in left if world == name] + list(lost[name]), default=0)
        assert seq in lost[name] or seq > newest
    assert copied.events == len(left)


async def test_a_file_cut_short_by_one_byte_gives_up_all_but_what_stood_there(
    sound: Path, tmp_path: Path
) -> None:
    path = tmp_path / "log.db"
    shutil.copy(sound, path)
    whole = await exported(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(Damaged, match="--anyway"):
        await write_export(str(path), tmp_path / "refused.jsonl")
    assert not (tmp_path / "refused.jsonl").exists()
    left, copied = await saved(path)
    accounted(whole, left, copied)
    assert len(left) >= len(whole) - 1


async def test_a_file_cut_short_anywhere_gives_up_what_is_left_of_it(
    sound: Path, tmp_path: Path
) -> None:
    path = tmp_path / "log.db"
    shutil.copy(sound, path)
    whole, data = await exported(path), sound.read_bytes()
    counts = []
    lengths = random.Random(5).sample(range(5 * PAGE, len(data)), 20)
    for length in sorted([*lengths, *range(6 * PAGE, len(data), 7 * PAGE)]):
        path.write_bytes(data[:length])
        left, copied = await saved(path)
        accounted(whole, left, copied)
        counts.append(len(left))
    assert counts[-1] > 100 and counts[0] < counts[-1]


async def test_pages_written_over_cost_what_stood_on_them_and_no_more(
    sound: Path, tmp_path: Path
) -> None:
    path = tmp_path / "log.db"
    shutil.copy(sound, path)
    whole, data = await exported(path), sound.read_bytes()
    chance = random.Random(9)
    for page in range(len(data) // PAGE):
        junk = bytearray(data)
        junk[page * PAGE : (page + 1) * PAGE] = chance.randbytes(PAGE)
        path.write_bytes(junk)
        left, copied = await saved(path)
        accounted(whole, left, copied)
        assert len(left) >= len(whole) - 40


async def test_a_backup_of_a_damaged_log_is_a_log_that_can_be_gone_on_with(
    sound: Path, tmp_path: Path
) -> None:
    path, copy = tmp_path / "log.db", tmp_path / "copy.db"
    data = sound.read_bytes()
    for length in (len(data) - 1, len(data) * 3 // 4, len(data) // 2):
        path.write_bytes(data[:length])
        copy.unlink(missing_ok=True)
        copied = await write_backup(str(path), copy, anyway=True)
        assert copied.lost
        async with open_log(copy) as log:
            found = await verify(log)
            assert found.events == copied.events or found.faults
            for world in await log.worlds():
                await log.append(world.name, [said("Horatio", "And on.")])


@pytest.mark.parametrize("length", [PAGE // 2, 2 * PAGE, 20_000, 40_000])
async def test_a_log_of_which_nothing_is_left_is_told_to_be_lost(
    sound: Path, tmp_path: Path, length: int
) -> None:
    path = tmp_path / "cut" / "log.db"
    path.parent.mkdir()
    path.write_bytes(sound.read_bytes()[:length])
    for write in (write_export, write_backup):
        with pytest.raises(Damaged, match="nothing of the log could be read any more"):
            await write(str(path), path.with_name("out"), anyway=True)
        assert not [one for one in path.parent.iterdir() if one.name.startswith("out")]


async def test_what_was_never_a_log_gives_up_nothing(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Not a database. " * 10_000)
    with pytest.raises(NotALog):
        await write_export(str(path), tmp_path / "out.jsonl", anyway=True)
    assert [one.name for one in tmp_path.iterdir()] == ["notes.txt"]


def test_a_row_whose_pages_go_round_in_a_circle_is_left_out(tmp_path: Path) -> None:
    """Of a length that is damaged, too, it would fill the memory."""
    length = 2**40
    least = (PAGE - 12) * 32 // 255 - 23
    here = least + (length - least) % (PAGE - 4)
    here = here if here <= PAGE - 35 else least
    groups = [length >> 7 * n & 0x7F for n in range(5, -1, -1)]
    varint = bytes(group | 0x80 for group in groups[:-1]) + bytes(groups[-1:])
    row = varint + b"\x01" + bytes(here) + (2).to_bytes(4)
    leaf = bytes([13, 0, 0, 0, 1, 0, 0, 0]) + (100).to_bytes(2)
    path = tmp_path / "log.db"
    path.write_bytes(
        bytes(PAGE) + (2).to_bytes(4) + bytes(PAGE - 4) + (leaf.ljust(100, b"\0") + row)
    )
    assert list(sqlite_pages.rows(path)) == []
