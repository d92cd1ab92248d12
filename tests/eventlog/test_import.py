"""An import takes what a sound log could have written, or nothing."""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_worlds import elsinore, said

from whoknew.eventlog import Log, export_log, import_log, open_log, verify
from whoknew.eventlog.chain import GENESIS, link
from whoknew.eventlog.errors import BadArchive, Damaged, Refused
from whoknew.eventlog.event import Draft
from whoknew.eventlog.kinds import WorldForked

Content = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""The worlds of an export, and its events."""


async def furnished(log: Log) -> None:
    await elsinore(log)
    await log.fork("elsinore", "what-if", "E1")
    await log.append("what-if", [said("Horatio", "What if?"), said("Horatio", "…")], key="k")
    await log.fork("what-if", "deeper")
    await log.append("deeper", [said("Horatio", "Deeper.", about=[7])], key="k")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exported") / "log.jsonl"

    async def write() -> None:
        async with open_log(":memory:") as log:
            await furnished(log)
            await export_log(log, path)

    asyncio.run(write())
    return path


def content(path: Path) -> Content:
    header, *lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return header["worlds"], [line["event"] for line in lines]


def chained(found: Content, path: Path) -> Path:
    """Written as an export whose hashes fit, whatever it holds."""
    worlds, events = found
    header = {"whoknew_export": 1, "worlds": worlds}
    tips: dict[Any, bytes] = {}
    hashes: dict[Any, bytes] = {}
    origins = {str(one["name"]): (str(one["parent"]), str(one["forked_at"])) for one in worlds}
    lines = [json.dumps(header)]
    for event in events:
        body = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
        name = str(event.get("world"))
        previous = tips.get(name) or hashes.get(origins.get(name), GENESIS)
        tips[name] = hashes[name, str(event.get("seq"))] = link(previous, body)
        lines.append(f'{{"event":{body.decode()},"hash":"{tips[name].hex()}"}}')
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


async def outcome(path: Path) -> str | None:
    """Why it was refused, whole; nothing where it is in the log, and sound."""
    async with open_log(":memory:") as log:
        try:
            await import_log(log, path)
        except BadArchive as error:
            assert await log.worlds() == []
            return str(error)
        assert (await verify(log)).faults == ()
        for world in await log.worlds():
            assert len([event async for event in log.read(world.name)]) == world.head
        return None


def world(found: Content, name: str) -> dict[str, Any]:
    return next(one for one in found[0] if one["name"] == name)


def event(found: Content, name: str, seq: int) -> dict[str, Any]:
    return next(one for one in found[1] if (one["world"], one["seq"]) == (name, seq))


def cyclic(found: Content) -> None:
    """Two worlds, each forked from the other: an event each."""
    at = {"at": "1599-06-01T21:00:00", "recorded": "2026-11-20T20:00:00Z"}
    found[0][:] = [
        {"name": "A", "head": 2, "parent": "B", "forked_at": 1},
        {"name": "B", "head": 2, "parent": "A", "forked_at": 1},
    ]
    found[1][:] = [
        {"world": a, "seq": 2, **at, "body": {"kind": "world.forked", "parent": b, "seq": 1}}
        for a, b in ("AB", "BA")
    ]


def forked_from_itself(found: Content) -> None:
    world(found, "deeper")["parent"] = "deeper"


def forked_past_its_parents_head(found: Content) -> None:
    world(found, "elsinore")["head"] = 3
    found[1][:] = [one for one in found[1] if one["world"] != "elsinore" or one["seq"] <= 3]


def before_its_parent(found: Content) -> None:
    found[1].sort(key=lambda one: one["world"] == "elsinore")


def without_events(found: Content) -> None:
    found[0].append({"name": "empty", "head": 0, "parent": None, "forked_at": 0})


def twice_the_same_world(found: Content) -> None:
    found[0].append(world(found, "elsinore"))


def no_name(found: Content) -> None:
    found[0][0]["name"] = "  "


def missing_a_seq(found: Content) -> None:
    found[1].remove(event(found, "elsinore", 6))


def time_that_runs_back(found: Content) -> None:
    event(found, "elsinore", 12)["at"] = "1500-01-01T00:00:00"


def time_that_runs_back_over_the_seam(found: Content) -> None:
    for one in found[1]:
        if one["world"] == "deeper":
            one["at"] = "1500-01-01T00:00:00"


def recorded_before(found: Content) -> None:
    event(found, "elsinore", 12)["recorded"] = "1999-01-01T00:00:00Z"


def recorded_without_a_zone(found: Content) -> None:
    event(found, "elsinore", 14)["recorded"] = "2999-01-01T00:00:00"


def story_time_with_a_zone(found: Content) -> None:
    event(found, "elsinore", 14)["at"] = "2999-01-01T00:00:00Z"


def a_stranger_who_witnesses(found: Content) -> None:
    event(found, "elsinore", 8)["witnesses"].append("Nobody")


def a_stranger_who_acts(found: Content) -> None:
    event(found, "elsinore", 8)["actor"] = "Nobody"


def about_the_future(found: Content) -> None:
    event(found, "elsinore", 8)["about"] = [9]


def somebody_added_twice(found: Content) -> None:
    event(found, "elsinore", 4)["body"]["name"] = "Horatio"


def a_key_used_twice(found: Content) -> None:
    event(found, "elsinore", 3)["key"] = event(found, "elsinore", 9)["key"] = "again"


def a_fork_that_says_otherwise(found: Content) -> None:
    event(found, "what-if", 10)["body"]["seq"] = 4


def a_root_that_says_it_is_a_fork(found: Content) -> None:
    event(found, "elsinore", 1)["body"] = {"kind": "world.forked", "parent": "x", "seq": 1}


IMPOSSIBLE: list[Callable[[Content], None]] = [
    cyclic,
    forked_from_itself,
    forked_past_its_parents_head,
    before_its_parent,
    without_events,
    twice_the_same_world,
    no_name,
    missing_a_seq,
    time_that_runs_back,
    time_that_runs_back_over_the_seam,
    recorded_before,
    recorded_without_a_zone,
    story_time_with_a_zone,
    a_stranger_who_witnesses,
    a_stranger_who_acts,
    about_the_future,
    somebody_added_twice,
    a_key_used_twice,
    a_fork_that_says_otherwise,
    a_root_that_says_it_is_a_fork,
]


async def test_an_export_that_is_chained_anew_as_it_is_is_imported(
    exported: Path, tmp_path: Path
) -> None:
    assert await outcome(chained(content(exported), tmp_path / "same.jsonl")) is None


@pytest.mark.parametrize("spoil", IMPOSSIBLE)
async def test_what_no_sound_log_could_have_written_is_refused_whole(
    exported: Path, tmp_path: Path, spoil: Callable[[Content], None]
) -> None:
    found = content(exported)
    spoil(found)
    assert await outcome(chained(found, tmp_path / "spoilt.jsonl"))


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([-1, 0, 1, 2, 9, 10, 2**31, 2**63, 2**70, 1e300]),
    st.sampled_from(
        ["", " ", "elsinore", "what-if", "deeper", "Horatio", "k", "\u0000", "x" * 300]
    ),
    st.sampled_from(["1599-06-01T21:00:00", "1999-01-01T00:00:00Z", "2999-01-01T00:00:00Z"]),
    st.sampled_from([[], {}, [1], [13], ["Horatio", "Horatio"], {"kind": "world.opened"}]),
)


def mutate(data: st.DataObject, found: Content) -> None:
    """One field of one world or event is another, or one of them is gone, doubled or moved."""
    part = found[data.draw(st.sampled_from([0, 1, 1]))]
    at = data.draw(st.integers(0, len(part) - 1))
    match data.draw(st.sampled_from(["set", "set", "set", "drop", "copy", "swap", "body"])):
        case "set":
            fields = [*part[at], "key", "about", "cause", "actor", "witnesses"]
            part[at][data.draw(st.sampled_from(fields))] = data.draw(VALUES)
        case "body" if part is found[1] and isinstance(part[at].get("body"), dict):
            body = part[at]["body"]
            body[data.draw(st.sampled_from([*body, "name", "parent", "seq"]))] = data.draw(VALUES)
        case "drop" if len(part) > 1:
            del part[at]
        case "copy":
            part.insert(data.draw(st.integers(0, len(part))), deepcopy(part[at]))
        case _:
            other = data.draw(st.integers(0, len(part) - 1))
            part[at], part[other] = part[other], part[at]


@given(st.data(), st.integers(1, 3))
@settings(max_examples=150)
async def test_a_changed_export_is_imported_and_sound_or_refused_whole(
    exported: Path, data: st.DataObject, times: int
) -> None:
    found = content(exported)
    for _ in range(times):
        mutate(data, found)
    await outcome(chained(found, exported.with_name("mutated.jsonl")))


@given(st.data())
@settings(max_examples=100)
async def test_an_export_with_other_bytes_is_imported_and_sound_or_refused_whole(
    exported: Path, data: st.DataObject
) -> None:
    whole = bytearray(exported.read_bytes())
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= data.draw(st.integers(1, 255))
    path = exported.with_name("flipped.jsonl")
    path.write_bytes(whole)
    said = await outcome(path)
    assert said is None or "later version" not in said


@given(st.data())
@settings(max_examples=60)
async def test_a_gzip_with_other_bytes_is_imported_and_sound_or_refused_whole(
    exported: Path, data: st.DataObject
) -> None:
    whole = bytearray(gzip.compress(exported.read_bytes()))
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= data.draw(st.integers(1, 255))
    path = exported.with_name("flipped.jsonl.gz")
    path.write_bytes(whole)
    await outcome(path)


async def test_forks_of_each_other_that_are_in_a_log_already_are_named_as_damage(
    tmp_path: Path,
) -> None:
    """As an earlier version took them in."""
    async with open_log(tmp_path / "log.db") as log:
        await furnished(log)
    with closing(sqlite3.connect(tmp_path / "log.db")) as database, database:
        database.execute("UPDATE worlds SET parent = 'deeper', forked_at = 8 WHERE id = 2")
    async with open_log(tmp_path / "log.db", read_only=True) as log:
        assert len(await log.worlds()) == 3
        assert {fault.world for fault in (await verify(log)).faults} == {"what-if", "deeper"}
        with pytest.raises(Damaged, match="is forked from"):
            [one async for one in log.read("what-if")]


async def test_a_fork_from_nothing_is_damage(tmp_path: Path) -> None:
    async with open_log(tmp_path / "log.db") as log:
        await furnished(log)
    with closing(sqlite3.connect(tmp_path / "log.db")) as database, database:
        database.execute("UPDATE worlds SET parent = NULL WHERE name = 'what-if'")
    async with open_log(tmp_path / "log.db") as log:
        for world in ("what-if", "deeper"):
            with pytest.raises(Damaged, match="'what-if' #1 is missing"):
                await log.fork(world, "another", "#2")
            assert (await verify(log, world)).faults


@pytest.mark.parametrize("line", [0, 1])
async def test_a_line_that_is_nested_without_an_end_is_refused(
    exported: Path, tmp_path: Path, line: int
) -> None:
    lines = exported.read_bytes().splitlines()
    lines[line] = b'{"a":' * 100_000
    path = tmp_path / "nested.jsonl"
    path.write_bytes(b"\n".join(lines))
    async with open_log(":memory:") as log:
        with pytest.raises(BadArchive, match="nested"):
            await import_log(log, path)
        assert await log.worlds() == []


@pytest.mark.parametrize("ends", [b"", b"\n"])
async def test_a_line_that_has_no_end_is_not_read_to_it(
    exported: Path, tmp_path: Path, ends: bytes
) -> None:
    """A few kilobytes can be unzipped to more than any memory holds."""
    header = exported.read_bytes().splitlines()[0]
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(header + b"\n")
        for _ in range(65):
            file.write(b" " * 2**20)
        file.write(ends)
    async with open_log(":memory:") as log:
        with pytest.raises(BadArchive, match="line 2: it is longer than any event"):
            await import_log(log, path)


async def test_only_forking_makes_a_fork(log: Log) -> None:
    await elsinore(log)
    with pytest.raises(Refused, match="only `fork`"):
        await log.append("elsinore", [Draft(WorldForked("elsinore", 3))])
