"""A world that no plan began goes on: its people get seats, and the scene goes on from there."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from command_runner import run
from small_imports import imported

from whoknew.engine.travel.diff import compare
from whoknew.engine.travel.prompt import prompts
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Event, open_log
from whoknew.eventlog.kinds import Acted, EpisodeClosed, EpisodeOpened, EpisodeResumed


def events_of(folder: Path, world: str) -> list[Event]:
    async def read() -> list[Event]:
        async with open_log(folder / "log.db", read_only=True) as log:
            return [event async for event in log.read(world)]

    return asyncio.run(read())


async def travelled(folder: Path, cut: int, first: int) -> None:
    """`diff` begins where they part; what was played comes out the same, prompt by prompt."""
    async with open_log(folder / "log.db", read_only=True) as log:
        found = await compare(log, "on")
        assert found.shared == cut
        assert found.only_right[0].seq > cut and found.only_left[0].seq > cut
        assert (await rerun(log, "on")).agrees
        for one in await prompts(log, "on", f"#{first}"):
            assert all(call.agrees for call in one.calls)


PLAN = 'world = "on"\nlog = "log.db"\n[agents.everyone]\nmemory = "entire"\n[episodes]\nturns = 4\n'


@pytest.mark.parametrize("kind", ["play", "locomo", "storyline", "sotopia"])
def test_a_fork_of_what_was_imported_goes_on_from_where_it_stood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    world = imported(kind, tmp_path)
    told = events_of(tmp_path, world)
    last = max(event.episode for event in told)
    cut = [event.seq for event in told if isinstance(event.body, Acted) and event.episode == last][
        1
    ]
    run("fork", world, "--at", f"#{cut}", "--name", "on", "--log", "log.db")
    (tmp_path / "plan.toml").write_text(PLAN)
    run("run", "plan.toml")
    events = (events_of(tmp_path, "on"))[cut:]
    acted = [event for event in events if isinstance(event.body, Acted)]
    assert acted and {event.episode for event in acted} == {last}, "the same scene goes on"
    assert isinstance(events[-1].body, EpisodeClosed)
    assert sum(isinstance(event.body, EpisodeResumed) for event in events) == 1
    asyncio.run(travelled(tmp_path, cut, acted[0].seq))
    before = len(events_of(tmp_path, "on"))
    assert "1 chain finished" in run("run", "plan.toml").stdout
    assert len(events_of(tmp_path, "on")) == before, "it has been gone on with"


@pytest.mark.parametrize("kind", ["play", "locomo", "storyline", "sotopia"])
def test_what_fork_recommends_works_and_a_scene_that_is_over_has_a_sequel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    told = run("fork", imported(kind, tmp_path), "--at", "E1", "--log", "log.db").stdout
    recommended = [line.split()[1:] for line in told.splitlines() if line.startswith("  whoknew")]
    assert [command[0] for command in recommended] == ["run", "diff"]
    for command in recommended:
        run(*command)
    world = recommended[0][2]
    opened = [e for e in events_of(tmp_path, world) if isinstance(e.body, EpisodeOpened)]
    assert [event.episode for event in opened] == [1, 2]
    first, sequel = (event.body for event in opened)
    assert isinstance(first, EpisodeOpened) and isinstance(sequel, EpisodeOpened)
    assert sequel.scenario == first.scenario and len(sequel.cast) >= 2


def test_another_plan_does_not_go_on_with_it_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("fork", imported("play", tmp_path), "--at", "E5.T5", "--name", "on", "--log", "log.db")
    (tmp_path / "plan.toml").write_text(PLAN + "[limits.run]\ncalls = 1\n")
    run("run", "plan.toml", rc=3)
    (tmp_path / "plan.toml").write_text(PLAN.replace("entire", "none"))
    told = " ".join(run("run", "plan.toml", rc=1).stderr.split())
    assert "agents.everyone.memory was 'entire' and is 'none'" in told
    (tmp_path / "plan.toml").write_text(PLAN)
    run("run", "plan.toml")
    resumed = [e for e in events_of(tmp_path, "on") if isinstance(e.body, EpisodeResumed)]
    assert len(resumed) == 1, "once, however often it is gone on with"


def test_seats_are_those_of_its_people_and_what_cannot_be_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("fork", imported("play", tmp_path), "--at", "E5.T5", "--name", "on", "--log", "log.db")
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN + "[agents.WRENN]\nmemory = 'none'\n")
    assert "did you mean 'WREN'?" in run("run", plan, rc=1).stderr
    plan.write_text(PLAN.replace('log = "log.db"', 'log = "log.db"\nchains = 2'))
    assert "leave out name, chains" in " ".join(run("run", plan, rc=1).stderr.split())
    plan.write_text(PLAN.replace('"on"', '"onn"'))
    told = " ".join(run("run", plan, rc=1).stderr.split())
    assert (
        "no world of log.db and none that comes with Whoknew has this name: did you mean 'on'?"
        in told
    )
    (tmp_path / "kitchen.toml").write_text("")
    plan.write_text(PLAN.replace('"on"', '"kitchen"'))
    assert "did you mean 'kitchen.toml'?" in " ".join(run("run", plan, rc=1).stderr.split())
