"""What a model is shown that writes questions: its character's view up to a cursor, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from command_runner import run
from msgspec.structs import replace

from whoknew.engine.exams.lifestate.lifestate_exam import LifestateExam
from whoknew.engine.exams.writing import draft, place
from whoknew.engine.exams.writing.place import witnessed
from whoknew.eventlog import Event, Log, open_log
from whoknew.eventlog.kinds import Acted
from whoknew.eventlog.stores.volatile import VolatileStore

WORLD, WHO = "the-lamp-room", "WREN"


@pytest.fixture
def story(tmp_path: Path) -> list[Event]:
    run("import", "play", WORLD, "--log", tmp_path / "plays.db")

    async def read() -> list[Event]:
        async with open_log(str(tmp_path / "plays.db"), read_only=True) as log:
            return [event async for event in log.read(WORLD)]

    return asyncio.run(read())


async def prompts(events: Sequence[Event], cursors: Sequence[str]) -> list[str]:
    """The digests of what is asked at each cursor."""
    found = []
    async with Log(VolatileStore()) as log:
        await log.append(WORLD, [event.draft for event in events])
        for cursor in cursors:
            shown = await witnessed(await log.view(WORLD, WHO, cursor))
            wanted = dict.fromkeys(LifestateExam.askable, 2)
            request = draft.request(WHO, shown.lines, wanted, LifestateExam.askable)
            found.append(request.digest)
    return found


async def test_it_is_the_same_whatever_comes_later(story: list[Event]) -> None:
    whole = await prompts(story, ["E1", "E2", "E3", "E4"])
    ends = [max(one.seq for one in story if one.episode == number) for number in (1, 2, 3, 4)]
    assert len(set(whole)) > 1
    for number, end in enumerate(ends):
        assert await prompts(story[:end], [f"#{end}"]) == [whole[number]]


async def test_it_is_the_same_whatever_was_said_unheard(story: list[Event]) -> None:
    whole = await prompts(story, ["E3", "end"])
    unheard = [one for one in story if WHO not in one.witnesses and isinstance(one.body, Acted)]
    assert len(unheard) > 5
    other = [_silenced(one) if WHO not in one.witnesses else one for one in story]
    assert await prompts(other, ["E3", "end"]) == whole


def _silenced(event: Event) -> Event:
    body = event.body
    return replace(event, body=replace(body, text="Hm.")) if isinstance(body, Acted) else event


async def test_of_a_long_life_the_newest_is_shown(
    story: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Log(VolatileStore()) as log:
        await log.append(WORLD, [event.draft for event in story])
        view = await log.view(WORLD, WHO, "end")
        every = (await witnessed(view)).lines
        monkeypatch.setattr(place, "ROOM", 200)
        some = (await witnessed(view)).lines
    assert 0 < len(some) < len(every) and some == every[-len(some) :]
