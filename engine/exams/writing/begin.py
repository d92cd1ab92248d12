"""An exam that is begun with questions by a model: `whoknew exam new KIND PLAN --model MODEL`. Once its
plan is there, the same again goes on with the writing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams import document
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.kind import WritableKind
from whoknew.engine.exams.new import NewExam, NewSource, new
from whoknew.engine.exams.writing.forecast import WritingForecast, forecast_writing
from whoknew.engine.exams.writing.write import WatchingWriting, WrittenQuestions, write_questions
from whoknew.engine.exams.writing.writer import WritingSettings, writer_faults
from whoknew.engine.plan.settings import Announce, admit
from whoknew.engine.registry import EXAMS
from whoknew.worlds.errors import BadDocument, Mistake

Kept = Callable[[LoadedExam], LoadedExam]
"""Has an exam kept where the command says."""


class BegunWriting(Struct, frozen=True):
    """The files of a new exam, none where its plan was there; and what was written of its questions."""

    files: NewExam | None
    questions: WrittenQuestions


async def begin_writing(
    wanted: NewSource,
    writing: WritingSettings,
    announce: Announce,
    watching: WatchingWriting,
    *,
    kept: Kept,
    again: bool = False,
) -> BegunWriting:
    files = None
    _admit(wanted, writing, announce)
    if not wanted.plan.exists():
        files = await _new(wanted, writing, announce)
    try:
        exam = kept(await asyncio.to_thread(_loaded, wanted, writing, announce))
    except BaseException:
        _leave_nothing(files)
        raise
    return BegunWriting(files, await write_questions(exam, watching, again=again, signals=True))


def _leave_nothing(files: NewExam | None) -> None:
    """Take back what was begun with a writer that cannot be: a plan with it could not be gone on with."""
    for file in (files.plan, *files.beside) if files else ():
        Path(file).unlink(missing_ok=True)


async def forecast_beginning(
    wanted: NewSource,
    writing: WritingSettings,
    announce: Announce,
    *,
    kept: Kept,
    again: bool = False,
) -> WritingForecast:
    """What the same would ask. Of a plan that is not there yet all is made aside, and thrown away."""
    _admit(wanted, writing, announce)
    if wanted.plan.exists():
        exam = await asyncio.to_thread(_loaded, wanted, writing, announce)
        return await forecast_writing(kept(exam), again=again)
    with TemporaryDirectory() as folder:
        aside = replace(wanted, plan=Path(folder) / wanted.plan.name)
        await _new(aside, writing, announce)
        exam = await asyncio.to_thread(document.load, aside.plan, announce)
        return await forecast_writing(kept(exam), again=again)


def _admit(wanted: NewSource, writing: WritingSettings, announce: Announce) -> None:
    """Refuse a writer that cannot be, before any plan says of it what the options do."""
    admit(EXAMS, wanted.kind, wanted.plan.parent, announce)
    entry = EXAMS.entry(wanted.kind)
    if not issubclass(entry, WritableKind) or not entry.askable:
        raise WrongPlan(f"a model writes no questions for {wanted.kind!r}: leave out --model")
    wrong = list(writer_faults(writing, entry.askable))
    if wrong:
        raise BadDocument([Mistake(_option(key), None, "", what) for key, what in wrong])


def _option(key: str) -> str:
    """What gives a key of the table [writer]: "writer.kinds[0]"."""
    name = key.removeprefix("writer.").partition("[")[0]
    return f"--{name.replace('_', '-')}"


async def _new(wanted: NewSource, writing: WritingSettings, announce: Announce) -> NewExam:
    return await new(wanted, announce, tables=f"\n{_table(writing)}", writing=writing)


def _table(writing: WritingSettings) -> str:
    """As it stands in a plan."""
    unsaid = msgspec.to_builtins(WritingSettings(model=""))
    given = {key: a for key, a in msgspec.to_builtins(writing).items() if a != unsaid[key]}
    return msgspec.toml.encode({"writer": given}).decode()


def _loaded(wanted: NewSource, writing: WritingSettings, announce: Announce) -> LoadedExam:
    """The exam of a plan that is there, whose writer has to be the one that is wanted."""
    exam = document.load(wanted.plan, announce)
    plan, kind = wanted.plan, exam.kind
    there = kind.writer if isinstance(kind, WritableKind) else None
    if exam.plan.exam != wanted.kind:
        raise WrongPlan(f"{plan} is there, and an exam of the kind {exam.plan.exam!r}")
    if there and None in (there.source, writing.source):  # one of them does not say
        writing = replace(writing, source=there.source, anonymised=there.anonymised)
    if there != writing:
        has = "another [writer]" if there else "no [writer]"
        raise WrongPlan(
            f"{plan} is there, and has {has}: for this one put these lines at its end\n{_table(writing)}"
        )
    return exam
