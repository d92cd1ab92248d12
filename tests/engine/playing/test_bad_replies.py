"""What a server sends that is no reply counts as an answer that makes no sense, and does so again wherever
its turn is played again (laws 8 and 9)."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_servers import Doing, by_digest, serving

from whoknew.agents.errors import AgentError, BadAnswer, BadReply
from whoknew.engine.plan.plan import Episodes, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.playing import chain
from whoknew.engine.playing.case import EpisodeCase
from whoknew.engine.playing.judge import Judge, Verdict
from whoknew.engine.playing.panel import Panel
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.run_report import RunReport
from whoknew.engine.travel.prompt import prompts
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Failed
from whoknew.testing.small_chain import (
    SETTING,
    chain_of_minds,
    digest_of,
    episodes,
    events_of,
    volatile_log,
)
from whoknew.testing.stub_models import ByDigest
from whoknew.worlds.scene import ATTEMPT

PAGE = Doing(body=b"<html>gateway</html>")
NONSENSE = Doing("I would rather not.")


async def played(model: str, log: Path, **episodes: str) -> RunReport:
    plan = Plan(
        "ferry",
        episodes=Episodes(play=("sunday",), turns=4, stale=9, **episodes),  # type: ignore[arg-type]
        agents={"everyone": Seat(model=model, reasks=1)},
    )
    async with open_run(Program.of(plan, SETTING, str(log))) as run:
        await run.survey()
        return await run.play()


@pytest.mark.parametrize(
    ("doings", "missed"), [((PAGE, NONSENSE), 1), ((PAGE, PAGE), 1), ((PAGE, by_digest), 0)]
)
async def test_it_counts_where_a_world_is_played_again(
    tmp_path: Path, doings: tuple[Doing, ...], missed: int
) -> None:
    log, again = tmp_path / "a.db", tmp_path / "again.db"
    async with serving("openai", doings, after=by_digest) as server:
        assert (await played(f"{server.url}#m", log)).chains[0].failed.get("turn", 0) == missed
    await played(f"recorded:{log}", again)
    async with open_log(log) as first, open_log(again) as second:
        assert (await rerun(first, "ferry")).agrees
        assert await digest_of(second) == await digest_of(first)
        [decision] = await prompts(first, "ferry", "E1.T1")
    assert len(decision.calls) == 2 and all(call.agrees for call in decision.calls)


async def test_so_it_does_where_a_chain_was_suspended_by_it(tmp_path: Path) -> None:
    log = tmp_path / "a.db"
    async with serving("openai", (PAGE, PAGE), after=by_digest) as server:
        (ended,) = (await played(f"{server.url}#m", log, when_bad="suspend")).chains
        assert ended.state == "suspended"
        assert (await played(f"{server.url}#m", log, when_bad="suspend")).finished
    async with open_log(log) as opened:
        bodies = [one.body for one in await events_of(opened)]
        assert [one.what for one in bodies if isinstance(one, Failed)] == [ATTEMPT]
        assert (await rerun(opened, "ferry")).agrees


@pytest.mark.parametrize("error", [BadReply("it sent a page"), BadAnswer("it sent a page")])
async def test_a_judge_that_lets_it_through_has_failed_and_its_chain_goes_on(
    error: AgentError,
) -> None:
    class Blunt(Judge[EpisodeCase]):
        async def review(self, case: EpisodeCase) -> list[Verdict]:
            raise error

    async with volatile_log() as log:
        panel = Panel(Plan("ferry"), SETTING, {"blunt": Blunt()})
        await chain.play(await chain_of_minds(log, ByDigest(), panel=panel), SETTING, episodes())
        failures = [one.body for one in await events_of(log) if isinstance(one.body, Failed)]
    assert failures and {*failures} == {Failed("review", "blunt: it sent a page")}
