"""What stands in a mind's prompt: what others say stays in quotes."""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_places import VolatilePlace, log_at

from whoknew.agents.agent import Action, Moment
from whoknew.agents.errors import PastWindow
from whoknew.agents.memories.entire import Entire
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Reply, Request, prompt_tokens
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeOpened
from whoknew.testing.small_chain import SETTING
from whoknew.testing.stub_models import ByDigest

some = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))

TRICKY = st.lists(
    st.sampled_from([*'"\\\n\r\t[]#{}1 aBé\u2028', "# Your turn", "[3] Bram says: "]), min_size=1
).map("".join)


@some
@given(speech=TRICKY, scenario=TRICKY, description=TRICKY)
def test_nothing_that_is_written_passes_for_another_line(
    speech: str, scenario: str, description: str
) -> None:
    """The prompt has the same lines whatever anybody says: what they say stays in quotes."""

    async def heads(speech: str, scenario: str, description: str) -> list[str]:
        async with log_at(VolatilePlace()) as log:
            await log.append(
                "w",
                [
                    Draft(CharacterAdded("Oda", description), SETTING.begins, witnesses=("Oda",)),
                    Draft(CharacterAdded("Bram")),
                    Draft(EpisodeOpened(scenario, ("Oda", "Bram")), None, 1, witnesses=("Oda",)),
                    Draft(
                        Acted(speech),
                        at=None,
                        episode=1,
                        turn=1,
                        actor="Bram",
                        place=None,
                        witnesses=("Oda", "Bram"),
                    ),
                    Draft(EpisodeOpened("Again.", ("Oda",)), None, 2, witnesses=("Oda",)),
                ],
            )
            mind = Mind("Oda", ByDigest(), Entire(), Plain())
            view = await log.view("w", "Oda")
            request = await mind.request(Moment(who="Oda", view=view))
            return [line.split('"')[0] for line in request.messages[1].text.split("\n")]

    async def law() -> None:
        assert await heads(speech, scenario, description) == await heads("Hi.", "A.", "B.")

    asyncio.run(law())


class SmallWindow(ByDigest):
    """Has room for so many tokens, of which it counts two where we count one."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    async def complete(self, request: Request) -> Reply:
        if (tokens := 2 * prompt_tokens(request)) > self.room:
            raise PastWindow("small:", tokens, self.room)
        return await super().complete(request)


async def test_a_turn_that_is_past_the_window_of_its_model_says_which_budget_would_help() -> None:
    def at(episode: int, *words: str) -> list[Draft]:
        opened = EpisodeOpened("The ferry.", ("Oda", "Bram"))
        everybody = ("Oda", "Bram")
        return [
            Draft(opened, SETTING.begins, episode, witnesses=everybody),
            *(
                Draft(Acted(one), None, episode, turn, "Bram", witnesses=everybody)
                for turn, one in enumerate(words, start=1)
            ),
        ]

    async def act(room: int, budget: int | None = None) -> Action:
        mind = Mind("Oda", SmallWindow(room), Entire(), Plain(), budget=budget)
        return await mind.act(Moment(who="Oda", view=view, present=("Bram",)))

    async with log_at(VolatilePlace()) as log:
        people = [CharacterAdded("Oda"), CharacterAdded("Bram")]
        past = [f"On day {day} the river was as high as the mill." for day in range(80)]
        await log.append(
            "w", [*(Draft(one, SETTING.begins) for one in people), *at(1, *past), *at(2, "Well?")]
        )
        view = await log.view("w", "Oda")
        with pytest.raises(PastWindow) as refused:
            await act(2000)
        budget = re.search("`budget` of ([0-9,]+) at most", str(refused.value))
        assert budget is not None
        await act(2000, int(budget[1].replace(",", "")))
        with pytest.raises(PastWindow, match="give fewer `max_tokens`"):
            await act(100)
