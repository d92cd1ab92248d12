"""What is behind each name that a plan can give: the only registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Protocol, Self

from whoknew.agents.agent import Agent
from whoknew.agents.bargainer import Bargainer
from whoknew.agents.errors import BadModel
from whoknew.agents.human import Human
from whoknew.agents.memories.entire import Entire
from whoknew.agents.memories.memory import Memory
from whoknew.agents.memories.nothing import Nothing
from whoknew.agents.memories.recall import Recall
from whoknew.agents.memories.summary import Summary
from whoknew.agents.methods.method import Method
from whoknew.agents.methods.plain import Plain
from whoknew.agents.methods.stepwise import Stepwise
from whoknew.agents.mind import Mind
from whoknew.agents.models.address import opened
from whoknew.agents.models.limits import Limited, Limits
from whoknew.agents.models.model import Model, Sampling
from whoknew.agents.models.prices import Price, price_of
from whoknew.agents.models.recorded import Calls, Recorded, recorded
from whoknew.agents.models.retries import Retrying
from whoknew.agents.scripted import Scripted
from whoknew.engine.ledger import Voice
from whoknew.engine.opening import reading
from whoknew.engine.troupe import Troupe
from whoknew.eventlog import Log
from whoknew.worlds.plan import ModelSettings, Plan, Seat
from whoknew.worlds.setting import Setting

MEMORIES: Mapping[str, Callable[[], Memory]] = {
    "none": Nothing,
    "entire": Entire,
    "summary": Summary,
    "recall": Recall,
}
METHODS: Mapping[str, Callable[[int], Method]] = {"plain": Plain, "stepwise": Stepwise}
RECORDED = "recorded:"


class Console(Protocol):
    """Where a person at the terminal reads and answers."""

    async def read(self, prompt: str) -> str: ...

    def write(self, text: str) -> None: ...


Person = Callable[[str, str, float | None], Agent]
"""Gives the agent by which a person acts, for a character of a world: waiting so many seconds at
most for what it does."""


def at_terminal(console: Console) -> Person:
    """The one person at a terminal, who takes as long as it takes."""
    return lambda world, who, patience: Human(who, console.read, console.write)


class Wiring:
    """The agents of a run, and the models that all of them share. Use it as `async with`."""

    def __init__(self, plan: Plan, setting: Setting, person: Person | None = None) -> None:
        self._plan, self._setting, self._person = plan, setting, person
        self._models: dict[str, Model] = {}
        self._logs: dict[str, Log] = {}
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Models are opened before anything is played: what is missing is said at once."""
        async with self._open as opening:
            for address in self.addresses:
                if address.startswith(RECORDED):
                    log = reading(address.removeprefix(RECORDED))
                    self._logs[address] = await opening.enter_async_context(log)
                else:
                    self._models[address] = await model_at(address, self.settings(address), opening)
            self._open = opening.pop_all()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._open.aclose()

    @property
    def addresses(self) -> list[str]:
        """The models that some seat uses."""
        seats = [self._plan.seat(one.name) for one in self._setting.characters]
        return list(dict.fromkeys(seat.model for seat in seats if seat.agent == "mind"))

    def settings(self, address: str) -> ModelSettings:
        return self._plan.models.get(address, ModelSettings())

    def price(self, address: str) -> Price | None:
        return price_at(self._plan, address)

    async def agents(self, troupe: Troupe) -> dict[str, Agent]:
        """An agent for each character of a chain."""
        replays = {
            address: await recorded(address, await log.director(troupe.world))
            for address, log in self._logs.items()
        }
        return {
            one.name: self._agent(one.name, self._plan.seat(one.name), troupe, replays)
            for one in self._setting.characters
        }

    def _agent(
        self, who: str, seat: Seat, troupe: Troupe, replays: Mapping[str, Mapping[str, Recorded]]
    ) -> Agent:
        if seat.agent == "human":
            if self._person is None:
                raise BadModel(f"{who} is played by a person, but there is no terminal for one")
            return self._person(troupe.world, who, seat.patience)
        if by_rule := ruled(who, seat):
            return by_rule
        model: Model
        if seat.model in replays:
            model = replays[seat.model].get(who) or Recorded(seat.model, who, Calls())
        else:
            model = self._models[seat.model]
        return mind(who, seat, Voice(who, model, self.price(seat.model), troupe.ledger))


async def model_at(address: str, ours: ModelSettings, opening: AsyncExitStack) -> Model:
    """The model at an address, with its limits and retries around it; open as long as the stack."""
    model = await opening.enter_async_context(opened(address, ours.timeout))
    if address == "offline:":
        return model
    limits = Limits(ours.at_once, ours.requests_per_minute, ours.tokens_per_minute)
    return Retrying(Limited(model, limits) if limits != Limits() else model, ours.attempts)


def ruled(who: str, seat: Seat) -> Agent | None:
    """The agent of a seat that no model and no person is needed for."""
    match seat.agent:
        case "scripted":
            return Scripted(who, seat.lines)
        case "bargainer":
            return Bargainer(who, "none" if seat.memory == "none" else "entire")
    return None


def price_at(plan: Plan, address: str) -> Price | None:
    """What a model costs: as the plan says, else as is listed."""
    ours = plan.models.get(address, ModelSettings())
    return price_of(address, ours.price_in, ours.price_out)


def mind(who: str, seat: Seat, model: Model) -> Mind:
    """The mind that a seat asks for, with a model to think by."""
    sampling = Sampling(seat.temperature, seat.top_p, seat.max_tokens)
    return Mind(who, model, MEMORIES[seat.memory](), METHODS[seat.method](seat.reasks), sampling)
