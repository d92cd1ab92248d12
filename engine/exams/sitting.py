"""Sitting an exam of questions: the cells that its log lacks are asked and judged, many at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.answering import FoldedLife
from whoknew.engine.asking.experts import StoryExperts
from whoknew.engine.asking.putting import Response, past_of, put, respondent
from whoknew.engine.errors import NotRemembered, Suspended
from whoknew.engine.exams.answer_guard import AnswerGuard, finders
from whoknew.engine.exams.arms import ExamArm, ExamJudge, memories_of
from whoknew.engine.exams.calls import CellCalls
from whoknew.engine.exams.came_to_mind import (
    Behind,
    CellMind,
    MindFound,
    NoticedModel,
    came_to_mind,
)
from whoknew.engine.exams.cell_scan import CellScan, scans
from whoknew.engine.exams.cells import Cell, Unit, cell_of, cells_of, parts_of
from whoknew.engine.exams.control import is_unsafe
from whoknew.engine.exams.controlling import controlled, points_of
from whoknew.engine.exams.remembering import LifeKey, Remembering, latest, life_of
from whoknew.engine.exams.scribe import Scribe
from whoknew.engine.exams.session import ExamSession, Failure, Known, SessionParts
from whoknew.engine.exams.shards import Shard, Work
from whoknew.engine.plan.plan import Seat
from whoknew.engine.playing.ledger import NOBODY
from whoknew.engine.playing.panel import reviewed
from whoknew.engine.playing.scanning import texts_in
from whoknew.engine.running.models import Guards, Silent, memory_voice
from whoknew.eventlog import Log, View
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Answered, Failed, Kind, Probed, Reviewed
from whoknew.eventlog.logger import logged_with

LIVES = 64
"""Of so many characters it is kept at hand what they lived through, in each arm of its own: questions
come world by world."""


FEW_SHOT = "few-shot"
"""The method that shows examples."""


class CellAnswer(Struct, frozen=True):
    """An answer on the log, at a seq, the view that it was given from, and what came to mind for it."""

    seq: int
    view: View
    response: Response
    mind: CellMind


class _Put(Struct, frozen=True):
    """A question was put: from which view, what was answered, and what had come to mind."""

    view: View
    response: Response
    mind: MindFound


class Sitting(ExamSession[Cell]):
    """One sitting of an exam, about `material`, which is only read."""

    def __init__(self, parts: SessionParts, *, units: Sequence[Unit], material: Log) -> None:
        super().__init__(parts)
        self._units, self._material = units, material
        self._remembering = Remembering(material, Scribe(self, again=parts.again).keep)
        self._scans, self._finders = scans(material), finders(material)
        self._pasts: dict[tuple[str, str, str], FoldedLife] = {}
        self._views: dict[tuple[str, str], View] = {}
        self._memory_models = {arm.digest: arm.seat.memory_models for arm in self.exam.arms}
        self._settings = {arm.digest: tuple(texts_in(arm.seat.settings)) for arm in self.exam.arms}
        """What is said in the settings of each arm."""

    def cell_parts(self) -> Iterator[tuple[Unit, ExamArm, int]]:
        return parts_of(self._units, self.exam.arms, self.exam.plan.repeats)

    def cell(self, unit: Unit, arm: ExamArm, repeat: int) -> Cell:
        return cell_of(unit, arm, repeat)

    def survey(self) -> None:
        super().survey()
        self.progress.lives = len(self._lives(self.cells()))

    def works(self) -> Iterator[Work]:
        """Memories first, many at a time."""
        yield from self.remembering()
        yield from super().works()

    def remembering(self) -> Iterator[Work]:
        """What memories keep, life by life."""
        for cell in self._lives(self.cells()):
            yield partial(self._remember, cell)

    def shards(self) -> Iterator[Shard]:
        """All cells that rest on one derived memory; then of each question those that rest on none."""
        yield from self.life_shards(self.exam.arms)
        if bare := [arm for arm in self.exam.arms if arm.memory is None]:
            for unit in self._units:
                name = f"{self.exam.plan.name}: question {unit.id} of {unit.asked.question.world}"
                yield self.shard(name, partial(self._cells, [unit], bare))

    def life_shards(self, arms: Sequence[ExamArm]) -> Iterator[Shard]:
        """A shard for each derived memory of some arms."""
        lives: dict[LifeKey, list[Unit]] = {}
        for unit in self._units:
            for memory in memories_of(arms):
                lives.setdefault(life_of(memory, unit.asked.question), []).append(unit)
        for life, units in lives.items():
            yield self._shard_of(life, units)

    def _shard_of(self, life: LifeKey, units: Sequence[Unit]) -> Shard:
        digest, world, who = life
        arms = [arm for arm in self.exam.arms if arm.memory and arm.memory.digest == digest]
        cells = partial(self._cells, units, arms)

        def first() -> Work | None:
            latest = self._lives(cells())
            return partial(self._remember, latest[0]) if latest else None

        name = f"{self.exam.plan.name}: memory {digest} of {who or 'all'} in {world}"
        return self.shard(name, cells, first)

    def _cells(self, units: Sequence[Unit], arms: Sequence[ExamArm]) -> Iterator[Cell]:
        return cells_of(units, arms, self.exam.plan.repeats)

    def waiting(self, cells: Iterable[Cell]) -> Iterator[Cell]:
        """Those last that have to wait for a memory."""
        later = []
        for cell in super().waiting(cells):
            if cell.arm.memory is None:
                yield cell
            else:
                later.append(cell)
        yield from later

    def _lives(self, cells: Iterable[Cell]) -> list[Cell]:
        """Of each memory and each character the cell that needs most of it."""
        if not (self._asks and memories_of(self.exam.arms)):
            return []
        return latest(cell for cell in cells if self._lacks(cell.key))

    async def _remember(self, cell: Cell) -> None:
        """All that a life is remembered by, up to where this cell asks. What fails fails there."""
        assert cell.arm.memory is not None
        with suppress(Suspended, NotRemembered):
            await self._remembering.upto(cell.arm.memory, await self._view(cell))
        self.progress.remembered += 1

    async def do(self, cell: Cell) -> None:
        with logged_with(world=cell.unit.asked.question.world):
            if self.log.done(cell.key):
                answer = await self._answer_of(cell)
            else:
                answer = await self._ask(cell)
            for one in self._unheard(cell) if answer else ():
                assert answer is not None
                await self.judged(cell, one.judge, answer, one.key)

    async def _ask(self, cell: Cell) -> CellAnswer | None:
        """The question is put to its arm; what comes of it is written in one piece."""
        calls = self.calls(cell.key)
        found = await self.tried(calls, self._put(cell, calls))
        if found is None:
            return None
        result: Kind
        if isinstance(found, Failure):
            given, result = None, Failed("answer", found.why)
        else:
            given, response = found, found.response
            rests_on = tuple(one.seq for one in response.rests_on)
            result = Answered(
                response.answer, rests_on, response.share, response.hint, response.budget
            )
        with calls.written() as held:
            bodies = [_probed(cell), *held, result]
            seq = await self.log.answered(cell.key, bodies, failed=given is None)
        self.progress.answered += given is not None
        self.progress.failed += given is None
        self.control.count("answers", 1, given is None)
        if isinstance(found, Failure) and found.stops:
            self.control.stop(found.why)
        if given is None:
            return None
        mind = self._mind(cell, given.view, given.response, given.mind)
        return CellAnswer(seq, given.view, given.response, mind)

    async def _put(self, cell: Cell, calls: CellCalls) -> _Put:
        await calls.resume()
        question, seat = cell.unit.asked.question, seat_of(cell)
        view = await self._view(cell)
        model = self.model(question.character, seat.model, calls)
        directing = self.model(NOBODY, seat.model, calls)
        experts = StoryExperts(self._material, view, seat.reasks, directing)
        given = [question.question, *question.choices, *self._settings[cell.arm.digest]]
        given += points_of(cell)
        calls.scan = await self.scan(
            question.world,
            question.character,
            cell.unit.seq,
            f"the memory {seat.memory!r} and the method {seat.method!r} (arm {cell.arm.name!r})",
            lambda: given,
            counts=is_unsafe(seat.memory),
        )
        recalling = NoticedModel(
            memory_voice(
                self._memory_models[cell.arm.digest],
                lambda address: (
                    model
                    if address == seat.model
                    else self.model(question.character, address, calls)
                ),
            )
        )
        past = await controlled(cell, self._material, view, self._remembering, recalling)
        asked = respondent(
            question.character,
            seat,
            model,
            past or self._past(cell),
            experts,
            recalling,
            guards=await self._guards(cell, calls),
        )
        if (memory := cell.arm.memory) is None or memory.of_story:
            found = await put(asked, view, question.question, question.choices)
            behind: Behind = partial(map, view.seq)
        else:
            life = await self._remembering.upto(memory, view)
            noted, behind = life.view(len(view)), life.behind
            given += life.texts(len(view))
            found = await put(asked, noted, question.question, question.choices)
            found = await life.plain(found, view)
        by_model = recalling.asked or bool(memory and memory.of_story)
        mind = None if by_model else asked.brought
        return _Put(view, replace(found, hint=experts.said), (mind, behind))

    async def _guards(self, cell: Cell, calls: CellCalls) -> Guards | None:
        """What refuses answers, where the arm has a guard."""
        if cell.arm.seat.guarding is None:
            return None
        finder = await self._finders.of(cell.unit.asked.question.world)
        return lambda who, sure: AnswerGuard(finder, cell.unit, sure, calls)

    async def scan(
        self, world: str, who: str, upto: int, parts: str, known: Known, *, counts: bool = False
    ) -> CellScan:
        scan = await self._scans.of(world)
        return CellScan(scan, who=who, upto=upto, parts=parts, known=known, counts=counts)

    async def _answer_of(self, cell: Cell) -> CellAnswer | None:
        """An answer as the log has it."""
        events = await self.log.batch(cell.key)
        answered = events[-1]
        if not isinstance(answered.body, Answered):
            return None
        seqs = answered.body.rests_on
        view = await self._view(cell)
        places = [place for seq in seqs if (place := view.place(seq))]
        rests_on = tuple(await view.pick(places))
        body = answered.body
        response = Response(body.text, rests_on, body.share, body.hint, body.budget)
        return CellAnswer(answered.seq, view, response, self._mind(cell, view, response))

    async def judged(self, cell: Cell, judge: ExamJudge, answer: CellAnswer, key: str) -> None:
        """What a judge says of an answer, under a key."""
        await self.review(judge, key, answer.seq, partial(self._heard, cell, judge, answer))

    async def _heard(
        self, cell: Cell, judge: ExamJudge, answer: CellAnswer, calls: CellCalls
    ) -> Sequence[Reviewed] | Failure:
        await calls.resume()
        question = cell.unit.asked.question
        judging = self.judging(judge, calls, lambda _: cell.arm.seat)
        case = answer.response.case(
            answer.view,
            question.question,
            reference=question.reference,
            choices=question.choices,
            correct=question.correct,
            evidence=cell.unit.asked.evidence,
            labels=question.labels,
            came=answer.mind.chosen,
            brought=answer.mind.brought,
        )
        found: list[Reviewed] = []
        for _, verdict in await reviewed({judge.name: judging}, case):
            if verdict.scores is None:
                return Failure(verdict.reason)
            found.append(Reviewed(judge.name, verdict.scores, verdict.reason, judge.digest))
        return found

    def _mind(
        self, cell: Cell, view: View, response: Response, found: MindFound | None = None
    ) -> CellMind:
        """What came to mind, once for all who judge it. Nobody goes back for it in the life of who was
        asked where it was `found` for the answer: others ask of later moments by now."""
        seat = seat_of(cell, response.budget)
        return CellMind(partial(self._recollected, cell, view, seat), seat, found)

    async def _recollected(self, cell: Cell, view: View, seat: Seat) -> MindFound:
        question = cell.unit.asked.question
        if (memory := cell.arm.memory) and memory.of_story:
            return None, partial(map, view.seq)  # a model would be asked for it
        if memory is None:
            brought = await controlled(cell, self._material, view, self._remembering, Silent())
            past = brought or self._past(cell)
            return await came_to_mind(view, question, seat, past), partial(map, view.seq)
        life = await self._remembering.upto(memory, view)
        noted = life.view(len(view))
        return await came_to_mind(noted, question, seat, self._past(cell)), life.behind

    def _past(self, cell: Cell) -> FoldedLife:
        """What cells of one arm about one character have in common."""
        question = cell.unit.asked.question
        key = (cell.arm.digest, question.world, question.character)
        past = self._pasts.pop(key, None) or past_of(question.character, cell.arm.seat)
        self._pasts[key] = past
        if len(self._pasts) > LIVES:
            del self._pasts[next(iter(self._pasts))]  # the one that was not asked for longest
        return past

    async def _view(self, cell: Cell) -> View:
        """What a character knows where a cell asks: questions at one place come one after another."""
        question, seq = cell.unit.asked.question, cell.unit.seq
        key = question.world, question.character
        view = self._views.get(key)
        if view is None or view.cursor.seq != seq:
            if len(self._views) >= LIVES:
                self._views.clear()
            view = await self._material.view(question.world, question.character, AtSeq(seq))
            self._views[key] = view
        return view


def seat_of(cell: Cell, budget: int | None = None) -> Seat:
    """The seat of a cell's arm; with a `budget`, where its model's window held no more. Each repeat has a seed of its own, where there is one, and each question
    its examples, where it brings some."""
    seat, examples = cell.arm.seat, cell.unit.asked.question.examples
    if budget is not None:
        seat = replace(seat, budget=budget)
    if examples and seat.method == FEW_SHOT:
        shown = [{"question": asked, "reply": reply} for asked, reply in examples]
        seat = replace(seat, settings={**seat.settings, FEW_SHOT: {"examples": shown}})
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
