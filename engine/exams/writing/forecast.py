"""What it may cost to have questions written, before anything is asked: from the very prompts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AsyncExitStack

from msgspec import Struct

from whoknew.engine.exams.cells import spread
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog, log_there
from whoknew.engine.exams.forecast import RoleForecast
from whoknew.engine.exams.writing.source import ExpectedCalls
from whoknew.engine.exams.writing.write import source_of, writer_in
from whoknew.engine.exams.writing.writer import QuestionWriter
from whoknew.engine.plan.plan import ModelSettings
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.shown_address import without_password

A_CHECK = 400
"""Tokens of a second model's call."""


class WritingForecast(Struct, frozen=True, kw_only=True):
    """Of all `places`, each of which is a `unit`, so many are `done` already. What is left is `calls` of
    each model, if all that it writes will do at once; `most` are the most there can be. `guess` says how
    long replies are taken to be where none is known."""

    name: str
    log: str
    places: int
    unit: str = "moment"
    guess: str = ""
    done: int
    roles: tuple[RoleForecast, ...]


async def forecast_writing(exam: LoadedExam, *, again: bool = False) -> WritingForecast:
    """Nothing is called, and nothing written."""
    writer = writer_in(exam)
    async with AsyncExitStack() as opening:
        source = await source_of(exam, opening, writer)
        every = [place for row in source.rows for place in row]
        log = await log_there(exam.plan.address, exam.plan.name, opening)
        if log is not None:
            await source.read(log)
        keys = [source.key(one) for one in every]
        some = zip(every, keys, strict=True)
        left = [one for one, key in some if log is None or log.lacks(key, again=again)]
        done = sum(log is not None and log.done(key) for key in keys)
        replies = await _replies(log, writer, source.purposes) if log else []
        expected = [await source.expected(one) for one in spread(left, source.sampled)]
    return WritingForecast(
        name=exam.plan.name,
        log=without_password(exam.plan.address),
        places=len(every),
        unit=source.unit,
        guess=source.guess,
        done=done,
        roles=tuple(_roles(exam, writer, len(left), expected, replies)),
    )


async def _replies(log: ExamLog, writer: QuestionWriter, purposes: Collection[str]) -> list[int]:
    """The tokens of replies that this writer gave."""
    if not log.has(writer):
        return []
    cause = log.seq_of(writer)
    return [
        event.body.tokens_out
        async for event in log.read()
        if event.cause == cause
        and isinstance(event.body, Called)
        and event.body.purpose in purposes
        and event.body.tokens_out is not None
    ]


def _roles(
    exam: LoadedExam,
    writer: QuestionWriter,
    left: int,
    expected: Sequence[ExpectedCalls],
    replies: Sequence[int],
) -> Iterator[RoleForecast]:
    """Of all places that are left, by what is `expected` of some."""
    writing = writer.writing

    def of_all(one: Callable[[ExpectedCalls], int]) -> int:
        return round(sum(map(one, expected)) * left / len(expected)) if expected else 0

    calls, tokens_in = of_all(lambda one: one.calls), of_all(lambda one: one.tokens_in)
    each = sum(replies) / len(replies) if replies else 0
    out = round(calls * each) if replies else of_all(lambda one: one.tokens_out)
    yield RoleForecast(
        name="writer",
        model=writing.model,
        cells=left,
        calls=calls,
        most=of_all(lambda one: one.most),
        tokens=tokens_in + out,
        money=_money(exam, writing.model, tokens_in, out),
        tried=len(expected),
        replies=len(replies),
    )
    if writing.checked_by is not None:
        checks = of_all(lambda one: one.checks)
        yield RoleForecast(
            name="check",
            model=writing.checked_by,
            cells=left,
            calls=checks,
            most=of_all(lambda one: one.most_checks),
            tokens=checks * A_CHECK,
            money=_money(exam, writing.checked_by, checks * A_CHECK, 0),
            tried=0,
            replies=0,
        )


def _money(exam: LoadedExam, model: str, tokens_in: int, tokens_out: int) -> float | None:
    price = exam.plan.models.get(model, ModelSettings()).price(model)
    return None if price is None else price.money(tokens_in, tokens_out)
