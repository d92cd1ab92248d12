"""What stands in a mind's prompt: what others say stays in quotes."""

from __future__ import annotations

import asyncio

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_places import VolatilePlace, log_at

from whoknew.agents.agent import Moment
from whoknew.agents.memories.entire import Entire
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
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
