"""Experts read the whole story, and give a character one of two hints or none; nothing else of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import product

import msgspec
import pytest
from answering_models import ByPurpose
from memories_here import EACH
from small_worlds import NIGHT, opened, said
from store_places import VolatilePlace, log_at

from whoknew.agents.answering import Answer
from whoknew.agents.errors import BadAnswer, BadPart
from whoknew.agents.methods.experts import Adviser, ExpertHint, Experts, ExpertsEntry
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.models.offline import Offline
from whoknew.agents.parts import Owner
from whoknew.engine.asking.ask import ask
from whoknew.engine.asking.experts import StoryExperts
from whoknew.engine.asking.putting import put, respondent
from whoknew.engine.plan.plan import Seat
from whoknew.engine.registry import METHODS
from whoknew.engine.running.models import method_of
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Acted, EpisodeOpened
from whoknew.testing.methods import ASKED

BURIED = "I buried the crown in the orchard."
KEY = "The silver key lies under the oak."

KNOWN, UNSEEN = "Where does the silver key lie?", "Who buried the crown in the orchard?"
ANSWER = msgspec.json.encode(Answer("So it is.")).decode()


@pytest.fixture
async def log() -> AsyncIterator[Log]:
    """Ann hears of the key in the first episode; what Cid says of the crown in the second she does
    not hear."""
    async with log_at(VolatilePlace()) as log:
        first = Draft(EpisodeOpened("Tea.", ("Ann", "Bob")), NIGHT, 1, witnesses=("Ann", "Bob"))
        second = Draft(EpisodeOpened("Rain.", ("Bob", "Cid")), NIGHT, 2, witnesses=("Bob", "Cid"))
        heard = said("Bob", KEY, "Ann", episode=1, turn=1)
        await log.append("w", [*opened("Ann", "Bob", "Cid"), first, heard])
        await log.append("w", [second, said("Cid", BURIED, "Bob", episode=2, turn=1)])
        yield log


class Keeping(Offline):
    """Keeps what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        return await super().complete(request)


async def prompts(
    log: Log,
    question: str,
    at: str,
    *,
    method: str = "experts",
    memory: str = "entire",
    model: Keeping | ByPurpose | None = None,
) -> list[Request]:
    """All that is asked where a question is put to Ann."""
    model = model or Keeping()
    view, seat = await log.view("w", "Ann", at), Seat(memory=memory, method=method, reasks=0)
    asked = respondent("Ann", seat, model, adviser=StoryExperts(log, view, 0))
    await put(asked, view, question)
    return model.asked


def test_there_are_two_hints() -> None:
    future, absent = ExpertHint
    assert future.value == (
        "This happens later than now: you know nothing of it yet. "
        "Do not answer it, and speak of nothing that comes later."
    )
    assert absent.value == "You were not there when this happened. Do not speak as if you had been."


@pytest.mark.parametrize(
    ("question", "at", "purposes", "hint"),
    [
        (KNOWN, "E1", ["when", "where", "answer"], None),
        (KNOWN, "end", ["when", "where", "answer"], None),
        (UNSEEN, "E1", ["when", "answer"], ExpertHint.FUTURE),
        (UNSEEN, "end", ["when", "where", "answer"], ExpertHint.ABSENT),
        ("Xyzzy?", "end", ["answer"], None),
    ],
)
async def test_offline_the_experts_say_what_comes_later_and_who_was_not_there(
    log: Log, question: str, at: str, purposes: list[str], hint: ExpertHint | None
) -> None:
    asked = await prompts(log, question, at)
    assert [one.purpose for one in asked] == purposes
    shown = question if hint is None else f"{question} ({hint.value})"
    assert asked[-1].messages[1].text.endswith(f'# The question\n"{shown}"')
    for one in asked[:-1]:
        assert BURIED in one.messages[1].text or question == KNOWN, "experts read all"
    answered = await ask(log, "w", "Ann", question, at, method="experts")
    assert [one.purpose for one in answered.calls] == purposes


@pytest.mark.parametrize("memory", EACH)
@pytest.mark.parametrize(("question", "at"), list(product((KNOWN, UNSEEN), ("E1", "end"))))
async def test_a_character_is_asked_as_without_experts_but_for_the_hint(
    log: Log, memory: str, question: str, at: str
) -> None:
    """No word of an event that it did not witness reaches it, with any memory."""
    *_, plain = await prompts(log, question, at, method="plain", memory=memory)
    *_, answering = await prompts(log, question, at, memory=memory)
    text = answering.messages[1].text
    for hint in ExpertHint:
        text = text.replace(f" ({hint.value})", "")
    assert (answering.messages[0], text) == (plain.messages[0], plain.messages[1].text)
    assert (answering.answer, answering.sampling) == (plain.answer, plain.sampling)
    view = await log.view("w", "Ann", at)
    everything = "".join(one.text for one in answering.messages)
    for event in await (await log.director("w")).events():
        if isinstance(event.body, Acted | EpisodeOpened) and event.seq not in view:
            assert event.text not in everything


@pytest.mark.parametrize(
    ("when", "where", "hint"),
    [
        ("Of the crown.\n1", "Ann was.\npresent", None),
        ("Of the crown.\n1", "Bob and Cid.\nabsent", ExpertHint.ABSENT),
        ("Of the crown.\n1", "Bob and Cid.\n**Absent.**", ExpertHint.ABSENT),
        ("It is passage 2.\nI am sure", "absent\nI cannot tell", None),
        ("1\n\n", "absent or present", None),
        ("1 or 2", "not absent, but present", None),
        ("7", "", None),
    ],
)
async def test_what_cannot_be_read_is_no_hint(
    log: Log, when: str, where: str, hint: ExpertHint | None
) -> None:
    model = ByPurpose(when=when, where=where or "?", answer=ANSWER)
    *_, answering = await prompts(log, UNSEEN, "end", model=model)
    for one in ExpertHint:
        assert (one.value in answering.messages[1].text) == (one is hint)


async def test_nobody_is_asked_where_somebody_was_when_it_comes_later(log: Log) -> None:
    """The number that the expert gives is that of the passage, in the order of the story."""
    model = ByPurpose(when="Of the crown.\n1", answer=ANSWER)
    await prompts(log, UNSEEN, "E1", model=model)
    assert model.purposes == {"when": 1, "answer": 1}


@pytest.mark.parametrize("failing", ["when", "where"])
async def test_an_expert_that_says_nothing_fails_the_answer(log: Log, failing: str) -> None:
    replies = {"when": "1", "where": "absent", "answer": ANSWER} | {failing: " "}
    with pytest.raises(BadAnswer, match="empty"):
        await prompts(log, UNSEEN, "end", model=ByPurpose(**replies))


async def test_without_one_who_reads_the_story_no_question_is_answered(log: Log) -> None:
    view, seat = await log.view("w", "Ann"), Seat(method="experts")
    with pytest.raises(BadPart, match="nobody here who reads the whole story"):
        await put(respondent("Ann", seat, Keeping()), view, UNSEEN)


async def test_who_acts_is_given_no_hint() -> None:
    model = ByPurpose(act="Water.")
    await Experts().ask(model, ASKED, str)
    assert [one.digest for one in model.asked] == [ASKED.digest]
    assert ExpertsEntry().calls("act") == ("act",)
    assert ExpertsEntry().calls("answer") == ("when", "where", "answer")


class Curious(ExpertsEntry, frozen=True):
    """what somebody else may write: all that it is given, it keeps"""

    def advised(self, owner: Owner, adviser: Adviser | None) -> Experts:
        assert adviser is None, "a part from outside is handed one who reads the whole story"
        return super().advised(owner, adviser)


async def test_a_part_from_outside_is_made_without_one_who_reads_the_story(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(METHODS.outside, "curious:Curious", Curious)
    view, seat = await log.view("w", "Ann"), Seat(method="curious:Curious")
    method = method_of("Ann", seat, StoryExperts(log, view, 0))
    assert method == Experts(None, seat.reasks)


@pytest.mark.parametrize(
    ("question", "at", "hint"),
    [
        (KNOWN, "E1", None),
        (KNOWN, "end", None),
        (UNSEEN, "E1", ExpertHint.FUTURE),
        (UNSEEN, "end", ExpertHint.ABSENT),
        ("Xyzzy?", "end", None),
    ],
)
async def test_by_rule_they_say_the_same_and_ask_no_model(
    log: Log, question: str, at: str, hint: ExpertHint | None
) -> None:
    model, view = Keeping(), await log.view("w", "Ann", at)
    seat = Seat(memory="entire", method="experts", settings={"experts": {"by": "rule"}})
    adviser = StoryExperts(log, view, 0)
    await put(respondent("Ann", seat, model, adviser=adviser), view, question)
    (asked,) = model.asked
    shown = question if hint is None else f"{question} ({hint.value})"
    assert asked.messages[1].text.endswith(f'# The question\n"{shown}"')
    assert adviser.said == (hint.name.lower() if hint else "none")
    assert METHODS.made("experts", {"by": "rule"}).calls("answer") == ("answer",)


async def test_what_comes_later_can_be_put_without_anything_that_is_remembered(log: Log) -> None:
    for number, line in ((3, "The well is frozen."), (4, "The crown is in the well.")):
        here = Draft(EpisodeOpened("Snow.", ("Ann",)), NIGHT, number, witnesses=("Ann",))
        await log.append("w", [here, said("Ann", line, episode=number, turn=1)])
    remembered: dict[bool, str] = {}
    for bare in (False, True):
        model, view = Keeping(), await log.view("w", "Ann", "E3")
        settings = {"experts": {"by": "rule", "bare": bare}}
        seat = Seat(memory="entire", method="experts", settings=settings)
        experts = StoryExperts(log, view, 0)
        await put(
            respondent("Ann", seat, model, adviser=experts), view, "Is the crown in the well?"
        )
        assert experts.said == "future"
        (asked,) = model.asked
        remembered[bare] = asked.messages[1].text
    assert KEY in remembered[False] and KEY not in remembered[True]
    assert all("The well is frozen." in text for text in remembered.values()), "the present stays"
