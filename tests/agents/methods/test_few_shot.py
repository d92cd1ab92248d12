"""Examples that a plan gives stand before the question, and nowhere where they do not help."""

from __future__ import annotations

import pytest
from answering_models import ByPurpose

from whoknew.agents import briefing
from whoknew.agents.methods.few_shot import FewShotEntry, GivenExample
from whoknew.agents.mind import Said
from whoknew.agents.models.model import Request
from whoknew.agents.parts import Owner
from whoknew.agents.sections import Sections, Turn
from whoknew.engine.plan.document import parse_plan
from whoknew.testing.methods import ASKED
from whoknew.worlds.errors import BadDocument

EXAMPLES = (
    GivenExample(question="Who broke the jar?", reply='I do not know. "Ask" Bram.'),
    GivenExample(moment="Bram asks for the key.", action="Oda gives it to him."),
    GivenExample(question="Where is Kit?", reply="At sea.", who="Bram"),
)

QUESTION = Sections(who="Oda", myself="A cook.", question="Who paid?")
TURN = Sections(who="Oda", goal="Sleep.", turn=Turn(3))


async def prompt(sections: Sections | None, who: str = "Oda") -> str:
    request = ASKED
    if sections:
        request = briefing.request("act", "Rules.", sections, Said)
    model = ByPurpose(act="Water.")
    method = FewShotEntry(EXAMPLES).make(Owner(who=who))
    await method.ask(model, request, str)
    (asked,) = model.asked
    return "\n\n".join(one.text for one in asked.messages)


async def test_examples_of_answers_stand_right_before_the_question() -> None:
    assert await prompt(QUESTION) == (
        'Rules.\n\n# Who you are\n"A cook."\n\n# Examples of replies\n'
        '- To "Who broke the jar?" the reply was "I do not know. \\"Ask\\" Bram."\n\n'
        '# The question\n"Who paid?"'
    )


async def test_examples_of_actions_stand_right_before_the_turn() -> None:
    told = await prompt(TURN)
    assert 'To "Bram asks for the key." the reply was "Oda gives it to him."' in told
    assert "jar" not in told
    assert told.index(briefing.GOAL) < told.index(briefing.EXAMPLES) < told.index(briefing.TURN)


async def test_an_example_may_be_for_one_character() -> None:
    assert "At sea." not in await prompt(QUESTION)
    assert "At sea." in await prompt(QUESTION, "Bram")


async def test_nothing_else_of_the_request_changes() -> None:
    asked = briefing.request("act", "Rules.", QUESTION, Said, ASKED.sampling)
    model = ByPurpose(act="Water.")
    await FewShotEntry(EXAMPLES).make(Owner(who="Oda")).ask(model, asked, str)
    (sent,) = model.asked
    assert (sent.purpose, sent.answer, sent.sampling) == (
        asked.purpose,
        asked.answer,
        asked.sampling,
    )
    assert sent.messages[0] == asked.messages[0]
    plain: list[Request] = []
    for entry in (FewShotEntry(), FewShotEntry(EXAMPLES[1:2])):
        model = ByPurpose(act="Water.")
        await entry.make(Owner(who="Oda")).ask(model, asked, str)
        plain += model.asked
    assert [one.digest for one in plain] == [asked.digest] * 2


@pytest.mark.parametrize(
    "example",
    ['{ question = "Who?" }', '{ question = "Who?", action = "Goes." }', '{ who = "Oda" }'],
)
def test_half_an_example_is_a_mistake_of_the_plan(example: str) -> None:
    plan = (
        'world = "flatmates"\n[agents.everyone]\nmethod = "few-shot"\n'
        f"few-shot = {{ examples = [{example}] }}\n"
    )
    with pytest.raises(BadDocument, match="a question and a reply, or a moment and an action"):
        parse_plan(plan, "plan.toml")
