"""A model at work on one life: each thing is asked for, held against its checks, and asked for again; where
it will not do a bounded number of times, that is a failure of its step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.errors import BadAnswer
from whoknew.agents.models.model import Request
from whoknew.engine.exams.clonemem.stages.life_arcs import (
    ARCS,
    DraftedArcs,
    arcs_fault,
    arcs_request,
)
from whoknew.engine.exams.clonemem.stages.life_size import FixedLife, PhaseDays
from whoknew.engine.exams.clonemem.stages.persona import (
    PERSONA,
    DraftedPersona,
    MadePersona,
    made_persona,
    persona_fault,
    persona_request,
)
from whoknew.engine.exams.clonemem.stages.phase_events import (
    EVENTS,
    DraftedEvents,
    events_fault,
    events_request,
    made_phase,
    phase_start,
)
from whoknew.engine.exams.clonemem.stages.phase_traces import (
    INTENTS,
    TRACE,
    DraftedIntents,
    DraftedText,
    intents_fault,
    intents_request,
    phase_fault,
    planned_traces,
    text_request,
    trace_fault,
    with_traces,
)
from whoknew.engine.exams.clonemem.stages.told_life import MadeMajor, MadePhase, ToldLife
from whoknew.engine.exams.writing.checks import CheckFailed
from whoknew.engine.exams.writing.pen import Pen
from whoknew.worlds.lives.life import LifeTrace

TRIES = 3
"""So often each thing is asked for at most, where it can be read and will not do."""

T = TypeVar("T", bound=Struct)


class LifePen:
    """Writes the parts of a life with a pen."""

    def __init__(self, pen: Pen, life: ToldLife) -> None:
        self._pen, self._life = pen, life

    async def persona(self, fixed: FixedLife) -> MadePersona:
        drafted = await self._written(
            PERSONA,
            persona_request(fixed),
            DraftedPersona,
            lambda one: persona_fault(one, fixed),
        )
        return made_persona(drafted, fixed)

    async def arcs(self) -> DraftedArcs:
        fixed = self._life.fixed
        return await self._written(
            ARCS,
            arcs_request(fixed, self._life.people),
            DraftedArcs,
            lambda one: arcs_fault(one, fixed),
        )

    async def major(self, number: int) -> MadeMajor:
        """All up to the next major event."""
        found: list[MadePhase] = []
        for days in self._life.fixed.phases(number):
            phase = await self._events(days, found)
            found.append(await self._traces(phase, found))
        return MadeMajor(tuple(found))

    async def _events(self, days: PhaseDays, before: Sequence[MadePhase]) -> MadePhase:
        life, start = self._life, phase_start(self._life, days, before)
        drafted = await self._written(
            EVENTS,
            events_request(life, start),
            DraftedEvents,
            lambda one: events_fault(one, life, start, before),
        )
        return made_phase(drafted, life, start)

    async def _traces(self, phase: MadePhase, before: Sequence[MadePhase]) -> MadePhase:
        life, most = self._life, len(phase.events) * self._life.fixed.size.traces
        drafted = await self._written(
            INTENTS,
            intents_request(life, phase, most),
            DraftedIntents,
            lambda one: intents_fault(one, life, phase, most),
        )
        written = [trace for one in [*life.phases, *before] for trace in one.traces]
        mine: list[LifeTrace] = []
        for planned in planned_traces(drafted, life, phase):
            there = [*written, *mine]
            text = await self._written(
                TRACE,
                text_request(life, phase, planned, there),
                DraftedText,
                lambda one, planned=planned, there=there: trace_fault(  # type: ignore[misc]
                    one, planned, phase.evidence, there
                ),
            )
            mine.append(replace(planned.trace, text=text.text))
        whole = with_traces(phase, mine)
        if fault := phase_fault(life, [*before, whole]):
            raise BadAnswer(f"{fault}.")
        return whole

    async def _written(
        self,
        kind: str,
        first: Request,
        drafted: type[T],
        fault: Callable[[T], CheckFailed | None],
    ) -> T:
        last: list[str] = []

        async def wrong(one: T) -> CheckFailed | None:
            found = fault(one)
            last[:] = [found.why] if found else []
            return found

        one = await self._pen.written(kind, first, drafted, wrong)
        if one is None:
            raise BadAnswer(f"{kind} did not do {TRIES} times, the last time: {last[0]}")
        return one
