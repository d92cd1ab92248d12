"""What a run would do and may cost, before it does: `whoknew run PLAN --dry-run`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.memories.life_extent import LifeExtent
from whoknew.agents.models.prices import Price
from whoknew.engine.opening import reading_begun
from whoknew.engine.plan.plan import Judging, Seat
from whoknew.engine.plan.program import Chain, Program
from whoknew.engine.playing import chain
from whoknew.engine.playing.state import ChainState
from whoknew.engine.registry import AGENTS, JUDGES, MEMORIES, METHODS, Parts
from whoknew.engine.running.call_stats import CallStats
from whoknew.engine.running.chains import check_prices
from whoknew.engine.running.fitting import fitted
from whoknew.engine.running.models import ModelPool, addresses, price_at
from whoknew.engine.running.rehearsal import EPISODES, rehearse
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.shown_address import without_password
from whoknew.eventlog.story import is_outside_story
from whoknew.worlds.setting import Scenario


class ModelForecast(Struct, frozen=True, kw_only=True):
    """What one model may be asked. Tokens and money are what it may take where each is understood
    at once: as on the log, or else by the prompts of a rehearsal. Money is None without a price."""

    model: str
    calls: int
    """At most: each answer asked for again as often as may be."""
    expected: int
    """About as many."""
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
    reviews: int = 0
    """So many times a judge is to look at an episode that is over."""
    rehearsed: int = 0
    """So many episodes of those that are left were played in memory, to see what parts do and what
    prompts come of it. What parts do later, or in chains that have begun, was not tried."""


class OldReview(Struct, frozen=True):
    """What a judge is still to say of an episode of a world that is over; of so many of its `people`,
    or, if that is none, of all."""

    world: str
    judging: Judging
    episode: int
    people: int = 0


Calls = dict[tuple[str, str, int], float]
"""How many, where each is understood: of a model, for a purpose, in which episode. Whatever a memory
asks is to remember, and whatever a judge asks is to judge."""


Choosing = Callable[[list[Chain]], list[Chain]]

Purses = dict[tuple[str, str], CallStats]


async def forecast(
    program: Program, some: Choosing = list, old: Sequence[OldReview] = ()
) -> Forecast:
    """What is left to be played, and what such turns cost on this log before. What the run would
    refuse is refused: a key that is missing, a limit that cannot be held. Of each plan the first chain
    that has not begun is rehearsed, or `some` of those; if there is none, of those of which there are
    `old` reviews to be had."""
    stands: dict[str, ChainState] = {}
    purses: Purses = defaultdict(CallStats)
    async with reading_begun(program.log) as log:
        if log is not None:
            program = await fitted(log, program)
            settings = {one.world: one.setting for one in program.chains}
            stands = await chain.stands(log, settings)
            purses = await _purses(log, _purposes(program))
    async with ModelPool(program.chains):
        check_prices(program)
    behind = {one.world for one in old}
    heard = [one for one in program.chains if one.world in behind]
    firsts = some(_firsts(program, stands) or heard)
    rehearsed = await _rehearsed(firsts, _purposes(program))
    found = _forecast(program, stands, purses, rehearsed, old)
    return replace(found, rehearsed=sum(min(EPISODES, one.count()) for one in firsts))


def _firsts(program: Program, stands: dict[str, ChainState]) -> list[Chain]:
    """Of those that have not begun, the first of each plan."""
    new = [one for one in program.chains if one.world not in stands]
    return list({id(one.plan): one for one in reversed(new)}.values())[::-1]


async def _rehearsed(firsts: Sequence[Chain], purposes: Collection[str]) -> Purses:
    """What is to be expected of those that have not begun."""
    purses: Purses = defaultdict(CallStats)
    for one in firsts:
        for model, event in await rehearse(one):
            assert isinstance(event.body, Called)
            purses[model, _what(event, event.body, purposes)].add(event.body, event.episode)
    return purses


def _purposes(program: Program) -> set[str]:
    """For what methods ask here."""
    found = {"act"}
    for one in program.chains:
        for who in (character.name for character in one.setting.characters):
            found.update(_made(METHODS, one.plan.seat(who)).calls("act"))
    return found


def _what(event: Event, called: Called, purposes: Collection[str]) -> str:
    """For what a call was made: an answer of a method, or else something of a memory or a judge."""
    if not event.actor:
        return "judge"
    keeping = called.occasion in ("before_turn", "remember")
    return called.purpose if called.purpose in purposes and not keeping else "remember"


async def _purses(log: Log, purposes: Collection[str]) -> Purses:
    purses: Purses = defaultdict(CallStats)
    async for placed in log.read_all():
        event, body = placed.event, placed.event.body
        if (
            isinstance(body, Called)
            and body.tokens_in is not None
            and (not is_outside_story(event))
        ):
            purses[body.model, _what(event, body, purposes)].add(body, event.episode)
    return purses


def _forecast(
    program: Program,
    stands: dict[str, ChainState],
    purses: Purses,
    rehearsed: Purses,
    old: Sequence[OldReview],
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
        acts = _acts(episodes[:closed])
        for number, scenario in enumerate(episodes[closed:], start=closed + 1):
            turns += scenario.turns or 0
            _count(one, scenario, number, calls, acts)
            most += _most(one, scenario, _lived(episodes[:number]))
    chains = {one.world: one for one in program.chains}
    for review in old:
        judge = review.judging
        scenario = chains[review.world].episodes()[review.episode - 1]
        people = review.people or len(_people(scenario))
        calls[judge.model, "judge", review.episode] += people * _most_of_judge(judge, 0)
        most[judge.model] += people * _most_of_judge(judge, judge.reasks)
    models = sorted({model for model, _, _ in calls})
    return Forecast(
        log=without_password(program.log),
        worlds=len(program.chains),
        over=over,
        begun=begun,
        new=len(program.chains) - over - begun,
        episodes=whole,
        episodes_left=left,
        turns_left=turns,
        reviews=len(old),
        models=tuple(
            _expected(program, model, most[model], calls, purses, rehearsed) for model in models
        ),
    )


def _acts(episodes: Sequence[Scenario]) -> dict[str, float]:
    """How much each does in these, where all have an equal part of the turns."""
    acts: dict[str, float] = defaultdict(float)
    for one in episodes:
        for who in _people(one):
            acts[who] += _turns_of_each(one)
    return acts


def _turns_of_each(scenario: Scenario) -> float:
    """An equal part of the turns."""
    each = 1.0 if scenario.order == "simultaneous" else 1 / len(_people(scenario))
    return each * (scenario.turns or 0)


def _count(
    part: Chain, scenario: Scenario, number: int, calls: Calls, acts: dict[str, float]
) -> None:
    """The calls of an episode in which each of its people has an equal part of the turns; `acts` is what
    each did before it, and goes on with it."""
    people = _people(scenario)
    for judge in part.plan.judges.values():
        if judge.asks:
            calls[judge.model, "judge", number] += len(people) * _most_of_judge(judge, 0)
    turns = _turns_of_each(scenario)
    for who in people:
        seat = part.plan.seat(who)
        before, acts[who] = acts[who], acts[who] + turns
        if seat.thinks:
            closing = _made(MEMORIES, seat).calls_closing(before, acts[who])
            _of_seat(seat, turns, closing, number, calls)


def _of_seat(seat: Seat, turns: float, closing: float, number: int, calls: Calls) -> None:
    memory = _made(MEMORIES, seat)
    turns *= _made(AGENTS, seat).most_calls(1)
    for purpose in _made(METHODS, seat).calls("act"):
        calls[seat.model, purpose, number] += turns
    looks = turns * memory.looks_a_turn
    vectors = turns * memory.vectors_a_turn + (memory.vectors_an_episode if closing else 0)
    if kept := turns * memory.calls_a_turn + closing - looks - vectors:
        calls[seat.memory_model, "remember", number] += kept
    if looks:
        calls[seat.small_model, "remember", number] += looks
    if vectors:
        calls[seat.embedder, "remember", number] += vectors


def _lived(episodes: Sequence[Scenario]) -> LifeExtent:
    """More than anybody lives through in these: of each turn what was done, what was kept before it, what it
    led to; and who somebody is, who comes and goes. Of those who go round nobody has two turns in a row."""
    acts = 0
    for one in episodes:
        turns = one.turns or 0
        goes_round = one.order == "round-robin" and len(_people(one)) > 1
        acts += -(-turns // 2) if goes_round else turns
    events = sum(4 * (one.turns or 0) + 8 * len(_people(one)) for one in episodes)
    return LifeExtent(events=events, acts=acts)


def _most(part: Chain, scenario: Scenario, lived: LifeExtent) -> Counter[str]:
    """The most calls of an episode, by model: whoever may have turns has all that it can have, and
    each answer is asked for again as often as may be."""
    people, plan = _people(scenario), part.plan
    most = Counter[str]()
    for judge in plan.judges.values():
        if judge.asks:
            most[judge.model] += len(people) * _most_of_judge(judge, judge.reasks)
    seats = [seat for seat in map(plan.seat, people) if seat.thinks]
    for model in dict.fromkeys(model for seat in seats for model in seat.models):
        asked = [seat for seat in seats if model in seat.models]
        each = [_most_of_turn(seat, model, lived) for seat in asked]
        most[model] += _turns_of(scenario, each, len(people))
        most[model] += sum(_most_of_episode(seat, model, lived) for seat in asked)
    return most


def _turns_of(scenario: Scenario, each: Sequence[int], people: int) -> int:
    """What the turns of those who share a model can take. Others may leave; of those who go round
    nobody has two turns in a row."""
    turns = scenario.turns or 0
    if scenario.order == "simultaneous":
        return turns * sum(each)
    alone = len(each) == 1 and people > 1 and scenario.order == "round-robin"
    return (-(-turns // 2) if alone else turns) * max(each)


def _most_of_turn(seat: Seat, model: str, lived: LifeExtent) -> int:
    """Of the calls of a turn those of one model."""
    calls = 0
    if seat.model == model:
        calls += _made(METHODS, seat).most(seat.reasks, "act") * seat.askings
    memory = _made(MEMORIES, seat)
    if model in (seat.memory_model, seat.small_model):
        most_of_memory = memory.most_before_turn(lived) + memory.most_calls(lived)
        calls += (most_of_memory - memory.vectors_a_turn) * (1 + seat.reasks)
    if model == seat.embedder:
        calls += memory.vectors_a_turn * (1 + seat.reasks)
    most: int = _made(AGENTS, seat).most_calls(calls)
    return most


def _most_of_episode(seat: Seat, model: str, lived: LifeExtent) -> int:
    """Of the calls at the end of an episode those of one model."""
    memory, calls = _made(MEMORIES, seat), 0
    if model == seat.memory_model:
        calls += memory.most_closing(lived) - memory.vectors_an_episode
    if model == seat.embedder:
        calls += memory.vectors_an_episode
    return calls * (1 + seat.reasks)


def _most_of_judge(judge: Judging, reasks: int) -> int:
    most: int = JUDGES.made(judge.by, judge.settings).most_calls(reasks)
    return most


def _made(parts: Parts, seat: Seat) -> Any:
    """The entry of a seat's part, with the settings that it is given."""
    name = getattr(seat, parts.what)
    return parts.made(name, seat.settings.get(name, {}))


def _people(scenario: Scenario) -> list[str]:
    return list(dict.fromkeys([*scenario.cast, *(one.who for one in scenario.turnings if one.who)]))


def _expected(
    program: Program, model: str, most: int, calls: Calls, purses: Purses, rehearsed: Purses
) -> ModelForecast:
    plan = next(one.plan for one in program.chains if model in addresses(one))
    price = price_at(plan, model)
    expected = min(most, round(sum(count for (name, *_), count in calls.items() if name == model)))
    purposes = {purpose for name, purpose, _ in calls if name == model}
    on_log = all((model, purpose) in purses for purpose in purposes)
    known = purses if on_log else rehearsed
    found = [known.get((model, purpose)) for purpose in purposes]
    number = sum(stats.calls for stats in found if stats)
    about = ModelForecast(
        model=model, calls=most, expected=expected, tokens=None, money=_free(price), known_by=0
    )
    if not all(found):
        return about
    tokens_in = tokens_out = 0.0
    for (name, purpose, episode), count in calls.items():
        if name == model:
            tokens_in += count * known[model, purpose].prompt(episode)
            tokens_out += count * known[model, purpose].reply
    return replace(
        about,
        tokens=round(tokens_in + tokens_out),
        money=price.money(round(tokens_in), round(tokens_out)) if price else None,
        known_by=number,
        rehearsed=not on_log,
    )


def _free(price: Price | None) -> float | None:
    """What calls cost of which nothing is known."""
    return 0.0 if price and price.money(None, None) == 0 else None
