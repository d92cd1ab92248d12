"""A question put to a character at any moment of its life, however long ago that is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.answering import Respondent
from whoknew.agents.errors import AgentError, BadAnswer, ModelError
from whoknew.agents.models.address import OFFLINE
from whoknew.engine.asking.answer_panel import AnswerPanel, Judges, chosen
from whoknew.engine.asking.experts import StoryExperts
from whoknew.engine.asking.putting import put, respondent
from whoknew.engine.errors import BadQuestion
from whoknew.engine.part_code import told
from whoknew.engine.plan.plan import ModelSettings, Seat
from whoknew.engine.playing.judge import Verdict
from whoknew.engine.playing.ledger import DROPPED
from whoknew.engine.playing.panel import drafts
from whoknew.engine.running.journal import Journal
from whoknew.engine.running.models import model_at
from whoknew.eventlog import Draft, Event, Log, View
from whoknew.eventlog.cursor import When
from whoknew.eventlog.kinds import Answered, Called, Failed, Kind, Probed
from whoknew.eventlog.logger import logged_with

_HALF = re.compile("[\ud800-\udfff]")


class Asked(Struct, frozen=True, kw_only=True):
    """What a character answered, and the events that this rests on. It could read `read` events;
    of those up to its cursor it was not allowed `unseen`, and none of the `later` ones. `probe` is
    the seq under which the question is kept; `unkept` why it could not be. `verdicts` are those on
    the answer, by the names of the judges, who made the calls `judging`. Where it was voted for, `share`
    is that of the votes for it."""

    world: str
    character: str
    cursor: int
    question: str
    answer: str | None = None
    rests_on: tuple[Event, ...] = ()
    share: float | None = None
    read: int
    unseen: int
    later: int
    model: str
    memory: str
    method: str
    calls: tuple[Called, ...] = ()
    error: str | None = None
    reference: str | None = None
    verdicts: dict[str, Verdict] = {}
    judging: tuple[Called, ...] = ()
    probe: int | None = None
    unkept: str | None = None


async def ask(
    log: Log,
    world: str,
    character: str,
    question: str,
    at: When = "end",
    *,
    model: str = OFFLINE,
    memory: str = "entire",
    method: str = "plain",
    settings: ModelSettings | None = None,
    reference: str | None = None,
    judges: Judges | None = None,
    dropped: Callable[[Asked], Awaitable[object]] | None = None,
) -> Asked:
    """The answer that a character gives from its view alone, and what judges say of it; without
    `judges`, the usual one says it of an answer to which there is a `reference`. Nothing is written.
    Cancelled while a call is in flight, it hands what there is to `dropped` first: the call may have
    been paid for.
    """
    if not question.strip():
        raise BadQuestion("there is no question: give one")
    if half := _HALF.search(f"{question}{reference or ''}"):
        raise BadQuestion(
            f"there is half of a surrogate pair ({half[0]!r}) in it, which is no text: leave it out"
        )
    judges = chosen(judges, reference)
    view = await log.view(world, character, at)
    head = (await log.lineage.find(world)).head
    settings, calls = settings or ModelSettings(), list[Called]()
    async with AsyncExitStack() as opened:
        journal = Journal(await model_at(model, settings, opened), calls, settings)
        seat = Seat(memory=memory, method=method)
        panel = await AnswerPanel.of(judges, seat, settings, opened)
        unanswered = Asked(
            world=world,
            character=character,
            cursor=view.cursor.seq,
            question=question,
            read=len(view),
            unseen=view.cursor.seq - len(view),
            later=head - view.cursor.seq,
            model=journal.name,
            memory=memory,
            method=method,
            reference=reference,
        )
        experts = StoryExperts(log, view, seat.reasks)
        asked = respondent(character, seat, journal, adviser=experts)
        return await _answered(unanswered, asked, view, calls, panel, dropped)


async def _answered(
    found: Asked,
    asked: Respondent,
    view: View,
    calls: list[Called],
    panel: AnswerPanel,
    dropped: Callable[[Asked], Awaitable[object]] | None,
) -> Asked:
    """The same with its answer and what judges say of that, or with why there is none."""
    world, question, reference = found.world, found.question, found.reference
    try:
        with logged_with(world=world, character=found.character):
            given = await put(asked, view, question)
        found = replace(found, answer=given.answer, rests_on=given.rests_on, share=given.share)
        with logged_with(world=world):
            await panel.review(given.case(view, question, reference=reference))
    except (BadAnswer, ModelError) as failure:
        found = replace(found, error=str(failure))
    except Exception as fault:
        if not calls:
            raise
        why = str(fault) if isinstance(fault, AgentError) else told(fault)
        found = replace(found, error=why)  # what was answered was paid for (law 6)
    except asyncio.CancelledError:
        if dropped is not None and calls:
            error = DROPPED if found.answer is None else None
            await dropped(_with_calls(replace(found, error=error), calls, panel))
        raise
    return _with_calls(found, calls, panel)


def _with_calls(asked: Asked, calls: list[Called], panel: AnswerPanel) -> Asked:
    return replace(asked, calls=tuple(calls), verdicts=panel.verdicts, judging=tuple(panel.calls))


async def keep(log: Log, asked: Asked) -> Asked:
    """Write a question, its answer and the verdicts on it into the world, in one batch, witnessed by
    nobody. What judges ask is asked by no character."""
    who = asked.character
    if asked.answer is None:
        result: Kind = Failed("answer", asked.error or "there was no answer")
    else:
        rests_on = tuple(event.seq for event in asked.rests_on)
        result = Answered(asked.answer, rests_on, asked.share)

    def batch(probe: int) -> list[Draft]:
        answer = probe + len(asked.calls) + 1
        return [
            Draft(Probed(who, asked.cursor, asked.question, asked.reference)),
            *(Draft(one, actor=who, cause=probe) for one in (*asked.calls, result)),
            *(Draft(one, cause=answer) for one in asked.judging),
            *drafts(list(asked.verdicts.items()), answer),
        ]

    kept = await log.append(asked.world, batch)
    return replace(asked, probe=kept.first)
