"""A run in which too much fails says so: in its report, in `ls`, by how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from model_servers import Doing, by_digest, serving
from msgspec.structs import replace

from whoknew.engine.logs.ls import roster
from whoknew.engine.plan.plan import Episodes, Judging, Limit, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.control import FEWEST
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.run_report import RunReport
from whoknew.engine.terminal.jsontext import as_json
from whoknew.engine.terminal.run import shown
from whoknew.testing.small_chain import SETTING

NONSENSE = Doing("I will not.")


def plan(url: str, turns: int = 30) -> Plan:
    return Plan(
        "ferry",
        episodes=Episodes(play=("sunday",), turns=turns, stale=99),
        agents={"everyone": Seat(model=f"{url}#m", memory="none", reasks=0)},
    )


async def played(plan: Plan, log: Path) -> RunReport:
    async with open_run(Program.of(plan, SETTING, str(log))) as run:
        await run.survey()
        return await run.play()


async def test_a_run_in_which_every_turn_fails_is_suspended_and_says_so(tmp_path: Path) -> None:
    log = tmp_path / "a.db"
    async with serving("openai", after=NONSENSE) as server:
        report = await played(plan(server.url), log)
        assert server.calls == FEWEST
        assert report.code == 3
        assert "10 of 10 turns failed since this start" in (report.reason or "")
        assert "failed: 10 turns" in str(shown(report, "whoknew run p"))
        (ended,) = json.loads(as_json(report))["chains"]
        assert ended["failed"] == {"turn": 10}
        (listed,) = await roster(str(log))
        assert (listed.failures, listed.failed) == (10, {"turn": 10})
        # It can be gone on with, and what failed then does not keep it from that.
        again = await played(replace(plan(server.url), may_fail=1.0), log)
        assert (again.code, again.chains[0].failed) == (0, {"turn": 30})


async def test_a_short_run_that_came_to_its_end_failing_does_not_end_well(tmp_path: Path) -> None:
    async with serving("openai", after=NONSENSE) as server:
        report = await played(plan(server.url, turns=4), tmp_path / "a.db")
    assert (report.finished, report.code) == (True, 1)
    told = str(shown(report, "whoknew run p"))
    assert "Too much failed: 4 of 4 turns" in told
    assert "may_fail = 0.5" in told


async def test_a_turn_that_fails_now_and_then_stands_in_the_report(tmp_path: Path) -> None:
    async with serving("openai", [NONSENSE], after=Doing()) as server:
        report = await played(plan(server.url, turns=4), tmp_path / "a.db")
    assert (report.code, report.chains[0].failed) == (0, {"turn": 1})
    assert "failed: 1 turn" in str(shown(report, "whoknew run p"))


async def test_a_judge_that_fails_each_time_suspends_the_run(tmp_path: Path) -> None:
    def answer(asked: Any) -> Doing:
        judging = asked["messages"][0]["content"].startswith("You check")
        return NONSENSE if judging else by_digest(asked)

    async with serving("openai", after=answer) as server:
        judged = replace(
            plan(server.url, turns=2),
            episodes=Episodes(play=("sunday",), repeat=6, turns=2, stale=99),
            judges={"eight": Judging("checklist", f"{server.url}#m", reasks=0)},
        )
        report = await played(judged, tmp_path / "a.db")
    assert report.code == 3
    assert "reviews by eight failed" in (report.reason or "")
    assert report.chains[0].failed["review"] >= FEWEST


async def test_turns_that_a_limit_passes_over_are_no_sign_of_failing(tmp_path: Path) -> None:
    async with serving("openai", after=Doing()) as server:
        limited = replace(plan(server.url), limits={"character": Limit(calls=1)})
        report = await played(limited, tmp_path / "a.db")
    assert (report.code, report.failing) == (0, None)
    assert report.chains[0].failed == {"turn": 27}


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_is_from_nothing_to_all(share: float) -> None:
    from whoknew.engine.plan.document import parse_plan
    from whoknew.worlds.errors import BadDocument

    with pytest.raises(BadDocument, match=r"may_fail: .*should be from 0 to 1"):
        parse_plan(f'world = "flatmates"\nmay_fail = {share}\n', "p.toml")
