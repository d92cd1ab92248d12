"""What has to hold of every life, whoever made it: each fault in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from whoknew.worlds.lives.life import OWN, LifeGraph


def life_faults(life: LifeGraph) -> Iterator[str]:
    """Nothing, where the life is sound."""
    yield from course_faults(life)
    yield from _evidence(life)
    yield from _traces(life)


def course_faults(life: LifeGraph) -> Iterator[str]:
    """The same of what happens, whatever is written of it."""
    yield from _names(life)
    yield from _snapshots(life)
    yield from _phases(life)
    yield from _arcs(life)
    yield from _majors(life)
    yield from _matters(life)


def _names(life: LifeGraph) -> Iterator[str]:
    for what, names in (
        ("event", [one.id for one in life.events]),
        ("evidence", [one.id for one in life.evidence]),
        ("trace", [one.id for one in life.traces]),
        ("person", [life.persona.name, *(one.name for one in life.contacts)]),
    ):
        yield from (f"{what} {name} is there twice" for name in _repeated(names))


def _snapshots(life: LifeGraph) -> Iterator[str]:
    """What an event leaves is what the next begins with."""
    for one, following in pairwise(life.events):
        if one.after != following.before:
            yield f"the snapshot after {one.id} is not the one before {following.id}"
        if one.at > following.at:
            yield f"{following.id} comes before {one.id}, which stands before it"
    for one in life.events:
        for value in (one.after.energy, one.after.stress):
            if not 0 <= value <= 1:
                yield f"{one.id} leaves an energy or a stress of {value}"


def _phases(life: LifeGraph) -> Iterator[str]:
    """They follow one another, and hold all events, each once; so do their snapshots."""
    places = {one.id: place for place, one in enumerate(life.events)}
    held = [name for phase in life.phases for name in phase.events]
    if held != [one.id for one in life.events]:
        yield "the phases do not hold the events in their order, each once"
    for one, following in pairwise(life.phases):
        if one.ends >= following.begins:
            yield f"{following.id} begins before {one.id} is over"
        if one.after != following.before:
            yield f"the snapshot after {one.id} is not the one before {following.id}"
    for phase in life.phases:
        last = places.get(phase.events[-1]) if phase.events else None
        if last is not None and life.events[last].after != phase.after:
            yield f"{phase.id} ends otherwise than its last event"


def _arcs(life: LifeGraph) -> Iterator[str]:
    """They move along their anchors, in order, and events say the same of them as the plan."""
    events = {one.id: one for one in life.events}
    for arc in life.arcs:
        for one, following in pairwise(arc.states):
            if one.begins >= following.begins:
                yield f"{arc.id} comes to {following.state.claim!r} before {one.state.claim!r}"
        for state in arc.states:
            turn = events.get(state.event)
            if turn is None or turn.sort != "turn" or turn.at.date() != state.begins:
                yield f"{arc.id}: no event turns it to {state.state.claim!r} on {state.begins}"
            elif turn.after.arcs.get(arc.title.claim) != state.state.claim:
                yield f"{turn.id} leaves {arc.id} elsewhere than at {state.state.claim!r}"
    for event in life.events:
        if event.sort != "turn" and event.before.arcs != event.after.arcs:
            yield f"{event.id} is no turn, and moves an arc"


def _majors(life: LifeGraph) -> Iterator[str]:
    """Each records where every arc stands that has begun."""
    for major in life.majors:
        stands = {
            arc.id: max(place for place, one in enumerate(arc.states) if one.begins <= major.day)
            for arc in life.arcs
            if arc.states[0].begins <= major.day
        }
        if major.stands != stands:
            yield f"the major event of {major.day} records {major.stands}, and it is {stands}"


def _matters(life: LifeGraph) -> Iterator[str]:
    """What is settled is settled by an event of that day, otherwise than before."""
    events = {one.id: one for one in life.events}
    for matter in life.matters:
        for one, following in pairwise(matter.settled):
            if one.begins >= following.begins or one.value == following.value:
                yield f"{matter.id} is settled on {following.begins}, and as it was"
        for one in matter.settled:
            made = events.get(one.event)
            if made is None or made.sort != "settled" or made.at.date() != one.begins:
                yield f"{matter.id}: no event settles it on {one.begins}"


def _evidence(life: LifeGraph) -> Iterator[str]:
    events = {one.id: one for one in life.events}
    shown = {name for trace in life.traces for name in trace.evidence}
    for one in life.evidence:
        if one.id not in shown:
            yield f"evidence {one.id} is in no trace"
        if one.event not in events or one.id not in events[one.event].evidence:
            yield f"evidence {one.id} is of no event"


def _traces(life: LifeGraph) -> Iterator[str]:
    """Each cites evidence, of what has happened by then; who reads it follows from what it is."""
    times = {one.id: one.at for one in life.events}
    when = {one.id: times.get(one.event) for one in life.evidence}
    people = {life.persona.name, *(one.name for one in life.contacts)}
    for text in _repeated(one.text for one in life.traces):
        yield f"two traces say {text[:60]!r}"
    for one, following in pairwise(life.traces):
        if one.at > following.at:
            yield f"{following.id} comes before {one.id}, which stands before it"
    for trace in life.traces:
        if not trace.evidence:
            yield f"trace {trace.id} cites no evidence"
        for name in trace.evidence:
            at = when.get(name)
            if at is None or at > trace.at:
                yield f"trace {trace.id} cites {name}, which is not so yet"
        if not {trace.writer, *trace.audience} <= people:
            yield f"trace {trace.id} is written or read by somebody who is not in this life"
        if (trace.medium in OWN) != (not trace.audience):
            yield f"trace {trace.id}, {trace.medium}, is read by {len(trace.audience)} others"
        if trace.medium == "private message" and len({trace.writer, *trace.audience}) != 2:
            yield f"the private message {trace.id} is not between two"


def _repeated(names: Iterable[str]) -> Iterator[str]:
    yield from (name for name, count in Counter(names).items() if count > 1)
