"""What an exam would be: `whoknew exam check`. Nothing is asked, and no model opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import EngineError
from whoknew.engine.exams import questions
from whoknew.engine.exams.arms import ExamArm, memories_of, sharing
from whoknew.engine.exams.cells import ExamCell, ExamUnit, Unit, cells_of
from whoknew.engine.exams.document import LoadedExam, SiftedExam
from whoknew.engine.exams.exam_log import log_there
from whoknew.engine.exams.kind import QuestionKind, SceneKind
from whoknew.engine.exams.material import (
    asked_of,
    left_out,
    placed,
    questions_of,
    reading_material,
    scenes_of,
)
from whoknew.engine.exams.scenes.scene import scene_cells
from whoknew.eventlog.counted import counted
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.shown_address import without_password
from whoknew.worlds.errors import BadDocument, BadSource, Mistake, WorldError


class CheckedArm(Struct, frozen=True):
    """An arm, and how many of its cells are done already."""

    name: str
    digest: str
    agent: str
    model: str
    memory: str
    method: str
    cells: int
    done: int


class CheckedJudge(Struct, frozen=True):
    """A judge, and how many of the units it can judge: those that have what it `needs`."""

    name: str
    digest: str
    by: str
    model: str | None
    units: int
    needs: tuple[str, ...]


class CheckedMemory(Struct, frozen=True, kw_only=True):
    """A memory that is written, and of how many characters it has to be there: derived, if they did not
    write it themselves while they were played; or `own`, derived by these settings whatever they wrote."""

    memory: str
    digest: str
    model: str
    arms: tuple[str, ...]
    characters: int
    own: bool


class CheckedExam(Struct, frozen=True, kw_only=True):
    """A sound exam. `remarks` are worth a look."""

    name: str
    log: str
    material: str
    unit: str
    units: int
    worlds: int
    """How many worlds it is about; of scenes each is played in one of its own."""
    kinds: dict[str, int]
    repeats: int
    arms: tuple[CheckedArm, ...]
    judges: tuple[CheckedJudge, ...]
    memories: tuple[CheckedMemory, ...]
    remarks: tuple[str, ...]
    left_out: int = 0
    """So many questions are not asked, because they are doubtful."""
    struck: int = 0
    """So many were struck by somebody who looked at them."""


async def check(exam: LoadedExam) -> CheckedExam:
    """The exam beside its material and its log; BadDocument where it cannot be sat."""
    if isinstance(exam.kind, SceneKind):
        scenes = scenes_of(exam)
        return await _checked(exam, scenes, list(scene_cells(exam, scenes)))
    async with reading_material(exam) as material:
        known = await questions_of(exam, material)
        asked = await placed(exam, material, known)
        odd = (await questions.check(material, known.asked)).remarks
        assert isinstance(exam.kind, QuestionKind)
        unasked = await exam.kind.unasked(material, known.file.questions)
        resting = await questions.doubtful(material, [unit.asked for unit in asked.units])
    cells = list(cells_of(asked.units, exam.arms, exam.plan.repeats))
    memories = tuple(_memories(exam, asked.units))
    remarks = (
        *left_out(asked),
        *_doubtful(len(resting)),
        *(f"{world}: nothing is asked about it: {why}" for world, why in unasked.items()),
        *map(str, odd),
    )
    found = await _checked(exam, asked.units, cells, memories, remarks)
    return replace(found, left_out=asked.left_out, struck=asked.struck)


async def all_mistakes(found: SiftedExam) -> tuple[Mistake, ...]:
    """Those of a plan; with them, as far as it can be told, those of the files that it names, and
    between its questions and their worlds."""
    exam = found.exam
    if exam is None or isinstance(exam.kind, SceneKind):
        return found.mistakes
    try:
        async with reading_material(exam) as material:
            await asked_of(exam, material)
    except BadDocument as error:
        return (*found.mistakes, *error.mistakes)
    except BadSource as error:
        return (*found.mistakes, Mistake(exam.source, None, "", str(error)))
    except (WorldError, EngineError, LogError):
        pass  # told when the plan is right
    return found.mistakes


async def _checked(
    exam: LoadedExam,
    units: Sequence[ExamUnit],
    cells: Sequence[ExamCell],
    memories: tuple[CheckedMemory, ...] = (),
    remarks: tuple[str, ...] = (),
) -> CheckedExam:
    plan, done = exam.plan, Counter[str]()
    async with AsyncExitStack() as opening:
        if log := await log_there(plan.address, plan.name, opening):
            done.update(cell.arm.name for cell in cells if log.done(cell.key))
    return CheckedExam(
        name=plan.name,
        log=without_password(plan.address),
        material=without_password(exam.material),
        unit=exam.kind.unit,
        units=len(units),
        worlds=len({cell.subject.world for cell in cells}),
        kinds=dict(sorted(Counter(unit.kind for unit in units).items())),
        repeats=plan.repeats,
        arms=tuple(_arm(arm, len(units) * plan.repeats, done[arm.name]) for arm in exam.arms),
        judges=tuple(_judges(exam, cells)),
        memories=memories,
        remarks=remarks,
    )


def _doubtful(count: int) -> Iterator[str]:
    if count:
        which = f"{counted(count, 'question')} {'rests' if count == 1 else 'rest'}"
        hint = 'doubtful = "leave out" does not ask such'
        yield f"{which} on what the character may not have witnessed: {hint}"


def _arm(arm: ExamArm, cells: int, done: int) -> CheckedArm:
    return CheckedArm(
        name=arm.name,
        digest=arm.digest,
        agent=arm.told("agent"),
        model=arm.told("model"),
        memory=arm.told("memory"),
        method=arm.told("method"),
        cells=cells,
        done=done,
    )


def _judges(exam: LoadedExam, cells: Sequence[ExamCell]) -> Iterator[CheckedJudge]:
    first = [cell for cell in cells if cell.arm is exam.arms[0] and cell.repeat == 1]
    for one in exam.judges:
        yield CheckedJudge(
            name=one.name,
            digest=one.digest,
            by=one.judging.by,
            model=one.judging.model if one.judging.asks else None,
            units=sum(cell.judged_by(one) for cell in first),
            needs=one.entry.lacking(),
        )


def _memories(exam: LoadedExam, asked: Sequence[Unit]) -> Iterator[CheckedMemory]:
    questions = [unit.asked.question for unit in asked]
    people = {(question.world, question.character) for question in questions}
    for memory in memories_of(exam.arms):
        arms = sharing(memory, exam.arms)
        name, model = memory.seat.memory, memory.seat.model
        yield CheckedMemory(
            memory=name,
            digest=memory.digest,
            model=model,
            arms=arms,
            characters=len(people),
            own=memory.before_turns,
        )
