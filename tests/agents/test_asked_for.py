"""An answer is asked for what can be answered, and what was not asked for is not read."""

from __future__ import annotations

import msgspec
import pytest
from store_places import VolatilePlace, log_at

from whoknew.agents.agent import Action, Moment
from whoknew.agents.memories.nothing import NoMemory
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Reply, Request
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import CharacterAdded, EpisodeOpened
from whoknew.testing.small_chain import SETTING


class Says:
    name = "m:"

    def __init__(self, said: dict[str, object]) -> None:
        self._said = said
        self.asked: list[Request] = []

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        return Reply(text=msgspec.json.encode(self._said).decode())


async def acted(
    said: dict[str, object], exits: tuple[str, ...] = (), pool: dict[str, int] | None = None
) -> tuple[Action, set[str]]:
    """What comes of an answer, and the fields that were asked for."""
    async with log_at(VolatilePlace()) as log:
        both = ("Oda", "Bram")
        opened = EpisodeOpened("Rain.", both, pool=pool or {})
        people = [Draft(CharacterAdded(who), SETTING.begins, witnesses=(who,)) for who in both]
        await log.append("w", [*people, Draft(opened, None, 1, witnesses=both)])
        model = Says(said)
        mind = Mind("Oda", model, NoMemory(), Plain(reasks=0))
        moment = Moment(who="Oda", view=await log.view("w", "Oda"), present=("Bram",), exits=exits)
        action = await mind.act(moment)
        (asked,) = model.asked
        assert asked.answer is not None
        return action, set(asked.answer.__struct_fields__)


@pytest.mark.parametrize("pool", [None, {"hat": 1}])
async def test_where_to_is_asked_only_where_there_is_a_way(pool: dict[str, int] | None) -> None:
    said = {"act": "leave", "text": "Bye.", "goes": "the pantry"}
    action, fields = await acted(said, (), pool)
    assert (action.goes, "goes" in fields, "offer" in fields) == (None, False, pool is not None)
    action, fields = await acted(said, ("the pantry",), pool)
    assert (action.goes, "goes" in fields, "offer" in fields) == (
        "the pantry",
        True,
        pool is not None,
    )


@pytest.mark.parametrize("goes", ["nowhere", "", None, "here"])
async def test_where_to_is_not_read_of_one_who_stays(goes: str | None) -> None:
    action, _ = await acted({"act": "speak", "text": "Hm.", "goes": goes}, ("the pantry",))
    assert action == Action(act="speak", text="Hm.")


async def test_nothing_is_offered_where_there_is_nothing_to_divide() -> None:
    action, fields = await acted({"act": "speak", "text": "Hm.", "offer": 7, "agrees": "maybe"})
    assert action == Action(act="speak", text="Hm.")
    assert not fields & {"offer", "agrees", "goes"}
