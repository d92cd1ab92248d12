"""A plan goes on with what it played before, and with nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command_runner import run as command
from msgspec.structs import replace

from whoknew.engine.errors import PlanChanged
from whoknew.engine.plan.plan import (
    Episodes,
    Judging,
    Limit,
    ModelSettings,
    Plan,
    Seat,
)
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.run_report import RunReport
from whoknew.engine.travel.fork import fork
from whoknew.eventlog import import_log, open_log
from whoknew.eventlog.kinds import Acted, Described, Entered, EpisodeOpened, Planned
from whoknew.testing.small_chain import SETTING, digest_of
from whoknew.worlds.setting import Setting
from whoknew.worlds.shelf import load

STORED = Path(__file__).parents[2] / "stored"

PLAN = Plan(
    "ferry",
    episodes=Episodes(turns=4),
    agents={"everyone": Seat(memory="recall")},
    judges={"rules": Judging("rules"), "seven": Judging("dimensions")},
)
FEW = {"chain": Limit(calls=3)}


async def played(plan: Plan, log: Path, setting: Setting = SETTING) -> RunReport:
    async with open_run(Program.of(plan, setting, str(log))) as run:
        await run.survey()
        return await run.play()


def seated(**changes: Any) -> dict[str, Any]:
    return {"agents": {"everyone": replace(Seat(memory="recall"), **changes)}}


OTHERWISE: list[tuple[dict[str, Any], str]] = [
    (seated(memory="none"), "agents.everyone.memory was 'recall' and is 'none'"),
    (seated(model="http://127.0.0.1:1/v1#m"), "agents.everyone.model was 'offline:' and is 'm'"),
    (seated(agent="human"), "agents.everyone.agent was 'mind' and is 'human'. Put the plan back"),
    (seated(agent="bargainer"), "agents.everyone.agent was 'mind' and is 'bargainer'"),
    (seated(temperature=0.5), "agents.everyone.temperature was not set and is 0.5"),
    (seated(method="stepwise"), "agents.everyone.method was 'plain' and is 'stepwise'"),
    (seated(settings={"recall": {"k": 3}}), "agents.everyone.recall.k was 10 and is 3"),
    (
        {"agents": {**PLAN.agents, "Kit": Seat(memory="entire")}},
        "agents.Kit.memory was 'recall' and is 'entire'",
    ),
    ({"seed": 9}, "seed was 0 and is 9"),
    ({"episodes": Episodes(turns=5)}, "episodes.turns was 4 and is 5"),
    ({"episodes": Episodes(turns=4, order="random")}, "order was 'round-robin' and is 'random'"),
    ({"judges": {"seven": Judging("dimensions")}}, "judges.rules is gone"),
    (
        {"judges": {**PLAN.judges, "seven": Judging("dimensions", temperature=1.0)}},
        "judges.seven.temperature was 0.0 and is 1.0",
    ),
]


@pytest.mark.parametrize(("changes", "told"), OTHERWISE)
async def test_a_plan_that_decides_otherwise_is_refused_by_its_keys(
    tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    await played(replace(PLAN, limits=FEW), tmp_path / "log.db")
    before = (tmp_path / "log.db").read_bytes()
    with pytest.raises(PlanChanged) as refused:
        await played(replace(PLAN, **changes), tmp_path / "log.db")
    assert told in str(refused.value)
    assert 'name = "ferry-other"' in str(refused.value)
    assert (tmp_path / "log.db").read_bytes() == before


async def test_a_setting_that_is_told_otherwise_is_refused(tmp_path: Path) -> None:
    await played(replace(PLAN, limits=FEW), tmp_path / "log.db")
    first, *others = SETTING.scenarios
    someone, *people = SETTING.characters
    for setting, told in (
        (
            replace(SETTING, scenarios=(replace(first, text="Snow."), *others)),
            "episode 1.text was ",
        ),
        (
            replace(SETTING, characters=(replace(someone, secret="None."), *people)),
            f"characters.{someone.name}.secret was",
        ),
        (replace(SETTING, pace=7), f"pace was {SETTING.pace} and is 7"),
    ):
        with pytest.raises(PlanChanged, match=told):
            await played(PLAN, tmp_path / "log.db", setting)


async def test_where_people_and_scenarios_were_taken_from_decides_nothing(tmp_path: Path) -> None:
    await played(replace(PLAN, limits=FEW), tmp_path / "log.db")
    keyed = replace(
        SETTING,
        characters=tuple(replace(one, key=f"01{one.name}") for one in SETTING.characters),
        scenarios=tuple(replace(one, key=f"02{one.name}") for one in SETTING.scenarios),
    )
    assert (await played(PLAN, tmp_path / "log.db", keyed)).finished


HOST = "http://127.0.0.1:{port}/v1#m"


@pytest.mark.parametrize(
    "changes",
    [
        {"limits": {}},
        {"at_once": 1, "limits": {"run": Limit(minutes=9), "episode": Limit(calls=100)}},
        {"keep_prompts": True},
        {"judges": {**PLAN.judges, "checks": Judging("checklist")}},
        {"chains": 2},
        {"episodes": Episodes(turns=4, when_bad="suspend")},
        {"models": {"offline:": ModelSettings(price_in=1.0, price_out=2.0, attempts=2)}},
        seated(patience=3.0, settings={"summary": {"words": 50}}),
    ],
)
async def test_what_does_not_decide_the_story_may_change_at_any_time(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    await played(PLAN, tmp_path / "whole.db")
    await played(replace(PLAN, limits=FEW), tmp_path / "log.db")
    report = await played(replace(PLAN, **changes), tmp_path / "log.db")
    assert report.finished
    if "judges" not in changes:  # one more of them adds its verdicts
        digests = []
        for name in ("whole", "log"):
            async with open_log(tmp_path / f"{name}.db") as log:
                digests.append(await digest_of(log))
        assert digests[0] == digests[1]


async def test_a_model_may_be_reached_elsewhere_but_stays_the_same_model(tmp_path: Path) -> None:
    log = tmp_path / "log.db"
    seats = [Seat(model=HOST.format(port=port)) for port in (1, 2)]
    calling = {seat.model: ModelSettings(attempts=1) for seat in seats}
    for seat in seats:
        plan = replace(PLAN, agents={"everyone": seat}, judges={}, models=calling)
        assert "was not reached" in str((await played(plan, log)).chains[0].reason)
    other = replace(PLAN, agents={"everyone": Seat(model=seats[0].model + "2")}, judges={})
    with pytest.raises(PlanChanged, match=r"agents.everyone.model was 'm' and is 'm2'"):
        await played(other, log)


async def test_the_first_of_more_chains_is_the_one_that_was_played(tmp_path: Path) -> None:
    await played(PLAN, tmp_path / "log.db")
    report = await played(replace(PLAN, chains=3), tmp_path / "log.db")
    assert [one.world for one in report.chains] == ["ferry", "ferry-2", "ferry-3"]
    again = await played(PLAN, tmp_path / "log.db")
    assert [one.world for one in again.chains] == ["ferry"]
    await played(replace(PLAN, chains=3), tmp_path / "whole.db")
    async with open_log(tmp_path / "log.db") as log, open_log(tmp_path / "whole.db") as whole:
        for world in ("ferry", "ferry-2", "ferry-3"):
            assert await digest_of(log, world) == await digest_of(whole, world)


GONE_ON = [
    (0, None, "On deck, the lamp swings."),
    (1, "Oda", "Oda: Ropes off."),
    (2, "Bram", "Bram: Not so loud."),
    (3, "Ines", "Ines: comes in"),
    (3, "Ines", "Ines: My dog is cold."),
]
"""What was said and done in the second episode, as the version that began it went on with it."""


@pytest.mark.parametrize("chains", [2, 3, 1])
async def test_a_log_that_an_earlier_version_half_played_goes_on_as_it_was(
    tmp_path: Path, chains: int
) -> None:
    async with open_log(tmp_path / "log.db") as log:
        await import_log(log, STORED / "half-played.jsonl")
    setting = load(STORED / "half-played.toml")
    report = await played(Plan("half-played.toml", chains=chains), tmp_path / "log.db", setting)
    assert report.finished
    worlds = ["ferry-1", "ferry-2", "ferry-3"][:chains]
    assert [one.world for one in report.chains] == worlds
    async with open_log(tmp_path / "log.db") as log:
        for world in worlds[:2]:
            events = [event async for event in log.read(world) if event.episode == 2]
            told = [
                event for event in events if type(event.body) in (EpisodeOpened, Entered, Acted)
            ]
            assert [(e.turn, e.actor, e.text) for e in told if e.text] == GONE_ON
            assert not any(isinstance(event.body, Described) for event in events)


async def test_a_fork_can_be_given_another_plan_once(tmp_path: Path) -> None:
    await played(PLAN, tmp_path / "log.db")
    async with open_log(tmp_path / "log.db") as log:
        await fork(log, "ferry", "E1.T2", name="what-if")
    other = replace(PLAN, name="what-if", agents={"everyone": Seat(memory="entire")})
    assert not (await played(replace(other, limits=FEW), tmp_path / "log.db")).finished
    with pytest.raises(PlanChanged, match=r"agents.everyone.memory was 'entire' and is 'recall'"):
        await played(replace(PLAN, name="what-if"), tmp_path / "log.db")
    assert (await played(other, tmp_path / "log.db")).finished
    async with open_log(tmp_path / "log.db") as log:
        plans = [event async for event in log.read("what-if") if isinstance(event.body, Planned)]
    assert len(plans) == 3, "that of its parent, and its own with a limit and without"


def test_the_command_refuses_as_its_dry_run_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = tmp_path / "plan.toml"
    plan.write_text('world = "flatmates"\nlog = "f.db"\n[limits.run]\ncalls = 2\n')
    command("run", plan, rc=3)
    plan.write_text('world = "flatmates"\nlog = "f.db"\n[agents.everyone]\nmemory = "none"\n')
    for more in ([], ["--dry-run"]):
        told = " ".join(command("run", plan, *more, rc=1).stderr.split())
        assert "agents.everyone.memory was 'summary' and is 'none'" in told
        assert 'name = "flatmates-other"' in told


def test_a_finished_world_whose_episodes_are_shuffled_is_refused_with_no_way_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = tmp_path / "p.toml"
    text = 'world = "flatmates"\nlog = "f.db"\n[episodes]\nturns = 1\n'
    plan.write_text(text)
    command("run", plan)
    plan.write_text(f"{text}shuffle = true\n")
    refused = command("run", plan, rc=1)
    assert "was played by another plan" in " ".join(refused.stderr.split())
    assert "To go on" not in refused.stdout
