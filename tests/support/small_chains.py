"""Chains for tests: a small setting, a model that answers by the digest of its prompt, a troupe."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from datetime import datetime

import msgspec
from msgspec.structs import replace

from whoknew.agents.agent import Agent
from whoknew.agents.memories.memory import Memory
from whoknew.agents.memories.summary import Summary
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Reply, Request
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.engine.playing import chain
from whoknew.engine.playing.allowance import Allowance
from whoknew.engine.playing.chain_log import ChainLog
from whoknew.engine.playing.chain_run import ChainRun
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.ledger import Ledger, LoggedModel
from whoknew.engine.playing.panel import Panel
from whoknew.eventlog import Event, Log
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


class ByDigest:
    """Answers anything, each prompt always the same way, which a salt makes another. It keeps
    count of its calls."""

    name = "digest:"
    salt = ""

    def __init__(self, wait: Callable[[Request], float] | None = None) -> None:
        self._wait = wait
        self.calls: list[str] = []

    async def complete(self, request: Request) -> Reply:
        digest = request.digest
        self.calls.append(digest)
        await asyncio.sleep(self._wait(request) if self._wait else 0)
        if self.salt:
            digest = hashlib.sha256(f"{self.salt}{digest}".encode()).hexdigest()
        if request.answer is None:
            return Reply(text=f"It was {digest[:6]}.", tokens_in=10, tokens_out=5)
        chosen = int(digest[:2], 16)
        act = ("speak", "speak", "speak", "action", "non-verbal", "none", "leave", "speak")
        said = {"act": act[chosen % 8], "text": f"I say {digest[2:8]}."}
        if chosen % 9 == 0:
            said = {"act": "speak", "text": "Of this.", "refers_to": [1 + chosen % 5]}  # type: ignore[dict-item]
        if chosen % 31 == 0:
            return Reply(text="I would rather not.", tokens_in=10, tokens_out=5)
        kept = dict.fromkeys(("overview", "negotiation", "knowledge"), f"It was {digest[:6]}.")
        return Reply(
            text=msgspec.json.encode({**said, **kept}).decode(), tokens_in=10, tokens_out=5
        )


def episodes(order: Order = "round-robin", turns: int = 8) -> list[Scenario]:
    return [replace(one, order=order, turns=turns, stale=4) for one in SETTING.scenarios]


async def chain_of_minds(
    log: Log,
    model: ByDigest,
    world: str = "ferry",
    rules: PlayRules | None = None,
    memory: Callable[[], Memory] = Summary,
    panel: Panel | None = None,
) -> ChainRun:
    """A start of a chain whose minds all ask one model."""

    def minds(ledger: Ledger) -> dict[str, Agent]:
        names = [one.name for one in SETTING.characters]
        return {
            who: Mind(who, LoggedModel(who, model, None, ledger), memory(), Plain())
            for who in names
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
    allowance = Allowance(world=world, state=state, rules=rules, control=Control())
    chain_log = ChainLog(
        log=log, world=world, state=state, allowance=allowance, watch=lambda _: None
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
