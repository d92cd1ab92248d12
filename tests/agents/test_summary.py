"""Summaries: three aspects, within their length, citing what was witnessed and nothing else."""

from __future__ import annotations

import asyncio
from datetime import datetime
from itertools import combinations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.agents.agent import Note
from whoknew.agents.errors import BadAnswer
from whoknew.agents.memories.summary import ASPECTS, Aspect, Summary, SummaryEntry
from whoknew.agents.models.model import Model, Reply, Request
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeOpened, WorldOpened
from whoknew.testing.occasion import occasion

ASKED = [tuple(some) for size in (1, 2, 3) for some in combinations(ASPECTS, size)]


class Says:
    """A model that answers one text after another, and the last for ever."""

    name = "says:"

    def __init__(self, *texts: str) -> None:
        self._texts = list(texts)
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        return Reply(text=self._texts.pop(0) if len(self._texts) > 1 else self._texts[0])


def kept(**parts: str) -> str:
    usual = dict.fromkeys(ASPECTS, "Nothing [4].")
    return msgspec.json.encode({**usual, **parts}).decode()


async def noted(model: Model, memory: Summary) -> tuple[Note, ...]:
    """What Ada keeps of an episode whose lines stand at places 3 and 4 of her view."""
    async with open_log(":memory:") as log:
        await log.append(
            "w",
            [
                Draft(WorldOpened("W"), datetime(2000, 1, 1)),
                Draft(CharacterAdded("Ada", "Ada."), witnesses=("Ada",)),
                Draft(CharacterAdded("Ben", "Ben."), witnesses=("Ben",)),
                Draft(
                    EpisodeOpened("Rain.", ("Ada", "Ben")),
                    at=None,
                    episode=1,
                    turn=0,
                    witnesses=("Ada", "Ben"),
                ),
                Draft(
                    Acted("I hate rain."),
                    at=None,
                    episode=1,
                    turn=1,
                    actor="Ben",
                    place=None,
                    witnesses=("Ada", "Ben"),
                ),
                Draft(
                    Acted("So do I."),
                    at=None,
                    episode=1,
                    turn=2,
                    actor="Ada",
                    place=None,
                    witnesses=("Ada", "Ben"),
                ),
            ],
        )
        view = await log.view("w", "Ada")
        return await memory.remember(await occasion(view, model=model))


@pytest.mark.parametrize("aspects", ASKED)
@pytest.mark.parametrize("words", [50, 300, 1000])
async def test_what_is_asked_for_is_what_is_kept(aspects: tuple[Aspect, ...], words: int) -> None:
    model = Says(kept(overview="It rained [3]."))
    (note,) = await noted(model, Summary(SummaryEntry(words=words, aspects=aspects)))
    rules = model.asked[0].messages[0].text
    assert f"{words * 2 // 3} to {words} words" in rules
    for aspect, title in ASPECTS.items():
        assert (f"{title}:" in note.text) == (aspect in aspects)
        assert (f'"{aspect}"' in rules) == (aspect in aspects)
    assert note.sources == (
        (3, 4)
        if aspects[0] == "overview" and len(aspects) > 1
        else (3,)
        if aspects == ("overview",)
        else (4,)
    )


@given(
    st.dictionaries(st.sampled_from(sorted(ASPECTS)), st.integers(1, 700), min_size=3),
    st.sampled_from([12, 50, 300, 1000]),
)
def test_it_is_never_longer_than_asked_and_no_aspect_is_lost(
    lengths: dict[str, int], words: int
) -> None:
    said = {
        aspect: " ".join("word." if place % 7 == 6 else "word" for place in range(length))
        for aspect, length in lengths.items()
    }
    (note,) = asyncio.run(noted(Says(kept(**said)), Summary(SummaryEntry(words=words))))
    text = note.text
    for title in ASPECTS.values():
        assert f"{title}:\n" in text
        text = text.replace(f"{title}:\n", "")
    assert len(text.split()) <= words
    assert all(part.strip() for part in note.text.split(":\n")[1:])
    if sum(lengths.values()) <= words:
        assert len(text.split()) == sum(lengths.values()), "what fits is kept whole"


async def test_what_cites_what_was_not_witnessed_is_asked_again() -> None:
    model = Says(kept(knowledge="Ben hates rain [9]."), kept(knowledge="Ben hates rain [3]."))
    (note,) = await noted(model, Summary())
    assert "[9] is no number of this episode" in model.asked[1].messages[-1].text
    assert note.sources == (3, 4) and "Ben hates rain [3]." in note.text


@pytest.mark.parametrize("text", [kept(overview=" "), '{"overview": "x"}', "It rained."])
async def test_what_lacks_an_aspect_is_never_kept(text: str) -> None:
    with pytest.raises(BadAnswer):
        await noted(Says(text), Summary(reasks=1))


async def test_one_that_cites_nothing_rests_on_the_whole_episode() -> None:
    nothing = dict.fromkeys(ASPECTS, "It rained.")
    (note,) = await noted(Says(kept(**nothing)), Summary())
    assert note.sources == (2, 3, 4)
