"""A scene that an exam plays: its people, what they live through, and the chain that comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import starmap
from typing import Any

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.exams.arms import ExamArm, ExamJudge, digest_of
from whoknew.engine.exams.cells import CellSubject, ExamCell, digest_key, parts_of
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.plan.plan import EVERYONE, Episodes, Plan, Seat
from whoknew.engine.plan.planned import VERSION
from whoknew.engine.plan.program import Chain
from whoknew.worlds.bank import SIDES
from whoknew.worlds.pairing import PairedScene
from whoknew.worlds.setting import Relation, Setting

Prompted = dict[str, dict[str, str]]


class SceneCell(ExamCell, frozen=True, kw_only=True):
    """A scene played by one arm, in a world of its own."""

    unit: SceneUnit
    world: str

    def reviews(self, judges: Iterable[ExamJudge]) -> dict[str, ExamJudge]:
        """The keys of all that judges can say of it when it is over."""
        episodes = (0,) if self.heard else range(self.unit.count + 1)
        return {self.review(one, episode): one for one in judges for episode in episodes}

    @property
    def subject(self) -> CellSubject:
        return CellSubject(world=self.world, character="", text=self.unit.name)


def scene_of(scene: PairedScene, begins: datetime, episodes: Episodes) -> SceneUnit:
    """A scenario and its pair as a unit."""
    first, second = (one.name for one in scene.pair)
    cast = scene.sketch.cast(first, second)
    prompted = {cast.name: scene.sketch.cast(first, second, SIDES).goals}
    setting = Setting(
        name=cast.name,
        title=f"{cast.name}: {first} and {second}",
        begins=begins,
        characters=scene.pair,
        scenarios=(cast,),
        relations=(Relation(scene.relationship, between=(first, second)),),
    )
    return SceneUnit(
        id=unit_digest(setting, episodes, prompted),
        name=setting.title,
        kind=scene.relationship,
        cluster=cast.name,
        setting=setting,
        episodes=episodes,
        prompted=prompted,
    )


def world_of(setting: Setting, episodes: Episodes) -> SceneUnit:
    """A whole world as a unit."""
    return SceneUnit(
        id=unit_digest(setting, episodes, {}),
        name=setting.name,
        kind=setting.name,
        cluster=setting.name,
        setting=setting,
        episodes=episodes,
    )


def scene_cells(exam: LoadedExam, units: Sequence[SceneUnit]) -> Iterator[SceneCell]:
    return starmap(partial(scene_cell, exam), parts_of(units, exam.arms, exam.plan.repeats))


def scene_cell(exam: LoadedExam, unit: SceneUnit, arm: ExamArm, repeat: int) -> SceneCell:
    plan, kind = exam.plan, exam.kind
    assert isinstance(kind, SceneKind)
    limits = {name: limit for name, limit in plan.limits.items() if name != "run"}
    bounds = [digest_of(to_builtins(limits))] if limits else []
    key = digest_key("scene", unit.id, arm.digest, repeat, plan.seed, VERSION, *bounds)
    world = kind.world(plan.name, unit, arm.name, repeat, key)
    return SceneCell(unit=unit, arm=arm, repeat=repeat, key=key, world=world, heard=not kind.within)


def chain_of(exam: LoadedExam, cell: SceneCell) -> Chain:
    """What is played. The exam's judges sit when it is over, unless its kind says otherwise."""
    unit, plan = cell.unit, exam.plan
    judges = {one.name: one.judging for one in exam.judges}
    seats = {side: _repeated(seat, cell.repeat) for side, seat in cell.arm.sides.items()}
    agents = {EVERYONE: _repeated(cell.arm.seat, cell.repeat)}
    agents |= {who: seats[side] for side, who in unit.sides.items()}
    played = Plan(
        world=unit.setting.name,
        name=cell.world,
        seed=plan.seed + unit.number + cell.repeat - 1,
        keep_prompts=plan.keep_prompts,
        episodes=unit.episodes,
        agents=agents,
        judges={} if cell.heard else judges,
        models=plan.models,
        limits={scope: limit for scope, limit in plan.limits.items() if scope != "run"},
    )
    return Chain(cell.world, played, _spoken(unit, agents))


def _spoken(unit: SceneUnit, agents: dict[str, Seat]) -> Setting:
    """The setting with lines for those who cannot speak for themselves."""
    speechless = [who for who in unit.sides.values() if _is_offline(agents[who])]
    scenarios = [
        replace(one, goals={**one.goals, **{who: goals[who] for who in speechless}})
        if (goals := unit.prompted.get(one.name))
        else one
        for one in unit.setting.scenarios
    ]
    return replace(unit.setting, scenarios=tuple(scenarios))


def _is_offline(seat: Seat) -> bool:
    return seat.thinks and seat.model == OFFLINE


def _repeated(seat: Seat, repeat: int) -> Seat:
    """As it plays: each repeat has a seed of its own, where there is one."""
    played = Seat(**{name: getattr(seat, name) for name in Seat.__struct_fields__})
    return played if seat.seed is None else replace(played, seed=seat.seed + repeat - 1)


def unit_digest(setting: Setting, episodes: Episodes, prompted: Prompted) -> str:
    """That of all that is played, whatever it is called."""
    played = replace(setting, name="", title="", description="")
    parts = (msgspec.to_builtins(one) for one in (played, episodes, prompted))
    return digest_of(dict(zip(("setting", "episodes", "prompted"), map(_said, parts), strict=True)))


def _said(value: Any) -> Any:
    """A value without what is empty in it: a new key with a default makes no other scene."""
    if isinstance(value, dict):
        found = {key: _said(inner) for key, inner in value.items()}
        return {key: inner for key, inner in found.items() if inner}
    return [_said(one) for one in value] if isinstance(value, list | tuple) else value
