"""Lives: the same pairs through the same episodes in every arm."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.exams.arms import ExamArm
from whoknew.engine.exams.cells import digest_key
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.material import scenes_of
from whoknew.engine.exams.scenes.scene import chain_of, scene_cells, unit_digest
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.plan.plan import Episodes
from whoknew.engine.plan.program import Chain
from whoknew.worlds.bank import SIDES, Bank, Sketch
from whoknew.worlds.drawing import drawn
from whoknew.worlds.people import Pair, People
from whoknew.worlds.setting import Relation, Setting

GAP = timedelta(days=9)
"""From one episode to the next: so that forty make a year."""


class PlannedLife(Struct, frozen=True):
    """One chain: who leads it, and through what."""

    number: int
    pair: Pair
    sketches: tuple[Sketch, ...]


def lives(
    people: People, bank: Bank, *, seed: int, chains: int, episodes: int, hard: int
) -> list[PlannedLife]:
    """Pairs in turn, each time through another draw: all of it from the seed."""
    pairs = people.pairs(bank.relationship)
    Random(f"{seed}/pairs").shuffle(pairs)
    found: list[PlannedLife] = []
    for number in range(chains):
        first, second = pairs[number % len(pairs)]
        own = f"{seed}/{number}"
        pair = (second, first) if Random(f"{own}/sides").random() < 0.5 else (first, second)
        sketches = drawn(bank, pair, episodes, hard, f"{own}/episodes")
        found.append(PlannedLife(number + 1, pair, tuple(sketches)))
    return found


def life_units(
    people: People,
    bank: Bank,
    *,
    seed: int,
    chains: int,
    episodes: int,
    hard: int,
    turns: int | None,
) -> list[SceneUnit]:
    """Each life as what is put to every arm. Two of the same pair through the same episodes are told
    apart by their numbers, which decide their seeds."""
    units: dict[str, SceneUnit] = {}
    for life in lives(people, bank, seed=seed, chains=chains, episodes=episodes, hard=hard):
        unit = _unit(people, bank, life, Episodes(turns=turns))
        if unit.id in units:
            unit = replace(unit, id=digest_key("life", unit.id, unit.number))
        units[unit.id] = unit
    return list(units.values())


class ArmLife(Struct, frozen=True):
    """One life in one arm: the chain that it is played as."""

    arm: ExamArm
    number: int
    chain: Chain


def led(exam: LoadedExam, limit: int | None = None) -> list[ArmLife]:
    """Every life in every arm; one life in all arms, then the next."""
    return [
        ArmLife(cell.arm, cell.unit.number, chain_of(exam, cell))
        for cell in scene_cells(exam, scenes_of(exam, limit))
    ]


def _unit(people: People, bank: Bank, life: PlannedLife, episodes: Episodes) -> SceneUnit:
    first, second = (one.name for one in life.pair)
    prompted = {one.name: one.cast(first, second, SIDES).goals for one in life.sketches}
    setting = Setting(
        name=f"{bank.name}-{life.number}",
        title=f"{first} and {second}",
        begins=people.begins,
        characters=life.pair,
        scenarios=tuple(one.cast(first, second) for one in life.sketches),
        relations=(Relation(bank.relationship, between=(first, second)),),
        gap=int(GAP.total_seconds()) // 3600,
    )
    return SceneUnit(
        id=unit_digest(setting, episodes, prompted),
        name=f"life {life.number}: {first} and {second}",
        kind=bank.relationship,
        cluster=f"life {life.number}",
        setting=setting,
        episodes=episodes,
        prompted=prompted,
        number=life.number,
    )
