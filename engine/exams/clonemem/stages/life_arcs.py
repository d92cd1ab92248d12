"""The first stage, its second half: the arcs of the life, by a model, on days that its seed says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from whoknew.agents.models.model import Request
from whoknew.engine.exams.clonemem.stages.life_size import FixedLife
from whoknew.engine.exams.clonemem.stages.persona import MadePersona
from whoknew.engine.exams.clonemem.stages.plain_text import short, text_fault
from whoknew.engine.exams.clonemem.stages.requests import life_request
from whoknew.engine.exams.writing.checks import CheckFailed
from whoknew.worlds.lives.bank import Dimension
from whoknew.worlds.lives.snapshots import FEELINGS

ARCS = "life.arcs"


class DraftedState(Struct, frozen=True):
    state: str
    feeling: str
    trigger: str
    cue: str


class DraftedArc(Struct, frozen=True):
    dimension: Dimension
    title: str
    states: tuple[DraftedState, ...]


class DraftedArcs(Struct, frozen=True):
    arcs: tuple[DraftedArc, ...]


def arcs_request(fixed: FixedLife, made: MadePersona) -> Request:
    around = [{"name": it.name, "is": it.relation, "text": it.text} for it in made.contacts]
    wanted = [
        {"dimension": dimension, "days": [day.isoformat() for day in days]}
        for dimension, days in fixed.arcs
    ]
    return life_request(
        ARCS,
        {
            "The person": [made.persona.profile],
            "Those around it": around,
            "The time": [{"from": fixed.begins.isoformat(), "to": fixed.ends.isoformat()}],
            "The feelings": [sorted(FEELINGS)],
            "The arcs that are wanted": wanted,
        },
        DraftedArcs,
    )


def arcs_fault(one: DraftedArcs, fixed: FixedLife) -> CheckFailed | None:
    """The first thing that is wrong with them."""
    return next(_faults(one.arcs, fixed), None)


def _faults(arcs: Sequence[DraftedArc], fixed: FixedLife) -> Iterator[CheckFailed]:
    if len(arcs) != len(fixed.arcs):
        yield CheckFailed("arcs", f"{len(arcs)} arcs are given: give {len(fixed.arcs)}.")
        return
    for arc, (dimension, days) in zip(arcs, fixed.arcs, strict=True):
        if wrong := text_fault("a title", arc.title, 12):
            yield wrong
        if arc.dimension != dimension:
            yield CheckFailed(
                "arcs", f"{short(arc.title)} is of {arc.dimension}: {dimension} is wanted there."
            )
        if len(arc.states) != len(days):
            yield CheckFailed(
                "arcs", f"{short(arc.title)} has {len(arc.states)} states: give {len(days)}."
            )
        yield from _states(arc)
    for title, count in Counter(one.title.casefold() for one in arcs).items():
        if count > 1:
            yield CheckFailed("arcs", f"two arcs are called {short(title)}.")


def _states(arc: DraftedArc) -> Iterator[CheckFailed]:
    for one in arc.states:
        for what, text, most in (
            ("a state", one.state, 20),
            ("a trigger", one.trigger, 40),
            ("a cue", one.cue, 40),
        ):
            if wrong := text_fault(what, text, most, least=2):
                yield wrong
        if one.feeling not in FEELINGS:
            yield CheckFailed("feeling", f"{short(one.feeling)} is none of the feelings.")
    for what in ("state", "trigger", "cue"):
        said = Counter(getattr(one, what).casefold() for one in arc.states)
        for text, count in said.items():
            if count > 1:
                yield CheckFailed("arcs", f"{short(arc.title)} has the {what} {short(text)} twice.")
