"""A text about a whole life, written anew: of what the one before cites, only what is in the view counts."""

from __future__ import annotations

from datetime import datetime

import msgspec
import pytest

from whoknew.agents.agent import noted
from whoknew.agents.memories.memory import MemoryEntry
from whoknew.agents.memories.profile import ProfileEntry
from whoknew.agents.memories.running import RunningEntry
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.parts import Owner
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeOpened, Remembered, WorldOpened
from whoknew.testing.occasion import occasion


class Citing:
    """Cites first what the text before cited, and then what happened."""

    name = "citing:"

    def __init__(self, *numbers: int) -> None:
        self._numbers = list(numbers)

    async def complete(self, request: Request) -> Reply:
        assert request.answer
        (field,) = request.answer.__struct_fields__
        told = f"The ferry leaves at nine [{self._numbers.pop(0)}]."
        return Reply(text=msgspec.json.encode({field: told}).decode())


@pytest.mark.parametrize("number", [0, 99_999])
@pytest.mark.parametrize("entry", [RunningEntry(), ProfileEntry(every=1)])
async def test_what_a_text_from_elsewhere_cites_and_is_not_there_is_asked_for_again(
    entry: MemoryEntry, number: int
) -> None:
    async with open_log(":memory:") as log:
        text = f"The ferry leaves at nine [{number}]."
        await log.append(
            "w",
            [
                Draft(WorldOpened("W"), datetime(2000, 1, 1)),
                Draft(CharacterAdded("Ada")),
                Draft(EpisodeOpened("Rain.", ("Ada",)), episode=1, witnesses=("Ada",)),
                Draft(
                    Remembered("Ada", entry.keeps, text),
                    episode=1,
                    actor="Ada",
                    witnesses=("Ada",),
                ),
                Draft(EpisodeOpened("Sun.", ("Ada",)), episode=2, witnesses=("Ada",)),
                Draft(Acted("I am late."), episode=2, actor="Ada", witnesses=("Ada",)),
            ],
        )
        view = await log.view("w", "Ada")
        memory, now = entry.make(Owner(who="Ada")), await occasion(view, model=Citing(number, 4))
        (note,) = noted(memory, "remember", await memory.remember(now), view)
    assert note.sources == (4,)
