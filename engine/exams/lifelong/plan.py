"""The plan of a lifelong examination: pairs, banks, and the arms that are compared."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.plan.document import seat_over
from whoknew.engine.plan.faults import faults, name_fault, settings_fault
from whoknew.engine.plan.plan import (
    EVERYONE,
    MAY_FAIL,
    Judging,
    Limit,
    ModelSettings,
    Plan,
    Scope,
    Seat,
)
from whoknew.engine.plan.settings import Announce, admit, more, quietly, trusting
from whoknew.engine.registry import MEMORIES, MODELS, Parts, model_part
from whoknew.worlds import shelf
from whoknew.worlds.bank import SIDES, Bank
from whoknew.worlds.document import Fault, given, nearest, sift
from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.importers.sotopia.bank import sotopia_bank
from whoknew.worlds.people import People
from whoknew.worlds.setting import Part

BUNDLED = "lifelong"
ROLES = (EVERYONE, *SIDES)

JUDGES = {
    "dimensions": Judging("dimensions"),
    "checklist": Judging("checklist"),
    "rules": Judging("rules"),
    "evidence": Judging("evidence"),
}


class Lifelong(Part, frozen=True):
    """`chains` lives are led in each arm, the same ones: the same pairs through the same episodes.
    The arms are each of `models` with each of `memories`, and `arms`, each a seat that is otherwise
    as `everyone`'s. `agents` are those of everyone, or of the `first` or `second` of each pair."""

    name: str = BUNDLED
    log: str = f"{BUNDLED}.db"
    people: str = shelf.PEOPLE
    bank: str = "friend"
    seed: int = 1
    chains: int = 10
    episodes: int = 40
    hard: int = 5
    turns: int | None = None
    at_once: int = 64
    may_fail: float = MAY_FAIL
    memories: tuple[str, ...] = ("none", "recall", "summary", "entire")
    models: tuple[str, ...] = (OFFLINE,)
    agents: dict[str, Seat] = msgspec.field(default_factory=dict)
    arms: dict[str, Seat] = msgspec.field(default_factory=dict)
    judges: dict[str, Judging] = msgspec.field(default_factory=lambda: dict(JUDGES))
    calling: dict[str, ModelSettings] = msgspec.field(default_factory=dict)
    limits: dict[Scope, Limit] = msgspec.field(default_factory=dict)


class Arm(Struct, frozen=True):
    """One way to play: what its seats are."""

    name: str
    model: str
    memory: str
    seats: dict[str, Seat]


class Exam(Struct, frozen=True):
    """A lifelong plan that is sound as a whole, with its people, its bank and its arms."""

    plan: Lifelong
    people: People
    bank: Bank
    arms: tuple[Arm, ...]
    source: str


def load(path: str | None, announce: Announce = quietly) -> Exam:
    """The exam of a file that was given on the command line; without one, the bundled one, which
    needs nothing."""
    if path is None:
        return parse(template(), BUNDLED)
    return parse(shelf.text_of(Path(path)), path, Path(path).parent, announce)


def template() -> str:
    return files("whoknew.engine.exams.lifelong").joinpath("lifelong.template.toml").read_text()


def parse(
    text: str, source: str, beside: Path | None = None, announce: Announce | None = None
) -> Exam:
    """The exam in a text; all that is wrong with it in one BadDocument. What `announce` is told of
    is loaded: nothing is without it."""
    data: Mapping[str, Any] = {}
    people: People | None = None
    bank: Bank | None = None
    elsewhere: Sequence[Mistake] = ()

    def wrong(plan: Lifelong) -> Iterator[Fault]:
        nonlocal data, people, bank, elsewhere
        data = tomllib.loads(text)
        try:
            people, bank = _material(plan, beside)
        except BadDocument as error:
            elsewhere = error.mistakes
        spread = _spread(plan, data)
        yield from _faults(spread, people, bank, tuple(_arms(spread, data)))
        yield from _twice(data)

    if announce:
        for parts, name in _listed(text):
            admit(parts, name, beside, announce)
    plan, mistakes = sift(
        text, source, Lifelong, wrong, trusting(beside, announce) if announce else more
    )
    if mistakes or elsewhere or plan is None or people is None or bank is None:
        raise BadDocument([*mistakes, *elsewhere])
    plan = _spread(plan, data)
    return Exam(plan, people, bank, tuple(_arms(plan, data)), source)


def crowded(exam: Exam) -> BadDocument | None:
    """A person who would have to be in several lives."""
    lives = exam.plan.chains * len(exam.arms)
    if lives == 1 or not any(seat.by_person for arm in exam.arms for seat in arm.seats.values()):
        return None
    what = f"a person cannot lead {lives} lives at once: set chains = 1, and give one arm"
    return BadDocument([Mistake(exam.source, None, "agents", what)])


def _spread(plan: Lifelong, data: Mapping[str, Any]) -> Lifelong:
    """What everybody's seat says of model and memory holds where there is no list of them."""
    usual = given(data, "agents", EVERYONE)
    seat = plan.agents.get(EVERYONE, Seat())
    if "model" in usual and "models" not in data:
        plan = replace(plan, models=(seat.model,))
    if "memory" in usual and "memories" not in data:
        plan = replace(plan, memories=(seat.memory,))
    return plan


def _listed(text: str) -> Iterator[tuple[Parts, str]]:
    """The parts that the lists of a text name: they are loaded before their settings are looked at."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    for key, parts in (("memories", MEMORIES), ("models", MODELS)):
        listed = data.get(key)
        for name in listed if isinstance(listed, list) else ():
            if isinstance(name, str):
                yield parts, model_part(name) if parts is MODELS else name


def _twice(data: Mapping[str, Any]) -> Iterator[Fault]:
    usual = given(data, "agents", EVERYONE)
    for one, many in (("model", "models"), ("memory", "memories")):
        if one in usual and many in data:
            yield f"agents.{EVERYONE}.{one}", f"is given by {many!r} already: leave it out"


def _material(plan: Lifelong, beside: Path | None) -> tuple[People, Bank]:
    """Who plays, and what: ours, a file, or a folder of Sotopia's."""
    folder = (beside or Path()) / plan.people
    if folder.is_dir():
        return sotopia_bank(folder, plan.bank)
    return shelf.find_people(plan.people, beside), shelf.find_bank(plan.bank, beside)


def _arms(plan: Lifelong, data: Mapping[str, Any]) -> Iterator[Arm]:
    usual = plan.agents.get(EVERYONE, Seat())
    for number, model in enumerate(plan.models, start=1):
        for memory in plan.memories:
            several = len(plan.models) > 1
            name = f"m{number}-{memory}" if several else memory
            yield _arm(plan, name, replace(usual, model=model, memory=memory), data)
    for name, seat in plan.arms.items():
        first = replace(usual, model=plan.models[0]) if plan.models else usual
        yield _arm(plan, name, seat_over(first, seat, given(data, "arms", name)), data)


def _arm(plan: Lifelong, name: str, usual: Seat, data: Mapping[str, Any]) -> Arm:
    """The seats of an arm: that of one side is as everyone's but for what it says."""
    seats = {
        role: seat_over(usual, plan.agents[role], given(data, "agents", role))
        for role in plan.agents
        if role != EVERYONE
    }
    return Arm(name, usual.model, usual.memory, {EVERYONE: usual, **seats})


def _faults(
    plan: Lifelong, people: People | None, bank: Bank | None, arms: tuple[Arm, ...]
) -> Iterator[Fault]:
    for key, count, least in (
        ("chains", plan.chains, 1),
        ("episodes", plan.episodes, 0),
        ("hard", plan.hard, 0),
        ("turns", plan.turns or 1, 1),
        ("at_once", plan.at_once, 1),
    ):
        if count < least:
            yield key, f"is {count}, but should be {least} at least"
    if not 0 <= plan.may_fail <= 1:
        yield "may_fail", f"is {plan.may_fail:g}, but should be a share, from 0 to 1"
    if plan.episodes + plan.hard == 0:
        yield "episodes", "is 0, and so is hard: nothing would be played"
    for role in plan.agents:
        if role not in ROLES:
            yield f"agents.{role}", f"is no seat here: {nearest(role, ROLES)}"
    names = [one.name for one in arms]
    if not names:
        yield "memories", "gives no arm, and `arms` none either: give one arm at least"
    for name in sorted({one for one in names if names.count(one) > 1}):
        key = f"arms.{name}" if name in plan.arms else "memories"
        yield (
            key,
            f"there are {names.count(name)} arms called {name!r}: each needs a name of its own",
        )
    for place, memory in enumerate(plan.memories):
        key = f"memories[{place}]"
        yield from (unknown := list(name_fault(memory, MEMORIES, key)))
        if not unknown:
            settings = plan.agents.get(EVERYONE, Seat()).settings.get(memory, {})
            yield from settings_fault(MEMORIES, memory, settings, key)
    yield from _ordinary(plan, arms)
    if people and bank and not people.pairs(bank.relationship):
        yield (
            "bank",
            f"is of {bank.relationship!r}, but no two of the people are related so: take another bank",
        )


def _ordinary(plan: Lifelong, arms: tuple[Arm, ...]) -> Iterator[Fault]:
    """What would be wrong with all these seats in an ordinary plan, under the keys of this one."""
    seats = {role: seat for role, seat in plan.agents.items() if role in ROLES}
    here = {"models": "calling"}
    for place, model in enumerate(plan.models):
        seats[f"model {place}"] = Seat(model=model)
        here[f"agents.model {place}.model"] = f"models[{place}]"
    for arm in arms:
        if arm.name in plan.arms:
            seats[f"arm {arm.name}"] = arm.seats[EVERYONE]
            here[f"agents.arm {arm.name}"] = f"arms.{arm.name}"
    whole = Plan("", agents=seats, judges=plan.judges, models=plan.calling, limits=plan.limits)
    for key, what in faults(whole, None):
        there = next((one for one in here if key == one or key.startswith(f"{one}.")), "")
        yield here.get(there, "") + key.removeprefix(there), what
