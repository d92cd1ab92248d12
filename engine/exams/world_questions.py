"""One world of an exam, whole, and the questions about it: what a form holds that knows one world."""

from __future__ import annotations

from msgspec import Struct

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.kind import QuestionKind
from whoknew.engine.exams.material import questions_of, reading_material
from whoknew.eventlog import Event
from whoknew.eventlog.nearest import nearest
from whoknew.worlds.question import Question


class WorldQuestions(Struct, frozen=True):
    world: str
    events: tuple[Event, ...]
    questions: tuple[Question, ...]


async def questions_on(exam: LoadedExam, world: str | None) -> WorldQuestions:
    """Of a world, which has to be named where an exam is about several."""
    if not isinstance(exam.kind, QuestionKind):
        raise WrongPlan(f"{exam.source}: an exam of the kind {exam.plan.exam!r} has no questions")
    async with reading_material(exam) as material:
        asked = (await questions_of(exam, material)).asked.questions
        world = _one(exam, list(dict.fromkeys(one.world for one in asked)), world)
        events = await (await material.director(world)).events()
    return WorldQuestions(world, tuple(events), tuple(one for one in asked if one.world == world))


def _one(exam: LoadedExam, worlds: list[str], world: str | None) -> str:
    if world is None and len(worlds) > 1:
        raise WrongPlan(
            f"{exam.source}: is about {len(worlds)} worlds, and the form has one: say which, by "
            f"--world ({', '.join(worlds[:5])}{', ...' if len(worlds) > 5 else ''})"
        )
    if world is not None and world not in worlds:
        raise WrongPlan(f"{exam.source}: asks nothing about {world!r}: {nearest(world, worlds)}")
    return world or worlds[0]
