"""Turns that wait for a person, and tokens, on PostgreSQL: what is sent twice is done once.

A statement whose answer was lost with its connection is sent once more, and may have been done.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from whoknew_server import begun

from whoknew.eventlog import Log, open_log
from whoknew.eventlog.errors import LeaseLost
from whoknew.eventlog.stores.leases import Leases
from whoknew.eventlog.stores.tokens import TokenRows
from whoknew.eventlog.stores.turns import OpenTurn, OpenTurns

TURN = OpenTurn(world="w", character="Ann", epoch=1, upto=5, number=4, shown=b"{}", left=None)
SAID, OTHER = b'{"text":"Yes."}', b'{"text":"No."}'
LASTS = timedelta(days=1)


@pytest.fixture
async def leases(database: str) -> AsyncIterator[Leases]:
    async with open_log(database) as log:
        await begun(log, "w", ("Ann", "Bob"))
        yield await held(log)


async def held(log: Log) -> Leases:
    assert log.store.leases is not None
    await log.store.leases.claim(["w"], "me", 600)
    return log.store.leases


def twice(leases: Leases) -> Any:
    """Whatever is asked of the store is asked once more, as where the first answer was lost."""

    async def fetch(*asked: Any) -> list[Any]:
        await leases._fetch(*asked)
        return await leases._fetch(*asked)

    return fetch


async def test_an_action_that_is_offered_once_more_is_accepted_once_more(leases: Leases) -> None:
    await leases.turns.ask(TURN, keep=False)
    assert await OpenTurns(twice(leases)).offer(TURN, SAID)
    assert not await leases.turns.offer(TURN, OTHER)
    assert not await leases.turns.offer(TURN, SAID), "it was somebody else who did the same"


async def test_to_ask_once_more_takes_no_action_away(leases: Leases) -> None:
    await leases.turns.ask(TURN, keep=False)
    assert await leases.turns.offer(TURN, SAID)
    assert await leases.turns.ask(TURN, keep=False) == SAID
    assert await leases.turns.ask(replace(TURN, upto=6), keep=False) is None


async def test_who_asks_under_an_older_lease_is_told_that_it_is_lost(leases: Leases) -> None:
    await leases.turns.ask(replace(TURN, epoch=2), keep=False)
    with pytest.raises(LeaseLost):
        await leases.turns.ask(TURN, keep=False)


async def test_of_a_world_that_is_over_nobody_is_asked(leases: Leases) -> None:
    await leases.turns.ask(TURN, keep=False)
    assert [one.character for one in await leases.turns.waiting()] == ["Ann"]
    await leases.turns.forget(["w"])
    assert await leases.turns.waiting() == []


@pytest.mark.parametrize("kind", [0, 1, 2])
async def test_a_token_that_is_given_twice_is_one(leases: Leases, kind: int) -> None:
    rows = TokenRows(twice(leases))
    given = {"digest": b"d", "id": "i", "world": "w", "character": "Ann", "kind": kind}
    assert await rows.give(**given, lasts=LASTS) is not None
    assert len(await rows.standing()) == 1


async def test_a_seat_is_one_persons_however_often_it_is_given(leases: Leases) -> None:
    rows = TokenRows(twice(leases))
    seat = {"world": "w", "character": "Ann", "kind": 1, "lasts": LASTS}
    assert await rows.give(digest=b"d", id="i", **seat) is not None
    assert await rows.give(digest=b"e", id="j", **seat) is None


async def test_an_invitation_that_is_accepted_twice_is_the_seat_of_who_came(leases: Leases) -> None:
    rows = TokenRows(twice(leases))
    await rows.give(digest=b"d", id="i", world="w", character="Ann", kind=2, lasts=LASTS)
    assert await rows.accept(b"d", 2, b"fresh", "i")
    assert not await rows.accept(b"d", 2, b"other", "j")
    assert [row[0] for row in await rows.standing()] == [b"fresh"]
