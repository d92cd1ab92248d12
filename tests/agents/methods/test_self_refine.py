"""An answer is marked and made better, until it is good enough or the rounds are over."""

from __future__ import annotations

import msgspec
import pytest
from answering_models import ByPurpose

from whoknew.agents import briefing
from whoknew.agents.answering import Answer
from whoknew.agents.errors import BadAnswer
from whoknew.agents.methods.self_refine import Feedback, SelfRefine, SelfRefineEntry
from whoknew.agents.models.model import Message
from whoknew.agents.models.offline import Offline
from whoknew.agents.prompts.text import filled, prompt
from whoknew.agents.sections import Sections

REQUEST = briefing.request("answer", "R.", Sections(who="Oda", question="Who paid?"), Answer)


def marked(spatiotemporal: int, personality: int, advice: str = "Say less.") -> str:
    return msgspec.json.encode(Feedback(spatiotemporal, personality, advice)).decode()


async def refined(model: ByPurpose, rounds: int = 3, reasks: int = 0) -> str:
    return await SelfRefine("Oda", rounds, reasks).ask(model, REQUEST, str)


@pytest.mark.parametrize(
    ("marks", "said", "calls"),
    [
        ([marked(3, 2)], "one", 2),
        ([marked(3, 1), marked(3, 3)], "two", 4),
        ([marked(0, 3), marked(3, 1), marked(3, 2)], "three", 6),
        ([marked(0, 3), marked(3, 1), marked(0, 1)], "four", 7),
    ],
)
async def test_it_ends_at_a_sum_of_five_or_after_three_rounds(
    marks: list[str], said: str, calls: int
) -> None:
    model = ByPurpose(answer=("one", "two", "three", "four", "five"), feedback=marks)
    assert await refined(model) == said
    assert len(model.asked) == calls


async def test_each_round_sees_all_before_it() -> None:
    first, second = marked(0, 1, "Not so loud."), marked(3, 1, "Better.")
    model = ByPurpose(answer=("one", "two", "three"), feedback=(first, second, marked(3, 3)))
    await refined(model)
    asked = filled("feedback", name="Oda")
    assert model.asked[-1].messages == (
        *REQUEST.messages,
        Message("assistant", "one"),
        Message("user", asked),
        Message("assistant", first),
        Message("user", prompt("refine")),
        Message("assistant", "two"),
        Message("user", asked),
        Message("assistant", second),
        Message("user", prompt("refine")),
        Message("assistant", "three"),
        Message("user", asked),
    )
    for before, now in zip(model.asked, model.asked[1:], strict=False):
        assert now.messages[: len(before.messages)] == before.messages


@pytest.mark.parametrize("wrong", ["Fine.", marked(2, 3), marked(3, 3).replace("3", "9")])
async def test_feedback_that_makes_no_sense_is_asked_for_again_and_then_fails(wrong: str) -> None:
    model = ByPurpose(answer="one", feedback=(wrong, marked(3, 3)))
    assert await refined(model, reasks=1) == "one"
    assert model.purposes == {"answer": 1, "feedback": 2}
    with pytest.raises(BadAnswer):
        await refined(ByPurpose(answer="one", feedback=wrong), reasks=1)


def test_it_says_how_many_calls_it_makes_at_most() -> None:
    entry = SelfRefineEntry()
    assert len(entry.calls("act")) == 7
    assert entry.most(2) == 21
    assert SelfRefineEntry(rounds=1).calls("act") == ("act", "feedback", "act")


@pytest.mark.parametrize(("said", "mark"), [("Nell paid.", 3), ("The lighthouse burned.", 0)])
async def test_offline_marks_by_whether_all_words_stand_in_the_prompt(said: str, mark: int) -> None:
    sections = Sections(who="Oda", memory=("Nell paid for the boat.",), question="Who?")
    request = briefing.request("feedback", "R.", sections, Feedback)
    messages = (
        *request.messages,
        Message("assistant", msgspec.json.encode(Answer(said)).decode()),
        Message("user", filled("feedback", name="Oda")),
    )
    reply = await Offline().complete(msgspec.structs.replace(request, messages=messages))
    assert msgspec.json.decode(reply.text, type=Feedback).spatiotemporal == mark
