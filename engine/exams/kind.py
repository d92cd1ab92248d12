"""The port to a kind of exam: the keys of a plan that are its own, and what it puts to the arms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from msgspec import Struct

from whoknew.agents.parts import Entry
from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.curves import ExamCurve
from whoknew.engine.exams.findings import Findings, OwnFigures, StepsFold
from whoknew.engine.exams.page_parts import NOTHING_SHOWN, MaterialShown
from whoknew.engine.exams.writing.writer import (
    QuestionWriter,
    WritingSettings,
    writer_faults,
    writer_of,
)
from whoknew.engine.plan.plan import Judging
from whoknew.engine.playing.judge import Judged
from whoknew.eventlog import Event, Log
from whoknew.worlds.beginning import POINTS
from whoknew.worlds.document import Fault
from whoknew.worlds.errors import Mistake
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.question import Question, QuestionFile
from whoknew.worlds.setting import Scenario

if TYPE_CHECKING:
    from whoknew.engine.exams.arms import ExamJudge
    from whoknew.engine.exams.cell_result import CellResult
    from whoknew.engine.exams.cells import Unit
    from whoknew.engine.exams.document import LoadedExam
    from whoknew.engine.exams.plan import ExamPlan
    from whoknew.engine.exams.scenes.scene_unit import SceneUnit
    from whoknew.engine.exams.writing.source import WritingSource

Scores = Mapping[str, float]

Published = Mapping[str, tuple[float, float | None]]
"""Scores, each with its mean, and the deviation where that is known."""


class ExamSource(Struct, frozen=True, kw_only=True):
    """What an exam is to be made of, and where: its files are made in a `folder`, from which they come to
    stand beside the `plan` once all are there."""

    plan: Path
    folder: Path
    source: str
    anonymised: bool
    settings: tuple[str, ...]
    """Those of the importer that reads the source."""


class FirstQuestions(Struct, frozen=True):
    """What an exam is begun with: its questions, and of which worlds nothing is asked, and why."""

    asked: Sequence[Question]
    unasked: Mapping[str, str]


class BegunExam(Struct, frozen=True):
    """What an exam was made of: the keys of its plan that this decides, None where one is left out,
    tables that stand at the plan's end, and the names of the files that stand beside it."""

    keys: Mapping[str, str | None]
    tables: str = ""
    files: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    """What of it could not be kept, or is strange."""


class ExamKind(Entry, frozen=True):
    """How a plan names a kind of exam: its fields are keys of the plan, beside those that all exams
    have."""

    unit: ClassVar[str] = "question"
    """What is put to each arm, in a word."""
    done: ClassVar[str] = "answered"
    """What an arm does with it."""
    judged: ClassVar[Judged] = "answer"
    """What its judges look at."""
    usual: ClassVar[Mapping[str, Judging]] = {}
    """Who judges where a plan does not say."""
    scored: ClassVar[tuple[str, ...]] = ()
    """What it scores without a judge: names as those of judges."""
    parts: ClassVar[tuple[str, ...]] = ()
    """What its episodes are parted into, where it makes scores of its own of those of its judges, as
    PART.SCORE: then they are what it is about, and a terminal shows no others."""
    published: ClassVar[Mapping[str, Published]] = {}
    """What others had of such scores, each row under its name."""
    template: ClassVar[str] = ""
    """A plan to start from, with comments. NAME stands for the name of its file, without the end."""
    template_files: ClassVar[Mapping[str, str]] = {}
    """The files that it names, likewise: what each is called, and what stands in it."""
    source: ClassVar[str] = ""
    """What it is made of where nothing else is said."""

    @classmethod
    async def begun(cls, of: ExamSource) -> BegunExam:
        """Make of a text, such as a play, all that an exam is about."""
        raise WrongPlan("an exam of this kind is not made of a text: leave out --from")

    def faults(self, plan: ExamPlan, beside: Path) -> Iterable[Fault]:
        """What else is wrong with a plan whose own keys are right each by itself. `beside` is the
        folder of the plan."""
        return ()

    def figures(self, cells: Sequence[CellResult]) -> OwnFigures:
        """What it counts beyond what its judges give."""
        return {}

    def own_figures(self, cells: Sequence[CellResult], judges: Sequence[ExamJudge]) -> OwnFigures:
        """The same, of one that counts by the scales of its judges."""
        return self.figures(cells)

    def curves(self, cells: Sequence[CellResult]) -> Sequence[ExamCurve]:
        """Curves of its own, along another axis than that of episodes."""
        return ()


class QuestionKind(ExamKind, frozen=True, kw_only=True):
    """An exam that puts questions to characters in worlds that are there: those of the log
    `material`, which is only read. `doubtful` says what becomes of questions that rest on an event of
    which it is left open whether their character witnessed it."""

    material: str
    doubtful: Literal["ask", "leave out"] = "ask"

    def file_mistakes(self, beside: Path) -> Iterable[Mistake]:
        """What is wrong with files that it names, whatever they are about: told where its material is
        not there."""
        return ()

    async def questions_about(
        self, material: Log, beside: Path
    ) -> QuestionFile | Sequence[Question]:
        """The questions: those of a file, or such as it makes of its material."""
        raise NotImplementedError

    async def remarks_on(self, material: Log) -> Sequence[str]:
        """What has to be known of its material before any figure is believed."""
        return ()

    async def unasked(self, material: Log, asked: Iterable[Question]) -> Mapping[str, str]:
        """The worlds of its material that none of the questions is about, though something is done in
        them: why it makes none."""
        return {}

    async def shown(self, material: Log, units: Sequence[Unit], viewer: str) -> MaterialShown:
        """What the page of its report shows of its material; links lead to a viewer."""
        return NOTHING_SHOWN

    def steps(self, units: Sequence[Unit]) -> StepsFold | None:
        """What looks into the steps of memories, where it finds something there."""
        return None


class WritableKind(QuestionKind, frozen=True, kw_only=True):
    """An exam of questions to which a model can write more: the table [writer] of its plan says which
    one. They are put to the same characters at the same cursors."""

    askable: ClassVar[Mapping[str, str]] = {}
    """The kinds of questions that can be written, each with what it asks for, as a model is told."""

    published_texts: ClassVar[Mapping[str, float]] = {}
    """How many in a hundred of the texts that are written on the way others kept, by what they are."""

    writer: WritingSettings | None = None

    def faults(self, plan: ExamPlan, beside: Path) -> Iterable[Fault]:
        yield from writer_faults(self.writer, self.askable)

    def question_writer(self, writing: WritingSettings) -> QuestionWriter:
        """Who writes, with all that decides what is written."""
        return writer_of(writing, self.askable)

    async def writing_source(
        self, exam: LoadedExam, opening: AsyncExitStack, writer: QuestionWriter
    ) -> WritingSource[Any]:
        """Where questions are written, and how, of what stays open as long as `opening`: moment by
        moment of each life of its material, if it does not say."""
        from whoknew.engine.exams.material import reading_material
        from whoknew.engine.exams.writing.lives import LifeWriting

        material = await opening.enter_async_context(reading_material(exam))
        return await LifeWriting.of(exam, material, writer)

    @classmethod
    async def to_write(cls, of: ExamSource, writing: WritingSettings) -> BegunExam:
        """The same as `begun`, of an exam in which a model writes: what is there before it does."""
        return await cls.begun(of)

    def forms_of(self, one: Question) -> Iterable[Question]:
        """A question that a model wrote, in each form in which it is asked."""
        return (one,)

    def written_tags(self, lived: Sequence[Event], evidence: Sequence[Event]) -> tuple[str, ...]:
        """The tags of a question that rests on this evidence, asked at the end of what was `lived`."""
        return ()


class SceneKind(ExamKind, frozen=True):
    """An exam that has scenes played: every arm each of them, in worlds of the exam's own log."""

    unit: ClassVar[str] = "scene"
    done: ClassVar[str] = "played"
    judged: ClassVar[Judged] = "episode"
    scored: ClassVar[tuple[str, ...]] = (POINTS,)
    within: ClassVar[bool] = False
    """Whether its judges sit at the end of each episode, as in a run, and not when all is over."""

    def scenes(self, plan: ExamPlan, beside: Path) -> Sequence[SceneUnit]:
        """What is played. The same plan has to give the same scenes."""
        raise NotImplementedError

    def made(
        self, scenario: Scenario | None, scores: Scores, judges: Sequence[ExamJudge]
    ) -> Scores:
        """What it makes of the scores that one had in an episode, as JUDGE.SCORE: more of them."""
        return {}

    async def findings(self, log: Log, cells: Sequence[CellResult]) -> Findings:
        """What it finds in the worlds of its scenes beside all scores."""
        return Findings()

    def world(self, name: str, unit: SceneUnit, arm: str, repeat: int, key: str) -> str:
        """What the world of a scene is called in the exam of a name."""
        return f"{name}-{key[:16]}"


def reasons(unasked: Mapping[str, str]) -> str:
    """Why nothing is asked about these worlds, behind what says that nothing is."""
    return "".join(f"; {world}: {why}" for world, why in unasked.items())
