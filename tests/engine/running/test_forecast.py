"""What a run would do and may cost, said before it does."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from command_runner import run
from installed_packages import installed
from memories_here import EACH
from model_servers import Doing, serving
from msgspec.structs import replace

from whoknew.agents.errors import BadModel
from whoknew.engine.errors import NoPrice, PlanChanged
from whoknew.engine.plan.plan import Episodes, Judging, Limit, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.registry import METHODS
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.forecast import Forecast, forecast
from whoknew.testing.small_chain import SETTING

PAID = "http://localhost:1/v1#m"


async def expected(plan: Plan, log: Path) -> Forecast:
    return await forecast(Program.of(plan, SETTING, str(log)))


def plan(**changes: object) -> Plan:
    usual = Plan(world="ferry", episodes=Episodes(turns=6, stale=99))
    return replace(usual, **changes)


async def played(plan: Plan, log: Path) -> int:
    """Play it offline, and say how many calls that took."""
    async with open_run(Program.of(plan, SETTING, str(log))) as run:
        await run.survey()
        report = await run.play()
    assert report.finished
    return sum(one.calls for one in report.chains)


async def test_without_a_log_everything_is_to_begin_and_nothing_is_made(tmp_path: Path) -> None:
    found = await expected(plan(chains=2), tmp_path / "log.db")
    assert (found.worlds, found.new, found.begun, found.over) == (2, 2, 0, 0)
    assert (found.episodes, found.episodes_left, found.turns_left) == (6, 6, 36)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("method", METHODS.ours)
@pytest.mark.parametrize("memory", EACH)
async def test_a_run_takes_no_more_calls_than_were_forecast(
    tmp_path: Path, method: str, memory: str
) -> None:
    """By every method, with every memory. Offline a first answer is good enough for `self-refine`, which
    may take seven calls instead of two."""
    seat = Seat(method=method, memory=memory, reasks=0)  # type: ignore[arg-type]
    ours = plan(agents={"everyone": seat})
    models = (await expected(ours, tmp_path / "log.db")).models
    most, about = (sum(one) for one in zip(*((m.calls, m.expected) for m in models), strict=True))
    calls = await played(ours, tmp_path / "log.db")
    least = 0.5 * 2 / 7 if method == "self-refine" else 0.5
    assert calls <= most
    if memory == "bookmarks":  # at most each question is new, and reads all
        assert (0.4 if method == "self-refine" else 0.5) * about <= calls <= 2 * about < most
    else:
        assert least * most < calls


@pytest.mark.parametrize("order", ["round-robin", "simultaneous", "random"])
async def test_calls_at_most_are_at_most_where_no_answer_is_understood(
    tmp_path: Path, order: Any
) -> None:
    async with serving("openai", after=Doing("I will not.")) as server:
        model, judged = f"{server.url}#m", f"{server.url}#j"
        ours = plan(
            episodes=Episodes(turns=7, stale=99, order=order),
            agents={
                "everyone": Seat(model=model, reasks=2),
                "Oda": Seat(model=f"{server.url}#o", method="stepwise", reasks=1),
            },
            judges={"d": Judging("dimensions", model=judged, reasks=1)},
            may_fail=1.0,
        )
        models = (await expected(ours, tmp_path / "log.db")).models
        await played(ours, tmp_path / "log.db")
        made = Counter(asked["model"] for asked in server.asked)
    for one in models:
        assert 0 < made[one.model.partition("#")[2]] <= one.calls


async def test_a_dry_run_refuses_what_the_run_would_refuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(BadModel, match="OPENAI_API_KEY"):
        await expected(plan(agents={"everyone": Seat(model="openai:m")}), tmp_path / "log.db")
    limited = plan(agents={"everyone": Seat(model=PAID)}, limits={"run": Limit(money=1.0)})
    with pytest.raises(NoPrice, match="price_in and price_out"):
        await expected(limited, tmp_path / "log.db")


async def test_what_was_played_is_not_forecast_again(tmp_path: Path) -> None:
    log = tmp_path / "log.db"
    await played(plan(chains=1), log)
    found = await expected(plan(chains=3), log)
    assert (found.over, found.new, found.episodes_left) == (1, 2, 6)


async def test_tokens_are_those_that_such_calls_took_before(tmp_path: Path) -> None:
    log = tmp_path / "log.db"
    before = await expected(plan(), log)
    (guessed,) = before.models
    assert guessed.rehearsed
    assert guessed.tokens is not None
    calls = await played(plan(name="first"), log)
    (model,) = (await expected(plan(), log)).models
    assert (model.known_by, model.rehearsed) == (calls, False)
    assert guessed.tokens == pytest.approx(model.tokens, rel=0.25)
    assert model.tokens is not None
    assert model.tokens > 0
    assert model.money == 0


@pytest.mark.parametrize("memory", ["none", "entire"])
async def test_a_forecast_knows_that_prompts_grow(tmp_path: Path, memory: str) -> None:
    log = tmp_path / "log.db"
    everyone = {"everyone": Seat(memory=memory)}  # type: ignore[arg-type]

    def lasting(name: str, repeat: int) -> Plan:
        episodes = Episodes(turns=6, stale=99, repeat=repeat)
        return plan(name=name, agents=everyone, episodes=episodes)

    await played(lasting("first", 2), log)
    (model,) = (await expected(lasting("second", 8), log)).models
    async with open_run(Program.of(lasting("second", 8), SETTING, str(log))) as run:
        await run.survey()
        (report,) = (await run.play()).chains
    assert model.tokens == pytest.approx(report.tokens, rel=0.25)


async def test_before_the_first_run_money_follows_from_prompts_and_a_price(tmp_path: Path) -> None:
    prices = ModelSettings(price_in=1.0, price_out=1.0)
    seats = {"everyone": Seat(model=PAID)}
    judges = {"d": Judging("dimensions", model=PAID)}
    ours = plan(agents=seats, judges=judges)
    (model,) = (await expected(ours, tmp_path / "log.db")).models
    assert model.rehearsed
    assert model.money is None
    (model,) = (await expected(replace(ours, models={PAID: prices}), tmp_path / "log.db")).models
    assert model.tokens is not None
    assert model.money == pytest.approx(model.tokens / 1_000_000)


async def test_people_and_scripts_cost_nothing(tmp_path: Path) -> None:
    ours = plan(agents={"everyone": Seat(agent="scripted", lines={"*": ("Hi.",)})})
    assert (await expected(ours, tmp_path / "log.db")).models == ()


async def test_a_plan_that_a_run_refuses_is_not_forecast(tmp_path: Path) -> None:
    await played(plan(), tmp_path / "log.db")
    shorter = plan(episodes=Episodes(play=("thursday",), turns=6, stale=99))
    with pytest.raises(PlanChanged, match="has played 3 episodes, but the plan has 1"):
        await expected(shorter, tmp_path / "log.db")


BUSY = """
from typing import ClassVar
from whoknew.agents.agent import Agent, AgentEntry, Note
from whoknew.agents.memories.memory import Memory, MemoryEntry, recollection
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Message, Request
from whoknew.engine.playing.judge import Judge, JudgeEntry, Verdict

class Noting(Memory):
    async def recollect(self, now):
        await insist(now.model, Request("ponder", (Message("user", "So?"),)), str, 0)
        return recollection([], now.budget)

    async def remember(self, now):
        text = await insist(now.model, Request("note", (Message("user", "So?"),)), str, 0)
        return (Note("note", text, (len(now.view),)),)

class NotingEntry(MemoryEntry, frozen=True):
    calls_a_turn: ClassVar[int] = 1
    calls_an_episode: ClassVar[int] = 1
    def make(self, owner):
        return Noting()

class Twice(Agent):
    def __init__(self, mind):
        self._mind = mind

    async def act(self, moment):
        await self._mind.act(moment)
        return await self._mind.act(moment)

    async def remember(self, moment):
        return await self._mind.remember(moment)

class TwiceEntry(AgentEntry, frozen=True):
    thinks: ClassVar[bool] = True
    def most_calls(self, mind):
        return 2 * mind
    def make(self, seating):
        return Twice(seating.mind())

class Asking(Judge):
    def __init__(self, bench, times):
        self._bench, self._times = bench, times

    async def review(self, case):
        for who in case.people:
            for _ in range(self._times):
                await insist(self._bench.model, Request("weigh", (Message("user", "So?"),)), str, 0)
        return [Verdict(who, {"x": 1.0}) for who in case.people]

class AskingEntry(JudgeEntry, frozen=True):
    asks: ClassVar[bool] = True
    times: int = 3
    def most_calls(self, reasks):
        return self.times
    def make(self, bench):
        return Asking(bench, self.times)
"""


async def test_parts_that_ask_for_what_they_like_are_forecast_by_what_they_say(
    tmp_path: Path,
) -> None:
    """Whatever a memory, an agent or a judge calls its calls: before they were made, and after."""
    points = {
        "whoknew.memories": {"noting": "busy:NotingEntry"},
        "whoknew.agents": {"twice": "busy:TwiceEntry"},
        "whoknew.judges": {"asking": "busy:AskingEntry"},
    }
    ours = plan(
        agents={"everyone": Seat(agent="twice", memory="noting", reasks=0)},
        judges={"mine": Judging("asking", reasks=0, settings={"times": 2})},
    )
    with installed(tmp_path, "busy", BUSY, points):
        before = await expected(ours, tmp_path / "log.db")
        calls = await played(ours, tmp_path / "log.db")
        after = await expected(replace(ours, name="ferry-2"), tmp_path / "log.db")
    for found in (before, after):
        (model,) = found.models
        assert model.tokens, "what they take is known"
        assert 0.5 * model.calls < calls <= model.calls
    assert before.models[0].rehearsed and not after.models[0].rehearsed
    assert before.rehearsed == 3


def test_a_dry_run_says_what_of_it_was_tried_and_what_was_not(tmp_path: Path) -> None:
    log = tmp_path / "l.db"
    said = " ".join(run("run", "midnight-diner", "--log", log, "--dry-run").stdout.split())
    assert "Rehearsed offline: 3 of the 10 episodes left; how parts fare beyond that" in said
    limited = tmp_path / "limited.toml"
    limited.write_text('world = "flatmates"\n[limits.run]\ncalls = 20\n')
    run("run", limited, "--log", log, rc=3)
    said = " ".join(run("run", "flatmates", "--log", log, "--dry-run").stdout.split())
    assert "Nothing of it was rehearsed: how parts fare, and" in said


def test_where_nothing_is_left_a_dry_run_says_nothing_of_what_was_tried(tmp_path: Path) -> None:
    log = tmp_path / "l.db"
    run("run", "flatmates", "--log", log)
    said = run("run", "flatmates", "--log", log, "--dry-run").stdout
    assert "0 of 10 episodes left" in said and "rehearsed" not in said
