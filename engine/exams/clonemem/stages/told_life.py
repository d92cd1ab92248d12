"""A life as far as a model has written it: the parts that stand on the log, put together as a graph that
the same checks go through as a life by rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.exams.clonemem.stages.life_arcs import DraftedArcs
from whoknew.engine.exams.clonemem.stages.life_size import FixedLife
from whoknew.engine.exams.clonemem.stages.persona import MadePersona
from whoknew.worlds.lives.life import (
    ArcState,
    LifeArc,
    LifeEvent,
    LifeEvidence,
    LifeGraph,
    LifePhase,
    LifeSnapshot,
    LifeTrace,
    MajorEvent,
    ToldTwice,
)
from whoknew.worlds.lives.snapshots import beginning


class MadePhase(Struct, frozen=True, kw_only=True):
    """What a phase came to; `told` has what happens in each event, by its name."""

    phase: LifePhase
    events: tuple[LifeEvent, ...]
    told: dict[str, str]
    evidence: tuple[LifeEvidence, ...]
    traces: tuple[LifeTrace, ...] = ()


class MadeMajor(Struct, frozen=True):
    """From one major event to the next."""

    phases: tuple[MadePhase, ...]


class ToldLife:
    """What is there of it, from its beginning."""

    def __init__(self, fixed: FixedLife) -> None:
        self.fixed = fixed
        self.made: MadePersona | None = None
        self.arcs: DraftedArcs | None = None
        self.majors: list[MadeMajor] = []

    @property
    def whole(self) -> bool:
        """Whether it is lived to its end."""
        return len(self.majors) == len(self.fixed.majors)

    @property
    def people(self) -> MadePersona:
        assert self.made is not None
        return self.made

    @property
    def phases(self) -> list[MadePhase]:
        return [phase for major in self.majors for phase in major.phases]

    @property
    def first(self) -> LifeSnapshot:
        return beginning(6 - self.fixed.persona.traits["neuroticism"])

    def arc_id(self, number: int) -> str:
        return f"arc-{number + 1}"

    def title(self, number: int) -> str:
        assert self.arcs is not None
        return self.arcs.arcs[number].title

    def stands(self, day: date) -> dict[int, int]:
        """Where each arc stands on a day that has begun by then, by their numbers."""
        found: dict[int, int] = {}
        for major in self.fixed.majors:
            if major.day <= day:
                found[major.arc] = major.into
        return found

    def standing(self, day: date) -> dict[str, str]:
        """The same in words."""
        assert self.arcs is not None
        return {
            self.title(arc): self.arcs.arcs[arc].states[into].state
            for arc, into in self.stands(day).items()
        }

    def graph(self, more: Sequence[MadePhase] = ()) -> LifeGraph:
        """All of it up to now, and `more` phases after that."""
        phases = [*self.phases, *more]
        people, fixed = self.people, self.fixed
        events = [event for phase in phases for event in phase.events]
        turns = [event for event in events if event.sort == "turn"]
        traces = [trace for phase in phases for trace in phase.traces]
        return LifeGraph(
            name=fixed.name,
            seed=fixed.seed,
            begins=fixed.begins,
            ends=phases[-1].phase.ends if phases else fixed.begins,
            persona=people.persona,
            contacts=people.contacts,
            arcs=self._arcs({(one.of, one.at.date()): one for one in turns}),
            habits=(),
            wishes=(),
            majors=tuple(self._majors(turns)),
            phases=tuple(one.phase for one in phases),
            events=tuple(events),
            evidence=tuple(piece for phase in phases for piece in phase.evidence),
            traces=tuple(
                replace(one, id=f"t{number:05}") for number, one in enumerate(traces, start=1)
            ),
        )

    def _arcs(self, turns: Mapping[tuple[str, date], LifeEvent]) -> tuple[LifeArc, ...]:
        """As far as they have come."""
        assert self.arcs is not None
        found: list[LifeArc] = []
        for number, (drafted, (_, days)) in enumerate(
            zip(self.arcs.arcs, self.fixed.arcs, strict=True)
        ):
            states = [
                ArcState(
                    state=_told(one.state),
                    feeling=one.feeling,
                    trigger=_told(one.trigger),
                    shown=_told(one.cue),
                    hush="",
                    begins=day,
                    event=turn.id,
                    cause=turn.evidence[0],
                    evidence=turn.evidence[1],
                )
                for one, day in zip(drafted.states, days, strict=True)
                if (turn := turns.get((self.arc_id(number), day)))
            ]
            if states:
                found.append(
                    LifeArc(
                        id=self.arc_id(number),
                        dimension=drafted.dimension,
                        title=_told(drafted.title),
                        states=tuple(states),
                    )
                )
        return tuple(found)

    def _majors(self, turns: Sequence[LifeEvent]) -> list[MajorEvent]:
        found: list[MajorEvent] = []
        for event, major in zip(turns, self.fixed.majors, strict=False):
            stands = self.stands(major.day)
            found.append(
                MajorEvent(
                    event=event.id,
                    day=major.day,
                    arc=self.arc_id(major.arc),
                    into=major.into,
                    stands={self.arc_id(arc): into for arc, into in stands.items()},
                )
            )
        return found


def _told(text: str) -> ToldTwice:
    return ToldTwice(claim=text, asked=text)
