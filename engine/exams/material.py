"""What an exam is about: its questions, each found in the log that it is put to, which is only read."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.parts import all_given, wrong
from whoknew.engine.command_text import command_text
from whoknew.engine.errors import BrokenPart, EngineError
from whoknew.engine.exams.cells import ExamUnit, Unit, units_of
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.kind import QuestionKind, SceneKind, WritableKind, reasons
from whoknew.engine.exams.logged_questions import LoggedQuestions, logged_questions
from whoknew.engine.exams.questions import doubtful, resolved
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.opening import file_of, is_there, reading
from whoknew.engine.part_code import told
from whoknew.eventlog import Log
from whoknew.eventlog.errors import BadAddress, LogError
from whoknew.eventlog.nearest import closest, guess
from whoknew.worlds import question
from whoknew.worlds.document import joined
from whoknew.worlds.errors import BadDocument, Mistake, WorldError
from whoknew.worlds.question import Question, QuestionFile

U_co = TypeVar("U_co", bound=ExamUnit, covariant=True)


def reading_material(exam: LoadedExam) -> Log:
    """The log that an exam of questions is about: BadDocument where its file is not there, with what
    is wrong with other files that the plan names."""
    assert isinstance(exam.kind, QuestionKind)
    file = file_of(exam.material)
    if file is not None and not is_there(file):
        what = f"there is no such file: {file} (a log is named by its path from the folder that you are in)"
        imports = command_text("import", "play", "the-lamp-room", log=exam.material)
        meant = guess(closest(str(file), map(str, file.parent.glob("*.db"))))
        hint = meant or f"`{imports}` makes one of the play that comes with Whoknew"
        missing = Mistake(exam.source, None, "material", f"{what}: {hint}")
        raise BadDocument([missing, *exam.kind.file_mistakes(exam.beside)])
    return reading(exam.material)


def reading_exam(exam: LoadedExam) -> Log:
    """The log of an exam: BadAddress where it was not begun yet."""
    file = file_of(exam.plan.address)
    if file is not None and not is_there(file):
        begins = command_text("exam", "run", exam.source)
        raise BadAddress(f"{file} is not there: nothing was asked yet. `{begins}` begins it")
    return reading(exam.plan.address)


class AskedUnits(Struct, Generic[U_co], frozen=True):
    """What an exam puts to its arms; and how many questions were left out because they are doubtful, or
    struck by somebody who looked at them. `remarks` are on what they are about."""

    units: Sequence[U_co]
    left_out: int = 0
    struck: int = 0
    remarks: Sequence[str] = ()


class ExamQuestions(Struct, frozen=True):
    """All questions that an exam has, and what its log says of them."""

    file: QuestionFile
    logged: LoggedQuestions

    @property
    def asked(self) -> QuestionFile:
        """Those that were not struck."""
        some = zip(self.file.questions, self.file.lines, strict=True)
        left = [(one, line) for one, line in some if not self.logged.is_struck(one.id)]
        return QuestionFile(
            self.file.source, tuple(one for one, _ in left), tuple(line for _, line in left)
        )


async def units(exam: LoadedExam, log: Log, limit: int | None = None) -> Sequence[Unit]:
    """The questions of an exam, or the first so many of them, each where it is put: BadDocument where
    they, or its judges beside them, make no exam."""
    return (await asked_of(exam, log, limit)).units


async def asked_of(exam: LoadedExam, log: Log, limit: int | None = None) -> AskedUnits[Unit]:
    """The same, with what was left out of them, and what is to be known of it all."""
    assert isinstance(exam.kind, QuestionKind)
    found = await placed(exam, log, await questions_of(exam, log), limit)
    return replace(found, remarks=tuple(await exam.kind.remarks_on(log)))


async def placed(
    exam: LoadedExam, log: Log, questions: ExamQuestions, limit: int | None = None
) -> AskedUnits[Unit]:
    """The same of questions that one has."""
    file = await asyncio.to_thread(lambda: questions.asked)
    struck = len(questions.file.questions) - len(file.questions)
    if not file.questions:
        what = f"leaves nothing to ask: all {struck} questions are struck"
        raise BadDocument([Mistake(exam.source, None, "", what)])
    unjudged = list(_unjudged(exam, file))
    file = QuestionFile(file.source, file.questions[:limit], file.lines[:limit])
    try:
        found = await resolved(log, file)
    except BadDocument as error:
        raise BadDocument([*unjudged, *error.mistakes]) from None
    if unjudged:
        raise BadDocument(unjudged)
    assert isinstance(exam.kind, QuestionKind)
    if exam.kind.doubtful == "ask":
        return AskedUnits(await asyncio.to_thread(units_of, found), struck=struck)
    out = await doubtful(log, found)
    if len(out) == len(found):
        what = f"leaves nothing to ask: all {len(out)} questions are doubtful"
        raise BadDocument([Mistake(exam.source, None, "doubtful", what)])
    kept = [one for one in found if one.question.id not in out]
    return AskedUnits(await asyncio.to_thread(units_of, kept), len(out), struck)


def left_out(asked: AskedUnits[ExamUnit]) -> Iterator[str]:
    """What is said of questions that were left out."""
    if count := asked.left_out:
        of = f"{count:,} of {count + len(asked.units):,} questions are left out"
        yield f"{of}: they rest on what their character may not have witnessed"
    if asked.struck:
        one = asked.struck == 1
        which = "1 question was" if one else f"{asked.struck:,} questions were"
        yield f"{which} struck by hand: no figure counts {'it' if one else 'them'}"


def scenes_of(exam: LoadedExam, limit: int | None = None) -> Sequence[SceneUnit]:
    """The scenes of an exam, or the first so many of them; BadDocument where its kind cannot give
    them."""
    assert isinstance(exam.kind, SceneKind)
    try:
        found = exam.kind.scenes(exam.plan, exam.beside)
    except (WorldError, EngineError):
        raise
    except Exception as error:  # code from elsewhere
        why = f"the exam {exam.plan.exam!r} cannot give its scenes: {told(error)}"
        raise BrokenPart(why) from error
    if not isinstance(found, (tuple, list)) or any(type(one) is not SceneUnit for one in found):
        what = type(found).__name__ if not isinstance(found, (tuple, list)) else "something else"
        raise wrong(exam.kind, "scenes", "a tuple of SceneUnit", what)
    names = {unit.id: unit.name for unit in found}
    if len(names) < len(found):
        ids = Counter(unit.id for unit in found)
        name = names[ids.most_common(1)[0][0]]
        what = f"the scene {name!r} is there twice: have it once, and set `repeats`"
        raise BadDocument([Mistake(exam.source, None, "", what)])
    return found[:limit]


async def questions_of(exam: LoadedExam, log: Log) -> ExamQuestions:
    """The questions that its kind puts to a log, and what the exam's own log says of them."""
    logged = await logged_questions(exam)
    file = await _of_kind(exam, log)
    return ExamQuestions(await asyncio.to_thread(_with_written, file, _forms(exam, logged)), logged)


def _forms(exam: LoadedExam, logged: LoggedQuestions) -> list[Question]:
    """The questions on its log, in each form in which they are asked."""
    if not isinstance(exam.kind, WritableKind):
        return list(logged.written)
    return [form for one in logged.written for form in exam.kind.forms_of(one)]


def _with_written(file: QuestionFile, written: Sequence[Question]) -> QuestionFile:
    """Those that stand on the log behind those of the file, numbered as if they followed them."""
    there = {one.id for one in file.questions} if written else set[str]()
    more = tuple(one for one in written if one.id not in there)
    last = max(file.lines, default=0)
    lines = tuple(range(last + 1, last + 1 + len(more)))
    return QuestionFile(file.source, (*file.questions, *more), (*file.lines, *lines))


async def _of_kind(exam: LoadedExam, log: Log) -> QuestionFile:
    assert isinstance(exam.kind, QuestionKind)
    try:
        found = await exam.kind.questions_about(log, exam.beside)
    except (LogError, WorldError, EngineError):
        raise
    except Exception as error:  # code from elsewhere
        why = f"the exam {exam.plan.exam!r} cannot make its questions: {told(error)}"
        raise BrokenPart(why) from error
    if isinstance(found, QuestionFile):
        return found
    what = f"the questions of {exam.plan.exam}"
    made = tuple(all_given(exam.kind, "questions_about", found, Question))
    numbers = tuple(range(1, len(made) + 1))
    mistakes = [
        Mistake(what, number, key, why)
        for number, one in zip(numbers, made, strict=True)
        for key, why in question.faults(one)
    ]
    if not made:
        why = reasons(await exam.kind.unasked(log, ()))
        mistakes = [Mistake(what, None, "", f"there are none about {exam.material}{why}")]
    if mistakes:
        raise BadDocument(mistakes)
    return QuestionFile(what, made, numbers)


def _unjudged(exam: LoadedExam, file: QuestionFile) -> Iterator[Mistake]:
    """Judges who could judge no answer."""
    for judge in exam.judges:
        for need in judge.entry.needed():
            if not any(getattr(one, need, None) for one in file.questions):
                what = f"{judge.judging.by!r} needs {need!r} of a question, and none has it"
                yield Mistake(exam.source, None, joined("judges", judge.name), what)
        if judge.entry.own_words and all(one.choices for one in file.questions):
            what = f"{judge.judging.by!r} judges answers in one's own words, and all questions have choices"
            yield Mistake(exam.source, None, joined("judges", judge.name), what)
