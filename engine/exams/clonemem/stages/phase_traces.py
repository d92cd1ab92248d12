"""The second half of the third stage: what is left behind of a phase, in two steps. First what for, to whom
and what it is to show; then the text of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.models.model import Request
from whoknew.engine.exams.clonemem.stages.plain_text import short, text_fault
from whoknew.engine.exams.clonemem.stages.requests import life_request
from whoknew.engine.exams.clonemem.stages.told_life import MadePhase, ToldLife
from whoknew.engine.exams.writing.checks import CheckFailed
from whoknew.eventlog.words import terms
from whoknew.worlds.lives.checks import life_faults
from whoknew.worlds.lives.life import OWN, LifeEvidence, LifeTrace, Medium

INTENTS, TRACE = "life.intents", "life.trace"

LAST = 3
"""So many texts that somebody wrote last in a medium are told."""


class DraftedIntent(Struct, frozen=True):
    medium: Medium
    writer: str
    to: tuple[str, ...]
    after: int
    intent: str
    key: str
    evidence: tuple[int, ...]


class DraftedIntents(Struct, frozen=True):
    traces: tuple[DraftedIntent, ...]


class DraftedText(Struct, frozen=True):
    text: str


class TraceIntent(Struct, frozen=True):
    """The first of two steps: a trace without its text, and what has to stand in it."""

    trace: LifeTrace
    key: str


def intents_request(life: ToldLife, phase: MadePhase, most: int) -> Request:
    people = life.people
    numbers = {one.id: number for number, one in enumerate(phase.evidence, start=1)}
    claims = {one.id: one.claim for one in phase.evidence}
    happened = [
        {
            "at": f"{one.at:%Y-%m-%d %H:%M}",
            "happens": phase.told[one.id],
            "evidence": {str(numbers[name]): claims[name] for name in one.evidence},
        }
        for one in phase.events
    ]
    return life_request(
        INTENTS,
        {
            "The person": [{"name": people.persona.name, "text": people.persona.profile}],
            "Those around it": [
                {"name": it.name, "is": it.relation, "text": it.text} for it in people.contacts
            ],
            "What happened": happened,
            "What is wanted": [{"traces at most": most}],
        },
        DraftedIntents,
    )


def intents_fault(
    drafted: DraftedIntents, life: ToldLife, phase: MadePhase, most: int
) -> CheckFailed | None:
    """The first thing that is wrong with them."""
    return next(_faults(drafted, life, phase, most), None)


def _faults(
    drafted: DraftedIntents, life: ToldLife, phase: MadePhase, most: int
) -> Iterator[CheckFailed]:
    if len(drafted.traces) > most:
        yield CheckFailed("traces", f"{len(drafted.traces)} are given: give {most} at most.")
        return
    shown: set[int] = set()
    for one in drafted.traces:
        yield from _audience(one, life)
        for what, text in (("an intent", one.intent), ("a key", one.key)):
            if wrong := text_fault(what, text, 60):
                yield wrong
        if not one.evidence:
            yield CheckFailed("evidence", f"{short(one.intent)} shows nothing.")
        for number in one.evidence:
            if not 1 <= number <= len(phase.evidence):
                yield CheckFailed("evidence", f"there is nothing with the number {number}.")
                return
        shown |= set(one.evidence)
        if one.after < 0 or _at(one, phase).date() > phase.phase.ends:
            yield CheckFailed(
                "times", f"{short(one.intent)} would be written outside of these days."
            )
    if lacking := sorted({*range(1, len(phase.evidence) + 1)} - shown):
        yield CheckFailed("evidence", f"nothing shows {lacking[0]}: show every number.")


def _audience(one: DraftedIntent, life: ToldLife) -> Iterator[CheckFailed]:
    """Whom each medium allows."""
    me, others = life.people.persona.name, {it.name for it in life.people.contacts}
    if one.medium in (*OWN, "post"):
        if one.writer != me or one.to:
            yield CheckFailed("people", f"a {one.medium} is written by {me}, and to nobody.")
        return
    if strange := {one.writer, *one.to} - {me, *others}:
        yield CheckFailed("people", f"nobody is called {short(min(strange))}.")
    if one.medium == "private message" and len(one.to) != 1:
        yield CheckFailed("people", "a private message goes to one person.")
    if not one.to or one.writer in one.to or len(set(one.to)) < len(one.to):
        yield CheckFailed("people", f"{one.writer[:80]} has to write to somebody else.")
    if me not in (one.writer, *one.to):
        yield CheckFailed("people", f"{me} neither writes nor reads it.")


def planned_traces(drafted: DraftedIntents, life: ToldLife, phase: MadePhase) -> list[TraceIntent]:
    """In the order of their times; without texts, and without names."""
    everybody = tuple(it.name for it in life.people.contacts)
    found = [
        TraceIntent(
            LifeTrace(
                id="",
                at=_at(one, phase),
                medium=one.medium,
                writer=one.writer,
                audience=everybody if one.medium == "post" else one.to,
                intent=one.intent,
                evidence=tuple(
                    phase.evidence[number - 1].id for number in dict.fromkeys(one.evidence)
                ),
                text="",
            ),
            one.key,
        )
        for one in drafted.traces
    ]
    return sorted(found, key=lambda one: one.trace.at)


def _at(one: DraftedIntent, phase: MadePhase) -> datetime:
    """So long after the last event that it shows."""
    times = {it.id: it.at for it in phase.events}
    last = max(times[phase.evidence[number - 1].event] for number in one.evidence)
    return last + timedelta(minutes=min(one.after, 60 * 24 * 3660))


def text_request(
    life: ToldLife, phase: MadePhase, planned: TraceIntent, written: Sequence[LifeTrace]
) -> Request:
    """`written` are the traces before it."""
    trace, me = planned.trace, life.people.persona
    pieces = [one for one in phase.evidence if one.id in trace.evidence]
    people = {it.name: it for it in life.people.contacts}
    events = [one for one in phase.events if one.at <= trace.at]
    now = events[-1].after if events else phase.phase.before
    inside: list[Any] = []
    if trace.writer == me.name:
        inside = [{"emotion": now.emotion, "energy": now.energy, "stress": now.stress}]
        inside[0]["focus"] = now.focus
    who = me.profile if trace.writer == me.name else people[trace.writer].text
    last = [
        one.text
        for one in reversed(written)
        if (one.medium, one.writer) == (trace.medium, trace.writer)
    ]
    shown = {piece.event for piece in pieces}
    return life_request(
        TRACE,
        {
            "Who writes": [{"name": trace.writer, "text": who}],
            "How it is inside": inside,
            "In which medium, when, to whom, what for": [
                {
                    "medium": trace.medium,
                    "at": f"{trace.at:%A, %Y-%m-%d %H:%M}",
                    "to": [] if trace.medium == "post" else [*trace.audience],
                    "intent": trace.intent,
                }
            ],
            "What happened": [phase.told[one.id] for one in phase.events if one.id in shown],
            "What it is to show": [planned.key, *(piece.claim for piece in pieces)],
            "What was written last": last[:LAST],
        },
        DraftedText,
    )


LONGEST: Mapping[Medium, int] = {
    "diary": 400,
    "e-mail": 300,
    "search": 15,
    "calendar": 25,
}
"""Words; of what is not named 120."""


def trace_fault(
    drafted: DraftedText,
    planned: TraceIntent,
    pieces: Sequence[LifeEvidence],
    written: Sequence[LifeTrace],
) -> CheckFailed | None:
    """The first thing that is wrong with a text. `written` are those before it."""
    medium = planned.trace.medium
    if wrong := text_fault("the text", drafted.text, LONGEST.get(medium, 120)):
        return wrong
    held = set(terms(drafted.text))
    for piece in pieces:
        if piece.id in planned.trace.evidence and not held & set(terms(piece.claim)):
            return CheckFailed("shows", f"nothing in it shows that {short(piece.claim)}.")
    if any(one.text == drafted.text for one in written):
        return CheckFailed("copy", "this was written before, word for word.")
    return None


def with_traces(phase: MadePhase, traces: Sequence[LifeTrace]) -> MadePhase:
    return replace(phase, traces=tuple(traces))


def phase_fault(life: ToldLife, phases: Sequence[MadePhase]) -> str | None:
    """What the checks of a whole life find, with these phases at its end."""
    return next(life_faults(life.graph(phases)), None)
