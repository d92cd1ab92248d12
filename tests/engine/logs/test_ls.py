"""What `whoknew ls` tells of each world: folded from its log, and nothing made up."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from whoknew.engine.logs.ls import Listed, roster, tallied
from whoknew.engine.running.stop import announced
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.errors import Damaged
from whoknew.eventlog.kinds import (
    Acted,
    Answered,
    ArmAdded,
    Called,
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    Failed,
    Imported,
    Kind,
    Probed,
    ScenePlayed,
    WorldOpened,
)
from whoknew.eventlog.stores.store import Position

NOON = datetime(2000, 1, 1, 12)
EPISODE: list[Kind] = [
    EpisodeOpened("Rain.", ("Ann",)),
    Called("act", "m", "d", reply="{}", tokens_in=90, tokens_out=10, money=0.5),
    Acted("Hi."),
    EpisodeClosed("1 turn"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


async def listed(file: Path, *bodies: Kind, planned: int | None = 1) -> Listed:
    """The world of these events, which happen after it was opened."""
    begin: list[Kind] = [WorldOpened("W", planned=planned), CharacterAdded("Ann")]
    async with open_log(file) as log:
        drafts = [Draft(body, at=NOON, episode=1, turn=1, actor="Ann") for body in bodies]
        await log.append("w", [*(Draft(body, NOON) for body in begin), *drafts])
    (found,) = await roster(str(file))
    return found


async def test_figures_are_those_of_the_log(file: Path) -> None:
    found = await listed(file, *EPISODE, *EPISODE, planned=3)
    assert (found.opened, found.closed, found.planned) == (2, 2, 3)
    assert (found.turns, found.calls, found.tokens, found.money) == (2, 2, 200, 1.0)
    assert (found.failures, found.events, found.state) == (0, 10, "suspended")
    assert found.last is not None


async def test_a_world_is_finished_when_all_that_was_planned_is_over(file: Path) -> None:
    assert (await listed(file, *EPISODE)).state == "finished"


@pytest.mark.parametrize(("bodies", "state"), [(EPISODE, "finished"), (EPISODE[:2], "suspended")])
async def test_without_a_plan_it_is_finished_when_nothing_goes_on(
    file: Path, bodies: list[Kind], state: str
) -> None:
    assert (await listed(file, *bodies, planned=None)).state == state


async def test_what_cost_nobody_knows_is_unknown_and_never_nothing(file: Path) -> None:
    called = Called("act", "m", "d", reply="{}", tokens_in=1, tokens_out=1)
    assert (await listed(file, *EPISODE, called)).money is None


async def test_calls_and_turns_that_failed_are_counted(file: Path) -> None:
    called = Called("act", "m", "d", error="gone")
    assert (await listed(file, called, Failed("turn", "no sense"))).failures == 2


async def test_imports_and_forks_say_so(file: Path) -> None:
    await listed(file, *EPISODE, Imported("sotopia", "1"))
    async with open_log(file) as log:
        await log.fork("w", "what-if", "#3")
    first, fork = await roster(str(file))
    assert (first.state, fork.state) == ("imported", "fork")
    assert (fork.opened, fork.closed) == (1, 0)


async def test_a_world_that_is_played_just_now_is_running(file: Path) -> None:
    await listed(file, *EPISODE[:2])
    with announced(str(file), "plan.toml", ("w",)):
        assert [one.state for one in await roster(str(file))] == ["running"]
    async with open_log(file) as log:
        await log.append(
            "w", [Draft(EpisodeClosed("over"), at=NOON, episode=1, turn=1, actor="Ann")]
        )
    with announced(str(file), "plan.toml", ("w",)):
        assert [one.state for one in await roster(str(file))] == ["finished"]


async def test_a_run_into_another_log_is_of_another_world(file: Path) -> None:
    await listed(file, *EPISODE[:2])
    with announced(str(file.with_name("other.db")), "plan.toml", ("w",)):
        assert [one.state for one in await roster(str(file))] == ["suspended"]


async def test_very_many_worlds_are_listed_from_one_reading_of_the_log(file: Path) -> None:
    async with open_log(file) as log:
        for number in range(300):
            await log.append(f"w{number}", [Draft(WorldOpened("W"), NOON), Draft(Acted("Hm."))])
    async with open_log(file, read_only=True) as log:
        pages = 0
        arrivals = log.store.arrivals

        async def counted(after: Position, limit: int) -> list[tuple[Position, bytes]]:
            nonlocal pages
            pages += 1
            return await arrivals(after, limit)

        log.store.arrivals = counted  # type: ignore[method-assign]
        worlds = await log.worlds()
        tallies = await tallied(log, worlds)
    assert (pages, len(tallies)) == (1, 300)
    assert all(one.acts == 1 for one in tallies.values())


async def test_a_fork_of_a_world_that_is_gone_is_damage(file: Path) -> None:
    await listed(file, *EPISODE)
    async with open_log(file) as log:
        await log.fork("w", "what-if", "#3")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE worlds SET name = 'v' WHERE name = 'w'")
    with pytest.raises(Damaged, match="'what-if' is forked from 'w' #3, which the log does not"):
        await roster(str(file))


async def test_an_exam_tells_its_cells_and_what_they_took(file: Path) -> None:
    """Nobody lives in it: it has no episodes, and is never over by itself."""
    called = Called("answer", "m", "d", reply="A.", tokens_in=90, tokens_out=10, money=0.5)
    probed = Probed("Ann", 3, "Who?", material="w", unit="q", arm="a", repeat=1)
    async with open_log(file) as log:
        await log.append("e", [Draft(WorldOpened("e"), NOON), Draft(ArmAdded("x", "a"))])
        for _ in range(2):
            at = (await log.head("e")).seq + 1
            bodies: list[Kind] = [called, Answered("A.")]
            await log.append("e", [Draft(probed), *(Draft(one, cause=at) for one in bodies)])
        await log.append("e", [Draft(Failed("answer", "gone"))])
        await log.append("e", [Draft(ScenePlayed("s", "a", 1, "e-1", 9, ""))])
    (found,) = await roster(str(file))
    assert (found.state, found.cells, found.failures) == ("exam", 3, 1)
    assert (found.calls, found.tokens, found.money, found.asked) == (2, 200, 1.0, 0)
    with announced(str(file), "exam.toml", ("e",)):
        assert [one.state for one in await roster(str(file))] == ["running"]
