"""A run: many chains at once, on any log; one failure stays one failure."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

import pytest
from model_servers import Doing, by_digest, serving
from msgspec.structs import replace

from whoknew.engine.plan.plan import Episodes, Limit, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.episode import Episode
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.run_report import RunReport
from whoknew.eventlog import open_log
from whoknew.testing.small_chain import SETTING, digest_of
from whoknew.worlds.shelf import find


async def played(plan: Plan, log: str, setting: object = SETTING) -> RunReport:
    async with open_run(Program.of(plan, setting, log)) as run:  # type: ignore[arg-type]
        await run.survey()
        return await run.play()


async def test_the_same_story_on_a_file_and_on_postgresql(tmp_path: Path, database: str) -> None:
    plan, setting = Plan("midnight-diner", chains=3), find("midnight-diner")
    digests = []
    for address in (str(tmp_path / "a.db"), database):
        report = await played(plan, address, setting)
        assert report.finished
        async with open_log(address) as log:
            digests.append([await digest_of(log, one.world) for one in report.chains])
    assert digests[0] == digests[1]


async def test_a_shuffle_follows_from_the_seed_and_differs_between_chains(tmp_path: Path) -> None:
    plan = Plan("ferry", chains=6, episodes=Episodes(shuffle=True, turns=2))
    orders = []
    for name in ("a", "b"):
        await played(plan, str(tmp_path / f"{name}.db"))
        async with open_log(tmp_path / f"{name}.db") as log:
            orders.append(
                [
                    [
                        one.body.name
                        async for one in await log.director(world)
                        if type(one.body).__name__ == "EpisodeOpened"
                    ]
                    for world in ("ferry", *(f"ferry-{number}" for number in range(2, 7)))
                ]
            )
    assert orders[0] == orders[1]
    assert len({tuple(one) for one in orders[0]}) > 1
    assert all(sorted(one) == ["friday", "sunday", "thursday"] for one in orders[0])


async def test_a_limit_of_an_episode_closes_it_and_the_chain_goes_on(tmp_path: Path) -> None:
    plan = Plan(
        "ferry",
        episodes=Episodes(stale=9),
        limits={"episode": Limit(calls=3)},
        agents={"everyone": Seat(memory="none")},
    )
    report = await played(plan, str(tmp_path / "a.db"))
    assert report.finished
    async with open_log(tmp_path / "a.db") as log:
        events = await (await log.director("ferry")).events()
    reasons = [one.body.reason for one in events if type(one.body).__name__ == "EpisodeClosed"]
    assert reasons == ["the limit of an episode is reached: 3 of 3 calls made"] * 3


async def test_a_character_at_its_limit_is_passed_over_and_each_time_that_is_written_down(
    tmp_path: Path,
) -> None:
    plan = Plan(
        "ferry",
        episodes=Episodes(turns=9, stale=9),
        limits={"character": Limit(calls=2)},
        agents={"everyone": Seat(memory="none")},
    )
    await played(plan, str(tmp_path / "a.db"))
    async with open_log(tmp_path / "a.db") as log:
        events = await (await log.director("ferry")).events()
    failed = [one.body.error for one in events if type(one.body).__name__ == "Failed"]
    assert failed
    assert all("limit is reached: 2 of 2 calls made" in one for one in failed)


async def test_one_chain_that_is_suspended_does_not_stop_the_others(tmp_path: Path) -> None:
    """A chain whose model talks nonsense is suspended, where the plan says so; others end."""

    def nonsense_once(asked: object) -> Doing:
        nonsense = next(seen, None)
        return Doing("nonsense") if nonsense else by_digest(asked)

    seen = iter([1])
    async with serving("openai", after=nonsense_once) as server:
        plan = Plan(
            "ferry",
            chains=4,
            episodes=Episodes(play=("sunday",), turns=3, when_bad="suspend"),
            agents={"everyone": Seat(model=f"{server.url}#m", reasks=0)},
        )
        report = await played(plan, str(tmp_path / "a.db"))
        assert sorted(one.state for one in report.chains) == ["finished"] * 3 + ["suspended"]
        assert report.reason is None
        again = await played(plan, str(tmp_path / "a.db"))
        assert again.finished


async def test_a_fault_of_ours_in_one_chain_is_told_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from whoknew.agents.mind import Mind

    right = Mind.act
    broken = iter([True])

    async def once_wrong(self: Mind, moment: object) -> object:
        if next(broken, False):
            raise ZeroDivisionError("oops")
        return await right(self, moment)  # type: ignore[arg-type]

    monkeypatch.setattr(Mind, "act", once_wrong)
    report = await played(Plan("ferry", chains=3), str(tmp_path / "a.db"))
    assert sorted(one.state for one in report.chains) == ["failed", "finished", "finished"]
    (failed,) = [one for one in report.chains if one.state == "failed"]
    assert failed.reason == "ZeroDivisionError: oops"
    assert report.failed


async def test_a_stop_lets_the_turns_in_flight_finish(tmp_path: Path) -> None:
    async with serving(
        "openai", after=lambda asked: replace(by_digest(asked), wait=0.05)
    ) as server:
        plan = Plan("ferry", chains=8, agents={"everyone": Seat(model=f"{server.url}#m")})
        async with open_run(Program.of(plan, SETTING, str(tmp_path / "a.db"))) as run:
            await run.survey()
            playing = asyncio.create_task(run.play())
            await server.until_asked(20)
            run.control.stop("enough")
            report = await playing
        assert report.reason == "enough"
        assert {one.state for one in report.chains} == {"suspended"}
        assert sum(one.calls for one in report.chains) == server.calls


async def test_an_episode_that_is_over_is_let_go_of_at_once(tmp_path: Path) -> None:
    """Not when garbage is next collected: very many come and go."""

    def there() -> set[int]:
        return {id(one) for one in gc.get_objects() if type(one) is Episode}

    gc.collect()
    before = there()
    gc.disable()
    try:
        async with serving("openai", after=by_digest) as server:
            model = f"{server.url}#m"
            plan = Plan("ferry", chains=3, agents={"everyone": Seat(model=model, memory="recall")})
            report = await played(plan, str(tmp_path / "log.db"))
        left = there() - before
    finally:
        gc.enable()
    assert report.finished
    assert not left
