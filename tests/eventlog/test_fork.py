"""Forks: a world that goes on from where another was, and shares all before."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_worlds import NIGHT, elsinore, opened, said
from store_places import Place, log_at

from whoknew.eventlog import Draft, Event, Log, export_log, import_log, open_log, verify
from whoknew.eventlog.chain import link
from whoknew.eventlog.errors import BadCursor, BadName, Conflict, NoSuchMoment, NoSuchWorld, Refused
from whoknew.eventlog.kinds import CharacterAdded, MarkPlaced, Narrated, WorldForked
from whoknew.eventlog.stores.store import Batch, Record, World
from whoknew.eventlog.stores.volatile import VolatileStore


async def read(log: Log, world: str) -> list[tuple[str, int, str]]:
    return [(event.world, event.seq, event.text) async for event in log.read(world)]


async def told(log: Log, world: str, *texts: str) -> None:
    await log.append(world, [Draft(Narrated(text)) for text in texts])


async def begun(log: Log, *texts: str) -> None:
    first, *rest = texts
    await log.append("w", [Draft(Narrated(first), NIGHT), *(Draft(Narrated(one)) for one in rest)])


async def test_a_fork_begins_as_its_parent_was(log: Log) -> None:
    await begun(log, "a", "b", "c")
    appended = await log.fork("w", "f", "#2")
    assert (appended.first, appended.last) == (3, 3)
    assert await read(log, "f") == [("w", 1, "a"), ("w", 2, "b"), ("f", 3, "")]
    assert [event.body async for event in log.read("f", "#2")] == [WorldForked("w", 2)]


async def test_a_number_is_no_moment_to_fork_at(log: Log) -> None:
    await log.append("w", opened("Ann"))
    with pytest.raises(BadCursor, match="9 is no cursor"):
        await log.fork("w", "f", 9)  # type: ignore[arg-type]
    assert [world.name for world in await log.worlds()] == ["w"]


async def test_a_fork_is_a_row_and_copies_nothing(log: Log) -> None:
    await begun(log, *"abcdefghij")
    await log.fork("w", "f")
    assert await log.store.find("f") == World("f", 11, "w", 10)
    assert len(await log.store.records("f", 0, 100, 100)) == 1


async def test_a_parent_that_goes_on_never_shows_in_its_fork(log: Log) -> None:
    await begun(log, "a", "b")
    await log.fork("w", "f")
    before = await read(log, "f")
    await told(log, "w", "c", "d", "e")
    assert await read(log, "f") == before
    assert await read(Log(log.store), "f") == before
    await told(log, "f", "x")
    assert [text for _, _, text in await read(log, "f")] == ["a", "b", "", "x"]
    assert [text for _, _, text in await read(log, "w")] == ["a", "b", "c", "d", "e"]


async def test_forks_of_forks_read_through_every_seam(log: Log) -> None:
    await begun(log, "a", "b")
    for parent, child in [("w", "f"), ("f", "g"), ("g", "h")]:
        await log.fork(parent, child)
        await told(log, child, f"in {child}")
    for one in (log, Log(log.store)):
        assert await read(one, "h") == [
            ("w", 1, "a"),
            ("w", 2, "b"),
            ("f", 3, ""),
            ("f", 4, "in f"),
            ("g", 5, ""),
            ("g", 6, "in g"),
            ("h", 7, ""),
            ("h", 8, "in h"),
        ]
        backward = [event.seq async for event in one.read("h", backward=True)]
        assert backward == list(range(8, 0, -1))


@pytest.mark.parametrize("at", [1, 2, 3])
async def test_a_fork_may_begin_before_the_seam_of_its_parent(log: Log, at: int) -> None:
    await begun(log, "a", "b", "c")
    await log.fork("w", "f", "#3")
    await told(log, "f", "in f")
    await log.fork("f", "g", f"#{at}")
    await told(log, "g", "in g")
    shared = [("w", n, "abc"[n - 1]) for n in range(1, at + 1)]
    assert await read(log, "g") == [*shared, ("g", at + 1, ""), ("g", at + 2, "in g")]
    assert (await verify(log)).faults == ()
    assert (await verify(log, "g")).faults == ()


async def test_a_fork_is_forked_at_any_form_of_cursor(log: Log) -> None:
    await elsinore(log)
    for child, at, seq in [("a", "E1", 9), ("b", "cockcrow", 10), ("c", "end", 14)]:
        await log.fork("elsinore", child, at)
        assert await log.store.find(child) == World(child, seq + 1, "elsinore", seq)


async def test_a_fork_has_the_characters_of_its_past_only(log: Log) -> None:
    await log.append("w", opened("A"))
    await log.fork("w", "f")
    await log.append("w", [Draft(CharacterAdded("B"))])
    await log.append("f", [said("A", "hm")])
    with pytest.raises(Refused, match="'B' is not among its characters"):
        await log.append("f", [said("B", "hm")])
    await log.append("f", [Draft(CharacterAdded("B"))])


async def test_story_time_runs_on_from_the_seam(log: Log) -> None:
    await begun(log, "a")
    await log.append("w", [Draft(Narrated("late"), NIGHT.replace(year=1700))])
    await log.fork("w", "f", "#1")
    await log.append("f", [Draft(Narrated("sooner"), NIGHT.replace(year=1600))])
    with pytest.raises(Refused, match="story time never runs backwards"):
        await log.append("f", [Draft(Narrated("before"), NIGHT.replace(year=1598))])


async def test_a_fork_may_use_its_parents_keys_anew(log: Log) -> None:
    await begun(log, "a")
    await log.append("w", [Draft(Narrated("b"))], key="k")
    await log.fork("w", "f")
    assert (await log.append("f", [Draft(Narrated("other"))], key="k")).first == 4


async def test_marks_and_episodes_are_found_across_the_seam(log: Log) -> None:
    await elsinore(log)
    await log.fork("elsinore", "f", "#13")
    await log.append("f", [Draft(MarkPlaced("noon"))])
    for one in (log, Log(log.store)):
        assert (await one.cursor("f", "cockcrow")).seq == 10
        assert (await one.cursor("f", "noon")).seq == 15
        assert (await one.cursor("f", "E1")).seq == 9
        assert (await one.cursor("f", "E2")).seq == 15
        assert (await one.cursor("f", "E2.T3")).seq == 13
        assert (await one.cursor("f", "@1599-06-01T21:30")).seq == 9


async def test_marks_of_the_parent_after_the_seam_are_not_there(log: Log) -> None:
    await begun(log, "a")
    await log.fork("w", "f")
    await log.append("w", [Draft(MarkPlaced("noon"))])
    with pytest.raises(NoSuchMoment):
        await log.cursor("f", "noon")


async def test_views_recall_and_knowledge_cross_the_seam(log: Log) -> None:
    await elsinore(log)
    await log.fork("elsinore", "f", "E1")
    await log.append("f", [said("Horatio", "A ghost, truly?", "Bernardo", about=[8])])
    await log.append("elsinore", [said("Horatio", "Unseen ghost!", "Bernardo", about=[6])])
    for one in (log, Log(log.store)):
        view = await one.view("f", "Horatio")
        assert list(view.seqs()) == [8, 11]
        assert {found.text for found in await view.recall("ghost")} == {
            "Marcellus: We saw a ghost.",
            "Horatio: A ghost, truly?",
        }
        knowledge = await one.knowledge("f")
        assert knowledge.of(7, "Horatio").answer == "told"
        assert [cell.at for cell in knowledge.trace(8, "Bernardo")] == [11, 8]
        assert knowledge.of(6, "Horatio").answer == "absent"


async def test_the_hash_chain_runs_on_from_the_seam(log: Log) -> None:
    await begun(log, "a", "b", "c")
    await log.fork("w", "f", "#2")
    await log.fork("f", "g", "#3")
    await told(log, "w", "d")
    await told(log, "g", "x")
    checked = await verify(log)
    assert checked.faults == ()
    assert checked.events == 4 + 1 + 2
    assert [(head.world, head.seq) for head in checked.heads] == [("w", 4), ("f", 3), ("g", 5)]
    assert (await verify(log, "g")).heads[-1].hash == (await log.head("g")).hash


async def test_a_fork_before_the_first_event_is_refused(log: Log) -> None:
    await begun(log, "a")
    with pytest.raises(Refused, match="'w' #0 is before its first event"):
        await log.fork("w", "f", "#0")


async def test_a_fork_from_nowhere_is_told_so(log: Log) -> None:
    await begun(log, "a")
    with pytest.raises(NoSuchWorld):
        await log.fork("v", "f")
    with pytest.raises(NoSuchMoment):
        await log.fork("w", "f", "#2")
    with pytest.raises(BadName):
        await log.fork("w", " f")
    assert [one.name for one in await log.worlds()] == ["w"]


@pytest.mark.parametrize("child", ["w", "v"])
async def test_a_fork_needs_a_name_that_is_free(log: Log, child: str) -> None:
    await begun(log, "a")
    await log.append("v", [Draft(Narrated("x"), NIGHT)])
    with pytest.raises(Conflict, match="there is a world"):
        await log.fork("w", child)


async def test_forks_are_there_when_the_log_is_opened_again(place: Place) -> None:
    async with log_at(place) as log:
        await begun(log, "a", "b")
        await log.fork("w", "f", "#1")
        before = await read(log, "f")
    async with log_at(place) as log:
        assert await read(log, "f") == before
        await told(log, "f", "x")
        assert (await log.head("f")).seq == 3
        assert (await verify(log)).faults == ()


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("at", [1, 2, 3])
async def test_a_fork_of_a_fork_from_before_its_seam_is_exported_and_imported(
    log: Log, tmp_path: Path, at: int, whole: bool
) -> None:
    await begun(log, "a", "b")
    await log.fork("w", "f", "#2")
    await log.fork("f", "g", f"#{at}")
    await told(log, "g", "x")
    await export_log(log, tmp_path / "log.jsonl", None if whole else "g")
    async with open_log(":memory:") as copy:
        await import_log(copy, tmp_path / "log.jsonl")
        assert await events(copy, "g") == await events(log, "g")
        assert await copy.head("g") == await log.head("g")
        assert (await verify(copy)).faults == ()


async def events(log: Log, world: str) -> list[Event]:
    return [event async for event in log.read(world)]


class Counting(VolatileStore):
    """How many worlds, and how many stretches of them, were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    async def find(self, world: str) -> World | None:
        self.asked += 1
        return await super().find(world)

    async def read(
        self, world: str, after: int, upto: int, limit: int, *, backward: bool = False
    ) -> list[bytes]:
        self.asked += 1
        return await super().read(world, after, upto, limit, backward=backward)


async def deep(log: Log, depth: int) -> str:
    """A fork of a fork of a fork ...: the innermost."""
    await begun(log, "a", "b")
    head, parent, batches = await log.head("w"), "w", []
    assert head.at and head.recorded
    previous = head.hash
    for seq in range(3, depth + 3):
        event = Event(f"f{seq}", seq, head.at, head.recorded, WorldForked(parent, seq - 1))
        record = Record(seq, link(previous, body := log.codec.encode(event)), body)
        opens = World(event.world, seq - 1, parent, seq - 1)
        batches.append(Batch(event.world, seq - 1, [record], opens))
        previous, parent = record.hash, event.world
    await log.adopt(batches)
    return parent


async def test_a_fork_three_thousand_deep_is_read_in_work_that_grows_with_its_depth() -> None:
    counts = []
    for depth in (1000, 3000):
        store = Counting()
        async with Log(store) as log:
            innermost = await deep(log, depth)
        async with Log(store) as log:
            store.asked = 0
            assert len([event async for event in log.read(innermost)]) == depth + 2
            assert (await log.director(innermost)).cursor.seq == depth + 2
            assert len(await log.pick((await log.knowledge(innermost))._live, range(1, 9))) == 8
            counts.append(store.asked)
    assert counts[1] < 3.5 * counts[0] < 60_000


async def test_a_fork_three_thousand_deep_is_verified_and_exported(tmp_path: Path) -> None:
    async with open_log(":memory:") as log:
        innermost = await deep(log, 3000)
        assert (await verify(log)).faults == ()
        await export_log(log, tmp_path / "deep.jsonl", innermost)
        async with open_log(":memory:") as other:
            await import_log(other, tmp_path / "deep.jsonl")
            assert await other.head(innermost) == await log.head(innermost)


async def test_the_newest_of_a_deep_fork_is_read_without_its_past() -> None:
    store = Counting()
    async with Log(store) as log:
        innermost = await deep(log, 50)
    async with Log(store) as log:
        store.asked = 0
        assert (await log.head(innermost)).seq == 52
        assert store.asked < 5


class Late(VolatileStore):
    """A volatile store in which a world is begun right after it was looked for."""

    looked = 0

    async def find(self, world: str) -> World | None:
        self.looked += 1
        return None if self.looked == 1 else await super().find(world)


async def test_a_world_that_is_begun_while_it_is_looked_for_is_not_called_damaged() -> None:
    store = Late()
    async with Log(VolatileStore()) as other, Log(store) as log:
        await begun(other, "a", "b")
        await store.commit([Batch("w", 0, await other.store.records("w", 0, 9, 9), World("w", 0))])
        assert (await log.head("w")).seq == 2
        assert store.looked == 2
