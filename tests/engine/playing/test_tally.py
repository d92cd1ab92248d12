"""One fold gives every report its figures: they are the same wherever they are shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_servers import Doing, serving
from msgspec.structs import replace

from whoknew.engine.asking.ask import ask, keep
from whoknew.engine.logs.ls import Listed, roster
from whoknew.engine.plan.plan import Episodes, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.tally import Tally
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.run_report import ChainResult
from whoknew.engine.server.glances import Glances
from whoknew.engine.server.payloads import WorldsQuery
from whoknew.engine.travel.show import history
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Acted, Called, EpisodeOpened, Failed
from whoknew.testing.small_chain import SETTING
from whoknew.worlds.setting import Order


async def played(
    file: Path, order: Order = "simultaneous", **seats: Seat
) -> tuple[ChainResult, Progress]:
    scenarios = tuple(replace(one, order=order) for one in SETTING.scenarios)
    setting = replace(SETTING, scenarios=scenarios)
    plan = Plan("ferry", episodes=Episodes(turns=3), agents=seats)
    async with open_run(Program.of(plan, setting, str(file))) as run:
        await run.survey()
        (ended,) = (await run.play()).chains
    return ended, run.progress


async def listed(file: Path) -> Listed:
    (found,) = await roster(str(file))
    return found


@pytest.mark.parametrize("order", ["simultaneous", "round-robin"])
async def test_a_run_its_progress_ls_and_the_server_tell_the_same_figures(
    tmp_path: Path, order: Order
) -> None:
    file = tmp_path / "log.db"
    ended, progress = await played(file, order)
    line, tally = await listed(file), progress.tally
    async with open_log(file) as log:
        (at_a_glance,) = (await Glances(log).worlds(WorldsQuery())).rows
    assert ended.turns == line.turns == tally.turns == at_a_glance.turns > 0
    assert ended.calls == line.calls == tally.spent.calls == at_a_glance.calls > 0
    assert ended.tokens == line.tokens == tally.spent.tokens
    assert ended.episodes == line.closed == tally.closed == at_a_glance.closed == 3
    assert line.acts == tally.acts and (line.acts > line.turns) == (order == "simultaneous")
    told = await history(str(file), ended.world)
    assert told.episodes == line.opened == at_a_glance.episodes
    assert len(told.characters) == at_a_glance.characters


async def test_a_run_that_goes_on_tells_of_the_whole_chain(tmp_path: Path) -> None:
    file = tmp_path / "log.db"
    ended, first = await played(file)
    again, second = await played(file)
    assert again == ended
    assert (second.tally.turns, second.before.turns) == (first.tally.turns, first.tally.turns)


def test_a_turn_that_failed_was_a_turn_and_no_act() -> None:
    tally = Tally()
    for turn in (1, 2, 3):
        tally.take(Draft(Failed("turn", "no sense"), episode=1, turn=turn, actor="Ann"))
    assert (tally.turns, tally.acts, tally.failed["turn"]) == (3, 0, 3)
    assert tally.why == "no sense"


def test_a_turn_in_which_several_act_is_one_turn() -> None:
    tally = Tally()
    for episode in (1, 2):
        tally.take(Draft(EpisodeOpened("Rain.", ("Ann", "Bob")), episode=episode))
        for turn in (1, 2):
            for who in ("Ann", "Bob"):
                tally.take(Draft(Acted("Hi."), episode=episode, turn=turn, actor=who))
    assert (tally.turns, tally.acts) == (4, 8)


def test_turns_of_worlds_that_are_played_at_once_do_not_run_into_one_another() -> None:
    tally = Tally()
    for turn in (1, 2):
        for who in ("Ann", "Bob"):
            for world in ("v", "w"):
                tally.take(Draft(Acted("Hi."), episode=1, turn=turn, actor=who), world)
    assert (tally.turns, tally.acts) == (4, 8)


async def test_what_was_asked_of_a_world_is_no_part_of_what_its_story_took(tmp_path: Path) -> None:
    file = tmp_path / "log.db"
    ended, _ = await played(file)
    async with open_log(file) as log:
        await keep(log, await ask(log, ended.world, "Oda", "Who paid?"))
    line = await listed(file)
    assert (line.calls, line.tokens, line.asked) == (ended.calls, ended.tokens, 1)


async def test_nor_is_what_failed_of_it(tmp_path: Path) -> None:
    file = tmp_path / "log.db"
    ended, _ = await played(file)
    async with open_log(file) as log, serving("openai", after=Doing("no", status=404)) as server:
        found = await ask(log, ended.world, "Oda", "Who paid?", model=f"{server.url}#m")
        assert found.answer is None
        await keep(log, found)
    line = await listed(file)
    assert (line.failures, line.asked) == (0, 1)


async def test_a_fork_is_listed_with_what_it_shares_however_deep_it_comes_from(
    tmp_path: Path,
) -> None:
    file = tmp_path / "log.db"
    ended, _ = await played(file)
    head = (await listed(file)).events
    async with open_log(file) as log:
        await log.fork(ended.world, "a", f"#{head // 2}")
        await log.append("a", [Draft(Acted("Hm."), episode=9, turn=1, actor="Oda")])
        await log.fork("a", "b", f"#{head // 3}")
        await log.fork("a", "c", f"#{head // 2 + 1}")
        await log.fork("c", "d", f"#{head // 2}")
        await log.append(ended.world, [Draft(Called("act", "m", "d", error="gone"))])
    lines = {one.name: one for one in await roster(str(file))}
    async with open_log(file) as log:
        for one in await log.worlds():
            tally = Tally()
            async for event in await log.director(one.name):
                tally.take(event)
            line = lines[one.name]
            figures = (line.turns, line.acts, line.calls, line.closed, line.failures, line.last)
            assert figures == (
                tally.turns,
                tally.acts,
                tally.spent.calls,
                tally.closed,
                tally.failures,
                tally.last,
            )
            assert line.state == (tally.origin or "finished")
