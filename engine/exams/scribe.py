"""Writes what memories keep, step by step, on the log of an exam."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from whoknew.agents.agent import Note, noted
from whoknew.agents.errors import AgentError
from whoknew.agents.life import Life
from whoknew.agents.memories.memory import Memory, Occasion
from whoknew.agents.mind import going_on
from whoknew.agents.models.model import Model
from whoknew.engine.errors import NotRemembered, Suspended
from whoknew.engine.exams.calls import CellCalls
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.remembering import LifeStep
from whoknew.engine.exams.session import ExamSession, Failure
from whoknew.engine.playing.scanning import texts_in
from whoknew.engine.running.models import Silent
from whoknew.eventlog.kinds import Failed, Kind
from whoknew.eventlog.machinery import MemoryDerived, NothingDerived

MEMORY = "memory"
"""What failed, where a step could not be written."""


class Scribe:
    """Asks for what the log lacks, once. What failed before is tried `again` only where that is said."""

    def __init__(self, session: ExamSession[Any], *, again: bool) -> None:
        self._session, self._again = session, again
        self._tried: set[str] = set()

    async def keep(self, step: LifeStep) -> Sequence[MemoryDerived]:
        log = self._session.log
        if log.done(step.key):
            return await _on_log(log, step)
        again = self._again and step.key not in self._tried
        if not log.lacks(step.key, again=again):
            raise not_kept(step, await log.failure(step.key))
        self._tried.add(step.key)
        return await self._write(step)

    async def _write(self, step: LifeStep) -> Sequence[MemoryDerived]:
        """The calls of a step and what came of them go in together, before anything rests on them."""
        log, progress = self._session.log, self._session.progress
        cause = log.seq_of(step.memory)
        calls = self._session.calls(step.key, cause)
        found = await self._session.tried(calls, self._asked(step, calls))
        if found is None:
            raise Suspended(self._session.control.reason or "it stops")
        failed = isinstance(found, Failure)
        kept = [] if isinstance(found, Failure) else [_derived(step, note) for note in found]
        result: Sequence[Kind] = kept or [_nothing(step)]
        if isinstance(found, Failure):
            result = [Failed(MEMORY, found.why)]
        self._session.control.count("steps of memories", 1, failed)
        progress.steps += not failed
        progress.unwritten += failed
        with calls.written() as held:
            await log.concluded(step.key, cause, [*held, *result], failed=failed)
        if isinstance(found, Failure):
            raise not_kept(step, found.why)
        return kept

    async def _asked(self, step: LifeStep, calls: CellCalls) -> Sequence[Note]:
        await calls.resume()
        calls.scan = await self._session.scan(
            step.world,
            step.who,
            step.upto,
            f"the memory {step.memory.seat.memory!r}",
            lambda: [*step.life.texts(), *texts_in(step.memory.seat.settings)],
        )
        model = self._session.model(step.who, step.memory.seat.model, calls)
        return await _remembered(step, model)


async def written(log: ExamLog, step: LifeStep) -> Sequence[MemoryDerived]:
    """What memory keeps of a step by the log alone: NotRemembered where it does not say."""
    await log.look_up(step.key)
    if log.done(step.key):
        return await _on_log(log, step)
    with suppress(AgentError):
        if not await _remembered(step, Silent()):
            return ()
    raise not_kept(step, "nobody was asked for it yet")


async def _remembered(step: LifeStep, model: Model) -> Sequence[Note]:
    """What a memory keeps at the end of a step."""
    view = step.life.whole()

    async def remember(life: Life, memory: Memory) -> Sequence[Note]:
        now = Occasion(view=view, life=life, model=model, about=going_on(life))
        return noted(memory, "remember", await memory.remember(now), view)

    return await step.past.upto(view, remember)


async def _on_log(log: ExamLog, step: LifeStep) -> list[MemoryDerived]:
    bodies = [event.body for event in await log.batch(step.key)]
    return [body for body in bodies if isinstance(body, MemoryDerived)]


def not_kept(step: LifeStep, why: str) -> NotRemembered:
    return NotRemembered(
        f"what {step.who} remembers of {step.world!r} up to #{step.upto} could not be written: {why}"
    )


def _derived(step: LifeStep, note: Note) -> MemoryDerived:
    return MemoryDerived(
        owner=step.who,
        strategy=note.strategy,
        text=note.text,
        sources=step.life.behind(note.sources),
        upto=step.upto,
        material=step.world,
        hash=step.hash,
        packed=note.packed,
    )


def _nothing(step: LifeStep) -> NothingDerived:
    return NothingDerived(step.who, step.upto, step.world, step.hash)
