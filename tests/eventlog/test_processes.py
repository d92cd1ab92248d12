"""Several processes at one log, of which each is a log of its own here."""

from __future__ import annotations

import asyncio

import pytest
from small_worlds import NIGHT, begun, narrated, said, seqs_of, taken
from store_places import Place, log_at

from whoknew.eventlog import ABSENT, Draft, exactly
from whoknew.eventlog.errors import (
    Conflict,
    KeyReused,
)
from whoknew.eventlog.kinds import CharacterAdded, WorldOpened

# several processes, of which each is a log of its own here


@pytest.mark.parametrize("shared", ["postgres"], indirect=True)
async def test_a_follower_hears_of_what_another_process_wrote(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        following = asyncio.ensure_future(taken(mine.follow("w"), 3))
        await theirs.append("w", narrated(2))
        assert [event.seq for event in await following] == [1, 2, 3]


async def test_an_expected_head_is_that_of_the_log_not_of_a_memory(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        await theirs.append("w", narrated(2))
        head = await mine.head("w")
        assert (await mine.append("w", narrated(1), expect=exactly(head.seq))).first == 4


async def test_a_head_that_another_process_moved_is_a_conflict(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        await theirs.append("w", narrated(2))
        with pytest.raises(Conflict) as caught:
            await mine.append("w", narrated(1), expect=exactly(1))
        assert caught.value.actual == 3


async def test_a_world_that_another_process_began_is_a_conflict_where_none_is_expected(
    shared: Place,
) -> None:
    opening = [Draft(WorldOpened(), NIGHT)]
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine, "v")  # whoever has written before
        await begun(theirs)
        tries = [
            mine.append("w", opening, expect=ABSENT),
            mine.append("w", narrated(1, "mine")),
            mine.append("w", opening, expect=ABSENT),
        ]
        first, behind, last = await asyncio.gather(*tries, return_exceptions=True)
        assert isinstance(first, Conflict) and isinstance(last, Conflict)
        assert not isinstance(behind, BaseException) and behind.first == 2
        assert (first.expected, last.actual) == (0, 2)
        with pytest.raises(Conflict):
            await theirs.append("w", opening, expect=ABSENT)
        assert await seqs_of(theirs.read("w")) == [1, 2]


async def test_what_another_process_opened_a_world_with_is_not_written_again(shared: Place) -> None:
    opening = [Draft(WorldOpened(), NIGHT), *narrated(2)]
    async with log_at(shared) as mine, log_at(shared) as theirs:
        first = await theirs.append("w", opening, expect=ABSENT, key="k")
        assert await mine.append("w", opening, expect=ABSENT, key="k") == first
        with pytest.raises(KeyReused):
            await mine.append("w", narrated(1), expect=ABSENT, key="k")


async def test_a_character_that_another_process_added_may_act(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        await theirs.append("w", [Draft(CharacterAdded("A"))])
        assert (await mine.append("w", [said("A", "hm")])).first == 3


async def test_a_key_that_another_process_used_is_known(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        first = await theirs.append("w", narrated(2), key="k")
        assert await mine.append("w", narrated(2), key="k") == first
        with pytest.raises(KeyReused):
            await mine.append("w", narrated(3), key="k")


async def test_a_cancelled_append_that_lost_its_place_can_be_asked_for_again(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        await theirs.append("w", narrated(2, "theirs"))
        task = asyncio.ensure_future(mine.append("w", narrated(2), key="k"))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await begun(mine, "v")  # whatever was queued before is settled now
        again = await mine.append("w", narrated(2), key="k")
        assert (await mine.head("w")).seq == again.last == 5


async def test_two_processes_write_one_world_by_turns(shared: Place) -> None:
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(mine)
        writers = [log.append("w", narrated(2)) for log in (mine, theirs) for _ in range(20)]
        await asyncio.gather(*writers)
        assert await seqs_of(mine.read("w")) == list(range(1, 82))
        assert await seqs_of(theirs.read("w")) == list(range(1, 82))


async def test_of_worlds_that_were_looked_for_together_one_that_another_began_is_not_begun_again(
    shared: Place,
) -> None:
    names, opening = ["u", "v", "w", "x"], [Draft(WorldOpened(), NIGHT)]
    async with log_at(shared) as mine, log_at(shared) as theirs:
        await begun(theirs, "u")
        await mine.expect_new(["", *names])
        await begun(theirs, "v")
        await begun(theirs, "w")
        tries = [
            *(mine.append(name, opening, expect=ABSENT) for name in names[:2]),
            *(mine.append(name, opening) for name in names[2:]),
        ]
        u, v, w, x = await asyncio.gather(*tries, return_exceptions=True)
        assert isinstance(u, Conflict) and isinstance(v, Conflict)
        assert not isinstance(w, BaseException) and w.first == 2
        assert not isinstance(x, BaseException) and x.first == 1
        assert [await seqs_of(theirs.read(name)) for name in names] == [[1], [1], [1, 2], [1]]
