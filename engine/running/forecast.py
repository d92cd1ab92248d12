"""What a run would do and may cost, before it does: `whoknew run PLAN --dry-run`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from msgspec import Struct

from whoknew.agents.models.prices import Price
from whoknew.engine.opening import file_of, reading
from whoknew.engine.plan.plan import Seat
from whoknew.engine.plan.program import Chain, Program
from whoknew.engine.playing import chain
from whoknew.engine.playing.state import ChainState
from whoknew.engine.registry import MEMORIES, METHODS
from whoknew.engine.running.chains import check_prices
from whoknew.engine.running.fitting import fitted
from whoknew.engine.running.models import ModelPool, addresses, price_at
from whoknew.engine.running.rehearsal import rehearse
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import Called
from whoknew.worlds.setting import Scenario


class ModelForecast(Struct, frozen=True):
    """What one model may be asked. Tokens and money are what it may take where each is understood
    at once: as on the log, or else by the prompts of a rehearsal. Money is None without a price."""

    model: str
    calls: int
    """At most: each answer asked for again as often as may be."""
    tokens: int | None
    money: float | None
    known_by: int
    """So many calls on this log the forecast rests on, or so many of a rehearsal."""
    rehearsed: bool = False


class Forecast(Struct, frozen=True):
    log: str
    worlds: int
    over: int
    begun: int
    new: int
    episodes: int
    episodes_left: int
    turns_left: int
    models: tuple[ModelForecast, ...]


Calls = dict[tuple[str, str, int], float]
"""How many, where each is understood: of a model, for a purpose, in which episode."""


class CallStats(Struct):
    """What calls of one model and purpose took before: sums, from which follows how prompts grow
    from episode to episode."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    episodes: int = 0
    squares: int = 0
    products: int = 0

    def add(self, called: Called, episode: int) -> None:
        self.calls += 1
        prompt = called.tokens_in or 0
        self.tokens_in += prompt
        self.tokens_out += called.tokens_out or 0
        self.episodes += episode
        self.squares += episode**2
        self.products += episode * prompt

    def prompt(self, episode: int) -> float:
        """The tokens of a prompt in an episode, by the line that fits best; memories do not shrink,
        so it never falls."""
        spread = self.calls * self.squares - self.episodes**2
        growth = self.calls * self.products - self.episodes * self.tokens_in
        slope = max(0.0, growth / spread) if spread else 0.0
        return self.tokens_in / self.calls + slope * (episode - self.episodes / self.calls)

    @property
    def reply(self) -> float:
        return self.tokens_out / self.calls


Purses = dict[tuple[str, str], CallStats]


async def forecast(program: Program) -> Forecast:
    """What is left to be played, and what such turns cost on this log before. What the run would
    refuse is refused: a key that is missing, a limit that cannot be held."""
    stands: dict[str, ChainState] = {}
    purses: Purses = defaultdict(CallStats)
    file = file_of(program.log)
    if file is None or file.exists():
        async with reading(program.log) as log:
            program = await fitted(log, program)
            stands = await _stands(program, log)
            purses = await _purses(log)
    async with ModelPool(program.chains):
        check_prices(program)
    return _forecast(program, stands, purses, await _rehearsed(program, stands))


async def _rehearsed(program: Program, stands: dict[str, ChainState]) -> Purses:
    """What is to be expected of those that have not begun, by the first of each plan."""
    new = [one for one in program.chains if one.world not in stands]
    firsts = {id(one.plan): one for one in reversed(new)}
    purses: Purses = defaultdict(CallStats)
    for one in firsts.values():
        for model, event in await rehearse(one):
            assert isinstance(event.body, Called)
            purses[model, event.body.purpose].add(event.body, event.episode)
    return purses


async def _stands(program: Program, log: Log) -> dict[str, ChainState]:
    there = {one.name for one in await log.worlds()}
    return {
        one.world: await chain.standing(log, one.world, one.setting)
        for one in program.chains
        if one.world in there
    }


async def _purses(log: Log) -> Purses:
    purses: Purses = defaultdict(CallStats)
    async for placed in log.read_all():
        body = placed.event.body
        if isinstance(body, Called) and body.tokens_in is not None:
            purses[body.model, body.purpose].add(body, placed.event.episode)
    return purses


def _forecast(
    program: Program, stands: dict[str, ChainState], purses: Purses, rehearsed: Purses
) -> Forecast:
    calls: Calls = defaultdict(float)
    most = Counter[str]()
    left = turns = over = begun = 0
    whole = 0
    for one in program.chains:
        episodes = one.episodes()
        whole += len(episodes)
        stand = stands.get(one.world)
        closed = stand.closed if stand else 0
        over += closed >= len(episodes)
        begun += stand is not None and closed < len(episodes)
        left += max(0, len(episodes) - closed)
        for number, scenario in enumerate(episodes[closed:], start=closed + 1):
            turns += scenario.turns or 0
            _count(one, scenario, number, calls)
            most += _most(one, scenario)
    models = sorted({model for model, _, _ in calls})
    return Forecast(
        log=program.log,
        worlds=len(program.chains),
        over=over,
        begun=begun,
        new=len(program.chains) - over - begun,
        episodes=whole,
        episodes_left=left,
        turns_left=turns,
        models=tuple(
            _expected(program, model, most[model], calls, purses, rehearsed) for model in models
        ),
    )


def _count(part: Chain, scenario: Scenario, number: int, calls: Calls) -> None:
    """The calls of an episode in which each of its people has an equal part of the turns."""
    people = _people(scenario)
    for judge in part.plan.judges.values():
        if judge.asks:
            calls[judge.model, "judge", number] += len(people)
    each = 1.0 if scenario.order == "simultaneous" else 1 / len(people)
    for who in people:
        seat = part.plan.seat(who)
        if seat.thinks:
            _of_seat(seat, each * (scenario.turns or 0), number, calls)


def _of_seat(seat: Seat, turns: float, number: int, calls: Calls) -> None:
    method, memory = METHODS.entry(seat.method), MEMORIES.entry(seat.memory)
    for purpose in ("act", *method.calls_before):
        calls[seat.model, purpose, number] += turns
    if kept := turns * memory.calls_a_turn + memory.calls_an_episode:
        calls[seat.model, "remember", number] += kept


def _most(part: Chain, scenario: Scenario) -> Counter[str]:
    """The most calls of an episode, by model: whoever may have turns has all that it can have, and
    each answer is asked for again as often as may be."""
    people, plan = _people(scenario), part.plan
    most = Counter[str]()
    for judge in plan.judges.values():
        if judge.asks:
            most[judge.model] += len(people) * (1 + judge.reasks)
    seats = [seat for seat in map(plan.seat, people) if seat.thinks]
    for model in dict.fromkeys(seat.model for seat in seats):
        asked = [seat for seat in seats if seat.model == model]
        most[model] += _turns_of(scenario, asked, len(people))
        most[model] += sum(
            MEMORIES.entry(seat.memory).calls_an_episode * (1 + seat.reasks) for seat in asked
        )
    return most


def _turns_of(scenario: Scenario, seats: Sequence[Seat], people: int) -> int:
    """What the turns of those who share a model can take. Others may leave; of those who go round
    nobody has two turns in a row."""
    turns = scenario.turns or 0
    each = [_most_of_turn(seat) for seat in seats]
    if scenario.order == "simultaneous":
        return turns * sum(each)
    alone = len(seats) == 1 and people > 1 and scenario.order == "round-robin"
    return (-(-turns // 2) if alone else turns) * max(each)


def _most_of_turn(seat: Seat) -> int:
    remembering: int = MEMORIES.entry(seat.memory).calls_a_turn * (1 + seat.reasks)
    asking: int = METHODS.made(seat.method, seat.settings.get(seat.method, {})).most(seat.reasks)
    return asking + remembering


def _people(scenario: Scenario) -> list[str]:
    return list(dict.fromkeys([*scenario.cast, *(one.who for one in scenario.turnings if one.who)]))


def _expected(
    program: Program, model: str, most: int, calls: Calls, purses: Purses, rehearsed: Purses
) -> ModelForecast:
    plan = next(one.plan for one in program.chains if model in addresses(one))
    price = price_at(plan, model)
    purposes = {purpose for name, purpose, _ in calls if name == model}
    on_log = all((model, purpose) in purses for purpose in purposes)
    known = purses if on_log else rehearsed
    found = [known.get((model, purpose)) for purpose in purposes]
    number = sum(stats.calls for stats in found if stats)
    if not all(found):
        return ModelForecast(model, most, None, _free(price), 0)
    tokens_in = tokens_out = 0.0
    for (name, purpose, episode), count in calls.items():
        if name == model:
            tokens_in += count * known[model, purpose].prompt(episode)
            tokens_out += count * known[model, purpose].reply
    money = price.money(round(tokens_in), round(tokens_out)) if price else None
    return ModelForecast(
        model, most, round(tokens_in + tokens_out), money, number, rehearsed=not on_log
    )


def _free(price: Price | None) -> float | None:
    """What calls cost of which nothing is known."""
    return 0.0 if price and price.money(None, None) == 0 else None
