"""What can be wrong with a plan whose every value is of the right kind."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from whoknew.agents.errors import BadModel
from whoknew.engine import registry
from whoknew.engine.errors import BrokenPart, NoSuchPart
from whoknew.engine.plan.parts import judges_of
from whoknew.engine.plan.plan import EVERYONE, Plan, Seat
from whoknew.engine.plan.script import script_faults
from whoknew.engine.plan.settings import OF_A_SEAT
from whoknew.engine.registry import JUDGES, Parts
from whoknew.eventlog.nearest import closest, guess, nearest
from whoknew.worlds.beginning import POINTS
from whoknew.worlds.document import Fault, joined
from whoknew.worlds.setting import Setting


def faults(plan: Plan, setting: Setting | None) -> Iterator[Fault]:
    used: dict[str, str] = {}
    for name, seat in plan.agents.items():
        key = joined("agents", name)
        used.setdefault(seat.model, f"{key}.model")
        if own := seat.own_model:
            used.setdefault(own, f"{joined(key, seat.memory)}.model")
        used.setdefault(seat.small_model, f"{joined(key, seat.memory)}.small")
        used.setdefault(seat.embedder, f"{joined(key, seat.memory)}.embedder")
    for name, judge in plan.judges.items():
        key = joined("judges", name)
        unknown = list(judge_fault(judge.by, "episode", f"{key}.by"))
        yield from unknown
        if not unknown:
            yield from settings_fault(JUDGES, judge.by, judge.settings, key)
        if not unknown and judge.asks:
            used.setdefault(judge.model, f"{key}.model")
        if name == POINTS:
            yield key, "is a name that exact points have already: give another"
    for address, key in used.items():
        yield from address_fault(address, key)
    if plan.episodes.play == ():
        yield "episodes.play", "is empty: name a scenario, or leave the key out to play all"
    for address, ours in plan.models.items():
        key = f'models."{address}"'
        if address not in used:
            yield key, f"no seat and no judge uses it: {of_models(address, used)}"
        if (ours.price_in is None) != (ours.price_out is None):
            yield key, "has one price: give both price_in and price_out"
    for name, seat in plan.agents.items():
        yield from _seat(plan, name, seat)
    if setting is not None:
        yield from _names(plan, setting)


def of_models(address: str, used: Collection[str]) -> str:
    """Which of the models that are used was meant by another."""
    if not used:
        return "none of this plan names a model: leave this out, or give a seat one"
    return guess(closest(address, used)) or f"they use {', '.join(map(repr, sorted(used)))}"


def _names(plan: Plan, setting: Setting) -> Iterator[Fault]:
    people = [one.name for one in setting.characters]
    scenarios = [one.name for one in setting.scenarios]
    for number, name in enumerate(plan.episodes.play or ()):
        if name not in scenarios:
            yield f"episodes.play[{number}]", f"{name!r} is no scenario: {nearest(name, scenarios)}"
    for name, seat in plan.agents.items():
        key = joined("agents", name)
        if name not in (*people, EVERYONE):
            what = f"is no character of {setting.name!r}: {nearest(name, [*people, EVERYONE])}"
            yield key, what
        for scenario in seat.lines:
            if scenario not in (*scenarios, "*"):
                what = f"is no scenario: {nearest(scenario, [*scenarios, '*'])}"
                yield joined(f"{key}.lines", scenario), what
        if _needs_lines(seat):
            yield from script_faults(name, seat.lines, setting, f"{key}.lines")


def _seat(plan: Plan, name: str, seat: Seat) -> Iterator[Fault]:
    key = joined("agents", name)
    yield from (wrong := list(seat_faults(seat, key)))
    if not wrong and seat.by_person and plan.chains > 1:
        yield key, f"a person cannot play in {plan.chains} chains at once: set chains = 1"
    if not wrong and seat.lines and not _played(plan, name, seat):
        what = f"are played by no agent of this seat, which is {seat.agent!r}"
        yield f"{key}.lines", f'{what}: set agent = "scripted", or leave them out'


def _played(plan: Plan, name: str, seat: Seat) -> bool:
    """Whether somebody may play the lines of a seat: those of everyone, whoever has them from there.
    What agents do that are not ours is not known."""
    usual = plan.agents.get(EVERYONE)
    if name != EVERYONE and usual is not None and seat.lines == usual.lines:
        return True
    players = (one for one in plan.agents.values() if one.lines == seat.lines)
    return any(_needs_lines(one) or one.agent not in registry.AGENTS.ours for one in players)


def seat_faults(seat: Seat, key: str) -> Iterator[Fault]:
    """What is wrong with the parts of a seat, and with their settings."""
    unknown = [
        fault
        for parts in OF_A_SEAT
        for fault in name_fault(getattr(seat, parts.what), parts, f"{key}.{parts.what}")
    ]
    yield from unknown
    unknown += (clashing := list(_clash(seat, key)))
    yield from clashing
    if not unknown:
        for parts in OF_A_SEAT:
            part = getattr(seat, parts.what)
            settings = seat.settings.get(part, {})
            yield from settings_fault(parts, part, settings, joined(key, part))
    if not unknown and entry_in_weights(seat):
        what = f"{seat.memory!r} stands in weights, which only an exam of questions trains"
        yield f"{key}.memory", f"{what}: name another"
    if not unknown and _needs_lines(seat) and not seat.lines:
        yield key, 'a script needs `lines`: those of each scenario, or those of "*"'


def entry_in_weights(seat: Seat) -> bool:
    """Whether its memory stands in weights; not told of one that does not load."""
    try:
        return bool(registry.MEMORIES.entry(seat.memory).in_weights)
    except (NoSuchPart, BrokenPart):
        return False


def _clash(seat: Seat, key: str) -> Iterator[Fault]:
    """Whether one table of settings would be for two parts of a seat."""
    for name in seat.settings:
        kinds = [parts.what for parts in OF_A_SEAT if getattr(seat, parts.what) == name]
        if len(kinds) > 1:
            what = (
                f"is the {' and the '.join(kinds)} of this seat, and these settings can be for one "
                "only: leave them out, or give one of the two as module:Name"
            )
            yield joined(key, name), what


def _needs_lines(seat: Seat) -> bool:
    """Whether its agent is given its lines; not told of one that does not load."""
    try:
        return bool(registry.AGENTS.entry(seat.agent).needs_lines)
    except (NoSuchPart, BrokenPart):
        return False


def name_fault(name: str, parts: Parts, key: str) -> Iterator[Fault]:
    """Whether there is a part of this name, and whether it loads."""
    try:
        parts.entry(name)
    except (NoSuchPart, BrokenPart) as error:
        yield key, str(error)


def settings_fault(
    parts: Parts, name: str, settings: Mapping[str, Any], key: str
) -> Iterator[Fault]:
    """Whether a part takes the settings that it is given, and does without those that it is not."""
    try:
        parts.made(name, settings)
    except BrokenPart as error:
        yield key, str(error)


def judge_fault(by: str, what: str, key: str) -> Iterator[Fault]:
    """Whether there is a judge of this name, and whether it judges what it is to judge: an `episode`
    or an `answer`."""
    yield from (unknown := list(name_fault(by, JUDGES, key)))
    if not unknown and what not in (judged := JUDGES.entry(by).judges):
        kinds, others = " and ".join(f"{one}s" for one in judged), ", ".join(judges_of(what))
        yield key, f"{by!r} judges {kinds}, not {what}s: those that do are {others}"


def address_fault(address: str, key: str) -> Iterator[Fault]:
    """Whether an address names a model."""
    try:
        registry.model(address)
    except BadModel as error:
        yield key, str(error)
