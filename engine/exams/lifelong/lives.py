"""The lives of an exam: for each arm the same pairs through the same episodes, as a program."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from msgspec import Struct

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.exams.lifelong.plan import Arm, Exam
from whoknew.engine.plan.plan import EVERYONE, NO_LIMIT, Episodes, Plan, Seat
from whoknew.engine.plan.program import Chain, Program
from whoknew.worlds.bank import SIDES, Side, Sketch
from whoknew.worlds.drawing import drawn
from whoknew.worlds.people import Pair
from whoknew.worlds.setting import Relation, Setting

GAP = timedelta(days=9)
"""From one episode to the next: so that forty make a year."""


class PlannedLife(Struct, frozen=True):
    """One chain: who leads it, and through what."""

    number: int
    pair: Pair
    sketches: tuple[Sketch, ...]


def lives(exam: Exam) -> list[PlannedLife]:
    """Pairs in turn, each time through another draw: all of it from the seed."""
    plan = exam.plan
    pairs = exam.people.pairs(exam.bank.relationship)
    Random(f"{plan.seed}/pairs").shuffle(pairs)
    found: list[PlannedLife] = []
    for number in range(plan.chains):
        first, second = pairs[number % len(pairs)]
        seed = f"{plan.seed}/{number}"
        pair = (second, first) if Random(f"{seed}/sides").random() < 0.5 else (first, second)
        sketches = drawn(exam.bank, pair, plan.episodes, plan.hard, f"{seed}/episodes")
        found.append(PlannedLife(number + 1, pair, tuple(sketches)))
    return found


class ArmLife(Struct, frozen=True):
    """One life in one arm: the chain that it is played as."""

    arm: Arm
    life: PlannedLife
    chain: Chain


def led(exam: Exam) -> list[ArmLife]:
    """Every life in every arm; one life in all arms, then the next."""
    return [
        ArmLife(arm, life, _chain(exam, arm, life)) for life in lives(exam) for arm in exam.arms
    ]


def program_of(exam: Exam, log: str) -> Program:
    limit = exam.plan.limits.get("run", NO_LIMIT)
    chains = [one.chain for one in led(exam)]
    return Program(chains, log, exam.plan.at_once, limit, exam.plan.may_fail)


def _chain(exam: Exam, arm: Arm, life: PlannedLife) -> Chain:
    plan, world = exam.plan, f"{exam.plan.name}-{arm.name}-{life.number}"
    first, second = (one.name for one in life.pair)
    seats = {EVERYONE: arm.seats[EVERYONE]}
    for side, name in zip(SIDES, (first, second), strict=True):
        if side in arm.seats:
            seats[name] = arm.seats[side]
    speechless: list[Side] = [
        side
        for side, name in zip(SIDES, (first, second), strict=True)
        if _is_offline(seats.get(name, seats[EVERYONE]))
    ]
    setting = Setting(
        name=world,
        title=f"{first} and {second}",
        begins=exam.people.begins,
        characters=life.pair,
        scenarios=tuple(one.cast(first, second, speechless) for one in life.sketches),
        relations=(Relation(exam.bank.relationship, between=(first, second)),),
        seed=plan.seed + life.number,
        gap=int(GAP.total_seconds()) // 3600,
    )
    ordinary = Plan(
        world=world,
        name=world,
        at_once=plan.at_once,
        episodes=Episodes(turns=plan.turns),
        agents=seats,
        judges=plan.judges,
        models=plan.calling,
        limits={scope: limit for scope, limit in plan.limits.items() if scope != "run"},
    )
    return Chain(world, ordinary, setting)


def _is_offline(seat: Seat) -> bool:
    """Whether it has nothing to say of its own."""
    return seat.thinks and seat.model == OFFLINE
