"""What one character can know at a cursor."""

from __future__ import annotations

import pytest
from small_worlds import elsinore, opened, said

from whoknew.eventlog import Director, Draft, Log, View
from whoknew.eventlog.errors import NoSuchCharacter
from whoknew.eventlog.kinds import CharacterAdded, Narrated


async def both(log: Log, character: str, at: str = "end") -> list[View]:
    """The view as the writer has it at hand, and as a process sees it that just began."""
    return [await one.view("elsinore", character, at) for one in (log, Log(log.store))]


async def test_a_view_holds_what_was_witnessed_up_to_the_cursor(log: Log) -> None:
    await elsinore(log)
    for at, seqs in [("end", [8, 12, 13]), ("#12", [8, 12]), ("E1", [8]), ("#7", []), ("#3", [])]:
        for view in await both(log, "Horatio", at):
            assert list(view.seqs()) == seqs
            assert len(view) == len(seqs)
            assert [event.seq for event in await view.events()] == seqs
            assert [event.seq async for event in view] == seqs


async def test_an_event_is_in_a_view_by_its_seq(log: Log) -> None:
    await elsinore(log)
    for view in await both(log, "Horatio", "#12"):
        assert [seq for seq in range(20) if seq in view] == [8, 12]
        assert "8" not in view


async def test_a_place_in_a_view_counts_from_one(log: Log) -> None:
    await elsinore(log)
    for view in await both(log, "Horatio"):
        assert [view.place(seq) for seq in (7, 8, 12, 13, 14, 99)] == [None, 1, 2, 3, None, None]


async def test_events_are_given_between_places(log: Log) -> None:
    await elsinore(log)
    for view in await both(log, "Horatio"):
        assert [event.seq for event in await view.events(1)] == [12, 13]
        assert [event.seq for event in await view.events(1, 2)] == [12]
        assert [event.seq for event in await view.events(0, 99)] == [8, 12, 13]
        assert await view.events(3) == []
        assert list(view.seqs(2)) == [13]


@pytest.mark.parametrize(("count", "seqs"), [(0, []), (1, [13]), (2, [12, 13]), (9, [8, 12, 13])])
async def test_the_last_are_given(log: Log, count: int, seqs: list[int]) -> None:
    await elsinore(log)
    for view in await both(log, "Horatio"):
        assert [event.seq for event in await view.last(count)] == seqs


async def test_a_view_does_not_change_when_the_world_goes_on(log: Log) -> None:
    await elsinore(log)
    view = await log.view("elsinore", "Horatio")
    before = list(view.seqs()), len(view), await view.events(), await view.recall("ghost")
    await log.append("elsinore", [said("Horatio", "A ghost! A ghost!", "Marcellus")])
    after = list(view.seqs()), len(view), await view.events(), await view.recall("ghost")
    assert after == before
    assert 15 not in view
    assert view.place(15) is None


async def test_a_view_of_one_who_has_seen_nothing_is_empty(log: Log) -> None:
    await log.append("w", opened("A"))
    view = await log.view("w", "A")
    assert len(view) == 0
    assert await view.events() == []
    assert await view.last(5) == []
    assert await view.recall("anything") == []
    assert view.place(1) is None


async def test_an_empty_view_stays_empty_when_its_character_begins_to_see(log: Log) -> None:
    await log.append("w", opened("A"))
    view = await log.view("w", "A")
    await log.append("w", [said("A", "hm")])
    assert (len(view), await view.events(), 3 in view) == (0, [], False)


async def test_there_is_no_view_of_a_character_before_it_is_added(log: Log) -> None:
    await elsinore(log)
    for one in (log, Log(log.store)):
        with pytest.raises(NoSuchCharacter, match=r"no character 'Marcellus' in 'elsinore' at"):
            await one.view("elsinore", "Marcellus", "#3")
        assert len(await one.view("elsinore", "Marcellus", "#4")) == 0


async def test_an_unknown_character_is_told_who_is_there(log: Log) -> None:
    await elsinore(log)
    with pytest.raises(NoSuchCharacter, match="Horatio"):
        await log.view("elsinore", "Horatoi")


async def test_a_character_later_on_is_not_named_to_an_earlier_cursor(log: Log) -> None:
    await elsinore(log)
    await log.append("elsinore", [Draft(CharacterAdded("Fortinbras"))])
    with pytest.raises(NoSuchCharacter) as caught:
        await log.view("elsinore", "Fortinbra", "#14")
    assert "Fortinbras" not in str(caught.value)


async def test_a_long_view_is_read_page_by_page(log: Log) -> None:
    await log.append("w", opened("A"))
    seen, unseen = Draft(Narrated("x"), witnesses=("A",)), Draft(Narrated("y"))
    await log.append("w", [seen, unseen] * 1300)
    for one in (log, Log(log.store)):
        view = await one.view("w", "A")
        assert [event.seq async for event in view] == list(range(3, 2603, 2))


async def test_the_director_reads_all_of_it_up_to_the_cursor(log: Log) -> None:
    await elsinore(log)
    director = await log.director("elsinore", "E1")
    assert len(director) == 9
    assert [event.seq async for event in director] == list(range(1, 10))
    assert [event.seq for event in await director.last(2)] == [8, 9]
    assert [event.seq for event in await director.events(3, 5)] == [4, 5]
    assert [event.seq for event in await director.events(8, 99)] == [9]


def test_a_director_is_no_view() -> None:
    assert not issubclass(Director, View)
    assert not issubclass(View, Director)


async def test_a_view_says_whose_it_is_and_when(log: Log) -> None:
    await elsinore(log)
    assert repr(await log.view("elsinore", "Horatio", "E1")) == (
        "<View of Horatio at elsinore #9: 1>"
    )


@pytest.mark.parametrize("upto", [-1, -5, -100])
async def test_no_place_before_the_first_reaches_past_the_cursor(log: Log, upto: int) -> None:
    """Law 2, also when somebody else has read further in the same process."""
    await log.append("w", opened("A"))
    await log.append("w", [said("A", str(number)) for number in range(9)])
    early = await log.view("w", "A", "#4")
    assert len(await (await log.view("w", "A")).events()) > len(early)
    assert await early.events(0, upto) == []
    assert await early.events(upto) == await early.events()


async def test_nothing_of_a_view_can_be_set(log: Log) -> None:
    await elsinore(log)
    for view in await both(log, "Horatio"):
        seen = [event.seq async for event in view]
        for name in ("character", "cursor", "_count", "_live", "of_my_own"):
            with pytest.raises(AttributeError, match="ask its log for another"):
                setattr(view, name, "Marcellus")
        with pytest.raises(AttributeError):
            del view.cursor
        assert view.character == "Horatio" and [event.seq async for event in view] == seen
