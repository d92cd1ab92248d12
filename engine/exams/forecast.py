"""What an exam would ask and may cost, before it does: `whoknew exam run PLAN --dry-run`.

Some cells of each arm are tried in memory with the offline model: so the prompts are those that
would be sent. Nothing is called, and nothing written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.errors import NoKey
from whoknew.agents.memories.life_extent import LifeExtent, is_act
from whoknew.agents.models.address import OFFLINE
from whoknew.agents.models.prices import Price
from whoknew.engine.exams.arms import ExamArm, ExamJudge, ExamMemory, memories_of
from whoknew.engine.exams.asked_models import Roles, models_asked, prices_of
from whoknew.engine.exams.call_sums import (
    CallSums,
    Sums,
    arm_keys,
    call_sums,
    earlier_key,
    embedding_key,
)
from whoknew.engine.exams.cells import Cell, Unit, cells_of, spread
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog, log_there
from whoknew.engine.exams.material import reading_material, units
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.remembering import LifeStep, Remembering, latest
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.session import SessionParts
from whoknew.engine.exams.sitting import Sitting
from whoknew.engine.plan.plan import NO_LIMIT, ModelSettings, Seat
from whoknew.engine.playing.control import Control
from whoknew.engine.registry import JUDGES, METHODS, for_mind
from whoknew.engine.running.models import check_memories, model_at
from whoknew.eventlog import Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.shown_address import without_password
from whoknew.eventlog.stores.volatile import VolatileStore

Amount = TypeVar("Amount", int, float)

SAMPLE = 20
"""So many cells of each arm are tried, from all over the questions."""


class RoleForecast(Struct, frozen=True, kw_only=True):
    """What an arm, or a judge, would be asked: of so many cells, `most` calls if each answer is asked
    for again as often as may be. Tokens and money are what it may take where each is understood at
    once; money is None without a price. Prompts are as long as those that were tried, replies as
    long as on the log, or else as the offline model's, which are short."""

    name: str
    model: str
    cells: int
    calls: int
    most: int
    tokens: int | None
    money: float | None
    tried: int
    replies: int
    """So many replies on the log the forecast rests on."""


class ExamForecast(Struct, frozen=True, kw_only=True):
    """Of all cells, so many are `done` already, and so many `failed` before."""

    name: str
    log: str
    cells: int
    done: int
    failed: int
    arms: tuple[RoleForecast, ...]
    judges: tuple[RoleForecast, ...]
    memories: tuple[RoleForecast, ...] = ()
    """What is derived first: its `cells` are the steps of lives that the log lacks."""
    keys: tuple[str, ...] = ()
    """Which models need a key that is not set, in words."""


Prices = Mapping[str, Price | None]


async def forecast(exam: LoadedExam, options: ExamOptions, *, again: bool = False) -> ExamForecast:
    """What is left to be asked. What the exam would refuse is refused, such as a limit that cannot be
    held; but keys that are missing are only told."""
    async with AsyncExitStack() as opening:
        prices, keys = prices_of(exam, models_asked(exam)), await _missing_keys(exam)
        check_memories(seat for arm in exam.arms for seat in arm.seats)
        material = await opening.enter_async_context(reading_material(exam))
        asked = await units(exam, material, options.limit)
        tried = await _tried(exam, sampled(exam, asked), material, prices)
        cells = list(cells_of(asked, exam.arms, exam.plan.repeats))
        found = _Left(exam, cells, again=again)
        log = await log_there(exam.plan.address, exam.plan.name, opening)
        if log is not None:
            await found.look(log)
        await found.remember(material, log)
    return ExamForecast(
        name=exam.plan.name,
        log=without_password(exam.plan.address),
        cells=len(cells),
        done=found.done,
        failed=found.failed,
        arms=tuple(found.of_arm(arm, tried, prices) for arm in exam.arms),
        judges=tuple(found.of_judge(one, tried, prices) for one in exam.judges if one.judging.asks),
        memories=tuple(
            found.of_memory(one, tried, prices)
            for one in memories_of(exam.arms)
            if found.steps[one.digest]
        ),
        keys=keys,
    )


def sampled(exam: LoadedExam, asked: Sequence[Unit]) -> list[Unit]:
    """Some from all over; where a memory keeps something before each turn, half of them, each with the one
    before it that the same character is asked."""
    if not any(one.before_turns for one in memories_of(exam.arms)):
        return spread(asked, SAMPLE)
    some = set[int]()
    before: dict[tuple[str, str], int] = {}
    places = spread(range(len(asked)), SAMPLE // 2)
    for place, one in enumerate(asked):
        question = one.asked.question
        line = question.world, question.character
        if place in places:
            some |= {place, before.get(line, place)}
        before[line] = place
    return [asked[place] for place in sorted(some)]


async def _missing_keys(exam: LoadedExam) -> tuple[str, ...]:
    """Which models could not be asked yet, for want of a key."""
    missing: list[str] = []
    async with AsyncExitStack() as opening:
        for address, settings in models_asked(exam).items():
            try:
                await model_at(address, settings, opening)
            except NoKey as error:
                missing.append(str(error))
    return tuple(missing)


async def _tried(
    exam: LoadedExam, asked: Sequence[Unit], material: Log, prices: Prices
) -> dict[str, CallSums]:
    """What these questions take, sat in memory with the offline model in each role."""
    plan = replace(exam.plan, repeats=1, limits={}, may_fail=1.0, at_once=8)
    whole = replace(exam, plan=plan)
    cells = list(cells_of(asked, exam.arms, 1))
    async with AsyncExitStack() as opening:
        offline = await model_at(OFFLINE, ModelSettings(), opening)
        log = await ExamLog.of(await opening.enter_async_context(Log(VolatileStore())), plan.name)
        progress = ExamProgress()
        parts = SessionParts(
            exam=whole,
            log=log,
            roles=Roles(dict.fromkeys(prices, offline), prices),
            control=Control(NO_LIMIT, progress.spent, may_fail=1.0),
            progress=progress,
        )
        sitting = Sitting(parts, units=asked, material=material)
        sitting.survey()
        await sitting.sit()
        return await call_sums(log, cells, exam.judges)


class _Left:
    """What is left of the cells of an exam."""

    def __init__(self, exam: LoadedExam, cells: Sequence[Cell], *, again: bool) -> None:
        self._exam, self._cells, self._again = exam, cells, again
        self._known: Sums = {}
        most = max((cell.unit.seq for cell in cells), default=0)
        self._longest = LifeExtent(events=most, acts=most)
        """Nobody who is asked has lived through more."""
        self._lengths: dict[tuple[str, str], LifeExtent] = {}
        """Of those whose memory is derived, by world and character, where they are asked for the last time."""
        self._arm_keys = arm_keys(cells)
        self.done = self.failed = 0
        self.steps = Counter[str]()
        """Of each memory, by its digest, those that have to be written."""
        self._most_of_steps = Counter[str]()
        self._asked = Counter(self._arm_keys.values())
        self._left = list(cells)
        self._heard = Counter(
            judge.digest for cell in cells for judge in exam.judges if cell.judged_by(judge)
        )

    async def look(self, log: ExamLog) -> None:
        """Leave out what is on a log already; and see how long replies are there."""
        self._asked, self._heard = Counter[str](), Counter[str]()
        for cell in self._cells:
            done, lacks = log.done(cell.key), log.lacks(cell.key, again=self._again)
            self.done += done
            self.failed += log.failed(cell.key)
            self._asked[self._arm_keys[cell.key]] += lacks
            for judge in self._exam.judges if done or lacks else ():
                lacking = log.lacks(cell.review(judge), again=self._again)
                self._heard[judge.digest] += lacking and cell.judged_by(judge)
        self._known = await call_sums(log, self._cells, self._exam.judges)

    async def remember(self, material: Log, log: ExamLog | None) -> None:
        """Count what has to be derived before what is left can be asked."""

        async def count(step: LifeStep) -> tuple[()]:
            memory = step.memory
            if log is None or log.lacks(step.key, again=self._again):
                self.steps[memory.digest] += 1
                self._most_of_steps[memory.digest] += _most_of_step(memory, step.length)
            return ()

        remembering = Remembering(material, count)
        if log is not None:
            self._left = [cell for cell in self._left if log.lacks(cell.key, again=self._again)]
        for cell in latest(self._left):
            assert cell.arm.memory is not None
            question = cell.unit.asked.question
            view = await material.view(question.world, question.character, AtSeq(cell.unit.seq))
            await remembering.upto(cell.arm.memory, view)
            acts = sum(is_act(event, view.character) for event in await view.events())
            length = LifeExtent(events=len(view), acts=acts)
            self._lengths[question.world, question.character] = length

    def of_memory(self, memory: ExamMemory, tried: Sums, prices: Prices) -> RoleForecast:
        seat, left = memory.seat, self.steps[memory.digest]
        most = self._most_of_steps[memory.digest]
        entry = for_mind(seat.memory).made(seat.memory, seat.settings.get(seat.memory, {}))
        vectors = entry.vectors_a_turn if memory.before_turns else entry.vectors_an_episode
        most -= left * vectors * (1 + seat.reasks)
        found = self._role(seat.memory, seat.model, memory.digest, left, most, tried, prices)
        return self._with_vectors(found, seat, memory.digest, vectors, tried, prices)

    def of_arm(self, arm: ExamArm, tried: Sums, prices: Prices) -> RoleForecast:
        seat = arm.seat
        method = METHODS.made(seat.method, seat.settings.get(seat.method, {}))
        memory = for_mind(seat.memory).made(seat.memory, seat.settings.get(seat.memory, {}))
        answering: int = method.most(seat.reasks) * seat.askings
        vectors = memory.vectors_a_turn
        digest, earlier = arm.digest, earlier_key(arm.digest)
        left, before = self._asked[digest], self._asked[earlier]
        most = (answering - vectors * (1 + seat.reasks)) * (left + before)
        most += self._most_recalling(arm, memory)
        found = self._role(arm.name, seat.model, digest, left, most, tried, prices)
        found = self._with_vectors(found, seat, digest, vectors, tried, prices)
        if not before:
            return found
        other = self._role(arm.name, seat.model, earlier, before, 0, tried, prices)
        return _both(found, self._with_vectors(other, seat, earlier, vectors, tried, prices))

    def _most_recalling(self, arm: ExamArm, memory: Any) -> int:
        """While something comes to mind for what is left, wherever that is asked."""
        lengths = {} if arm.memory and arm.memory.of_story else self._lengths
        most = 0
        for cell in self._left:
            if cell.arm.digest == arm.digest:
                question = cell.unit.asked.question
                line = question.world, question.character
                most += memory.most_calls(lengths.get(line, self._longest))
        return most * (1 + arm.seat.reasks)

    def _with_vectors(
        self,
        found: RoleForecast,
        seat: Seat,
        digest: str,
        vectors: int,
        tried: Sums,
        prices: Prices,
    ) -> RoleForecast:
        """The same with the vectors that its memory asks for: in each cell so many times."""
        if not vectors:
            return found
        key, most = embedding_key(digest), found.cells * vectors * (1 + seat.reasks)
        beside = self._role(found.name, seat.embedder, key, found.cells, most, tried, prices)
        alone = not found.calls
        return replace(
            found,
            calls=found.calls + beside.calls,
            most=found.most + beside.most,
            tokens=beside.tokens if alone else _sum(found.tokens, beside.tokens),
            money=beside.money if alone else _sum(found.money, beside.money),
            replies=found.replies + beside.replies,
        )

    def of_judge(self, judge: ExamJudge, tried: Sums, prices: Prices) -> RoleForecast:
        judging = judge.judging
        made = JUDGES.made(judging.by, judging.settings)
        left = self._heard[judge.digest]
        most: int = left * made.most_calls(judging.reasks)
        return self._role(judge.name, judging.model, judge.digest, left, most, tried, prices)

    def _role(
        self, name: str, model: str, digest: str, left: int, most: int, tried: Sums, prices: Prices
    ) -> RoleForecast:
        """`most` is of all that is left."""
        found, known = tried.get(digest, CallSums()), self._known.get(digest, CallSums())
        each = found.calls / found.cells if found.cells else 1.0
        calls = round(left * each)
        replies = known if known.calls else found
        tokens_in = _taken(calls, found.tokens_in, found.calls)
        tokens_out = _taken(calls, replies.tokens_out, replies.calls)
        return RoleForecast(
            name=name,
            model=model,
            cells=left,
            calls=calls,
            most=max(calls, most),
            tokens=None if tokens_in is None or tokens_out is None else tokens_in + tokens_out,
            money=_money(prices[model], tokens_in, tokens_out),
            tried=found.cells,
            replies=round(known.calls),
        )


def _most_of_step(memory: ExamMemory, length: LifeExtent) -> int:
    seat = memory.seat
    entry = for_mind(seat.memory).made(seat.memory, seat.settings.get(seat.memory, {}))
    most: int = (entry.most_before_turn if memory.before_turns else entry.most_closing)(length)
    return most * (1 + seat.reasks)


def _both(one: RoleForecast, other: RoleForecast) -> RoleForecast:
    return replace(
        one,
        cells=one.cells + other.cells,
        calls=one.calls + other.calls,
        most=one.most + other.most,
        tokens=_sum(one.tokens, other.tokens),
        money=_sum(one.money, other.money),
        tried=one.tried + other.tried,
        replies=one.replies + other.replies,
    )


def _taken(calls: int, tokens: float, of: float) -> int | None:
    """Of so many calls, where others took so many tokens."""
    if not calls:
        return 0
    return round(calls * tokens / of) if of else None


def _sum(one: Amount | None, other: Amount | None) -> Amount | None:
    return None if one is None or other is None else one + other


def _money(price: Price | None, tokens_in: int | None, tokens_out: int | None) -> float | None:
    return None if price is None else price.money(tokens_in, tokens_out)
