"""The commonest of several answers is taken, and how common it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from answering_models import ByPurpose
from store_places import VolatilePlace, log_at

from whoknew.agents import briefing
from whoknew.agents.answering import Answer, FoldedLife, GivenAnswer, Respondent
from whoknew.agents.errors import BadAnswer
from whoknew.agents.memories.nothing import NoMemory
from whoknew.agents.methods.plain import Plain
from whoknew.agents.methods.vote import Vote, VoteEntry
from whoknew.agents.models.model import Model, Request, Sampling
from whoknew.agents.parts import Owner
from whoknew.agents.sections import Sections
from whoknew.engine.asking.ask import ask, keep
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Answered, CharacterAdded, EpisodeOpened
from whoknew.testing.small_chain import SETTING


def answer(text: str, *rests_on: int) -> str:
    return msgspec.json.encode(Answer(text, rests_on)).decode()


async def voted(*said: str, choices: tuple[str, ...] = (), reasks: int = 0) -> GivenAnswer:
    request = briefing.request("answer", "R.", Sections(who="Oda", choices=choices), Answer)
    method = Vote(len(said), reasks)
    return await method.ask(
        ByPurpose(answer=said), request, lambda text: msgspec.json.decode(text, type=GivenAnswer)
    )


async def test_the_commonest_wins_with_its_share() -> None:
    found = await voted(*map(answer, ("Bram.", "Nell paid.", "Kit.", "nell  PAID")))
    assert (found.answer, found.share) == ("Nell paid.", 0.5)


async def test_of_equals_the_first_wins() -> None:
    found = await voted(*map(answer, ("Bram.", "Kit.", "Kit.", "Bram.")))
    assert (found.answer, found.share) == ("Bram.", 0.5)


async def test_choices_are_counted_by_which_is_named() -> None:
    said = map(answer, ("It was Nell, I think.", "Bram.", "B", "(A) Nell it was."))
    found = await voted(*said, answer("Nell."), choices=("Nell", "Bram"))
    assert (found.answer, found.share) == ("It was Nell, I think.", 0.6)


async def test_what_an_answer_rests_on_makes_no_difference() -> None:
    assert (await voted(answer("Bram.", 1), answer("Kit.", 2), answer("Bram.", 3))).share == 2 / 3


async def test_one_answer_that_cannot_be_had_fails_the_vote() -> None:
    def read(text: str) -> str:
        if text == "Well.":
            raise BadAnswer("there is nothing in it.")
        return text

    request = briefing.request("answer", "R.", Sections(who="Oda"), Answer)
    model = ByPurpose(answer=("Bram.", "Well.", "Kit.", "Kit.", "Well."))
    with pytest.raises(BadAnswer, match="nothing in it"):
        await Vote(4, 1).ask(model, request, read)
    assert len(model.asked) == 5 + 1, "each may be asked for again"


async def test_each_answer_has_a_seed_of_its_own() -> None:
    request = briefing.request(
        "answer", "R.", Sections(who="Oda"), Answer, Sampling(temperature=1.0, seed=7)
    )
    model = ByPurpose(answer="Bram.")
    await Vote(3, 0).ask(model, request, str)
    assert [one.sampling for one in model.asked] == [Sampling(1.0, seed=seed) for seed in (7, 8, 9)]


def test_it_says_how_many_calls_it_makes() -> None:
    entry = VoteEntry(3)
    assert entry.calls("act") == ("act",) * 3
    assert entry.most(2) == 9
    assert entry.make(Owner(who="Oda")) == Vote(3, 2)


async def test_the_share_is_on_record() -> None:
    async with log_at(VolatilePlace()) as log:
        people = [Draft(CharacterAdded("Oda"), SETTING.begins, witnesses=("Oda",))]
        opened = Draft(EpisodeOpened("Rain.", ("Oda",)), None, 1, witnesses=("Oda",))
        await log.append("w", [*people, opened])
        model = ByPurpose(answer=[answer("Rain.", 2), answer("Fog."), answer("Rain")])
        past = FoldedLife(NoMemory)
        asked = Respondent(model, past, Vote(3, 0))
        found = await asked.answer(await log.view("w", "Oda"), "How is the weather?")
        assert found == GivenAnswer("Rain.", (2,), 2 / 3)
        kept = await keep(log, await ask(log, "w", "Oda", "How is the rain?", method="vote"))
        assert (kept.share, len(kept.calls)) == (1.0, 5)
        events = await (await log.director("w")).events()
        (written,) = [one.body for one in events if isinstance(one.body, Answered)]
        assert written.share == 1.0


async def test_an_answer_that_a_method_made_itself_is_taken() -> None:
    class Knowing(Plain):
        async def ask(self, model: Model, request: Request, read: Callable[[str], Any]) -> Any:
            return Answer("Rain.", (1,))

    async with log_at(VolatilePlace()) as log:
        await log.append("w", [Draft(CharacterAdded("Oda"), SETTING.begins, witnesses=("Oda",))])
        asked = Respondent(ByPurpose(), FoldedLife(NoMemory), Knowing())
        found = await asked.answer(await log.view("w", "Oda"), "How is the weather?")
        assert found == GivenAnswer("Rain.", (1,))
