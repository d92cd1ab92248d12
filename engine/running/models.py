"""Models, opened once for all chains of a run; and the agents and judges that a plan asks for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any, Self

from whoknew.agents.agent import Agent, AgentEntry, AgentSeat
from whoknew.agents.errors import AgentError, BadModel, NotRecorded
from whoknew.agents.human import Console, Human
from whoknew.agents.memories.memory import Memory, MemoryEntry
from whoknew.agents.methods.experts import Adviser, ExpertsEntry
from whoknew.agents.methods.guarded import Guarded, LineGuard
from whoknew.agents.methods.method import Method, MethodEntry
from whoknew.agents.mind import Mind
from whoknew.agents.models.address import OFFLINE, RECORDED
from whoknew.agents.models.calling.sending import Sending, is_worthwhile
from whoknew.agents.models.calling.sent import is_sent
from whoknew.agents.models.chat import ChatModel
from whoknew.agents.models.hidden_key import hiding
from whoknew.agents.models.limits import Limited, Limits
from whoknew.agents.models.model import (
    EMBED,
    LOOK,
    CheckedModel,
    Model,
    Reply,
    Request,
    Routed,
    Sampling,
)
from whoknew.agents.models.prices import Price
from whoknew.agents.models.recorded import Calls, Recorded, recorded
from whoknew.agents.models.shared_limits import SharedLimits
from whoknew.agents.parts import Entry, Owner, made, made_with
from whoknew.engine import registry
from whoknew.engine.opening import reading, weights_beside
from whoknew.engine.part_code import told
from whoknew.engine.plan.plan import Judging, MemoryModels, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import TURNS, Chain
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.judge import Bench, Judge, JudgeEntry
from whoknew.engine.playing.ledger import NOBODY, Ledger, LoggedModel
from whoknew.engine.playing.panel import Panel
from whoknew.engine.running.fitting import world_of
from whoknew.eventlog import Log

Voices = Callable[[str, str], Model]
"""The model at an address, as somebody asks it: each call of it is on the log."""


Guards = Callable[[str, float], LineGuard]
"""The guard of a character, which refuses what is at least so sure to give something away."""


Person = Callable[[str, str, float | None], Agent]
"""Gives the agent by which a person acts, for a character of a world: waiting so many seconds at
most for what it does."""


def at_terminal(console: Console, control: Control) -> Person:
    """People at one terminal, who take as long as it takes; until it is to stop."""
    control.stopping.append(console.release)
    return lambda world, who, patience: Human(who, console)


class ModelPool:
    """The agents of a run, and the models that all of them share. Use it as `async with`."""

    def __init__(
        self,
        chains: Sequence[Chain],
        person: Person | None = None,
        models: Mapping[str, Model] = {},
        *,
        control: Control | None = None,
        at_once: int = 0,
    ) -> None:
        """`models` are those that are open already, by their addresses. What is under `control` waits for
        no model that is away where it is to stop. So many chains are played `at_once`."""
        self.shared = SharedLimits()
        self._chains, self._person, self._control = chains, person, control
        self._at_once = min(at_once, len(chains))
        self._sending: Sending | None = None
        self._models = dict(models)
        self._logs: dict[str, Log] = {}
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Models are opened before anything is played: what is missing is said at once. Chains of one
        plan ask for the same."""
        async with self._open as opening:
            self._sending = await begin_sending(opening, self._at_once, calls_of(self._chains))
            for part in {(id(one.plan), id(one.setting)): one for one in self._chains}.values():
                check_memories(part.plan.seat(one.name) for one in part.setting.characters)
                for address in addresses(part):
                    await self._opened(address, part.plan, opening)
            self._open = opening.pop_all()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._open.aclose()

    async def _opened(self, address: str, plan: Plan, opening: AsyncExitStack) -> None:
        """All chains share a model; what the first plan says of how to call it holds."""
        if address in self._models or address in self._logs:
            return
        if address.startswith(RECORDED):
            log = reading(address.removeprefix(RECORDED))
            self._logs[address] = await opening.enter_async_context(log)
        else:
            ours = plan.models.get(address, ModelSettings())
            self._models[address] = await model_at(
                address,
                ours,
                opening,
                self._control,
                shared=self.shared,
                sending=self._sending,
            )

    async def voices(self, part: Chain, ledger: Ledger) -> Voices:
        """The models of a chain, for each that asks them."""
        replays = {
            address: await recorded(address, await log.director(await world_of(log, part)))
            for address, log in self._logs.items()
        }

        def voice(who: str, address: str) -> LoggedModel:
            model: Model
            if address in replays:
                model = replays[address].get(who) or Recorded(address, who, Calls())
            else:
                model = self._models[address]
            return LoggedModel(who, model, price_at(part.plan, address), ledger)

        return voice

    def agents(self, part: Chain, voice: Voices, guards: Guards | None = None) -> dict[str, Agent]:
        """Who decides for each of the people of a chain. `guards` are for those whose seats say so."""
        people = [one.name for one in part.setting.characters]
        return {
            who: self._agent(who, part.world, part.plan.seat(who), voice, guards) for who in people
        }

    def _agent(
        self, who: str, world: str, seat: Seat, voice: Voices, guards: Guards | None
    ) -> Agent:
        def person() -> Agent:
            if self._person is None:
                raise BadModel(f"{who} is played by a person, but there is no terminal for one")
            return self._person(world, who, seat.patience)

        return agent_of(who, world, seat, partial(voice, who), person, guards)


async def begin_sending(opening: AsyncExitStack, at_once: int, calls: int) -> Sending | None:
    """What has another process send so many calls, so many at a time, where that is sooner; open as long
    as the stack."""
    if not is_worthwhile(at_once, calls):
        return None
    return await opening.enter_async_context(Sending())


def calls_of(chains: Iterable[Chain]) -> int:
    """About how many calls they make: one in each turn."""
    return TURNS * sum(one.count() for one in chains)


def addresses(part: Chain) -> list[str]:
    """The models that a chain uses."""
    seats = [part.plan.seat(one.name) for one in part.setting.characters]
    thinking = [model for seat in seats if seat.thinks for model in seat.models]
    judging = [one.model for one in part.plan.judges.values() if one.asks]
    return list(dict.fromkeys([*thinking, *judging]))


def check_memories(seats: Iterable[Seat]) -> None:
    """What a memory needs and is not installed is said before anything is asked."""
    for seat in seats:
        entry: Entry = registry.for_mind(seat.memory).made(
            seat.memory, seat.settings.get(seat.memory, {})
        )
        entry.check_here()


class Silent:
    """A model for those who do not ask one."""

    name = "none"

    async def complete(self, request: Request) -> Reply:
        raise NotRecorded("nothing was to be asked here")


def bench(part: Chain, voice: Voices) -> Panel:
    """Those who judge the episodes of a chain. What they ask is asked by none of its characters."""
    plan = part.plan

    def remembering(who: str) -> Mind:
        return mind(who, plan.seat(who), Silent())

    judges = {
        name: judge_of(one, partial(voice, NOBODY), remembering)
        for name, one in plan.judges.items()
    }
    return Panel(plan, part.setting, judges)


def judge_of(
    judging: Judging, model: Callable[[str], Model], minds: Callable[[str], Mind]
) -> Judge[Any]:
    """The judge that a plan or a question names: of a model, where it asks one."""
    entry: JudgeEntry = registry.JUDGES.made(judging.by, judging.settings)
    bench = Bench(
        model=model(judging.model) if judging.asks else Silent(),
        sampling=Sampling(judging.temperature, None, judging.max_tokens),
        reasks=judging.reasks,
        mind=minds,
    )
    return made_with(entry, entry.make(bench), "a Judge", "review")


@asynccontextmanager
async def opened(
    address: str,
    patience: float = ModelSettings().timeout,
    beside: str | None = None,
    sending: Sending | None = None,
) -> AsyncIterator[Model]:
    """The model behind an address, for as long as it is needed; `recorded:` is opened by a run. What it
    trains is kept `beside` a log. Where there is `sending`, another process may send its calls."""
    entry = registry.model(address)
    if beside is not None:
        entry = entry.keeping_in(weights_beside(beside))
    async with AsyncExitStack() as opening:
        try:
            model = await opening.enter_async_context(entry.open(patience))
            if registry.model_part(address) not in registry.MODELS.ours:
                model = CheckedModel(model)
            elif sending and is_sent(entry) and isinstance(model, ChatModel):
                model = await sending.model(model, entry, patience)
        except AgentError:
            raise
        except Exception as error:
            raise BadModel(f"{address} cannot be opened: {told(error)}") from error
        yield hiding(model, entry.given_key())


async def model_at(
    address: str,
    ours: ModelSettings,
    opening: AsyncExitStack,
    control: Control | None = None,
    *,
    beside: str | None = None,
    shared: SharedLimits | None = None,
    sending: Sending | None = None,
) -> Model:
    """The model at an address, with its limits and retries around it; open as long as the stack. What
    is under `control` does not wait to make a call again where it is to stop, and says why it waits.
    What it trains is kept `beside` a log. Limits may be `shared` with other processes, and calls be sent
    by one that is `sending`."""
    model = await opening.enter_async_context(opened(address, ours.timeout, beside, sending))
    if address == OFFLINE:
        return model
    from whoknew.agents.models.retries import Retrying

    limits = Limits(ours.at_once, ours.requests_per_minute, ours.tokens_per_minute)
    limited = Limited(model, limits, shared=shared) if limits != Limits() else model
    if control is None:
        return Retrying(limited, ours.attempts)
    return Retrying(limited, ours.attempts, sleep=control.pause, telling=control.made_again)


def price_at(plan: Plan, address: str) -> Price | None:
    """What a model costs: as the plan says, else as is listed."""
    return plan.models.get(address, ModelSettings()).price(address)


def agent_of(
    who: str,
    world: str,
    seat: Seat,
    voice: Callable[[str], Model],
    person: Callable[[], Agent],
    guards: Guards | None = None,
) -> Agent:
    """The agent that a seat asks for: of models, or a person, where it wants one."""
    entry: AgentEntry = registry.AGENTS.made(seat.agent, seat.settings.get(seat.agent, {}))
    seating = AgentSeat(
        who=who,
        world=world,
        lines=seat.lines,
        mind=lambda: mind(
            who, seat, voice(seat.model), memory_voice(seat.memory_models, voice), guards
        ),
        person=person,
    )
    return made(entry, entry.make(seating), Agent)


def memory_voice(models: MemoryModels, voice: Callable[[str], Model]) -> Model:
    """The model that the memory of a seat asks: what only looks something over may be another, and what
    gives vectors."""
    others = {LOOK: models.small, EMBED: models.embedder}
    asked = {purpose: voice(one) for purpose, one in others.items() if one != models.model}
    model = voice(models.model)
    return Routed(model, asked) if asked else model


def mind(
    who: str,
    seat: Seat,
    model: Model,
    memory_model: Model | None = None,
    guards: Guards | None = None,
) -> Mind:
    """The mind that a seat asks for, with a model to think by, and one that its memory asks."""
    memory, method = memory_of(who, seat), guarded(who, seat, method_of(who, seat), guards)
    return Mind(
        who,
        model,
        memory,
        method,
        sampling_of(seat),
        budget=seat.budget,
        memory_model=memory_model,
    )


def sampling_of(seat: Seat) -> Sampling:
    """How the model of a seat is to choose its words."""
    return Sampling(seat.temperature, seat.top_p, seat.max_tokens, seat.seed)


def memory_of(who: str, seat: Seat) -> Memory:
    entry: MemoryEntry = registry.MEMORIES.made(seat.memory, seat.settings.get(seat.memory, {}))
    return made(entry, entry.make(Owner(who=who, reasks=seat.reasks)), Memory)


def guarded(who: str, seat: Seat, method: Method, guards: Guards | None) -> Method:
    """A method with the guard that its seat asks for."""
    if guards is None or (asked := seat.guarding) is None:
        return method
    return Guarded(
        who=who,
        method=method,
        guard=guards(who, asked.sure),
        tries=asked.tries,
        then=asked.then,
    )


def method_of(who: str, seat: Seat, adviser: Adviser | None = None) -> Method:
    """The method of a seat. What an adviser says is for our own `experts` alone."""
    entry: MethodEntry = registry.METHODS.made(seat.method, seat.settings.get(seat.method, {}))
    owner = Owner(who=who, reasks=seat.reasks)
    if type(entry) is ExpertsEntry:
        return entry.advised(owner, adviser)
    method = entry.make(owner)
    return made_with(entry, method, "a Method", "ask")
