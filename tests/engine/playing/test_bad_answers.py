"""`when_bad = "suspend"`: what was answered is paid and stays, and it can be gone on with."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from model_servers import Doing, Server, by_digest, digest_of_asked, serving

from whoknew.engine.plan.plan import Episodes, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.run_report import RunReport
from whoknew.engine.travel.prompt import prompts
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called, Failed
from whoknew.testing.small_chain import SETTING, events_of
from whoknew.worlds.setting import Order

ORDERS: tuple[Order, ...] = ("round-robin", "simultaneous", "random")


class Sulking:
    """Makes no sense to whoever asks in this name, until it has come round."""

    def __init__(self, who: str, asked: str = "") -> None:
        self._who, self._asked = f"You are {who}", asked
        self.sulks = True

    def __call__(self, asked: Any) -> Doing:
        rules = asked["messages"][0]["content"]
        mine = self._who in rules and self._asked in rules
        return Doing("I would rather not.") if mine and self.sulks else by_digest(asked)


async def played(server: Server, log: Path, order: Order = "simultaneous") -> RunReport:
    plan = Plan(
        "ferry",
        episodes=Episodes(play=("sunday",), order=order, turns=3, stale=9, when_bad="suspend"),
        agents={"everyone": Seat(model=f"{server.url}#m", reasks=1)},
    )
    async with open_run(Program.of(plan, SETTING, str(log))) as run:
        await run.survey()
        return await run.play()


async def calls_on(log: Path) -> int:
    async with open_log(log) as opened:
        return sum(isinstance(one.body, Called) for one in await events_of(opened))


@pytest.mark.parametrize("order", ORDERS)
async def test_a_chain_that_was_suspended_by_bad_answers_asks_anew_and_goes_on(
    tmp_path: Path, order: Order
) -> None:
    log, model = tmp_path / "a.db", Sulking("Bram")
    async with serving("openai", after=model) as server:
        for _ in range(2):
            made = server.calls
            (ended,) = (await played(server, log, order)).chains
            assert ended.state == "suspended"
            assert (ended.reason or "").startswith("Bram ")
            assert server.calls > made
        model.sulks = False
        assert (await played(server, log, order)).finished
        assert await calls_on(log) == server.calls
        asked = Counter(map(digest_of_asked, server.asked))
    again = [one for one in server.asked if asked[digest_of_asked(one)] > 1]
    assert again
    assert all("You are Bram" in one["messages"][0]["content"] for one in again)


@pytest.mark.parametrize("order", ORDERS)
async def test_the_last_answer_before_a_chain_is_suspended_is_on_the_log(
    tmp_path: Path, order: Order
) -> None:
    async with serving("openai", after=Sulking("Bram")) as server:
        await played(server, tmp_path / "a.db", order)
        assert await calls_on(tmp_path / "a.db") == server.calls


async def test_the_last_answer_is_on_the_log_whatever_went_wrong_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("whoknew.engine.playing.episode._perform", broken)
    async with serving("openai", after=by_digest) as server:
        report = await played(server, tmp_path / "a.db", "round-robin")
        assert report.failed
        assert await calls_on(tmp_path / "a.db") == server.calls == 1


async def test_what_was_tried_stands_on_the_log_and_is_no_turn(tmp_path: Path) -> None:
    log, model = tmp_path / "a.db", Sulking("Bram")
    async with serving("openai", after=model) as server:
        (ended,) = (await played(server, log)).chains
        assert ended.turns == 0
        model.sulks = False
        (ended,) = (await played(server, log)).chains
    assert ended.turns == 3
    async with open_log(log) as opened:
        failed = [
            (one.actor, one.body.what, one.turn)
            for one in await events_of(opened)
            if isinstance(one.body, Failed)
        ]
        assert failed == [("Bram", "attempt", 1)]
        assert (await rerun(opened, "ferry")).agrees
        decisions = await prompts(opened, "ferry", "E1.T1")
    assert [one.character for one in decisions].count("Bram") == 2
    assert all(call.agrees for one in decisions for call in one.calls)


async def test_a_memory_that_suspended_its_chain_is_asked_for_anew(tmp_path: Path) -> None:
    log, model = tmp_path / "a.db", Sulking("Bram", "of your life has just ended")
    async with serving("openai", after=model) as server:
        (ended,) = (await played(server, log)).chains
        assert "Bram has nothing to remember" in (ended.reason or "")
        model.sulks = False
        assert (await played(server, log)).finished
        assert await calls_on(log) == server.calls
    async with open_log(log) as opened:
        assert (await rerun(opened, "ferry")).agrees
