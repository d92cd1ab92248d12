"""What each memory brings back of a life: what was planted in it; of what was changed, the newest; of what
was taken back, nothing, or what took it back behind it. Each says what is to be asked of its kind."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from memories_here import EACH
from planted_lives import Spoken, idle, lived, made
from small_worlds import opened, said

from whoknew.agents.memories.memory import MemoryEntry
from whoknew.engine.registry import MEMORIES
from whoknew.eventlog import open_log
from whoknew.testing.occasion import occasion

THANKS: Spoken = ("Oda", "I shall remember where it hangs.")
KEY: list[Spoken] = [("Kit", "The spare key of the boathouse hangs behind the barometer."), THANKS]
MOVED: list[Spoken] = [
    ("Kit", "The spare key of the boathouse hangs in the pantry, under the lamp."),
    THANKS,
]
GONE: list[Spoken] = [
    ("Kit", "The spare key of the boathouse no longer hangs behind the barometer."),
    THANKS,
]
ASKED = "Where does the spare key of the boathouse hang?"

WORD_FOR_WORD = {"entire", "recall", "flat", "notes", "summary", "examples", "mem0", "langmem"}
"""They keep what happened, the old beside the new, in the order in which it came."""

UP_TO_DATE = {"facts"}
"""They keep what holds."""

GIST = {"running", "profile"}
"""They keep one text, which is written anew: of what the newest was written from, something is in it."""

NOTHING = {"none"}

ELSEWHERE = {"lora", "grace", "bookmarks", "codified"}
"""They keep answers before a turn, and how somebody acts: what they bring back their own tests say."""

BY_VECTORS = {
    f"{name} by vectors": (name, {"embedder": "offline:"})
    for name in ("recall", "flat", "facts", "notes")
}


THESE = [one for one in EACH if one.values[0] not in ELSEWHERE]


def entry(name: str) -> MemoryEntry:
    known, settings = BY_VECTORS.get(name, (name, {"every": 1} if name == "profile" else {}))
    if name in ("mem0", "langmem"):
        settings = {"embedder": "offline:"}
    made: MemoryEntry = MEMORIES.made(known, settings)
    return made


def kind(name: str) -> str:
    return BY_VECTORS.get(name, (name,))[0]


async def brought(name: str, *episodes: Sequence[Spoken]) -> str:
    async with lived(entry(name), *episodes) as life:
        return (await life.recollect(ASKED)).text


def test_of_every_memory_it_is_said_what_it_brings_back() -> None:
    known = [*WORD_FOR_WORD, *UP_TO_DATE, *GIST, *NOTHING, *ELSEWHERE]
    assert sorted(known) == sorted(MEMORIES.ours)


@pytest.mark.parametrize("name", [*THESE, *BY_VECTORS])
async def test_what_was_planted_comes_back(name: str) -> None:
    """Among many evenings; a gist has it if it is the newest."""
    later = 0 if kind(name) in GIST else 8
    found = await brought(name, *idle(8), KEY, *idle(later))
    if kind(name) in NOTHING:
        assert found == ""
    elif kind(name) == "profile":
        assert THANKS[1] in found, "of what it did itself"
    else:
        assert "behind the barometer" in found


@pytest.mark.parametrize("name", [*THESE, *BY_VECTORS])
async def test_what_was_said_anew_wins(name: str) -> None:
    found = await brought(name, *idle(2), KEY, *idle(3), MOVED)
    if kind(name) in NOTHING | {"profile"}:
        assert "barometer" not in found
    elif kind(name) in UP_TO_DATE:
        assert "in the pantry" in found and "barometer" not in found
    elif kind(name) in GIST:
        assert "in the pantry" in found
    else:
        assert found.index("behind the barometer") < found.index("in the pantry")


@pytest.mark.parametrize("name", [*THESE, *BY_VECTORS])
async def test_what_was_taken_back_stays_so(name: str) -> None:
    found = await brought(name, *idle(2), KEY, *idle(3), GONE, *idle(2))
    if kind(name) in NOTHING | UP_TO_DATE | {"profile"}:
        assert "barometer" not in found
    elif kind(name) in WORD_FOR_WORD:
        assert found.rindex("no longer hangs behind the barometer") >= found.rindex(
            "hangs behind the barometer"
        ) - len("no longer ")


@pytest.mark.parametrize("name", ["recall", "flat", "examples"])
async def test_a_world_without_episodes_is_searched_whole(name: str) -> None:
    async with open_log(":memory:") as log:
        await log.append("w", opened("Oda", "Kit"))
        await log.append("w", [said("Kit", KEY[0][1], "Oda"), said(*THANKS, "Kit")])
        now = await occasion(await log.view("w", "Oda"), ASKED)
        assert "behind the barometer" in (await made(entry(name)).recollect(now)).text
