"""The second stage and the first half of the third: what happens in a phase, each event with its evidence,
and how it is inside after each, carried over from what was before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, time
from typing import Literal

from msgspec import Struct

from whoknew.agents.models.model import Request
from whoknew.engine.exams.clonemem.stages.life_size import PhaseDays
from whoknew.engine.exams.clonemem.stages.plain_text import short, text_fault
from whoknew.engine.exams.clonemem.stages.requests import life_request
from whoknew.engine.exams.clonemem.stages.told_life import MadePhase, ToldLife
from whoknew.engine.exams.writing.checks import CheckFailed
from whoknew.worlds.lives.checks import course_faults
from whoknew.worlds.lives.life import LifeEvent, LifeEvidence, LifePhase, LifeSnapshot
from whoknew.worlds.lives.snapshots import FEELINGS

EVENTS = "life.events"

LAST = 6
"""So many events that happened last are told."""

IDEAS = 4

LEAP = 0.5
"""By no more do energy and stress move in one event: what moves further was begun anew."""


class DraftedEvidence(Struct, frozen=True):
    sort: Literal["fact", "emotion", "opinion"]
    claim: str


class DraftedEvent(Struct, frozen=True):
    at: str
    arc: str
    happens: str
    evidence: tuple[DraftedEvidence, ...]
    energy: float
    stress: float
    emotion: str
    focus: str

    @property
    def when(self) -> datetime | None:
        """None where that is no time of a day."""
        try:
            found = datetime.fromisoformat(self.at)
        except ValueError:
            return None
        return found if found.tzinfo is None else None


class DraftedEvents(Struct, frozen=True):
    events: tuple[DraftedEvent, ...]


class PhaseStart(Struct, frozen=True, kw_only=True):
    """Where a phase begins: what it goes on from. `events` and `evidence` are how many there were."""

    days: PhaseDays
    number: int
    snapshot: LifeSnapshot
    events: int
    evidence: int
    last: tuple[dict[str, str], ...]
    turn: str = ""
    """The major event that it follows."""


def phase_start(life: ToldLife, days: PhaseDays, before: Sequence[MadePhase]) -> PhaseStart:
    """What is there when a phase begins; `before` are those since the last major event."""
    phases = [*life.phases, *before]
    events = [(one, phase.told[one.id]) for phase in phases for one in phase.events]
    return PhaseStart(
        days=days,
        number=len(phases),
        snapshot=phases[-1].phase.after if phases else life.first,
        events=len(events),
        evidence=sum(len(phase.evidence) for phase in phases),
        last=tuple({"at": _minute(one.at), "happens": told} for one, told in events[-LAST:]),
        turn=next((one.id for one, _ in reversed(events) if one.sort == "turn"), ""),
    )


def events_request(life: ToldLife, start: PhaseStart) -> Request:
    people, days, now = life.people, start.days, start.snapshot
    assert life.arcs is not None
    standing = dict(start.snapshot.arcs)
    turn = []
    if days.major is not None:
        state = life.arcs.arcs[days.major.arc].states[days.major.into]
        turn = [
            {
                "arc": life.title(days.major.arc),
                "day": days.major.day.isoformat(),
                "what brings it about": state.trigger,
                "how it stands from then on": state.state,
                "feeling": state.feeling,
            }
        ]
    cues = [
        {"arc": life.title(arc), "seen": life.arcs.arcs[arc].states[into].cue}
        for arc, into in life.stands(days.begins).items()
    ]
    return life_request(
        EVENTS,
        {
            "The person": [people.persona.profile],
            "Those around it": [
                {"name": it.name, "is": it.relation, "text": it.text} for it in people.contacts
            ],
            "How things stand as these days begin": [
                {"arc": arc, "state": state} for arc, state in standing.items()
            ],
            "What others could see in these days": cues,
            "How it is inside": [
                {
                    "energy": now.energy,
                    "stress": now.stress,
                    "emotion": now.emotion,
                    "focus": now.focus,
                }
            ],
            "The feelings": [sorted(FEELINGS)],
            "What happened last": start.last,
            "The turn": turn,
            "Little things that could happen, to be taken or left": life.fixed.ideas(
                start.number, IDEAS
            ),
            "The days": [{"from": _day(days.begins), "to": _day(days.ends), "phase": days.name}],
            "What is wanted": [{"events": days.events}],
        },
        DraftedEvents,
    )


def events_fault(
    one: DraftedEvents, life: ToldLife, start: PhaseStart, before: Sequence[MadePhase]
) -> CheckFailed | None:
    """The first thing that is wrong: in each by itself, then in the life with them in it."""
    if wrong := next(_faults(one, life, start, before), None):
        return wrong
    made = made_phase(one, life, start)
    if fault := next(course_faults(life.graph([*before, made])), None):
        return CheckFailed("graph", f"{fault}.")
    return None


def _faults(
    drafted: DraftedEvents, life: ToldLife, start: PhaseStart, before: Sequence[MadePhase]
) -> Iterator[CheckFailed]:
    days = start.days
    if len(drafted.events) != days.events:
        yield CheckFailed("events", f"{len(drafted.events)} events are given: give {days.events}.")
        return
    titles = {*start.snapshot.arcs, ""}
    if days.major is not None:
        titles.add(life.title(days.major.arc))
    told = {one.claim for phase in [*life.phases, *before] for one in phase.evidence}
    inside, at = start.snapshot, datetime.combine(days.begins, time())
    for place, one in enumerate(drafted.events):
        when = one.when
        if when is None:
            yield CheckFailed("times", f"{short(one.at)} is no time as 2021-03-04T18:30.")
            return
        if not days.begins <= when.date() <= days.ends or when < at:
            yield CheckFailed(
                "times",
                f"{one.at} is not in these days, or comes before the event before it.",
            )
        if one.arc not in titles:
            yield CheckFailed("arcs", f"no matter is called {short(one.arc)} by then.")
        if days.major is not None and place == 0:
            yield from _turn(one, life, days)
        yield from _texts(one, told)
        told |= {piece.claim for piece in one.evidence}
        yield from _snapshot(one, inside)
        inside, at = _after(inside, one, {}), when


def _turn(one: DraftedEvent, life: ToldLife, days: PhaseDays) -> Iterator[CheckFailed]:
    assert days.major is not None
    title = life.title(days.major.arc)
    if one.arc != title or one.when is None or one.when.date() != days.major.day:
        yield CheckFailed("turn", f"the first event has to be the turn of {title!r} on its day.")
    if len(one.evidence) < 2:
        yield CheckFailed("turn", "the turn needs two things: its cause, and how it stands then.")


def _texts(one: DraftedEvent, told: set[str]) -> Iterator[CheckFailed]:
    if wrong := text_fault("what happens", one.happens, 100, least=3):
        yield wrong
    if wrong := text_fault("the focus", one.focus, 20):
        yield wrong
    if not 1 <= len(one.evidence) <= 3:
        yield CheckFailed("evidence", f"{len(one.evidence)} things are given: give one to three.")
    for piece in one.evidence:
        if wrong := text_fault("a claim", piece.claim, 50, least=3):
            yield wrong
        if piece.claim in told:
            yield CheckFailed("evidence", f"{short(piece.claim)} was said before.")
    if len({piece.claim for piece in one.evidence}) < len(one.evidence):
        yield CheckFailed("evidence", "two things are the same.")


def _snapshot(one: DraftedEvent, before: LifeSnapshot) -> Iterator[CheckFailed]:
    for what, now, then in (
        ("energy", one.energy, before.energy),
        ("stress", one.stress, before.stress),
    ):
        if not 0 <= now <= 1:
            yield CheckFailed("snapshot", f"{what} is {now}: give 0 to 1.")
        elif abs(now - then) > LEAP:
            yield CheckFailed(
                "snapshot", f"{what} goes from {then} to {now} by one event: it goes on, not anew."
            )
    if one.emotion not in FEELINGS:
        yield CheckFailed("feeling", f"{short(one.emotion)} is none of the feelings.")


def made_phase(drafted: DraftedEvents, life: ToldLife, start: PhaseStart) -> MadePhase:
    """With names and numbers; nothing is written of it yet."""
    assert life.arcs is not None
    days, inside = start.days, start.snapshot
    ids = {life.title(number): life.arc_id(number) for number in range(len(life.arcs.arcs))}
    events: list[LifeEvent] = []
    evidence: list[LifeEvidence] = []
    for place, one in enumerate(drafted.events):
        at = one.when
        assert at is not None
        name, turn = f"h{start.events + place + 1:05}", days.major if place == 0 else None
        pieces = [
            LifeEvidence(
                id=f"v{start.evidence + len(evidence) + number:05}",
                sort=piece.sort,
                claim=piece.claim,
                event=name,
            )
            for number, piece in enumerate(one.evidence, start=1)
        ]
        evidence += pieces
        moves = {}
        if turn is not None:
            moves = {life.title(turn.arc): life.arcs.arcs[turn.arc].states[turn.into].state}
        after = _after(inside, one, moves)
        events.append(
            LifeEvent(
                id=name,
                at=at,
                sort="turn" if turn is not None else "arc" if one.arc else "everyday",
                of=ids.get(one.arc, ""),
                evidence=tuple(piece.id for piece in pieces),
                before=inside,
                after=after,
            )
        )
        inside = after
    return MadePhase(
        phase=LifePhase(
            id=f"p{start.number + 1:03}",
            name=days.name,
            major=events[0].id if days.major is not None else start.turn,
            begins=days.begins,
            ends=days.ends,
            events=tuple(one.id for one in events),
            before=start.snapshot,
            after=inside,
        ),
        events=tuple(events),
        told={
            one.id: drafted_one.happens
            for one, drafted_one in zip(events, drafted.events, strict=True)
        },
        evidence=tuple(evidence),
    )


def _after(before: LifeSnapshot, one: DraftedEvent, moves: dict[str, str]) -> LifeSnapshot:
    return LifeSnapshot(
        energy=round(one.energy, 3),
        stress=round(one.stress, 3),
        emotion=one.emotion,
        focus=one.focus,
        arcs={**before.arcs, **moves},
    )


def _day(day: object) -> str:
    return f"{day:%A}, {day:%Y-%m-%d}"


def _minute(at: datetime) -> str:
    return f"{at:%A}, {at:%Y-%m-%d %H:%M}"
