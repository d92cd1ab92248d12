"""Names put back into exports that this program did not write: as much as an import takes, or none."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from small_worlds import elsinore

from whoknew.engine.logs.anonymise import anonymise
from whoknew.engine.logs.restore import put_back
from whoknew.eventlog import open_log
from whoknew.eventlog.chain import GENESIS, link
from whoknew.eventlog.errors import BadArchive, Damaged


@pytest.fixture
async def hidden(tmp_path: Path) -> Path:
    async with open_log(tmp_path / "log.db") as log:
        await elsinore(log)
        await log.fork("elsinore", "what-if", "E1")
    await anonymise(str(tmp_path / "log.db"), tmp_path / "hidden.jsonl", tmp_path / "key.json")
    return tmp_path / "hidden.jsonl"


async def refused(hidden: Path, lines: list[bytes]) -> str:
    hidden.write_bytes(b"".join(line + b"\n" for line in lines))
    there = sorted(hidden.parent.iterdir())
    with pytest.raises(BadArchive) as caught:
        await put_back(hidden, hidden.with_name("key.json"), hidden.with_name("back.jsonl"))
    assert sorted(hidden.parent.iterdir()) == there
    return str(caught.value)


def chained(events: list[Any]) -> list[bytes]:
    lines, tip = [], GENESIS
    for event in events:
        body = json.dumps(event).encode()
        tip = link(tip, body)
        lines.append(b'{"event":%b,"hash":"%b"}' % (body, tip.hex().encode()))
    return lines


async def test_names_are_not_put_back_into_half_an_export(hidden: Path) -> None:
    lines = hidden.read_bytes().splitlines()
    assert "cut short" in await refused(hidden, lines[:-2])


async def test_names_are_not_put_back_into_events_of_a_world_that_is_not_promised(
    hidden: Path,
) -> None:
    header, *lines = hidden.read_bytes().splitlines()
    told = json.loads(header)
    told["worlds"] = [one for one in told["worlds"] if one["name"] != "what-if"]
    said = await refused(hidden, [json.dumps(told).encode(), *lines])
    assert "which its first line leaves out" in said


@pytest.mark.parametrize("deep", [b'{"worlds":' + b"[" * 100_000, b'{"event":' + b"[" * 100_000])
async def test_names_are_not_put_back_into_what_is_nested_too_deep(
    hidden: Path, deep: bytes
) -> None:
    header, *lines = hidden.read_bytes().splitlines()
    assert "is no export" in await refused(hidden, [deep, *lines])
    assert "line 2" in await refused(hidden, [header, deep])


async def test_names_are_not_put_back_where_a_plan_cannot_be_unpacked(hidden: Path) -> None:
    header, *lines = hidden.read_bytes().splitlines()
    told = json.loads(header)
    events = [json.loads(line)["event"] for line in lines[:2]]
    events[1]["body"] = {"kind": "machinery.planned", "content": "bm90IHppcHBlZA==", "chain": 0}
    events[1]["witnesses"] = []
    name = events[0]["world"]
    told["worlds"] = [{"name": name, "head": 2, "parent": None, "forked_at": 0}]
    said = await refused(hidden, [json.dumps(told).encode(), *chained(events)])
    assert "#2 cannot be rewritten" in said


async def test_names_are_not_put_back_by_a_key_that_makes_one_world_of_two(hidden: Path) -> None:
    key = hidden.with_name("key.json")
    aliases = {"elsinore": "x", "what-if": "x"}
    key.write_text(json.dumps({"aliases": aliases}), "utf-8")
    assert "no log has a world like" in await refused(hidden, hidden.read_bytes().splitlines())


async def test_names_are_not_taken_out_of_a_damaged_log(tmp_path: Path) -> None:
    log = tmp_path / "log.db"
    async with open_log(log) as opened:
        await elsinore(opened)
    with sqlite3.connect(log) as base:
        base.execute("UPDATE events SET body = replace(body, 'Horatio', 'Horatia')")
    base.close()
    with pytest.raises(Damaged, match="nothing was written"):
        await anonymise(str(log), tmp_path / "hidden.jsonl", tmp_path / "key.json")
