"""The sections of a request: what its text says, as data, from one source."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TypeVar

import msgspec
import pytest
from memories_here import EACH
from msgspec.structs import replace
from store_places import VolatilePlace, log_at

from whoknew.agents import briefing
from whoknew.agents.agent import Moment
from whoknew.agents.errors import BadAnswer, Rejected
from whoknew.agents.lines import Line
from whoknew.agents.memories.memory import Memory
from whoknew.agents.methods.method import insist
from whoknew.agents.methods.plain import Plain
from whoknew.agents.methods.stepwise import Stepwise
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import DEFAULT, EMBED, Message, Model, Reply, Request
from whoknew.agents.models.offline import Offline
from whoknew.agents.sections import Sections, Situation
from whoknew.agents.weights.training import TRAIN
from whoknew.engine.judges.dimensions import SEVEN
from whoknew.engine.judges.model_judge import ModelJudge
from whoknew.engine.plan.plan import Plan, Seat
from whoknew.engine.playing import chain
from whoknew.engine.playing.panel import Panel
from whoknew.engine.running.models import memory_of
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeOpened, Left
from whoknew.testing.small_chain import SETTING, chain_of_minds, episodes
from whoknew.testing.stub_models import ByDigest

T = TypeVar("T")


class Kept(ByDigest):
    """Keeps all that it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        return await super().complete(request)


@pytest.mark.parametrize("memory", EACH)
async def test_the_text_of_every_prompt_is_its_sections_in_words(memory: str) -> None:
    """Of those who act, who remember, and who judge."""
    model = Kept()
    model_judge = ModelJudge(SEVEN, model, DEFAULT, 2)
    async with log_at(VolatilePlace()) as log:
        make: Callable[[str], Memory] = lambda who: memory_of(who, Seat(memory=memory))
        panel = Panel(Plan("ferry"), SETTING, {"seven": model_judge})
        await chain.play(
            await chain_of_minds(log, model, memory=make, panel=panel), SETTING, episodes()
        )
    assert {"act", "judge"} <= {one.purpose for one in model.asked}
    for request in model.asked:
        if request.purpose in (EMBED, TRAIN):
            continue  # texts, each as it stands; rows to train on
        assert request.sections is not None
        assert request.messages[1].text == briefing.told(request.sections)
        bare = replace(request, sections=None)
        assert (bare.prompt, bare.digest) == (request.prompt, request.digest)


@pytest.fixture
async def log() -> AsyncIterator[Log]:
    async with log_at(VolatilePlace()) as log:
        await log.append(
            "w",
            [
                Draft(CharacterAdded("Oda", "A cook."), SETTING.begins, witnesses=("Oda",)),
                Draft(CharacterAdded("Bram")),
                Draft(EpisodeOpened("Rain.", ("Oda", "Bram")), None, 1, witnesses=("Oda",)),
                Draft(
                    Acted('"No", he said.', offer={"Oda": {"pan": 1}}),
                    None,
                    1,
                    1,
                    "Bram",
                    witnesses=("Oda",),
                ),
                Draft(Left(), None, 1, 2, "Bram", witnesses=("Oda",)),
            ],
        )
        yield log


async def asked(log: Log, mind: Mind) -> Request:
    moment = Moment(who="Oda", view=await log.view("w", "Oda"), present=("Bram, the elder",))
    return await mind.request(moment)


async def test_a_line_says_who_said_what_and_what_was_offered(log: Log) -> None:
    request = await asked(log, Mind("Oda", ByDigest(), memory_of("Oda", Seat()), Plain()))
    assert request.sections is not None and request.sections.here is not None
    said, left = request.sections.here
    assert (said.place, said.who, said.text, said.act) == (3, "Bram", '"No", he said.', "speak")
    assert said.offer == {"Oda": {"pan": 1}} and not said.agrees
    assert (left.who, left.text, left.act, str(left)) == ("Bram", "", None, "[4] Bram goes.")
    assert request.sections.now is not None
    assert request.sections.now.present == ("Bram, the elder",)


@pytest.mark.parametrize("method", [Plain(1), Stepwise(1)])
async def test_whoever_is_asked_again_is_given_the_same_sections(
    log: Log, method: Plain | Stepwise
) -> None:
    model = Kept()
    request = await asked(log, Mind("Oda", model, memory_of("Oda", Seat()), method))

    def refused(text: str) -> None:
        raise BadAnswer("no.")

    with pytest.raises(BadAnswer):
        await method.ask(model, request, refused)
    assert len(model.asked) > 1
    assert all(one.sections == request.sections for one in model.asked)
    assert len({one.digest for one in model.asked}) == len(model.asked)


async def test_a_method_can_change_what_a_model_is_told(log: Log) -> None:
    class Humble:
        """Tells nobody what it wants."""

        async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
            assert request.sections is not None
            sections = replace(request.sections, goal="", myself="Nobody.")
            rules, answer = request.messages[0].text, request.answer
            assert answer is not None
            told = briefing.request(request.purpose, rules, sections, answer, request.sampling)
            return await insist(model, told, read, 0)

    model = Kept()
    moment = Moment(who="Oda", view=await log.view("w", "Oda"), present=("Bram",))
    with suppress(BadAnswer):
        await Mind("Oda", model, memory_of("Oda", Seat()), Humble()).act(moment)
    assert '# Who you are\n"Nobody."' in model.asked[0].messages[1].text


@pytest.mark.parametrize("purpose", ["act", "remember", "judge", "answer"])
async def test_the_offline_model_refuses_what_it_would_read_in_sections_that_are_not_there(
    purpose: str,
) -> None:
    """Rather than that nobody does anything, as if that were the answer (law 7)."""
    with pytest.raises(Rejected, match=f"offline: cannot {purpose} without the sections"):
        await Offline().complete(Request(purpose, (Message("user", "What do you do?"),)))


async def test_the_offline_model_does_what_the_sections_say_whatever_the_wording() -> None:
    goal = 'Keep it quiet.\nWhisper to Bram, the elder: "Come."'
    sections = Sections(
        who="Oda, a character",
        goal=goal,
        now=Situation(present=("Bram, the elder",)),
        here=(Line("[1] x", 1, "Bram, the elder", "Well?"),),
    )
    request = Request("act", (), None, sections=sections)
    said = msgspec.json.decode((await Offline().complete(request)).text)
    assert (said["act"], said["to"], said["text"]) == ("speak", ["Bram, the elder"], "Come.")
