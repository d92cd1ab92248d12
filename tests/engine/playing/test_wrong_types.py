"""What a part from outside gives that is not what its port asks for never comes onto the log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from types import coroutine
from typing import Any

import pytest

from whoknew.agents.agent import Action, Agent, Moment, Note
from whoknew.agents.answering import Answer, FoldedLife, Respondent
from whoknew.agents.errors import BadPart
from whoknew.agents.memories.memory import Memory, Occasion, Piece, Recollection, recollected
from whoknew.agents.memories.nothing import NoMemory
from whoknew.agents.methods.method import Method
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Model, Request
from whoknew.agents.parts import awaited, given
from whoknew.engine.plan.plan import Plan
from whoknew.engine.playing import chain
from whoknew.engine.playing.case import EpisodeCase
from whoknew.engine.playing.judge import Judge, Verdict
from whoknew.engine.playing.panel import Panel
from whoknew.eventlog import verify
from whoknew.testing.occasion import occasion
from whoknew.testing.small_chain import (
    PEOPLE,
    SETTING,
    chain_of_minds,
    episodes,
    events_of,
    run_of,
    volatile_log,
)
from whoknew.testing.stub_models import ByDigest


class Given(Agent, Memory, Judge):  # type: ignore[misc]
    """An agent, a memory and a judge that give what they are told, and else what is right."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given

    async def act(self, moment: Moment) -> Action:
        return self._given.get("act", Action(text="Yes."))

    async def recollect(self, now: Occasion) -> Recollection:
        return self._given.get("recollect", Recollection())

    async def remember(self, now: Any) -> tuple[Note, ...]:
        return self._given.get("remember", ())

    async def review(self, case: EpisodeCase) -> list[Verdict]:
        return self._given.get("review", [])


class Slight(Recollection, frozen=True):
    """Says that it is less than it is."""

    @property
    def text(self) -> str:  # type: ignore[override]
        return ""


class Slip(Piece, frozen=True):
    pass


class Muttered(str):
    def encode(self, *args: Any, **more: Any) -> bytes:
        return b""


class Forged(Action, frozen=True):
    pass


AGENT = {
    "act": ["Good evening.", None, Action(text=None), Action(act="sing"), Forged(text="Yes.")],  # type: ignore[arg-type]
    "remember": [None, "It rained.", [Note("diary", None)], (Note("diary", "x", ("1",)),)],  # type: ignore[arg-type]
}
AGENT["remember"] += [(Note("diary", "x", (place,)),) for place in (0, 99)]
NOT_TEXT = Recollection((Piece(3, ()),))  # type: ignore[arg-type]
NOT_TOKENS = Recollection((), "few")  # type: ignore[arg-type]
LONG = "It rained. " * 100
MEMORY = {
    "recollect": [
        None,
        "It rained.",
        Recollection(None),  # type: ignore[arg-type]
        Recollection("x"),  # type: ignore[arg-type]
        NOT_TEXT,
        NOT_TOKENS,
        Slight((Piece(LONG, (1,)),)),
        Recollection((Slip(LONG, (1,)),)),
        Recollection((Piece(Muttered(LONG), (1,)),)),
    ],
    "remember": AGENT["remember"],
}
JUDGE = {
    "review": [
        None,
        [{"Oda": 3}],
        [Verdict("Oda", {"x": "good"})],  # type: ignore[dict-item]
        [Verdict("Oda", {"x": float("nan")})],
        [Verdict("Oda", None)],
        [Verdict("Somebody", {"x": 1.0})],
        [Verdict("Oda", {})],
        [Verdict("Oda", {"x": 1.0}), Verdict("Oda", {"y": 1.0})],
    ],
}


def cases(given: dict[str, list[Any]]) -> list[Any]:
    return [pytest.param(what, one, id=f"{what} {one}") for what in given for one in given[what]]


async def refused(part: str, what: str, given: Any) -> None:
    """It is told which part gave it, and the log can be read, and gone on with."""
    one = Given({what: given})
    async with volatile_log() as log:
        if part == "agent":
            run = await run_of(log, "ferry", SETTING, lambda _: dict.fromkeys(PEOPLE, one))
        elif part == "memory":
            run = await chain_of_minds(log, ByDigest(), memory=lambda who: one)
        else:
            panel = Panel(Plan("ferry"), SETTING, {"mine": one})
            run = await chain_of_minds(log, ByDigest(), panel=panel)
        with pytest.raises(BadPart, match=rf"Given\.{what} "):
            await chain.play(run, SETTING, episodes())
        assert await events_of(log) and (await verify(log)).faults == ()


@pytest.mark.parametrize(("what", "given"), cases(AGENT))
async def test_what_is_no_action_or_note_of_an_agent(what: str, given: Any) -> None:
    await refused("agent", what, given)


@pytest.mark.parametrize(("what", "given"), cases(MEMORY))
async def test_what_is_no_recollection_or_note_of_a_memory(what: str, given: Any) -> None:
    await refused("memory", what, given)


@pytest.mark.parametrize(("what", "given"), cases(JUDGE))
async def test_what_is_no_verdict_of_a_judge(what: str, given: Any) -> None:
    await refused("judge", what, given)


@pytest.mark.parametrize("found", [None, "Good evening.", Action(text=None)])  # type: ignore[arg-type]
async def test_what_is_no_action_of_a_method(found: Any) -> None:
    class Answering(Method):
        async def ask(self, model: Model, request: Request, read: Callable[[str], Any]) -> Any:
            return found

    mind = Mind("Oda", ByDigest(), NoMemory(), Answering())
    async with volatile_log() as log:
        run = await run_of(log, "ferry", SETTING, lambda _: dict.fromkeys(PEOPLE, mind))
        with pytest.raises(BadPart, match=r"Answering\.ask should give Action"):
            await chain.play(run, SETTING, episodes())


@pytest.mark.parametrize("found", [3, Answer("Yes.", ("one",)), Answer(None)])  # type: ignore[arg-type]
async def test_what_is_no_answer_of_a_method_to_a_question(found: Any) -> None:
    class Answering(Method):
        async def ask(self, model: Model, request: Request, read: Callable[[str], Any]) -> Any:
            return found

    async with volatile_log() as log:
        await chain.play(await chain_of_minds(log, ByDigest()), SETTING, episodes())
        view = await log.view("ferry", "Oda")
        with pytest.raises(BadPart, match=r"Answering\.ask should give Answer"):
            await Respondent(ByDigest(), FoldedLife(NoMemory), Answering()).answer(
                view, "Who is here?"
            )


class Misshapen(Agent, Memory, Judge, Method):  # type: ignore[misc]
    """Takes what it is not given, or gives what cannot be waited for."""

    def act(self, moment: Moment) -> Action:  # type: ignore[override]
        return Action(text="Yes.")

    async def recollect(self) -> Recollection:  # type: ignore[override]
        return Recollection()

    def remember(self, now: Any) -> tuple[Note, ...]:  # type: ignore[override]
        return ()

    async def review(self, case: EpisodeCase, more: str) -> list[Verdict]:  # type: ignore[override]
        return []

    async def ask(self, model: Model) -> Any:  # type: ignore[override]
        return Action(text="Yes.")


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("act", "should be `async def`"),
        ("recollect", "does not take what it is given: .*takes 1 positional argument"),
        ("remember", "should be `async def`"),
        ("review", "does not take what it is given: .*missing 1 required positional argument"),
        ("ask", "does not take what it is given: .*takes 2 positional arguments"),
    ],
)
async def test_a_part_of_another_shape_than_its_port_is_told_by_its_name(
    what: str, told: str
) -> None:
    one: Any = Misshapen()
    async with volatile_log() as log:
        if what == "act":
            run = await run_of(log, "ferry", SETTING, lambda _: dict.fromkeys(PEOPLE, one))
        elif what == "review":
            run = await chain_of_minds(
                log, ByDigest(), panel=Panel(Plan("ferry"), SETTING, {"mine": one})
            )
        elif what == "ask":
            mind = Mind("Oda", ByDigest(), NoMemory(), one)
            run = await run_of(log, "ferry", SETTING, lambda _: dict.fromkeys(PEOPLE, mind))
        else:
            if what == "remember":
                one.recollect = NoMemory().recollect
            run = await chain_of_minds(log, ByDigest(), memory=lambda who: one)
        with pytest.raises(BadPart, match=rf"Misshapen\.{what} {told}"):
            await chain.play(run, SETTING, episodes())


async def test_a_coroutine_of_another_make_is_waited_for() -> None:
    @coroutine
    def answer() -> Generator[Any, Any, str]:
        yield from asyncio.sleep(0).__await__()
        return "Yes."

    assert await awaited(answer) == "Yes."


async def test_what_a_part_raises_itself_is_raised() -> None:
    class Broken(Memory):
        async def recollect(self, now: Occasion) -> Recollection:
            return len(3)  # type: ignore[arg-type,return-value]

    async with volatile_log() as log:
        run = await chain_of_minds(log, ByDigest(), memory=lambda who: Broken())
        with pytest.raises(TypeError, match="has no len"):
            await chain.play(run, SETTING, episodes())


async def test_a_recollection_that_says_it_is_less_than_it_is_does_not_get_by_its_budget() -> None:
    """What it says is worked out anew."""
    brought = Recollection((Piece(LONG, (1,)),))
    brought.__dict__["lines"], brought.__dict__["text"] = (), ""
    async with volatile_log() as log:
        await chain.play(await chain_of_minds(log, ByDigest()), SETTING, episodes())
        now = await occasion(await log.view("ferry", "Oda"), budget=10)
        with pytest.raises(BadPart, match="where its budget is 10"):
            await recollected(Given({"recollect": brought}), now)


async def test_what_a_part_changes_after_it_gave_it_changes_nothing() -> None:
    offer = {"Oda": {"book": 1}}
    action = given(object(), "act", Action(text="Deal?", offer=offer), Action)
    offer["Oda"]["book"] = 3
    assert action.offer == {"Oda": {"book": 1}}
