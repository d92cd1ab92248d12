"""Exports, imports and backups: lossless, between all stores, and careful."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from small_worlds import elsinore, opened, said
from store_places import Place, log_at

from whoknew.eventlog import Log, backup, export_log, import_log, open_log, verify
from whoknew.eventlog.archive import exporting
from whoknew.eventlog.errors import BadAddress, BadArchive, NoSuchWorld, OtherHistory


async def furnished(log: Log) -> None:
    """Two worlds, a fork, a fork of it made before its own seam, keys."""
    await elsinore(log)
    await log.fork("elsinore", "what-if", "E1")
    await log.append("what-if", [said("Horatio", "What if?"), said("Horatio", "…")], key="k")
    await log.append("what-if", [said("Horatio", "☠")], key="l")
    await log.fork("what-if", "early", "#4")
    await log.append("early", [said("Horatio", "Earlier.")])
    await elsinore(log, "another")


async def heads(log: Log) -> dict[str, tuple[int, bytes]]:
    found = [await log.head(world.name) for world in await log.worlds()]
    return {head.world: (head.seq, head.hash) for head in found}


@pytest.mark.parametrize("name", ["log.jsonl", "log.jsonl.gz"])
async def test_all_comes_back_hash_for_hash(log: Log, tmp_path: Path, name: str) -> None:
    await furnished(log)
    await export_log(log, tmp_path / name)
    async with open_log(":memory:") as other:
        imported = await import_log(other, tmp_path / name)
        assert (imported.events, imported.already) == (14 + 1 + 3 + 1 + 1 + 14, 0)
        assert await heads(other) == await heads(log)
        assert (await verify(other)).faults == ()
        again = await other.append(
            "what-if", [said("Horatio", "What if?"), said("Horatio", "…")], key="k"
        )
        assert (again.first, again.last) == (11, 12)


async def test_an_import_goes_into_any_store(place: Place, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    async with open_log(":memory:") as log:
        await furnished(log)
        await export_log(log, path)
        async with log_at(place) as other:
            await import_log(other, path)
            assert await heads(other) == await heads(log)
            assert (await verify(other)).faults == ()
            await other.append("early", [said("Horatio", "And on.")])


@pytest.mark.parametrize("world", ["elsinore", "what-if", "early"])
async def test_one_world_is_exported_with_what_it_shares(
    log: Log, tmp_path: Path, world: str
) -> None:
    await furnished(log)
    await export_log(log, tmp_path / "one.jsonl", world)
    async with open_log(":memory:") as other:
        await import_log(other, tmp_path / "one.jsonl")
        assert (await heads(other))[world] == (await heads(log))[world]
        assert "another" not in await heads(other)
        ours = [event async for event in log.read(world)]
        assert [event async for event in other.read(world)] == ours


async def test_a_partial_parent_is_filled_up_by_a_later_import(log: Log, tmp_path: Path) -> None:
    await furnished(log)
    await export_log(log, tmp_path / "one.jsonl", "what-if")
    await export_log(log, tmp_path / "all.jsonl")
    async with open_log(":memory:") as other:
        await import_log(other, tmp_path / "one.jsonl")
        assert (await other.head("elsinore")).seq == 9
        await import_log(other, tmp_path / "all.jsonl")
        assert await heads(other) == await heads(log)


async def test_importing_again_writes_nothing_and_a_longer_one_goes_on(
    log: Log, tmp_path: Path
) -> None:
    await elsinore(log)
    await export_log(log, tmp_path / "short.jsonl")
    await log.append("elsinore", [said("Horatio", "More.")])
    await export_log(log, tmp_path / "long.jsonl")
    async with open_log(":memory:") as other:
        await import_log(other, tmp_path / "short.jsonl")
        again = await import_log(other, tmp_path / "short.jsonl")
        assert (again.events, again.already) == (0, 14)
        longer = await import_log(other, tmp_path / "long.jsonl")
        assert (longer.events, longer.already) == (1, 14)
        assert (await import_log(other, tmp_path / "short.jsonl")).events == 0
        assert await heads(other) == await heads(log)


async def test_another_history_is_refused_and_nothing_is_written(log: Log, tmp_path: Path) -> None:
    await furnished(log)
    await export_log(log, tmp_path / "theirs.jsonl")
    async with open_log(":memory:") as other:
        await elsinore(other, "another")
        before = await heads(other)
        with pytest.raises(OtherHistory, match=r"'another' has another history here: #1 is"):
            await import_log(other, tmp_path / "theirs.jsonl")
        assert await heads(other) == before


async def test_a_fork_of_something_else_is_another_history(log: Log, tmp_path: Path) -> None:
    await elsinore(log)
    await log.fork("elsinore", "f", "E1")
    await export_log(log, tmp_path / "f.jsonl")
    async with open_log(":memory:") as other:
        await elsinore(other, "f")
        with pytest.raises(OtherHistory, match="it is no fork, the export has it forked from"):
            await import_log(other, tmp_path / "f.jsonl")


def cut_short(lines: list[str]) -> None:
    del lines[-2:]


def changed(lines: list[str]) -> None:
    lines[7] = lines[7].replace("ghost", "goose")


def reordered(lines: list[str]) -> None:
    lines[3], lines[4] = lines[4], lines[3]


def torn(lines: list[str]) -> None:
    lines[5] = lines[5][: len(lines[5]) // 2]


def twice(lines: list[str]) -> None:
    lines.insert(4, lines[4])


SPOILED = [
    (cut_short, "cut short: 'elsinore' ends at #12 of #14"),
    (changed, "'elsinore' #7 is missing or is not what was exported"),
    (reordered, "'elsinore' #3 is missing or is not what was exported"),
    (torn, "line 6"),
    (twice, "'elsinore' #5 is missing or is not what was exported"),
]


@pytest.mark.parametrize(("spoil", "what"), SPOILED)
async def test_a_spoiled_file_is_refused_and_nothing_is_written(
    tmp_path: Path, spoil: object, what: str
) -> None:
    path = tmp_path / "log.jsonl"
    async with open_log(":memory:") as log:
        await elsinore(log)
        await export_log(log, path)
    lines = path.read_text().splitlines(keepends=True)
    spoil(lines)  # type: ignore[operator]
    path.write_text("".join(lines))
    async with open_log(":memory:") as other:
        with pytest.raises(BadArchive, match=what):
            await import_log(other, path)
        assert await other.worlds() == []


@pytest.mark.parametrize("content", [b"", b"not json\n", b'{"a": 1}\n', b"\xff\xfe"])
async def test_what_is_no_export_is_said_not_to_be(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(content)
    async with open_log(":memory:") as log:
        with pytest.raises(BadArchive, match=r"log\.jsonl is no export of a log"):
            await import_log(log, path)
        with pytest.raises(BadArchive, match="no export"):
            await import_log(log, tmp_path / "missing.jsonl")


async def test_a_gzip_cut_short_is_refused(log: Log, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.gz"
    await furnished(log)
    await export_log(log, path)
    path.write_bytes(path.read_bytes()[:-200])
    async with open_log(":memory:") as other:
        with pytest.raises(BadArchive, match="damaged or cut short"):
            await import_log(other, path)
        assert await other.worlds() == []


async def test_an_export_of_a_later_format_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"whoknew_export": 2, "worlds": []}) + "\n")
    async with open_log(":memory:") as log:
        with pytest.raises(BadArchive, match="has format 2; this Whoknew reads up to 1: upgrade"):
            await import_log(log, path)


async def test_an_export_is_lines_that_people_can_read(log: Log, tmp_path: Path) -> None:
    await elsinore(log)
    await export_log(log, tmp_path / "log.jsonl.gz")
    with gzip.open(tmp_path / "log.jsonl.gz", "rt", encoding="utf-8") as file:
        header, *events = [json.loads(line) for line in file]
    assert header["worlds"] == [{"name": "elsinore", "head": 14, "parent": None, "forked_at": 0}]
    assert events[6]["event"]["body"]["text"] == "The ghost, again."
    assert events[-1]["hash"] == (await log.head("elsinore")).hash.hex()


async def test_an_export_replaces_nothing_and_leaves_nothing_half_done(
    log: Log, tmp_path: Path
) -> None:
    await elsinore(log)
    (tmp_path / "precious").write_text("precious")
    with pytest.raises(BadAddress, match="exists already"):
        await export_log(log, tmp_path / "precious")
    with pytest.raises(NoSuchWorld):
        await export_log(log, tmp_path / "new.jsonl", "nowhere")
    assert {one.name for one in tmp_path.iterdir() if "db" not in one.name} == {"precious"}


async def test_a_file_is_written_by_one_at_a_time(log: Log, tmp_path: Path) -> None:
    """Else one that is half done takes the place of the whole."""
    await elsinore(log)
    path, beside = tmp_path / "new.jsonl", tmp_path / "new.jsonl.lock"
    beside.write_text("somebody's")
    with exporting(path) as file:
        with pytest.raises(BadAddress, match="is being written by another process"):
            await export_log(log, path)
        assert not path.exists()
        file.write(b"whole")
    assert path.read_bytes() == b"whole" and beside.read_text() == "somebody's"
    there = {one.name for one in tmp_path.iterdir() if "db" not in one.name}
    assert there == {path.name, beside.name}


async def test_what_is_imported_is_there_for_whoever_has_read_its_world_before(
    place: Place, tmp_path: Path
) -> None:
    """None of it is kept in memory: it is read when it is asked for."""
    path = tmp_path / "log.jsonl"
    async with open_log(":memory:") as source, log_at(place) as log:
        await elsinore(source)
        await export_log(source, tmp_path / "short.jsonl")
        await import_log(log, tmp_path / "short.jsonl")
        await log.append("elsewhere", opened("Horatio"))
        first = await log.view("elsinore", "Horatio")
        all_seqs = [one.event.seq async for one in log.read_all()]
        await source.append("elsinore", [said("Horatio", "More."), *opened("Yorick")[1:]])
        await export_log(source, path)
        assert (await import_log(log, path)).events == 2
        await log.append("elsinore", [said("Yorick", "Alas."), said("Horatio", "Still here.")])
        assert [event.text for event in await first.events()] == [
            event.text for event in await (await source.view("elsinore", "Horatio", "#14")).events()
        ]
        view = await log.view("elsinore", "Horatio")
        assert [event.seq for event in await view.last(2)] == [15, 18]
        assert (await log.cursor("elsinore")).seq == 18
        placed = [one async for one in log.read_all()]
        assert [one.event.seq for one in placed] == [*all_seqs, 15, 16, 17, 18]
        after = placed[len(all_seqs) - 1].position
        assert [one.event.seq async for one in log.read_all(after)] == [15, 16, 17, 18]
        assert (await verify(log)).faults == ()


async def test_a_backup_is_the_same_log(log: Log, tmp_path: Path) -> None:
    """Of any store: the same heads, and the same order of arrival."""
    await furnished(log)
    await backup(log, tmp_path / "copy.db")
    async with open_log(tmp_path / "copy.db") as copy:
        assert await heads(copy) == await heads(log)
        ours = [placed.event async for placed in log.read_all()]
        assert [placed.event async for placed in copy.read_all()] == ours
        assert (await verify(copy)).faults == ()
        await copy.append("early", [said("Horatio", "And on.")])
    left = {one.name for one in tmp_path.iterdir() if one.name.startswith("copy")}
    assert left == {"copy.db"}
