"""A limit in tokens or money is passed only by what a server bills beyond what was set aside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from model_servers import Doing, Server, serving, spoken
from waiting import PATIENCE, until

from whoknew.agents.models.model import tokens_of
from whoknew.engine.plan.plan import Episodes, Limit, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.spent import dollars
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.run_report import RunReport
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called, EpisodeClosed, Failed
from whoknew.testing.small_chain import SETTING

SAID = '{"act": "speak", "text": "Good evening, and a glass of the red one, if you would."}'


def billing(times: float = 1) -> Callable[[Any], Doing]:
    """Answers, and bills what we would count, so many times over."""

    def answer(asked: Any) -> Doing:
        body = spoken("openai", Doing(SAID))
        prompt = sum(tokens_of(message["content"]) for message in asked["messages"])
        body["usage"] = {
            "prompt_tokens": round(prompt * times),
            "completion_tokens": round(tokens_of(SAID) * times),
        }
        return Doing(body=msgspec.json.encode(body), wait=0.01)

    return answer


def plan(server: Server, scope: str, limit: Limit, **seat: Any) -> Plan:
    model = f"{server.url}#m"
    return Plan(
        "ferry",
        chains=8 if scope == "run" else 1,
        episodes=Episodes(play=("sunday",), turns=40, stale=99, order="simultaneous"),
        agents={"everyone": Seat(model=model, memory="none", **seat)},
        models={model: ModelSettings(price_in=1.0, price_out=2.0)},
        limits={scope: limit},  # type: ignore[dict-item]
    )


async def played(plan: Plan, log: Path) -> RunReport:
    async with open_run(Program.of(plan, SETTING, str(log))) as run:
        await run.survey()
        return await run.play()


@pytest.mark.parametrize("seat", [{}, {"max_tokens": 60}])
@pytest.mark.parametrize("limit", [Limit(tokens=20_000), Limit(money=0.02)])
@pytest.mark.parametrize("scope", ["run", "chain"])
async def test_no_limit_is_passed_however_many_calls_are_in_flight(
    tmp_path: Path, scope: str, limit: Limit, seat: dict[str, Any]
) -> None:
    async with serving("openai", after=billing()) as server:
        report = await played(plan(server, scope, limit, **seat), tmp_path / "a.db")
        assert server.peak > 1
    assert report.code == 3
    tokens = sum(one.tokens for one in report.chains)
    money = sum(one.money or 0 for one in report.chains)
    # It comes as near as one more call: what others in flight set aside and did not take is used.
    if limit.tokens is not None:
        assert limit.tokens - 1500 < tokens <= limit.tokens
    if limit.money is not None:
        assert limit.money - 0.0015 < money <= limit.money
    told = report.reason or report.chains[0].reason or ""
    assert "and the next call may " in told


async def test_an_overshoot_is_what_a_server_bills_beyond_and_is_told(tmp_path: Path) -> None:
    async with serving("openai", after=billing(3)) as server:
        report = await played(
            plan(server, "run", Limit(money=0.01), max_tokens=60), tmp_path / "a.db"
        )
    assert sum(one.money or 0 for one in report.chains) > 0.01
    assert " of $0.01 spent: servers billed more than could be set aside" in (report.reason or "")


async def test_the_limit_of_an_episode_ends_it_and_that_of_a_character_passes_it_over(
    tmp_path: Path,
) -> None:
    async with serving("openai", after=billing()) as server:
        for scope in ("episode", "character"):
            report = await played(
                plan(server, scope, Limit(tokens=4_000)), tmp_path / f"{scope}.db"
            )
            assert report.code == 0
    async with open_log(tmp_path / "episode.db") as log:
        events = await (await log.director("ferry")).events()
    (closed,) = [one.body for one in events if isinstance(one.body, EpisodeClosed)]
    assert closed.reason.startswith("the limit of an episode is reached: ")
    assert not any(isinstance(one.body, Failed) for one in events)
    assert _tokens([one.body for one in events if isinstance(one.body, Called)]) <= 4_000
    async with open_log(tmp_path / "character.db") as log:
        events = await (await log.director("ferry")).events()
    failed = [one.body.error for one in events if isinstance(one.body, Failed)]
    assert any("Oda's limit is reached" in why for why in failed)
    for who in ("Oda", "Bram", "Kit"):
        calls = [one.body for one in events if one.actor == who and isinstance(one.body, Called)]
        assert 0 < _tokens(calls) <= 4_000


def _tokens(calls: list[Called]) -> int:
    return sum((one.tokens_in or 0) + (one.tokens_out or 0) for one in calls)


@pytest.mark.parametrize(
    ("amount", "beside", "text"),
    [
        (0, None, "$0.00"),
        (0.01, None, "$0.01"),
        (0.012, 0.01, "$0.012"),
        (0.0001, None, "$0.0001"),
        (0.000_123, None, "$0.00012"),
        (1.239, None, "$1.24"),
        (1234.5, None, "$1,234.50"),
        (12.3401, 12.34, "$12.3401"),
        (0.5, 0.5, "$0.50"),
    ],
)
def test_cents_are_told_as_precisely_as_matters(
    amount: float, beside: float | None, text: str
) -> None:
    assert dollars(amount, beside) == text


async def test_a_run_that_is_to_stop_waits_for_no_model_that_is_away(tmp_path: Path) -> None:
    """And says meanwhile what it waits for."""
    away = Doing(status=503, headers={"Retry-After": "30"})
    async with serving("openai", after=away) as server:
        program = Program.of(plan(server, "chain", Limit()), SETTING, str(tmp_path / "l.db"))
        async with open_run(program) as run:
            await run.survey()
            playing = asyncio.create_task(run.play())
            await until(lambda: bool(run.control.retried))
            assert "503" in run.control.retried[f"{server.url}#m"]
            run.control.stop("Ctrl-C")
            report = await asyncio.wait_for(playing, PATIENCE)
        assert [one.state for one in report.chains] == ["suspended"]
        async with open_log(str(tmp_path / "l.db")) as log:
            calls = [one.body async for one in log.read(program.worlds[0])]
            failed = [one for one in calls if isinstance(one, Called)]
        assert [one.reply for one in failed] == [None] * server.calls
