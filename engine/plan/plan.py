"""A plan: what is to be run, as TOML. `plan.template.toml` shows every key with its default."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.errors import BadModel
from whoknew.agents.models.address import OFFLINE, check_address
from whoknew.engine.plan.script import script_faults
from whoknew.worlds import shelf
from whoknew.worlds.beginning import POINTS
from whoknew.worlds.document import Fault, given, nearest, sift
from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.setting import Order, Part, Setting

EVERYONE = "everyone"

THINKING = ("mind", "bargainer")
"""The agents that think by a model."""


class Episodes(Part, frozen=True):
    """Which scenarios are played, and how. None leaves it to the scenario."""

    play: tuple[str, ...] | None = None
    repeat: int = 1
    shuffle: bool = False
    order: Order | None = None
    turns: int | None = None
    stale: int | None = None
    when_bad: Literal["skip", "suspend"] = "skip"


MethodName = Literal["plain", "stepwise"]
MemoryName = Literal["none", "entire", "summary", "recall"]
Aspect = Literal["overview", "negotiation", "knowledge"]


class SummarySettings(Part, frozen=True):
    """How a character sums up an episode: in so many words at most, and what of it."""

    words: int = 300
    aspects: tuple[Aspect, ...] = ("overview", "negotiation", "knowledge")


class RecallSettings(Part, frozen=True):
    """How many events come to mind at once."""

    k: int = 10


class Seat(Part, frozen=True):
    """What decides for a character. A person in a browser is waited for `patience` seconds."""

    agent: Literal["mind", "human", "scripted", "bargainer"] = "mind"
    model: str = OFFLINE
    memory: MemoryName = "summary"
    method: MethodName = "plain"
    reasks: int = 2
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    patience: float | None = None
    summary: SummarySettings = SummarySettings()
    recall: RecallSettings = RecallSettings()
    lines: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class Judging(Part, frozen=True):
    """Who looks at each episode when it is over: a model that scores seven dimensions, or goes
    through eight checks; rules; or what came to mind of the evidence."""

    by: Literal["dimensions", "checklist", "rules", "evidence"]
    model: str = OFFLINE
    reasks: int = 2
    temperature: float | None = 0.0
    max_tokens: int | None = None

    @property
    def asks(self) -> bool:
        """Whether it asks a model."""
        return self.by in ("dimensions", "checklist")


class ModelSettings(Part, frozen=True):
    """How a model may be called. Prices are dollars for a million tokens."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    at_once: int | None = None
    timeout: float = 120.0
    attempts: int = 6
    price_in: float | None = None
    price_out: float | None = None


MAY_FAIL = 0.5
"""The share of turns or reviews beyond which a run rather stops than goes on."""

Scope = Literal["run", "chain", "episode", "character"]


class Limit(Part, frozen=True):
    """What may be used up."""

    money: float | None = None
    tokens: int | None = None
    calls: int | None = None
    minutes: float | None = None


NO_LIMIT = Limit()


class Plan(Part, frozen=True):
    """`agents` are the seats by name; that of `everyone` is anybody's who has none. Of the turns of a
    run, and of the reviews of each judge, the share `may_fail` may fail."""

    world: str
    name: str | None = None
    log: str | None = None
    seed: int | None = None
    chains: int = 1
    at_once: int = 64
    keep_prompts: bool = False
    may_fail: float = MAY_FAIL
    episodes: Episodes = Episodes()
    agents: dict[str, Seat] = msgspec.field(default_factory=dict)
    judges: dict[str, Judging] = msgspec.field(default_factory=dict)
    models: dict[str, ModelSettings] = msgspec.field(default_factory=dict)
    limits: dict[Scope, Limit] = msgspec.field(default_factory=dict)

    def seat(self, character: str) -> Seat:
        return self.agents.get(character) or self.agents.get(EVERYONE) or Seat()


class Loaded(Struct, frozen=True):
    """A plan that is sound as a whole, with the setting that it plays."""

    plan: Plan
    setting: Setting
    source: str


Found = tuple[Setting | None, Sequence[Mistake]]
Look = Callable[[Plan, Path | None], Found]
"""Finds the setting that a plan plays, or what is wrong with it."""


def load_plan(path: Path, look: Look | None = None) -> Loaded:
    return parse_plan(shelf.text_of(path), str(path), path.parent, look or on_shelf)


def bundled_plan(world: str) -> Loaded:
    """The plan of a bundled world that asks for nothing: offline minds, one chain."""
    return Loaded(Plan(world=world, log=f"{world}.db"), shelf.find(world), world)


def on_shelf(plan: Plan, beside: Path | None) -> Found:
    return shelf.look(plan.world, beside)


def parse_plan(text: str, source: str, beside: Path | None = None, look: Look = on_shelf) -> Loaded:
    """The plan in a text; all that is wrong with it, and with its setting, in one BadDocument.
    `look` finds the setting."""
    setting: Setting | None = None
    elsewhere: Sequence[Mistake] = ()

    def wrong(plan: Plan) -> Iterator[Fault]:
        nonlocal setting, elsewhere
        setting, elsewhere = look(plan, beside)
        if setting is None:
            yield "world", str(BadDocument(elsewhere))
            elsewhere = ()
        yield from faults(_seated(plan, text), setting)

    plan, mistakes = sift(text, source, Plan, wrong)
    if mistakes or elsewhere or plan is None or setting is None:
        raise BadDocument([*mistakes, *elsewhere])
    return Loaded(_seated(plan, text), setting, source)


def template(world: str) -> str:
    """A plan to start from, with every key, what it does, and its default."""
    text = files("whoknew.engine.plan").joinpath("plan.template.toml").read_text("utf-8")
    return text.replace("WORLD", world)


def _seated(plan: Plan, text: str) -> Plan:
    """A seat leaves open what it does not say: that is as for everyone."""
    data = tomllib.loads(text)
    usual = plan.agents.get(EVERYONE, Seat())
    seats = {
        name: seat_over(usual, seat, given(data, "agents", name))
        for name, seat in plan.agents.items()
    }
    return replace(plan, agents=seats)


def seat_over(usual: Seat, seat: Seat, said: Mapping[str, Any]) -> Seat:
    """A seat as the usual one but for what is said of it."""
    return replace(usual, **{key: getattr(seat, key) for key in said if hasattr(seat, key)})


def faults(plan: Plan, setting: Setting | None) -> Iterator[Fault]:
    yield from _numbers(plan)
    used: dict[str, str] = {}
    for name, seat in plan.agents.items():
        used.setdefault(seat.model, f"agents.{name}.model")
    for name, judge in plan.judges.items():
        if judge.asks:
            used.setdefault(judge.model, f"judges.{name}.model")
        if judge.reasks < 0:
            yield f"judges.{name}.reasks", f"is {judge.reasks}, but should be 0 at least"
        if name == POINTS:
            yield f"judges.{name}", "is how exact points are called: give another name"
    for address, key in used.items():
        yield from _address(address, key)
    for address, ours in plan.models.items():
        key = f'models."{address}"'
        if address not in used:
            yield key, f"no seat uses it: {nearest(address, sorted(used))}"
        if (ours.price_in is None) != (ours.price_out is None):
            yield key, "has one price: give both price_in and price_out"
    for name, seat in plan.agents.items():
        yield from _seat(plan, name, seat)
    if setting is not None:
        yield from _names(plan, setting)


def _names(plan: Plan, setting: Setting) -> Iterator[Fault]:
    people = [one.name for one in setting.characters]
    scenarios = [one.name for one in setting.scenarios]
    for number, name in enumerate(plan.episodes.play or ()):
        if name not in scenarios:
            yield f"episodes.play[{number}]", f"{name!r} is no scenario: {nearest(name, scenarios)}"
    for name, seat in plan.agents.items():
        if name not in (*people, EVERYONE):
            what = f"is no character of {setting.name!r}: {nearest(name, [*people, EVERYONE])}"
            yield f"agents.{name}", what
        for scenario in seat.lines:
            if scenario not in (*scenarios, "*"):
                what = f"is no scenario: {nearest(scenario, [*scenarios, '*'])}"
                yield f"agents.{name}.lines.{scenario}", what
        if seat.agent == "scripted":
            yield from script_faults(name, seat.lines, setting, f"agents.{name}.lines")


def _seat(plan: Plan, name: str, seat: Seat) -> Iterator[Fault]:
    key = f"agents.{name}"
    if seat.agent == "human" and plan.chains > 1:
        yield key, f"a person cannot play in {plan.chains} chains at once: set chains = 1"
    if seat.agent == "scripted" and not seat.lines:
        yield key, 'a script needs `lines`: those of each scenario, or those of "*"'
    if seat.summary.words < 10:
        yield f"{key}.summary.words", f"is {seat.summary.words}, but should be 10 at least"
    if not seat.summary.aspects or len(set(seat.summary.aspects)) < len(seat.summary.aspects):
        yield f"{key}.summary.aspects", "should name one aspect at least, each once"
    if seat.recall.k < 1:
        yield f"{key}.recall.k", f"is {seat.recall.k}, but should be 1 at least"
    if seat.reasks < 0:
        yield f"{key}.reasks", f"is {seat.reasks}, but should be 0 at least"


def _numbers(plan: Plan) -> Iterator[Fault]:
    if not 0 <= plan.may_fail <= 1:
        yield "may_fail", f"is {plan.may_fail:g}, but should be a share, from 0 to 1"
    least: list[tuple[str, float | None, float]] = [
        ("chains", plan.chains, 1),
        ("at_once", plan.at_once, 1),
        ("episodes.repeat", plan.episodes.repeat, 1),
        ("episodes.turns", plan.episodes.turns, 1),
        ("episodes.stale", plan.episodes.stale, 1),
    ]
    for address, ours in plan.models.items():
        key = f'models."{address}"'
        whole = ("requests_per_minute", "tokens_per_minute", "at_once", "attempts")
        least += [(f"{key}.{field}", getattr(ours, field), 1) for field in whole]
        least.append((f"{key}.timeout", ours.timeout, 0.001))
    for scope, limit in plan.limits.items():
        kinds = ("money", "tokens", "calls", "minutes")
        least += [(f"limits.{scope}.{kind}", getattr(limit, kind), 1e-9) for kind in kinds]
    for key, value, bound in least:
        if value is not None and value < bound:
            yield (
                key,
                f"is {value:g}, but should be "
                + (f"{bound:g} at least" if bound == 1 else "above 0"),
            )


def _address(address: str, key: str) -> Iterator[Fault]:
    try:
        check_address(address)
    except BadModel as error:
        yield key, str(error)
