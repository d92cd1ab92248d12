"""Replaying, knowing, recalling: what is seen of a world at any moment."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from diner_world import WORLD, events_of, nights

from whoknew.engine.errors import BadQuestion
from whoknew.engine.travel.knows import knows
from whoknew.engine.travel.mark import mark, marks
from whoknew.engine.travel.recall import recall
from whoknew.engine.travel.replay import WINDOW, replay
from whoknew.eventlog import Log, open_log
from whoknew.eventlog.errors import NoSuchCharacter, NoSuchMoment, NoSuchWorld
from whoknew.eventlog.kinds import Acted


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield nights(tmp_path_factory.mktemp("nights"))


@pytest.fixture
async def log(file: Path) -> AsyncIterator[Log]:
    async with open_log(file, read_only=True) as log:
        yield log


@pytest.fixture
async def writable(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(nights(tmp_path)) as log:
        yield log


async def secret(log: Log) -> int:
    return next(
        event.seq
        for event in await events_of(log)
        if isinstance(event.body, Acted) and event.body.text.startswith("I cannot taste")
    )


async def test_a_replay_ends_at_its_cursor(log: Log) -> None:
    events = await events_of(log)
    for at in ("#1", "#78", "E2", "E2.T5", "end"):
        seen = await replay(log, WORLD, at, after="#0")
        assert list(seen.events) == events[: seen.cursor]
        assert seen.head == len(events)


async def test_a_replay_at_0_is_empty(log: Log) -> None:
    seen = await replay(log, WORLD, "#0")
    assert (seen.events, seen.facts.characters) == ((), ())


async def test_a_long_world_shows_its_newest_events_first(log: Log) -> None:
    seen = await replay(log, WORLD)
    assert len(seen.events) == WINDOW
    assert seen.earlier == seen.cursor - WINDOW


async def test_a_replay_can_begin_anywhere(log: Log) -> None:
    seen = await replay(log, WORLD, "E3", after="E2")
    assert {event.episode for event in seen.events if event.episode} == {3}


async def test_as_a_character_one_sees_its_view_and_nothing_else(log: Log) -> None:
    for name in (await replay(log, WORLD)).facts.characters:
        view = await log.view(WORLD, name, "E4")
        seen = await replay(log, WORLD, "E4", character=name)
        assert [event.seq for event in seen.events] == list(view.seqs())
        assert seen.unperceived + len(seen.events) == seen.cursor
        later = await replay(log, WORLD, "E4", character=name, after="E2")
        assert [one.seq for one in later.events] == [
            seq for seq in view.seqs() if seq > (later.after or 0)
        ]


async def test_what_a_character_was_told_is_marked_with_the_event_it_is_about(log: Log) -> None:
    seq = await secret(log)
    seen = await replay(log, WORLD, "E2", character="Vera")
    told = {one.seq: at for at, earlier in seen.told.items() for one in earlier}
    assert seq in told
    (teller,) = [event for event in seen.events if event.seq == told[seq]]
    assert teller.actor == "Yusuf"
    assert (await replay(log, WORLD, "E2", character="Dorte")).told.keys().isdisjoint({seq})


async def test_who_knows_of_the_events_that_hold_some_words(log: Log) -> None:
    seq = await secret(log)
    found = await knows(log, WORLD, "E5", about="cannot TASTE")
    assert found.rows[0].event.seq == seq
    cells = {one.character: one for one in found.rows[0].cells}
    assert cells["Dorte"].answer == "present"
    assert (cells["Vera"].answer, cells["Vera"].by) == ("told", "Yusuf")
    assert cells["Rufus"].answer == "absent"
    chains = {chain[0].character: chain for chain in found.rows[0].chains}
    assert [one.character for one in chains["Anselm"]] == ["Anselm", "Vera", "Yusuf"]
    assert chains["Anselm"][-1].answer == "present"


async def test_a_seq_and_a_range_name_events_whatever_they_are(log: Log) -> None:
    seqs = [row.event.seq for row in (await knows(log, WORLD, about="90-93")).rows]
    assert seqs == [90, 91, 92, 93]
    (row,) = (await knows(log, WORLD, "#50", about="#60")).rows
    assert {one.answer for one in row.cells} == {"future"}


async def test_only_those_who_are_asked_about_have_a_cell(log: Log) -> None:
    found = await knows(log, WORLD, about="89", who=("Vera", "Dorte"))
    assert found.characters == ("Vera", "Dorte")
    with pytest.raises(NoSuchCharacter, match="did you mean 'Vera'"):
        await knows(log, WORLD, about="89", who=("Verra",))


async def test_marked_secrets_are_asked_about_by_themselves(writable: Log) -> None:
    with pytest.raises(
        BadQuestion, match=r"no secrets marked: search for some words \(`about` TEXT\)"
    ):
        await knows(writable, WORLD)
    seq = await secret(writable)
    await mark(writable, WORLD, "the secret", f"#{seq}", secret=True)
    await mark(writable, WORLD, "a moment", "E2")
    (row,) = (await knows(writable, WORLD, "E1")).rows
    assert (row.mark, row.event.seq) == ("the secret", seq)
    assert (await writable.cursor(WORLD, "the secret")).seq == seq
    assert (await writable.cursor(WORLD, '"a moment"')) == await writable.cursor(WORLD, "E2")
    assert [one.name for one in await marks(writable, WORLD)] == ["the secret", "a moment"]


async def test_a_mark_needs_a_name_of_its_own_and_an_event(writable: Log) -> None:
    await mark(writable, WORLD, "here", "#5")
    for name, at, what in (("here", "#6", "marks #5"), (" ", "#6", "give it a name")):
        with pytest.raises(BadQuestion, match=what):
            await mark(writable, WORLD, name, at)
    with pytest.raises(BadQuestion, match="nothing to mark"):
        await mark(writable, WORLD, "there", "#0")


async def test_recall_is_that_of_the_view(log: Log) -> None:
    found = await recall(log, WORLD, "Vera", "salt lemon", "E5", 3)
    view = await log.view(WORLD, "Vera", "E5")
    assert list(found.found) == await view.recall("salt lemon", 3, own=True)
    assert found.events == len(view)


@pytest.mark.parametrize("about", ["zyzzyva quux", "!!", "9999", "0-3", "7-5"])
async def test_what_is_found_nowhere_is_told(log: Log, about: str) -> None:
    with pytest.raises(BadQuestion):
        await knows(log, WORLD, about=about)


async def test_wrong_names_and_moments_are_told(log: Log) -> None:
    with pytest.raises(NoSuchWorld, match="did you mean"):
        await replay(log, "midnight-dinner")
    with pytest.raises(NoSuchCharacter, match="Vera"):
        await replay(log, WORLD, character="Verra")
    with pytest.raises(NoSuchMoment, match="ends at"):
        await replay(log, WORLD, "#100000")
    with pytest.raises(BadQuestion, match="no words"):
        await recall(log, WORLD, "Vera", " ")
