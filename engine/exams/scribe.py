"""Writes what memories keep, step by step, on the log of an exam."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from whoknew.agents.agent import Note
from whoknew.agents.errors import AgentError
from whoknew.engine.errors import NotRemembered, Suspended
from whoknew.engine.exams.calls import CellCalls
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.remembering import LifeStep
from whoknew.engine.exams.session import ExamSession, Failure
from whoknew.engine.playing.scanning import texts_in
from whoknew.engine.running.models import Silent, memory_voice
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
            return await on_log(log, step)
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
        kept = [] if isinstance(found, Failure) else [derived(step, note) for note in found]
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
        settings, of_story = [*texts_in(step.memory.seat.settings)], step.memory.of_story
        calls.scan = await self._session.scan(
            step.world,
            step.who,
            step.upto,
            f"the memory {step.memory.seat.memory!r}",
            lambda: settings if of_story else [*step.life.texts(), *settings],
            counts=of_story,
        )
        seat = step.memory.seat
        model = memory_voice(
            seat.memory_models, lambda address: self._session.model(step.who, address, calls)
        )
        return await step.remember(model)


async def written(log: ExamLog, step: LifeStep) -> Sequence[MemoryDerived]:
    """What memory keeps of a step by the log alone: NotRemembered where it does not say."""
    await log.look_up(step.key)
    if log.done(step.key):
        return await on_log(log, step)
    with suppress(AgentError):
        if not await step.remember(Silent()):
            return ()
    raise not_kept(step, "nobody was asked for it yet")


async def on_log(log: ExamLog, step: LifeStep) -> list[MemoryDerived]:
    """What memory kept of a step that was taken."""
    bodies = [event.body for event in await log.batch(step.key)]
    return [body for body in bodies if isinstance(body, MemoryDerived)]


def not_kept(step: LifeStep, why: str) -> NotRemembered:
    return NotRemembered(
        f"what {step.who} remembers of {step.world!r} up to #{step.upto} could not be written: {why}"
    )


def derived(step: LifeStep, note: Note) -> MemoryDerived:
    """A note of a step, as it stands on the log."""
    return MemoryDerived(
        owner=step.life.who,
        strategy=note.strategy,
        text=note.text,
        sources=step.life.behind(note.sources),
        upto=step.upto,
        material=step.world,
        hash=step.hash,
        packed=note.packed,
    )


def _nothing(step: LifeStep) -> NothingDerived:
    return NothingDerived(step.life.who, step.upto, step.world, step.hash)
