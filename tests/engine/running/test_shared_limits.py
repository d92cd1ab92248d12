"""Limits of a plan that several processes play: they hold for all of them together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

import msgspec
import pytest
from model_servers import Doing, Server, serving, spoken

from whoknew.agents.models.model import tokens_of
from whoknew.engine.plan.plan import Episodes, Limit, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.run_report import RunReport
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called
from whoknew.testing.small_chain import SETTING

pytestmark = pytest.mark.usefixtures("kept_leases")

WORKERS = 4

SAID = '{"act": "speak", "text": "Good evening, and a glass of the red one, if you would."}'


def billing(wait: float, begun: list[float] | None = None) -> Callable[[Any], Doing]:
    """Bills what we would count; notes when each call began."""

    def answer(asked: Any) -> Doing:
        if begun is not None:
            begun.append(monotonic())
        body = spoken("openai", Doing(SAID))
        prompt = sum(tokens_of(message["content"]) for message in asked["messages"])
        body["usage"] = {"prompt_tokens": prompt, "completion_tokens": tokens_of(SAID)}
        return Doing(body=msgspec.json.encode(body), wait=wait)

    return answer


def plan(server: Server, turns: int, limit: Limit, **model: Any) -> Plan:
    address = f"{server.url}#m"
    return Plan(
        "ferry",
        chains=8,
        at_once=2,
        episodes=Episodes(play=("sunday",), turns=turns, stale=99),
        agents={"everyone": Seat(model=address, memory="none", max_tokens=60)},
        models={address: ModelSettings(price_in=400.0, price_out=800.0, **model)},
        limits={"run": limit} if limit != Limit() else {},
    )


async def played(plan: Plan, log: str) -> list[RunReport]:
    """By several processes, each of which has a connection and models of its own."""

    async def one() -> RunReport:
        async with open_run(Program.of(plan, SETTING, log)) as run:
            await run.survey()
            return await run.play()

    return await asyncio.gather(*(one() for _ in range(WORKERS)))


async def billed(log: str) -> tuple[int, float]:
    """The calls on the log, and what they cost."""
    async with open_log(log, read_only=True) as opened:
        calls = [
            event.body
            for world in await opened.worlds()
            for event in await (await opened.director(world.name)).events()
            if isinstance(event.body, Called)
        ]
    return len(calls), sum(one.money or 0 for one in calls)


async def test_ten_dollars_are_ten_dollars_however_many_spend_them(database: str) -> None:
    async with serving("openai", after=billing(0.01)) as server, asyncio.TaskGroup() as group:
        server.going.clear()
        playing = group.create_task(played(plan(server, 60, Limit(money=10.0)), database))
        await server.until_asked(WORKERS + 1)
        server.going.set()
        reports = await playing
        count, money = await billed(database)
        assert count == server.calls
        # As near as one more call, which costs half a dollar at most.
        assert 9.4 < money <= 10.0
        for one in reports:
            assert one.code == 3
            assert (one.reason or "").startswith("the limit of the run is reached: $9.")
            assert " of $10.00 spent, and the next call may cost $0." in (one.reason or "")
        [again, *_] = await played(plan(server, 60, Limit(money=10.0)), database)
        assert (again.code, server.calls) == (3, count)


async def test_no_more_calls_are_under_way_than_all_may_make_at_once(database: str) -> None:
    begun: list[float] = []
    async with serving("openai", after=billing(0.02, begun)) as server:
        reports = await played(plan(server, 4, Limit(calls=20), at_once=3), database)
        assert server.calls == 20
        under_way = [
            sum(one <= now for one in begun) - sum(one < now for one in server.over)
            for now in begun
        ]
        assert max(under_way) <= 3
        assert all("20 of 20 calls made" in (one.reason or "") for one in reports)


async def test_so_many_requests_a_minute_are_those_of_all(database: str) -> None:
    async with serving("openai", after=billing(0)) as server:
        rate = plan(server, 4, Limit(), requests_per_minute=300)
        begun = monotonic()
        reports = await played(rate, database)
    assert all(one.finished for one in reports)
    # A twentieth of a minute's worth was there at first.
    assert server.over[-1] - begun > (server.calls - 300 / 20) / (300 / 60) > 3
