"""What an exam would be: `whoknew exam check`. Nothing is asked, and no model opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from whoknew.engine.exams import questions
from whoknew.engine.exams.arms import memories_of
from whoknew.engine.exams.cells import Unit, cells_of
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.material import questions_of, units
from whoknew.engine.opening import file_of, reading, without_password


class CheckedArm(Struct, frozen=True):
    """An arm, and how many of its cells are done already."""

    name: str
    digest: str
    model: str
    memory: str
    method: str
    cells: int
    done: int


class CheckedJudge(Struct, frozen=True):
    """A judge, and how many of the questions it can judge the answers of."""

    name: str
    digest: str
    by: str
    model: str | None
    questions: int


class CheckedMemory(Struct, frozen=True):
    """A memory that is written, and of how many characters it has to be there: derived, if they did not
    write it themselves while they were played."""

    memory: str
    digest: str
    model: str
    arms: tuple[str, ...]
    characters: int


class CheckedExam(Struct, frozen=True, kw_only=True):
    """A sound exam. `remarks` are worth a look."""

    name: str
    log: str
    material: str
    questions: int
    worlds: int
    kinds: dict[str, int]
    repeats: int
    arms: tuple[CheckedArm, ...]
    judges: tuple[CheckedJudge, ...]
    memories: tuple[CheckedMemory, ...]
    remarks: tuple[str, ...]


async def check(exam: LoadedExam) -> CheckedExam:
    """The exam beside its material and its log; BadDocument where it cannot be sat."""
    plan = exam.plan
    async with reading(exam.material) as material:
        file = await questions_of(exam, material)
        asked = await units(exam, material)
        odd = (await questions.check(material, file)).remarks
    done = Counter[str]()
    there = file_of(plan.address)
    if there is None or there.exists():
        async with reading(plan.address) as opened:
            log = await ExamLog.of(opened, plan.name)
            cells = cells_of(asked, exam.arms, plan.repeats)
            done.update(cell.arm.name for cell in cells if log.done(cell.key))
    return CheckedExam(
        name=plan.name,
        log=without_password(plan.address),
        material=without_password(exam.material),
        questions=len(asked),
        worlds=len({one.world for one in file.questions}),
        kinds=dict(sorted(Counter(one.kind for one in file.questions).items())),
        repeats=plan.repeats,
        arms=tuple(
            CheckedArm(
                name=arm.name,
                digest=arm.digest,
                model=arm.seat.model,
                memory=arm.seat.memory,
                method=arm.seat.method,
                cells=len(asked) * plan.repeats,
                done=done[arm.name],
            )
            for arm in exam.arms
        ),
        judges=tuple(
            CheckedJudge(
                name=one.name,
                digest=one.digest,
                by=one.judging.by,
                model=one.judging.model if one.judging.asks else None,
                questions=sum(one.can_judge(unit.asked.question) for unit in asked),
            )
            for one in exam.judges
        ),
        memories=tuple(_memories(exam, asked)),
        remarks=tuple(map(str, odd)),
    )


def _memories(exam: LoadedExam, asked: Sequence[Unit]) -> Iterator[CheckedMemory]:
    questions = [unit.asked.question for unit in asked]
    people = {(question.world, question.character) for question in questions}
    for memory in memories_of(exam.arms):
        arms = tuple(arm.name for arm in exam.arms if arm.memory == memory)
        name, model = memory.seat.memory, memory.seat.model
        yield CheckedMemory(name, memory.digest, model, arms, len(people))
