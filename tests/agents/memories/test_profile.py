"""What a portrait of oneself brings back, and when it is written anew."""

from __future__ import annotations

import pytest
from planted_lives import WHO, Spoken, idle, lived

from whoknew.agents.errors import BadAnswer
from whoknew.agents.memories.profile import ProfileEntry
from whoknew.agents.models.model import Reply, Request


def doing(count: int, text: str = "I mend nets") -> list[Spoken]:
    return [(WHO, f"{text} for the {number}th time, and gladly.") for number in range(count)]


class Writing:
    """Writes the same portrait each time."""

    name = "writing:"

    def __init__(self, portrait: str) -> None:
        self._portrait = portrait

    async def complete(self, request: Request) -> Reply:
        return Reply(text=f'{{"portrait": "{self._portrait}"}}')


async def test_it_is_written_anew_when_enough_was_done_and_not_before() -> None:
    evenings = [doing(10), *idle(3), doing(5), doing(1), *idle(2), doing(40), doing(15)]
    async with lived(ProfileEntry(), *evenings) as life:
        assert len(life.calls) == 2 == len(await life.notes())


async def test_the_newest_portrait_is_all_that_comes_to_mind() -> None:
    evenings = [doing(3, "I love nets"), doing(3, "I hate boats"), *idle(5)]
    async with lived(ProfileEntry(every=3), *evenings) as life:
        found = await life.recollect("Who are you?")
        assert len(found.pieces) == 1 and "hate boats" in found.text
        assert "love nets" in found.text, "it is made of the one before, too"
        assert (await life.recollect("?", budget=5)).pieces == ()


async def test_what_is_asked_is_what_one_did_with_what_came_before_it_and_nothing_else() -> None:
    evening: list[Spoken] = [
        *(("Bram", f"This lies too far back: {number}.") for number in range(5)),
        *(("Kit", f"Do you mend it, Oda? {number}.") for number in range(3)),
        *doing(1),
        ("Kit", "That came later."),
    ]
    async with lived(ProfileEntry(every=1), evening) as life:
        (request,) = life.calls
        assert request.sections
        texts = [line.text for line in request.sections.here or ()]
        assert texts == [text for _, text in evening[5:9]]
        assert len((await life.notes())[0].sources) == 1, "what it names"


@pytest.mark.parametrize("portrait", ["", "I am [99]."])
async def test_a_portrait_says_something_and_names_what_it_was_given(portrait: str) -> None:
    with pytest.raises(BadAnswer):
        async with lived(ProfileEntry(every=1), doing(1), model=Writing(portrait)):
            pass


async def test_a_portrait_that_is_too_long_loses_its_end() -> None:
    portrait = "I am Oda and mend nets at the ferry. " * 10
    async with lived(ProfileEntry(every=1, words=20), doing(1), model=Writing(portrait)) as life:
        assert len((await life.notes())[0].text.split()) <= 20


async def test_what_one_did_with_another_is_what_one_did() -> None:
    together = [(f"Bram and {WHO}", text) for _, text in doing(4)]
    async with lived(ProfileEntry(every=4), together) as life:
        assert len(life.calls) == 1 == len(await life.notes())
