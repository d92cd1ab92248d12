"""What a codified profile says of its character, and when it is found anew."""

from __future__ import annotations

import pytest
from planted_lives import WHO, Spoken, idle, lived

from whoknew.agents.errors import BadAnswer
from whoknew.agents.memories.codified import CodifiedEntry
from whoknew.agents.models.model import Reply, Request


def habit(asked: str, done: str, count: int) -> list[Spoken]:
    """So many times somebody says one thing, and she another."""
    pairs = [(("Bram", f"{asked} again."), (WHO, f"{done} indeed.")) for _ in range(count)]
    return [one for pair in pairs for one in pair]


async def test_what_it_always_does_is_told_with_how_often_it_was_right() -> None:
    evening = [*habit("Money", "Never", 8), *habit("Storm", "Wreck", 8)]
    async with lived(CodifiedEntry(), evening) as life:
        (note,) = await life.notes()
        told = note.text.splitlines()
        assert 'If somebody says "storm": say "wreck" (8 of 8)' in told
        assert note.strategy == "codified" and len(note.sources) >= 8
        found = await life.recollect("What do you do?")
        assert len(found.pieces) == 1 and "wreck" in found.text
        assert (await life.recollect("?", budget=5)).pieces == ()


async def test_it_is_found_anew_when_enough_was_done_and_not_before() -> None:
    evenings = [habit("Money", "Never", 10), *idle(2), habit("Money", "Never", 6), *idle(1)]
    async with lived(CodifiedEntry(), *evenings) as life:
        assert len(await life.notes()) == 1
        assert 1 < len(life.calls) <= CodifiedEntry().calls_an_episode


class Wrong:
    name = "wrong:"

    def __init__(self, *replies: str) -> None:
        self._replies = list(replies)

    async def complete(self, request: Request) -> Reply:
        return Reply(text=self._replies.pop(0) if len(self._replies) > 1 else self._replies[0])


@pytest.mark.parametrize(
    "replies",
    [
        ['{"habits": [{"when": "", "does": "x"}]}'],
        ['{"habits": [{"when": "a", "does": "b"}]}', '{"applies": [99], "holds": []}'],
        ['{"habits": 3}'],
    ],
)
async def test_a_statement_says_something_and_names_what_was_shown(replies: list[str]) -> None:
    with pytest.raises(BadAnswer):
        async with lived(CodifiedEntry(every=9), habit("Money", "Never", 9), model=Wrong(*replies)):
            pass


async def test_where_nothing_holds_that_is_said() -> None:
    model = Wrong('{"habits": []}')
    async with lived(CodifiedEntry(every=9), habit("Money", "No", 9), model=model) as life:
        assert [one.text for one in await life.notes()] == ["Nothing that would hold."]


async def test_what_one_did_with_another_is_what_one_did() -> None:
    evening = [
        (f"Bram and {WHO}" if who == WHO else who, text) for who, text in habit("Money", "Never", 9)
    ]
    async with lived(CodifiedEntry(every=9), evening) as life:
        assert len(await life.notes()) == 1
