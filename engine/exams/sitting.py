"""Sitting an exam: the cells that its log lacks are asked and judged, many at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from whoknew.agents.answering import FoldedLife
from whoknew.agents.errors import AgentError
from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Model
from whoknew.agents.models.prices import Price
from whoknew.engine.asking.putting import Response, past_of, put, respondent
from whoknew.engine.errors import Suspended, concerns_all
from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.calls import CellCalls, CellModel
from whoknew.engine.exams.cells import Cell, Unit, cells_of
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.plan.plan import Seat
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.engine.playing.allowance import Allowance
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.judge import Judge, Verdict
from whoknew.engine.playing.ledger import NOBODY
from whoknew.engine.playing.panel import REVIEW, reviewed
from whoknew.engine.playing.spent import Spent
from whoknew.engine.playing.state import ChainState
from whoknew.engine.registry import told
from whoknew.engine.running.models import Silent, judge_of, mind
from whoknew.eventlog import Log, View
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.kinds import Answered, Failed, Kind, Probed, Reviewed
from whoknew.eventlog.logger import logged_with, logger

T = TypeVar("T")

LIVES = 64
"""Of so many characters it is kept at hand what they lived through, in each arm of its own: questions
come world by world."""


class ExamProgress(Struct):
    """How far a sitting is, in cells and in reviews: `before` it, and in it."""

    cells: int = 0
    before: int = 0
    failed_before: int = 0
    answered: int = 0
    failed: int = 0
    reviews: int = 0
    reviewed: int = 0
    unreviewed: int = 0
    """Reviews that failed."""
    spent: Spent = field(default_factory=Spent)


class Failure(Struct, frozen=True):
    """Why something could not be had."""

    why: str


NOTHING = Verdict("", {}, "there is nothing to be said of it")


class CellAnswer(Struct, frozen=True):
    """An answer on the log, at a seq, and the view that it was given from."""

    seq: int
    view: View
    response: Response


class Roles(Struct, frozen=True):
    """The models of an exam, by their addresses, and what each costs."""

    models: Mapping[str, Model]
    prices: Mapping[str, Price | None]


class Sitting:
    """One sitting of an exam: `log` is its own, `material` what it is about, which is only read."""

    def __init__(
        self,
        *,
        exam: LoadedExam,
        units: Sequence[Unit],
        log: ExamLog,
        material: Log,
        roles: Roles,
        control: Control,
        progress: ExamProgress,
        asks: bool = True,
        again: bool = False,
    ) -> None:
        """`asks`: else only judges are heard. `again`: what failed is tried again."""
        self.exam, self.control, self.progress = exam, control, progress
        self._units, self._log, self._material, self._roles = units, log, material, roles
        self._asks, self._again = asks, again
        self._pasts: dict[tuple[str, str, str], FoldedLife] = {}
        self._standing, self._rules = ChainState(), PlayRules()

    def survey(self) -> None:
        """Count what there is, and what there will be."""
        progress, log = self.progress, self._log
        for cell in self._cells():
            progress.cells += 1
            progress.before += log.done(cell.key)
            progress.failed_before += log.failed(cell.key)
            progress.reviews += sum(
                not log.done(cell.review(judge)) for judge in self._judges(cell)
            )

    async def sit(self) -> None:
        """Do what there is to do, until it is done or has to stop."""
        await self._log.begin(self.exam.arms, self.exam.judges)
        waiting = self._waiting()
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self.exam.plan.at_once, self.progress.cells)):
                group.create_task(self._work(waiting))

    def _cells(self) -> Iterator[Cell]:
        return cells_of(self._units, self.exam.arms, self.exam.plan.repeats)

    def _waiting(self) -> Iterator[Cell]:
        for cell in self._cells():
            if (self._asks and self._lacks(cell.key)) or (
                self._log.done(cell.key) and any(self._unheard(cell))
            ):
                yield cell

    def _lacks(self, key: str) -> bool:
        return self._log.lacks(key, again=self._again)

    def _judges(self, cell: Cell) -> Iterator[ExamJudge]:
        """Those who can judge an answer to its question."""
        question = cell.unit.asked.question
        return (judge for judge in self.exam.judges if judge.can_judge(question))

    def _unheard(self, cell: Cell) -> Iterator[ExamJudge]:
        return (judge for judge in self._judges(cell) if self._lacks(cell.review(judge)))

    async def _work(self, waiting: Iterator[Cell]) -> None:
        for cell in waiting:
            try:
                self.control.check()
            except Suspended:
                return
            try:
                with logged_with(world=cell.unit.asked.question.world):
                    await self._cell(cell)
            except LogError as error:
                self.control.stop(str(error))

    async def _cell(self, cell: Cell) -> None:
        if self._log.done(cell.key):
            answer = await self._answer_of(cell)
        else:
            answer = await self._ask(cell)
        for judge in self._unheard(cell) if answer else ():
            assert answer is not None
            await self._review(cell, judge, answer)

    async def _ask(self, cell: Cell) -> CellAnswer | None:
        """The question is put to its arm; what comes of it is written in one piece."""
        calls = self._calls(cell.key)
        found = await self._tried(calls, self._put(cell, calls))
        if found is None:
            return None
        result: Kind
        if isinstance(found, Failure):
            given, result = None, Failed("answer", found.why)
            self.progress.failed += 1
        else:
            given, response = found, found[1]
            result = Answered(response.answer, tuple(one.seq for one in response.rests_on))
            self.progress.answered += 1
        self.control.count("answers", 1, given is None)
        with calls.written() as held:
            bodies = [_probed(cell), *held, result]
            seq = await self._log.answered(cell.key, bodies, failed=given is None)
        return CellAnswer(seq, *given) if given else None

    async def _put(self, cell: Cell, calls: CellCalls) -> tuple[View, Response]:
        await calls.resume()
        question, seat = cell.unit.asked.question, seat_of(cell)
        view = await self._view(cell)
        model = self._model(question.character, seat.model, calls)
        asked = respondent(question.character, seat, model, self._past(cell))
        return view, await put(asked, view, question.question, question.choices)

    async def _answer_of(self, cell: Cell) -> CellAnswer | None:
        """An answer as the log has it."""
        events = await self._log.batch(cell.key)
        answered = events[-1]
        if not isinstance(answered.body, Answered):
            return None
        seqs = answered.body.rests_on
        view = await self._view(cell)
        places = [place for seq in seqs if (place := view.place(seq))]
        response = Response(answered.body.text, tuple(await view.pick(places)))
        return CellAnswer(answered.seq, view, response)

    async def _review(self, cell: Cell, judge: ExamJudge, answer: CellAnswer) -> None:
        key = cell.review(judge)
        calls = self._calls(key, answer.seq)
        found = await self._tried(calls, self._heard(cell, judge, answer, calls))
        if found is None:
            return
        if not isinstance(found, Failure) and found.scores is None:
            found = Failure(found.reason)
        failed = isinstance(found, Failure)
        result: Kind
        if isinstance(found, Failure):
            result = Failed(REVIEW, f"{judge.name}: {found.why}")
        else:
            result = Reviewed(judge.name, found.scores or {}, found.reason, judge.digest)
        self.progress.reviewed += not failed
        self.progress.unreviewed += failed
        self.control.count(f"reviews of {judge.name}", 1, failed)
        with calls.written() as held:
            await self._log.reviewed(key, answer.seq, [*held, result], failed=failed)

    async def _heard(
        self, cell: Cell, judge: ExamJudge, answer: CellAnswer, calls: CellCalls
    ) -> Verdict:
        await calls.resume()
        question, seat = cell.unit.asked.question, cell.arm.seat

        def remembering(who: str) -> Mind:
            return mind(who, seat, Silent())

        judging: Judge[AnswerCase] = judge_of(
            judge.judging, lambda address: self._model(NOBODY, address, calls), remembering
        )
        case = answer.response.case(
            answer.view,
            question.question,
            reference=question.reference,
            choices=question.choices,
            correct=question.correct,
            evidence=cell.unit.asked.evidence,
            labels=question.labels,
        )
        verdicts = await reviewed({judge.name: judging}, case)
        return verdicts[0][1] if verdicts else NOTHING

    async def _tried(self, calls: CellCalls, work: Awaitable[T]) -> T | Failure | None:
        """What came of it, or why it failed. Nothing where that is not decided: the sitting stops, and
        the next one goes on with it."""
        try:
            return await work
        except Suspended:
            pass
        except (AgentError, LogError) as error:
            if isinstance(error, AgentError) and not concerns_all(error):
                return Failure(str(error))
            self.control.stop(str(error))
        except asyncio.CancelledError:
            await calls.save()
            raise
        except Exception as error:  # noqa: BLE001  (code from elsewhere: one failure stays one)
            logger().exception("cell.failed")
            return Failure(told(error))
        await calls.save()
        return None

    def _past(self, cell: Cell) -> FoldedLife:
        """What cells of one arm about one character have in common."""
        question = cell.unit.asked.question
        key = (cell.arm.digest, question.world, question.character)
        past = self._pasts.pop(key, None) or past_of(question.character, cell.arm.seat)
        self._pasts[key] = past
        if len(self._pasts) > LIVES:
            del self._pasts[next(iter(self._pasts))]  # the one that was not asked for longest
        return past

    def _calls(self, key: str, answer: int | None = None) -> CellCalls:
        allowance = Allowance(
            world=self.exam.plan.name,
            state=self._standing,
            rules=self._rules,
            control=self.control,
        )
        return CellCalls(
            log=self._log,
            key=key,
            allowance=allowance,
            spent=self.progress.spent,
            keep_prompts=self.exam.plan.keep_prompts,
            answer=answer,
        )

    def _model(self, who: str, address: str, calls: CellCalls) -> CellModel:
        return CellModel(who, self._roles.models[address], self._roles.prices[address], calls)

    async def _view(self, cell: Cell) -> View:
        question = cell.unit.asked.question
        return await self._material.view(question.world, question.character, AtSeq(cell.unit.seq))


def seat_of(cell: Cell) -> Seat:
    """The seat of a cell's arm. Each repeat has a seed of its own, where there is one."""
    seat = cell.arm.seat
    return seat if seat.seed is None else replace(seat, seed=seat.seed + cell.repeat - 1)


def _probed(cell: Cell) -> Probed:
    unit = cell.unit
    question = unit.asked.question
    return Probed(
        question.character,
        unit.seq,
        question.question,
        question.reference,
        material=question.world,
        hash=unit.hash,
        unit=unit.id,
        arm=cell.arm.digest,
        repeat=cell.repeat,
    )
