"""Events by who knows of them: what only some know, and what some know nothing of."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_worlds import crowded_with_ghosts, opened, said
from told_worlds import NAMES, known, told_worlds
from waiting import others_go_on

from whoknew.engine.errors import BadQuestion
from whoknew.engine.travel.knowers import HAPPENINGS
from whoknew.engine.travel.knows import Matrix, knows
from whoknew.eventlog import Draft, Event, Log, open_log
from whoknew.eventlog.errors import NoSuchCharacter
from whoknew.eventlog.kinds import MarkPlaced

chosen = st.lists(st.sampled_from(NAMES), unique=True)


def seqs(found: Matrix) -> list[int]:
    return [row.event.seq for row in found.rows]


def found_by(drafts: list[Draft], cursor: int, who: list[str]) -> list[int]:
    """All events, those first that most know of."""

    async def asked() -> list[int]:
        async with open_log(":memory:") as log:
            await log.append("w", drafts)
            about, at = f"1-{cursor}", f"#{cursor}"
            most = await knows(log, "w", at, about=about, who=who, order="most", limit=cursor)
            fewest = await knows(log, "w", at, about=about, who=who, order="fewest", limit=cursor)
            assert sorted(seqs(fewest)) == sorted(seqs(most))
            return seqs(most)

    return asyncio.run(asked())


@given(told_worlds(), chosen, chosen, st.data())
def test_what_only_some_and_not_some_know_is_what_a_fold_of_the_events_says(
    drafts: list[Draft], some: list[str], who: list[str], data: st.DataObject
) -> None:
    cursor = data.draw(st.integers(1 + len(NAMES), len(drafts)))

    async def asked() -> tuple[Matrix, Matrix, list[Event], list[Event]]:
        async with open_log(":memory:") as log:
            await log.append("w", drafts)
            at, most = f"#{cursor}", len(drafts)
            only = await knows(log, "w", at, only=some, who=who, limit=most)
            unaware = await knows(log, "w", at, unaware=some, who=who, limit=most)
            events = await (await log.director("w")).events()
            return only, unaware, events[:cursor], events

    if not some:
        return
    only, unaware, events, recorded = asyncio.run(asked())
    others = [name for name in who or NAMES if name not in some]
    assert found_by(drafts, cursor, who) == sorted(
        range(1, cursor + 1),
        key=lambda seq: (-sum(seq in known(events, name, recorded) for name in who or NAMES), seq),
    )
    ways = {name: known(events, name, recorded) for name in NAMES}

    def knowing(seq: int, names: Sequence[str]) -> int:
        return sum(seq in ways[name] for name in names)

    happened = [event.seq for event in events if isinstance(event.body, HAPPENINGS)]
    assert seqs(only) == [
        seq for seq in happened if knowing(seq, some) == len(some) and not knowing(seq, others)
    ]
    assert seqs(unaware) == sorted(
        (seq for seq in happened if not knowing(seq, some) and knowing(seq, others)),
        key=lambda seq: (-knowing(seq, others), seq),
    )
    for found in (only, unaware):
        assert found.total == len(found.rows)
        for row in found.rows:
            for cell in row.cells:
                assert (cell.answer != "absent") == (row.event.seq in ways[cell.character])


async def story(log: Log) -> None:
    """1 opened, 2-5 the cast; 6 Ana alone; 7 Bo to Cy; 8 Bo to Cy and Di; 9 Cy tells Ana of 7."""
    await log.append(
        "w",
        [
            *opened(*NAMES),
            said("Ana", "hm"),
            said("Bo", "a word", "Cy"),
            said("Bo", "words", "Cy", "Di"),
            said("Cy", "Bo said a word", "Ana", about=[7]),
        ],
    )


async def test_what_only_one_knows(log: Log) -> None:
    await story(log)
    found = await knows(log, "w", only=("Ana",))
    assert (seqs(found), found.total, found.characters) == ([6], 1, NAMES)
    assert seqs(await knows(log, "w", only=("Bo", "Cy"))) == []
    assert seqs(await knows(log, "w", "#8", only=("Bo", "Cy"))) == [7]


async def test_what_one_does_not_know_the_most_known_first_and_secrets_before_all(
    log: Log,
) -> None:
    await story(log)
    assert seqs(await knows(log, "w", unaware=("Di",))) == [7, 9, 6]
    await log.append("w", [Draft(MarkPlaced("hm", upto=6, secret=True))])
    found = await knows(log, "w", unaware=("Di",))
    assert seqs(found) == [6, 7, 9]
    assert found.rows[0].mark == "hm"
    await log.append("w", [Draft(MarkPlaced("ha", upto=6, secret=True))])
    assert (await knows(log, "w")).rows[0].mark == "hm, ha"


async def test_those_who_are_named_beside_are_the_others(log: Log) -> None:
    await story(log)
    found = await knows(log, "w", unaware=("Di",), who=("Ana",))
    assert (seqs(found), found.characters) == ([6, 7, 9], ("Di", "Ana"))
    assert seqs(await knows(log, "w", only=("Cy",), who=("Di",))) == [7, 9]


async def test_some_of_them_are_found_by_words_and_come_in_pages(log: Log) -> None:
    await story(log)
    found = await knows(log, "w", unaware=("Di",), about="word", limit=1)
    assert (seqs(found), found.total) == ([7], 2)
    rest = await knows(log, "w", unaware=("Di",), about="word", limit=1, skip=1)
    assert (seqs(rest), rest.total) == ([9], 2)
    assert seqs(await knows(log, "w", unaware=("Di",), about="6-7")) == [7, 6]


async def test_an_unknown_name_and_two_questions_at_once_are_refused(log: Log) -> None:
    await story(log)
    with pytest.raises(NoSuchCharacter, match="no character 'Anna'"):
        await knows(log, "w", only=("Anna",))
    with pytest.raises(NoSuchCharacter, match="no character 'Anna'"):
        await knows(log, "w", unaware=("Bo",), who=("Anna",))
    for more in ({"skip": 9}, {"doubtful": True}):
        with pytest.raises(NoSuchCharacter, match="no character 'Anna'"):
            await knows(log, "w", about="6", who=("Anna",), **more)
    with pytest.raises(BadQuestion, match="either what only some know"):
        await knows(log, "w", only=("Ana",), unaware=("Bo",))
    with pytest.raises(BadQuestion, match="leave out `only` and `not`"):
        await knows(log, "w", only=("Ana",), doubtful=True)


async def test_a_long_world_is_gone_through_while_others_go_on() -> None:
    async with crowded_with_ghosts() as log, others_go_on():
        found = await knows(log, "w", unaware=("B",))
    assert (found.total, len(found.rows)) == (100_000, 20)
