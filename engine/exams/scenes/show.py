"""One scene of an exam: who played it, how it went, and what its judges say."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.material import reading_exam, scenes_of
from whoknew.engine.exams.scenes.results import scene_result
from whoknew.engine.exams.scenes.scene import scene_cell
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.exams.show import check_repeat
from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.shown_address import without_password


class SceneSide(Struct, frozen=True):
    """Who was on a side, and what decided for it."""

    side: str
    character: str
    agent: str
    model: str
    memory: str
    method: str


class ShownScene(Struct, frozen=True, kw_only=True):
    """A scene. Not played yet, it has neither been `played` nor a failure. `unreviewed` says of judges
    who failed why."""

    arm: str
    unit: str
    repeat: int
    name: str
    log: str
    world: str
    sides: tuple[SceneSide, ...]
    played: str | None
    failure: str | None
    calls: int
    scores: dict[str, float]
    reasons: dict[str, str]
    unreviewed: dict[str, str]


async def show_scene(exam: LoadedExam, arm: str, unit: str, repeat: int = 1) -> ShownScene:
    """One scene as the log has it. It is named by its id, or the beginning of it, or its number."""
    names = [one.name for one in exam.arms]
    if arm not in names:
        raise BadQuestion(f"{arm!r} is no arm of {exam.plan.name}: {nearest(arm, names)}")
    scene, chosen = _unit(scenes_of(exam), unit), exam.arms[names.index(arm)]
    cell = scene_cell(exam, scene, chosen, repeat)
    async with reading_exam(exam) as opened:
        log = await ExamLog.of(opened, exam.plan.name)
        check_repeat(exam, log, repeat, lambda one: scene_cell(exam, scene, chosen, one).key)
        found = await scene_result(log, exam, cell)
    return ShownScene(
        arm=arm,
        unit=scene.id,
        repeat=repeat,
        name=scene.name,
        log=without_password(exam.plan.address),
        world=cell.world,
        sides=tuple(
            SceneSide(
                side=side,
                character=who,
                agent=seat.agent,
                model=seat.model,
                memory=seat.memory,
                method=seat.method,
            )
            for side, who in scene.sides.items()
            for seat in (chosen.sides[side],)
        ),
        played=found.answer,
        failure=found.failure,
        calls=found.asked.calls,
        scores=found.scores,
        reasons=found.reasons,
        unreviewed=found.unreviewed,
    )


def _unit(scenes: Sequence[SceneUnit], name: str) -> SceneUnit:
    if name.isdecimal() and 1 <= int(name) <= len(scenes):
        return scenes[int(name) - 1]
    found = [one for one in scenes if one.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    many = f"{len(found)} scenes have an id that begins so: give more of it"
    none = f"no scene has this id; by number there are 1 to {len(scenes)}"
    raise BadQuestion(f"{name!r}: {many if found else none}")
