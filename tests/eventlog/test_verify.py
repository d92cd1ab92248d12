"""What verify says of a sound log, and of one whose rows were tampered with."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from small_worlds import elsinore, opened, said

from whoknew.eventlog import Fault, Log, open_log, verify
from whoknew.eventlog.verify import Verified


async def test_a_sound_log_has_no_faults_and_says_its_heads(log: Log) -> None:
    await elsinore(log)
    await log.fork("elsinore", "what-if", "E1")
    await log.append("what-if", [said("Horatio", "What if?")], key="k")
    found = await verify(log)
    assert found.faults == ()
    assert found.events == 16
    assert found.heads == (await log.head("elsinore"), await log.head("what-if"))


async def test_one_world_is_checked_with_all_of_its_past(log: Log) -> None:
    await elsinore(log)
    await log.fork("elsinore", "f", "E1")
    await log.fork("f", "g", "end")
    await log.append("unrelated", opened())
    found = await verify(log, "g")
    assert [head.world for head in found.heads] == ["elsinore", "f", "g"]


TAMPERED = [
    ("DELETE FROM events WHERE world = 1 AND seq = 6", 6, "it is missing: the next one is #7"),
    ("DELETE FROM events WHERE world = 1 AND seq = 8", 8, "it is missing"),
    ("UPDATE events SET hash = zeroblob(32) WHERE world = 1 AND seq = 3", 3, "its bytes are not"),
    ("UPDATE events SET body = replace(body, 'ghost', 'goose')", 7, "its bytes are not"),
    ("UPDATE events SET landmark = NULL WHERE seq = 5", 5, "wrongly among the landmarks"),
    ("UPDATE events SET key = 'k' WHERE world = 1 AND seq = 4", 4, "under the key 'k'"),
    ("UPDATE worlds SET forked_at = 8 WHERE name = 'what-if'", 9, "it is missing"),
    ("UPDATE worlds SET name = 'elsewhere' WHERE name = 'elsinore'", 1, "it says of itself"),
]


@pytest.mark.parametrize(("sql", "seq", "what"), TAMPERED)
async def test_what_was_tampered_with_is_named(
    tmp_path: Path, sql: str, seq: int, what: str
) -> None:
    found = await tampered(tmp_path, sql)
    [first, *_] = [fault for fault in found.faults if fault.world]
    assert first.seq == seq
    assert what in first.what
    assert str(first).startswith(f"{first.world} #{seq}: ")


async def test_a_later_rewriting_of_the_whole_chain_shows_in_a_head_kept_elsewhere(
    tmp_path: Path,
) -> None:
    """The chain alone cannot show it: so heads are printed, and kept."""
    heads = []
    for text in ("We saw a ghost.", "We saw a goose."):
        async with open_log(tmp_path / f"{text}.db") as log:
            await log.append("w", opened())
            heads.append((await log.head("w")).hash)
    assert heads[0] != heads[1]


async def tampered(folder: Path, sql: str) -> Verified:
    path = folder / "log.db"
    async with open_log(path) as log:
        await elsinore(log)
        await log.fork("elsinore", "what-if", "E1")
    with sqlite3.connect(path) as writer:
        writer.execute(sql)
    writer.close()
    async with open_log(path, read_only=True) as log:
        found = await verify(log)
        assert all(isinstance(fault, Fault) for fault in found.faults)
        return found
