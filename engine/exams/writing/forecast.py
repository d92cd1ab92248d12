"""What it may cost to have questions written, before anything is asked: from the very prompts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack

from msgspec import Struct

from whoknew.agents.models.model import prompt_tokens
from whoknew.agents.models.prices import price_of
from whoknew.engine.exams.cells import spread
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog, log_there
from whoknew.engine.exams.forecast import RoleForecast
from whoknew.engine.exams.kind import WritableKind
from whoknew.engine.exams.material import reading_material
from whoknew.engine.exams.writing import draft
from whoknew.engine.exams.writing.place import WritingPlace, witnessed
from whoknew.engine.exams.writing.session import ROUNDS, key_of
from whoknew.engine.exams.writing.write import lives_of, writer_in
from whoknew.engine.exams.writing.writer import QuestionWriter
from whoknew.engine.plan.plan import ModelSettings
from whoknew.eventlog import Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Called

SAMPLE = 40
"""The prompts of so many places are made, from all over the lives."""

A_QUESTION, A_CHECK = 90, 400
"""Tokens that a question takes, where the log has no reply yet; and a second model's call."""


class WritingForecast(Struct, frozen=True, kw_only=True):
    """Of all `places` so many are `done` already. What is left is `calls` of each model, if all that it
    writes will do at once; `most` are the most there can be."""

    name: str
    log: str
    places: int
    done: int
    roles: tuple[RoleForecast, ...]


async def forecast_writing(exam: LoadedExam, *, again: bool = False) -> WritingForecast:
    """Nothing is called, and nothing written."""
    writer = writer_in(exam)
    async with AsyncExitStack() as opening:
        material = await opening.enter_async_context(reading_material(exam))
        every = [one for some in (await lives_of(exam, material)).places.values() for one in some]
        log = await log_there(exam.plan.address, exam.plan.name, opening)
        keys = [key_of(writer, one) for one in every]
        some = zip(every, keys, strict=True)
        left = [one for one, key in some if log is None or log.lacks(key, again=again)]
        done = sum(log is not None and log.done(key) for key in keys)
        replies = await _replies(log, writer) if log else []
        tokens_in = await _prompts(exam, writer, material, left)
    return WritingForecast(
        name=exam.plan.name,
        log=exam.plan.address,
        places=len(every),
        done=done,
        roles=tuple(_roles(exam, writer, len(left), tokens_in, replies)),
    )


async def _replies(log: ExamLog, writer: QuestionWriter) -> list[int]:
    """The tokens of replies that this writer gave."""
    if not log.has(writer):
        return []
    cause = log.seq_of(writer)
    return [
        event.body.tokens_out
        async for event in log.read()
        if event.cause == cause
        and isinstance(event.body, Called)
        and event.body.purpose == draft.PURPOSE
        and event.body.tokens_out is not None
    ]


async def _prompts(
    exam: LoadedExam, writer: QuestionWriter, material: Log, left: list[WritingPlace]
) -> int:
    """Tokens of all prompts that are left, by those that were made."""
    kind, some = exam.kind, spread(left, SAMPLE)
    assert isinstance(kind, WritableKind)
    kinds = writer.writing.kinds or tuple(kind.askable)
    total = 0
    for place in some:
        who = place.question.character
        view = await material.view(place.question.world, who, AtSeq(place.seq))
        wanted = dict.fromkeys(kinds, writer.writing.each)
        shown = await witnessed(view)
        total += prompt_tokens(draft.request(who, shown.lines, wanted, kind.askable))
    return round(total * len(left) / len(some)) if some else 0


def _roles(
    exam: LoadedExam, writer: QuestionWriter, left: int, tokens_in: int, replies: list[int]
) -> Iterator[RoleForecast]:
    writing, kind = writer.writing, exam.kind
    assert isinstance(kind, WritableKind)
    questions = left * writing.each * len(writing.kinds or kind.askable)
    each = sum(replies) / len(replies) if replies else 0
    out = round(left * each) if replies else questions * A_QUESTION
    most = ROUNDS * (1 + writing.reasks)
    yield RoleForecast(
        name="writer",
        model=writing.model,
        cells=left,
        calls=left,
        most=left * most,
        tokens=tokens_in + out,
        money=_money(exam, writing.model, tokens_in, out),
        tried=min(left, SAMPLE),
        replies=len(replies),
    )
    if writing.checked_by is not None:
        yield RoleForecast(
            name="check",
            model=writing.checked_by,
            cells=left,
            calls=questions,
            most=questions * most,
            tokens=questions * A_CHECK,
            money=_money(exam, writing.checked_by, questions * A_CHECK, 0),
            tried=0,
            replies=0,
        )


def _money(exam: LoadedExam, model: str, tokens_in: int, tokens_out: int) -> float | None:
    ours = exam.plan.models.get(model, ModelSettings())
    price = price_of(model, ours.price_in, ours.price_out)
    return None if price is None else price.money(tokens_in, tokens_out)
