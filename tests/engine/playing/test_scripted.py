"""Scripts, played: one line a turn, whatever becomes of it."""

from __future__ import annotations

from datetime import datetime

import pytest
from msgspec.structs import replace
from store_places import VolatilePlace, log_at

from whoknew.agents.agent import Agent
from whoknew.agents.scripted import Scripted
from whoknew.engine.playing import chain
from whoknew.engine.playing.ledger import Ledger
from whoknew.eventlog import Draft, Event, Log, View
from whoknew.eventlog.kinds import Acted, Failed
from whoknew.testing.small_chain import events_of, run_of
from whoknew.worlds.setting import Character, Scenario, Setting

LINES = ("/agree", "Good evening.", "/wake Bram", "Fine. [999]")
SETTING = Setting(
    "kitchen",
    "A kitchen",
    datetime(2000, 1, 1, 20),
    (Character("Oda"), Character("Bram")),
    (Scenario("soup", "Soup.", ("Oda", "Bram"), order="round-robin", turns=8),),
)


class Killed(BaseException):
    """As if the process were gone."""


def script(_: Ledger) -> dict[str, Agent]:
    return {"Oda": Scripted("Oda", {"*": LINES}), "Bram": Scripted("Bram", {})}


async def play(log: Log, turns: int | None = None) -> None:
    """Play to the end, or until the process is killed when so many turns of its are on the log."""
    run = await run_of(log, "kitchen", SETTING, script)
    append, left = run.log.append, turns

    async def until_killed(drafts: list[Draft]) -> None:
        nonlocal left
        await append(drafts)
        if left is not None and any(draft.turn for draft in drafts):
            left -= 1
            if not left:
                raise Killed

    run.log.append = until_killed  # type: ignore[method-assign, assignment]
    await chain.play(run, SETTING, SETTING.scenarios)


async def told(log: Log) -> list[str]:
    """What came of each of the turns of Oda."""
    turns = [one for one in await events_of(log, "kitchen") if one.actor == "Oda" and one.turn]
    assert [one.turn for one in turns] == [1, 3, 5, 7]
    return [
        one.body.error if isinstance(one.body, Failed) else one.body.words
        for one in turns
        if isinstance(one.body, Acted | Failed)
    ]


async def test_a_line_that_cannot_be_done_fails_its_turn_and_the_next_line_is_played() -> None:
    async with log_at(VolatilePlace()) as log:
        await play(log)
        first, second, third, fourth = await told(log)
    assert first == "there is no offer to agree to: make one"
    assert second == "Good evening."
    assert "'Bram' is no sleeper here" in third
    assert fourth == (
        "the line ends with [999], which Oda has neither witnessed nor been told of: what it knows is "
        "numbered from 1 to 3"
    )


async def test_a_long_scene_is_read_once_by_its_scripts_and_not_again_at_each_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    events, read = View.events, list[int]()

    async def counted(view: View, after: int = 0, upto: int | None = None) -> list[Event]:
        found = await events(view, after, upto)
        read.append(len(found))
        return found

    monkeypatch.setattr(View, "events", counted)
    scene = replace(SETTING.scenarios[0], turns=100)
    async with log_at(VolatilePlace()) as log:
        run = await run_of(
            log,
            "kitchen",
            SETTING,
            lambda _: {who: Scripted(who, {"*": ("Well.",) * 50}) for who in ("Oda", "Bram")},
        )
        await chain.play(run, SETTING, [scene])
        there = len(await events_of(log, "kitchen"))
    assert there > 100 and sum(read) < 4 * there


@pytest.mark.parametrize("turns", range(1, 8))
async def test_killed_after_any_turn_a_script_goes_on_with_the_line_that_is_next(
    turns: int,
) -> None:
    async with log_at(VolatilePlace()) as log:
        await play(log)
        whole = await told(log)
    place = VolatilePlace()
    async with log_at(place) as log:
        with pytest.raises(Killed):
            await play(log, turns)
    async with log_at(place) as log:
        await play(log)
        assert await told(log) == whole
