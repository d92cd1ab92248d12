"""What if somebody had heard it, or had not: forks in which other people witnessed an event."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest
from command_runner import run
from diner_world import WORLD, events_of, nights
from hypothesis import given, settings
from hypothesis import strategies as st
from store_places import Place, log_at

from whoknew.engine.errors import BadQuestion
from whoknew.engine.travel.fork import Changes, fork
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Draft, Event, Log, open_log
from whoknew.eventlog.errors import NoSuchCharacter
from whoknew.eventlog.kinds import (
    Acted,
    Amended,
    CharacterAdded,
    Doubted,
    Imported,
    Remembered,
    WorldOpened,
)

PEOPLE = ("Ana", "Bo", "Cy")


def story() -> list[Draft]:
    """Imported: 5 and 6 are speeches, of the second it is open whether Cy hears it (7); 8 tells of 6."""
    drafts = [Draft(WorldOpened("W"), datetime(1600, 1, 1))]
    drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in PEOPLE]
    return [
        *drafts,
        Draft(Acted("Good day."), actor="Ana", witnesses=PEOPLE),
        Draft(Acted("I killed him."), actor="Ana", witnesses=PEOPLE),
        Draft(Doubted("Cy", "he is far off"), cause=6),
        Draft(Acted("She killed him."), actor="Bo", witnesses=("Bo", "Cy"), about=(6,)),
        Draft(Imported("play", "w.xml")),
    ]


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(nights(tmp_path)) as log:
        await log.append("w", story())
        yield log


def shown(events: list[Event]) -> list[object]:
    return [(one.body, one.actor, one.witnesses, one.about) for one in events]


async def test_what_was_imported_goes_on_with_the_witness_changed(log: Log) -> None:
    before = shown(await events_of(log, "w"))
    forked = await fork(log, "w", changes=Changes(unheard=((6, "Cy"),)))
    events = await events_of(log, forked.world)
    assert shown(events[:5]) == before[:5]
    heard, amended, tells, imported = events[6:]
    assert (heard.body, heard.witnesses) == (Acted("I killed him."), ("Ana", "Bo"))
    assert (amended.body, amended.cause) == (Amended("what if", (), ("Cy",)), heard.seq)
    assert tells.about == (heard.seq,)
    assert isinstance(imported.body, Imported)
    knowledge = await log.knowledge(forked.world, "end")
    assert knowledge.of(heard.seq, "Cy").answer == "told"
    assert knowledge.doubtful() == []
    assert shown(await events_of(log, "w")) == before


async def test_what_was_played_ends_there(log: Log) -> None:
    secret = 89
    forked = await fork(log, WORLD, changes=Changes(heard=((secret, "Emil"),)))
    events = await events_of(log, forked.world)
    assert [type(one.body) for one in events[forked.shared :]][1:] == [Acted, Amended]
    assert "Emil" in events[-2].witnesses
    assert "Emil" not in (await events_of(log))[secret - 1].witnesses
    view = await log.view(forked.world, "Emil")
    assert (await view.last(1))[0].body == events[-2].body


@pytest.mark.parametrize(
    ("world", "changes", "at", "why"),
    [
        ("w", Changes(heard=((6, "Cy"),)), None, "Cy witnessed #6 as it is: leave `heard` out"),
        ("w", Changes(unheard=((8, "Ana"),)), None, "Ana did not witness #8 as it is"),
        ("w", Changes(unheard=((6, "Ana"),)), None, "#6 is Ana's own"),
        ("w", Changes(heard=((4, "Ana"),)), None, "#4 of 'w' is of kind world.character"),
        ("w", Changes(heard=((99, "Ana"),)), None, "'w' has no #99: name one of 1-9"),
        (
            "w",
            Changes(heard=((8, "Ana"),), unheard=((8, "Ana"),)),
            None,
            "Ana is to have heard #8 and not to have heard it",
        ),
        (WORLD, Changes(heard=((89, "Emil"),)), "end", "can end at #89 alone, and"),
        (WORLD, Changes(heard=((89, "Emil"), (90, "Emil"))), None, "Name one event"),
        ("w", Changes(heard=((8, "Ana"),), replace=(6, "No.")), None, "either the words"),
    ],
)
async def test_what_cannot_be_is_refused(
    log: Log, world: str, changes: Changes, at: str | None, why: str
) -> None:
    with pytest.raises(BadQuestion, match=why):
        await fork(log, world, at, changes=changes)


async def test_who_is_said_twice_to_have_heard_it_heard_it_once(log: Log) -> None:
    forked = await fork(log, "w", "#8", changes=Changes(heard=((8, "Ana"), (8, "Ana"))))
    tells, amended = (await events_of(log, forked.world))[-2:]
    assert tells.witnesses == ("Bo", "Cy", "Ana") and amended.body == Amended("what if", ("Ana",))


async def test_nobody_that_there_is_not_hears_anything(log: Log) -> None:
    with pytest.raises(NoSuchCharacter, match="Annie"):
        await fork(log, "w", changes=Changes(heard=((8, "Annie"),)))


async def test_a_fork_in_which_one_heard_it_is_played_again_as_it_was(log: Log) -> None:
    forked = await fork(log, WORLD, changes=Changes(heard=((89, "Emil"),)))
    with pytest.raises(Exception, match="nothing of"):
        await rerun(log, forked.world)


async def test_what_one_wrote_down_of_it_goes_with_it(log: Log) -> None:
    """Law 5: the notes that stay rest on what their owners witnessed."""
    notes = [
        Draft(Remembered("Cy", "s", "She is a murderer.", (6,)), actor="Cy", witnesses=("Cy",)),
        Draft(Remembered("Bo", "s", "So it was she.", (6,)), actor="Bo", witnesses=("Bo",)),
        Draft(Remembered("Cy", "s", "Ana was here.", (5,)), actor="Cy", witnesses=("Cy",)),
        Draft(Remembered("Cy", "s", "Beware of Ana.", (5, 10)), actor="Cy", witnesses=("Cy",)),
        Draft(Acted("I wrote it down."), actor="Cy", witnesses=PEOPLE, about=(5, 10, 12)),
    ]
    await log.append("w", notes)
    forked = await fork(log, "w", changes=Changes(unheard=((6, "Cy"),)))
    events = await events_of(log, forked.world)
    kept = [one.body for one in events if isinstance(one.body, Remembered)]
    assert [one.text for one in kept] == ["So it was she.", "Ana was here."]
    for note in kept:
        view = await log.view(forked.world, note.owner)
        assert all(seq in view for seq in note.sources)
    told = events[-1]
    assert [events[seq - 1].body.words for seq in told.about] == ["Good day.", "Ana was here."]


def test_laws_hold_in_a_fork_whoever_heard_it(place: Place) -> None:
    """Law 4: to all others nothing is otherwise; and who did not hear it knows nothing of it."""
    with asyncio.Runner() as runner:
        log = log_at(place)
        runner.run(log.__aenter__())
        runner.run(log.append("w", story()))

        @settings(max_examples=20, deadline=None)
        @given(st.sampled_from((5, 6)), st.sampled_from(("Bo", "Cy")))
        def same(seq: int, who: str) -> None:
            runner.run(others_know_the_same(log, seq, who))

        try:
            same()
        finally:
            runner.run(log.__aexit__(None, None, None))


async def others_know_the_same(log: Log, seq: int, who: str) -> None:
    forked = await fork(log, "w", changes=Changes(unheard=((seq, who),)))
    for name in PEOPLE:
        before = [one.body for one in await (await log.view("w", name)).events()]
        after = [one.body for one in await (await log.view(forked.world, name)).events()]
        missed = (await log.lineage.pick("w", [seq]))[0].body
        assert after == ([one for one in before if one != missed] if name == who else before)


def test_the_command_takes_a_seq_and_a_name(tmp_path: Path) -> None:
    file = nights(tmp_path)
    told = run("fork", WORLD, "--heard", "#89", "Emil", "--log", str(file)).stdout
    assert "midnight-diner-what-if begins as midnight-diner up to #88, with 2 events" in told
    refused = run("fork", WORLD, "--heard", "Emil", "89", "--log", str(file), rc=2)
    assert "--heard takes a seq and a name: 'Emil' is no seq" in refused.stderr
