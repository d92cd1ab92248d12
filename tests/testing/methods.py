"""What every method is held to. None is excused from any of it.

- The answer is what is read of a reply, asked for with the purpose, the Struct and the sampling of
  the request, whose messages come first: laws 3 and 4 hold of all that they hold of the request.
- What cannot be understood is asked again so many times at most as its owner allows, told why; then
  BadAnswer is raised. No more calls are made than its entry says (so that they are forecast).
- Law 7: an error of the model is left to whoever asks. It may raise an AgentError and nothing else.
- Law 9: nothing of an earlier question goes into the next.

Give the fixture `method`: its entry, with the settings to be tested.
"""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from whoknew.agents.errors import BadAnswer, ServerUnavailable
from whoknew.agents.methods.method import LONGEST, Method, MethodEntry
from whoknew.agents.mind import Said
from whoknew.agents.models.model import Message, Reply, Request, Sampling, schema_of
from whoknew.agents.parts import Owner
from whoknew.testing.stub_models import Away, filled_in

pytestmark = pytest.mark.asyncio

ASKED = Request(
    "act",
    (Message("system", "You are Oda."), Message("user", "What do you do?")),
    Said,
    Sampling(temperature=0.5, max_tokens=80),
)

WHY = "there is no wine in it."


class Heard:
    """A model that gives one reply to whatever is asked, and keeps what that was. Where it is to fill in
    a form of the method's own, it does."""

    name = "heard:"

    def __init__(self, reply: Reply | None = None) -> None:
        self._reply = reply or Reply(text="Water.")
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        if request.answer in (None, ASKED.answer):
            return self._reply
        schema = msgspec.json.decode(schema_of(request.answer) or b"{}")
        form = filled_in(schema, request.digest, schema.get("$defs", {}))
        return Reply(text=msgspec.json.encode(form).decode())

    @property
    def answering(self) -> list[Request]:
        """The calls for an answer itself; others only lead up to one."""
        return [one for one in self.asked if one.purpose == ASKED.purpose]


def made(method: MethodEntry, reasks: int = 2) -> Method:
    return method.make(Owner(who="Oda", reasks=reasks))


def refused(text: str) -> str:
    raise BadAnswer(WHY)


async def test_the_answer_is_what_is_read_of_the_reply(method: MethodEntry) -> None:
    assert await made(method).ask(Heard(), ASKED, str.upper) == "WATER."


async def test_it_asks_with_the_purpose_the_answer_and_the_sampling_of_the_request(
    method: MethodEntry,
) -> None:
    model = Heard()
    await made(method).ask(model, ASKED, str.upper)
    announced = Counter(method.calls(ASKED.purpose))
    made_of_it = Counter(one.purpose for one in model.asked)
    assert made_of_it[ASKED.purpose] >= 1
    assert made_of_it <= announced, "calls says otherwise"
    for one in model.answering:
        assert one.answer == ASKED.answer
    for one in model.asked:
        assert one.messages[: len(ASKED.messages)] == ASKED.messages
        assert one.sampling == ASKED.sampling


async def test_plain_text_is_asked_for_as_plain_text(method: MethodEntry) -> None:
    model = Heard()
    text = Request("reword", ASKED.messages)
    assert await made(method).ask(model, text, str.upper) == "WATER."
    assert all(one.answer is None for one in model.asked if one.purpose == "reword")


@pytest.mark.parametrize("reasks", [0, 1, 3])
async def test_it_asks_again_so_many_times_at_most_and_then_says_what_was_wrong(
    method: MethodEntry, reasks: int
) -> None:
    model = Heard()
    with pytest.raises(BadAnswer, match=WHY):
        await made(method, reasks).ask(model, ASKED, refused)
    assert len(model.answering) == reasks + 1
    assert {call.purpose for call in model.asked} <= set(method.calls(ASKED.purpose))
    assert set(method.calls_before) <= {call.purpose for call in model.asked}, (
        "calls_before says otherwise"
    )
    assert len(model.asked) <= method.most(reasks, ASKED.purpose), "most says less"


async def test_whoever_is_asked_again_is_shown_what_it_said_and_told_why(
    method: MethodEntry,
) -> None:
    model = Heard()
    with pytest.raises(BadAnswer):
        await made(method, 1).ask(model, ASKED, refused)
    *_, said, why = model.answering[-1].messages
    assert said == Message("assistant", "Water.")
    assert why.role == "user" and WHY in why.text


@pytest.mark.parametrize(
    "reply",
    [
        Reply(text=""),
        Reply(text=" \n"),
        Reply(text="I would", ended="length"),
        Reply(text="No.", ended="refused"),
        Reply(text="a" * (LONGEST + 1)),
    ],
    ids=["empty", "blank", "cut off", "refused", "too long"],
)
async def test_what_is_no_answer_is_never_read(method: MethodEntry, reply: Reply) -> None:
    read: list[str] = []
    with pytest.raises(BadAnswer):
        await made(method, 1).ask(Heard(reply), ASKED, read.append)
    assert read == []


async def test_an_error_of_the_model_is_left_to_whoever_asks(method: MethodEntry) -> None:
    with pytest.raises(ServerUnavailable, match="not reached"):
        await made(method).ask(Away(), ASKED, str.upper)


async def test_the_same_request_is_asked_the_same_way(method: MethodEntry) -> None:
    """Law 9: nothing of an earlier question goes into the next."""
    model, one = Heard(), made(method)
    await one.ask(model, ASKED, str.upper)
    first = [call.digest for call in model.asked]
    await one.ask(model, ASKED, str.upper)
    assert [call.digest for call in model.asked] == first * 2
