"""A small chain for tests: three episodes of four people, and a log in memory to play it into."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from msgspec.structs import replace

from whoknew.agents.agent import Agent
from whoknew.agents.memories.memory import Memory
from whoknew.agents.memories.summary import Summary
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Model
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.engine.playing import chain
from whoknew.engine.playing.allowance import Allowance, limits_of
from whoknew.engine.playing.chain_log import ChainLog
from whoknew.engine.playing.chain_run import ChainRun
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.ledger import Ledger, LoggedModel
from whoknew.engine.playing.panel import Panel
from whoknew.engine.playing.seeker import Seeker
from whoknew.eventlog import Event, Log
from whoknew.eventlog.stores.volatile import VolatileStore
from whoknew.eventlog.story import story_digest
from whoknew.worlds.setting import Character, Cue, Order, Place, Relation, Scenario, Setting

SETTING = Setting(
    name="ferry",
    title="The Ferry",
    begins=datetime(1998, 11, 12, 22, 0),
    characters=tuple(Character(name, nature="Quiet.") for name in ("Oda", "Bram", "Kit", "Nell")),
    places=(Place("room"), Place("pantry", hears=("room",))),
    relations=(Relation("friend", between=("Oda", "Bram")),),
    scenarios=(
        Scenario(
            "thursday",
            "Rain.",
            ("Oda", "Bram", "Kit"),
            goals={"Oda": "Keep it quiet.", "Nell": "Ask who paid."},
            place="room",
            where={"Kit": "pantry"},
            turnings=(Cue(3, who="Nell", enters="openly"), Cue(5, narrates="A bell.")),
        ),
        Scenario("friday", "Fog.", ("Oda", "Nell"), place="room", hidden=("Nell",)),
        Scenario("sunday", "Sun.", ("Bram", "Kit", "Oda"), place="room"),
    ),
)


PEOPLE = tuple(one.name for one in SETTING.characters)


def volatile_log() -> Log:
    """A log that is gone when it closes. Use it as `async with`."""
    return Log(VolatileStore())


def episodes(order: Order = "round-robin", turns: int = 8) -> list[Scenario]:
    return [replace(one, order=order, turns=turns, stale=4) for one in SETTING.scenarios]


async def chain_of_minds(
    log: Log,
    model: Model,
    world: str = "ferry",
    rules: PlayRules | None = None,
    memory: Callable[[str], Memory] = lambda who: Summary(),
    panel: Panel | None = None,
) -> ChainRun:
    """A start of a chain whose minds all ask one model."""

    def minds(ledger: Ledger) -> dict[str, Agent]:
        return {
            who: Mind(who, LoggedModel(who, model, None, ledger), memory(who), Plain())
            for who in PEOPLE
        }

    return await run_of(log, world, SETTING, minds, rules=rules, panel=panel)


async def run_of(
    log: Log,
    world: str,
    setting: Setting,
    agents: Callable[[Ledger], Mapping[str, Agent]],
    *,
    rules: PlayRules | None = None,
    panel: Panel | None = None,
) -> ChainRun:
    """A start of a chain with these agents."""
    rules = rules or PlayRules()
    state = await chain.standing(log, world, setting)
    control = Control()
    limits = limits_of(control, rules)
    allowance = Allowance(world=world, state=state, limits=limits, control=control)
    chain_log = ChainLog(
        log=log,
        world=world,
        state=state,
        allowance=allowance,
        watch=lambda _: None,
        seeker=await Seeker.of(log, world) if rules.tellings else None,
    )
    ledger = Ledger(chain_log, allowance, keep_prompts=rules.keep_prompts)
    return ChainRun(
        rules=rules,
        log=chain_log,
        allowance=allowance,
        ledger=ledger,
        agents=agents(ledger),
        panel=panel,
    )


async def events_of(log: Log, world: str = "ferry") -> list[Event]:
    return await (await log.director(world)).events()


async def digest_of(log: Log, world: str = "ferry") -> str:
    return story_digest(await events_of(log, world))
