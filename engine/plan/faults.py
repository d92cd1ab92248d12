"""What can be wrong with a plan whose every value is of the right kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from whoknew.agents.errors import BadModel
from whoknew.agents.models.address import check_address
from whoknew.engine import registry
from whoknew.engine.plan.plan import EVERYONE, Plan, Seat
from whoknew.engine.plan.script import script_faults
from whoknew.worlds.beginning import POINTS
from whoknew.worlds.document import Fault, nearest
from whoknew.worlds.setting import Setting


def faults(plan: Plan, setting: Setting | None) -> Iterator[Fault]:
    yield from _numbers(plan)
    used: dict[str, str] = {}
    for name, seat in plan.agents.items():
        used.setdefault(seat.model, f"agents.{name}.model")
    for name, judge in plan.judges.items():
        yield from name_fault(judge.by, registry.JUDGES, f"judges.{name}.by")
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
    yield from name_fault(seat.memory, registry.MEMORIES, f"{key}.memory")
    yield from name_fault(seat.method, registry.METHODS, f"{key}.method")
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


def name_fault(name: str, there: Mapping[str, str], key: str) -> Iterator[Fault]:
    """Whether there is a part of this name."""
    if name not in there:
        yield key, f"is {name!r}: {nearest(name, list(there))}"


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
