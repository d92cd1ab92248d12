"""The exam CloneMem: a friend asks somebody, at a date, about years of its life."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from msgspec.structs import replace

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.beginning import begin
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.cells import Unit
from whoknew.engine.exams.clonemem.drawing import drawn
from whoknew.engine.exams.clonemem.figures import figures_of
from whoknew.engine.exams.clonemem.lives_page import lives_shown
from whoknew.engine.exams.clonemem.named_lives import named_lives
from whoknew.engine.exams.clonemem.paper import PAPER
from whoknew.engine.exams.clonemem.stages.life_size import SIZES, FixedLife
from whoknew.engine.exams.clonemem.stages.life_stages import VERSION, LifeStages
from whoknew.engine.exams.clonemem.stages.question_drafts import ABOUT
from whoknew.engine.exams.clonemem.stages.requests import PROMPTS
from whoknew.engine.exams.findings import OwnFigures
from whoknew.engine.exams.kind import BegunExam, ExamSource, FirstQuestions, Published, WritableKind
from whoknew.engine.exams.page_parts import MaterialShown
from whoknew.engine.exams.question_exam import read_faults
from whoknew.engine.exams.writing.source import WritingSource
from whoknew.engine.exams.writing.writer import QuestionWriter, WritingSettings, writer_of
from whoknew.engine.opening import check_new, writing
from whoknew.engine.plan.plan import Judging
from whoknew.eventlog import Log
from whoknew.worlds import question
from whoknew.worlds.document import Fault
from whoknew.worlds.errors import BadSource, Mistake
from whoknew.worlds.importers.clonemem.form import TRACES
from whoknew.worlds.importers.records import decoded, files_of
from whoknew.worlds.lives.life import LifeGraph
from whoknew.worlds.lives.life_world import world_of_life
from whoknew.worlds.lives.making import life_of
from whoknew.worlds.lives.plan import LENGTHS
from whoknew.worlds.question import Question, QuestionFile

if TYPE_CHECKING:
    from whoknew.engine.exams.document import LoadedExam
    from whoknew.engine.exams.plan import ExamPlan

Form = Literal["choices", "open"]

EACH = 2
"""Of every kind in every dimension, about each life."""


NOT_OFFLINE = "which makes nothing up: name one that can write, or have lives made by rule"


class ClonememExam(WritableKind, frozen=True, kw_only=True):
    """what a friend asks at a date about years of a life, its diaries, messages, searches

    Lives and questions are made by rule when the exam is begun, and stand in the log `material` and the
    file `questions`; or a model writes both, if the plan has a table [writer] and no file of
    questions. `forms` says how each is asked: as it stands there, with its choices, or to be
    answered in one's own words."""

    questions: str | None = None
    forms: tuple[Form, ...] = ("choices",)

    template: ClassVar = (
        files("whoknew.engine.exams.clonemem").joinpath("clonemem.template.toml").read_text("utf-8")
    )
    askable: ClassVar[Mapping[str, str]] = ABOUT
    source: ClassVar = "short:1-3"
    usual: ClassVar[Mapping[str, Judging]] = {
        "choice": Judging("choice"),
        "recalls": Judging("recalls"),
        "remembered": Judging("remembered-words"),
        "faithful": Judging("faithful-words"),
    }
    published: ClassVar[Mapping[str, Published]] = PAPER

    @classmethod
    async def begun(cls, of: ExamSource) -> BegunExam:
        """Make the lives that are named, and the questions about each; or read both from files that an
        importer knows."""
        if form := _form(Path(of.source)):
            return await begin(of, _nothing, form=form)
        if of.settings:
            raise WrongPlan("lives by rule have no settings: leave out what goes with a file")
        if of.anonymised:
            raise WrongPlan("the people of lives by rule are nobody's: leave out --anonymised")
        if of.source.partition(":")[0] in SIZES.keys() - LENGTHS.keys():
            raise WrongPlan(f"{of.source}: a model makes up such lives: say which, by --model")
        length, seeds = named_lives(of.source, LENGTHS)
        log, file = of.plan.with_suffix(".worlds.db"), of.plan.with_suffix(".jsonl")
        check_new(log)
        check_new(file)
        asked: list[Question] = []
        async with writing(str(of.folder / log.name)) as material:
            for seed in seeds:
                life = await asyncio.to_thread(life_of, seed, length)
                world = await asyncio.to_thread(world_of_life, life)
                await material.append(world.name, world.drafts)
                asked += await asyncio.to_thread(_questions, life)
        await asyncio.to_thread(question.write, of.folder / file.name, asked)
        return BegunExam(
            keys={"material": str(log), "questions": file.name}, files=(log.name, file.name)
        )

    def __post_init__(self) -> None:
        if not self.forms or len(set(self.forms)) < len(self.forms):
            raise ValueError('forms should name "choices", "open" or both, each once')

    @classmethod
    async def to_write(cls, of: ExamSource, writing: WritingSettings) -> BegunExam:
        """Nothing but the plan: lives and questions come by its model."""
        if writing.model == OFFLINE:
            raise WrongPlan(f"--model is {OFFLINE}, {NOT_OFFLINE}")
        if of.settings or of.anonymised:
            raise WrongPlan("a model makes these lives up: leave out what goes with a file")
        named_lives(of.source, SIZES)
        log = of.plan.with_suffix(".worlds.db")
        check_new(log)
        return BegunExam(keys={"material": str(log), "questions": None})

    def faults(self, plan: ExamPlan, beside: Path) -> Iterable[Fault]:
        yield from super().faults(plan, beside)
        if self.questions is None and self.writer is None:
            yield "questions", "is not given: name a file, or who writes them in [writer]"
        if self.writer is None:
            return
        if self.questions is not None:
            yield "questions", "stand in a file: leave that out, or [writer]"
        if self.writer.model == OFFLINE:
            yield (
                "writer.model",
                f"is {OFFLINE}, {NOT_OFFLINE}",
            )
        try:
            named_lives(self.writer.source or self.source, SIZES)
        except WrongPlan as error:
            yield "writer.source", str(error)

    def file_mistakes(self, beside: Path) -> Iterable[Mistake]:
        return () if self.questions is None else read_faults(self.questions, beside)

    async def questions_about(self, material: Log, beside: Path) -> QuestionFile:
        """Those of the file: others stand on the exam's log."""
        if self.questions is None:
            return QuestionFile("the questions of clonemem", (), ())
        file = await asyncio.to_thread(question.read, beside / self.questions)
        lines, asked = zip(
            *(
                (line, one)
                for line, asked_one in zip(file.lines, file.questions, strict=True)
                for one in self.forms_of(asked_one)
            ),
            strict=True,
        )
        return QuestionFile(file.source, asked, lines)

    def forms_of(self, one: Question) -> Iterator[Question]:
        """In each of the forms; once, where it has no choices."""
        if "choices" in self.forms or not one.choices:
            yield one
        if "open" in self.forms and one.choices:
            right = one.reference or one.correct
            yield replace(one, choices=(), correct=None, reference=right)

    def question_writer(self, writing: WritingSettings) -> QuestionWriter:
        return writer_of(writing, self.askable, prompts=PROMPTS, also={"lives": VERSION})

    async def writing_source(
        self, exam: LoadedExam, opening: AsyncExitStack, writer: QuestionWriter
    ) -> WritingSource[Any]:
        length, seeds = named_lives(writer.writing.source or self.source, SIZES)
        lives = [FixedLife.of(length, seed) for seed in seeds]
        return LifeStages(writer, lives, self.material)

    async def shown(self, material: Log, units: Sequence[Unit], viewer: str) -> MaterialShown:
        return await lives_shown(material, units, viewer)

    def figures(self, cells: Sequence[CellResult]) -> OwnFigures:
        return figures_of(cells)


FORMS = {
    "conversation": "locomo",
    "haystack_sessions": "longmemeval",
    "digital_trace_ids": "clonemem",
}
"""Importers, by a key that a record has which they read."""


def _form(path: Path) -> str | None:
    """Which importer reads a file, or the files of a folder; None for what is neither."""
    if not (path.suffix == ".json" or path.is_dir()):
        return None
    files = [one for one in files_of(path, "*.json") if not one.name.endswith(TRACES)]
    for file in files[:1]:
        what = "list of items, conversations or questions"
        records: list[dict[str, Any]] = decoded(file, list[dict[str, Any]], what)
        for key, form in FORMS.items():
            if records and key in records[0]:
                return form
    raise BadSource(
        f"{path}: is none of what this exam reads: items of CloneMem, LoCoMo's conversations, "
        "LongMemEval's questions"
    )


async def _nothing(log: Log, source: str) -> FirstQuestions:
    raise BadSource(f"{source}: has no questions, and none are made about such a file")


def _questions(life: LifeGraph) -> Sequence[Question]:
    return drawn(life, each=EACH, seed=1).questions
