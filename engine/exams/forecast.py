"""What an exam would ask and may cost, before it does: `whoknew exam run PLAN --dry-run`.

Some cells of each arm are tried in memory with the offline model: so the prompts are those that
would be sent. Nothing is called, and nothing written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.errors import NoKey
from whoknew.agents.models.address import OFFLINE
from whoknew.agents.models.prices import Price
from whoknew.engine.exams.arms import ExamArm, ExamJudge, ExamMemory, memories_of
from whoknew.engine.exams.asked_models import models_asked, prices_of
from whoknew.engine.exams.call_sums import CallSums, Sums, call_sums, embedding_key
from whoknew.engine.exams.cells import Cell, Unit, cells_of, spread
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog, log_there
from whoknew.engine.exams.material import reading_material, units
from whoknew.engine.exams.remembering import LifeStep, Remembering, latest
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.session import ExamProgress, Roles, SessionParts
from whoknew.engine.exams.sitting import Sitting
from whoknew.engine.opening import without_password
from whoknew.engine.plan.plan import NO_LIMIT, ModelSettings
from whoknew.engine.playing.control import Control
from whoknew.engine.registry import JUDGES, MEMORIES, METHODS, for_mind
from whoknew.engine.running.models import check_memories, model_at
from whoknew.eventlog import Log
from whoknew.eventlog.cursor import AtSeq
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
        tried = await _tried(exam, spread(asked, SAMPLE), material, prices)
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
        self.done = self.failed = 0
        self.steps = Counter[str]()
        """Of each memory, by its digest, those that have to be written."""
        self._asked = Counter(cell.arm.digest for cell in cells)
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
            self._asked[cell.arm.digest] += lacks
            for judge in self._exam.judges if done or lacks else ():
                lacking = log.lacks(cell.review(judge), again=self._again)
                self._heard[judge.digest] += lacking and cell.judged_by(judge)
        self._known = await call_sums(log, self._cells, self._exam.judges)

    async def remember(self, material: Log, log: ExamLog | None) -> None:
        """Count what has to be derived before what is left can be asked."""

        async def count(step: LifeStep) -> tuple[()]:
            self.steps[step.memory.digest] += log is None or log.lacks(step.key, again=self._again)
            return ()

        remembering = Remembering(material, count)
        left = (
            cell for cell in self._cells if log is None or log.lacks(cell.key, again=self._again)
        )
        for cell in latest(left):
            assert cell.arm.memory is not None
            question = cell.unit.asked.question
            view = await material.view(question.world, question.character, AtSeq(cell.unit.seq))
            await remembering.upto(cell.arm.memory, view)

    def of_memory(self, memory: ExamMemory, tried: Sums, prices: Prices) -> RoleForecast:
        seat, left = memory.seat, self.steps[memory.digest]
        entry = MEMORIES.made(seat.memory, seat.settings.get(seat.memory, {}))
        most = entry.calls_an_episode * (1 + seat.reasks)
        return self._role(seat.memory, seat.model, memory.digest, left, most, tried, prices)

    def of_arm(self, arm: ExamArm, tried: Sums, prices: Prices) -> RoleForecast:
        seat = arm.seat
        method = METHODS.made(seat.method, seat.settings.get(seat.method, {}))
        memory = for_mind(seat.memory).made(seat.memory, seat.settings.get(seat.memory, {}))
        answering: int = method.most(seat.reasks) * seat.askings
        recalling = memory.calls_a_turn * (1 + seat.reasks)
        left = self._asked[arm.digest]
        if not seat.own_model:
            most = answering + recalling
            return self._role(arm.name, seat.model, arm.digest, left, most, tried, prices)
        found = self._role(arm.name, seat.model, arm.digest, left, answering, tried, prices)
        digest = embedding_key(arm.digest)
        beside = self._role(arm.name, seat.own_model, digest, left, recalling, tried, prices)
        return replace(
            found,
            calls=found.calls + beside.calls,
            most=found.most + beside.most,
            tokens=_sum(found.tokens, beside.tokens),
            money=_sum(found.money, beside.money),
        )

    def of_judge(self, judge: ExamJudge, tried: Sums, prices: Prices) -> RoleForecast:
        judging = judge.judging
        made = JUDGES.made(judging.by, judging.settings)
        most: int = made.most_calls(judging.reasks)
        left = self._heard[judge.digest]
        return self._role(judge.name, judging.model, judge.digest, left, most, tried, prices)

    def _role(
        self, name: str, model: str, digest: str, left: int, most: int, tried: Sums, prices: Prices
    ) -> RoleForecast:
        found, known = tried.get(digest, CallSums()), self._known.get(digest, CallSums())
        each = found.calls / found.cells if found.cells else 1.0
        calls = round(left * each)
        replies = known if known.calls else found
        tokens_in = round(calls * found.tokens_in / found.calls) if found.calls else None
        tokens_out = round(calls * replies.tokens_out / replies.calls) if replies.calls else None
        return RoleForecast(
            name=name,
            model=model,
            cells=left,
            calls=calls,
            most=max(calls, left * most),
            tokens=None if tokens_in is None or tokens_out is None else tokens_in + tokens_out,
            money=_money(prices[model], tokens_in, tokens_out),
            tried=found.cells,
            replies=known.calls,
        )


def _sum(one: Amount | None, other: Amount | None) -> Amount | None:
    return None if one is None or other is None else one + other


def _money(price: Price | None, tokens_in: int | None, tokens_out: int | None) -> float | None:
    return None if price is None else price.money(tokens_in, tokens_out)
