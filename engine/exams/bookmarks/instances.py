"""The instances of the exam: what each character does in the second half of its story, action by action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from whoknew.agents.memories.bookmarks.told_lines import actors
from whoknew.agents.methods.predict import NEXT_ACTION
from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.origin import RULE, origin_tag
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, Traced
from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.stores.store import is_name
from whoknew.worlds.importers.storyline import MAJOR, source_of
from whoknew.worlds.importers.storyline.form import Cast, step_of
from whoknew.worlds.json_lines import unfit
from whoknew.worlds.question import Question, cluster_of

KIND = "action"

Whose = Literal["major", "all"] | tuple[str, ...]


class AskedActions(Struct, frozen=True, kw_only=True):
    """`whose` actions are predicted: those of the major characters (whom the world came with, or who do
    something `acts` times), of all, or of these. The first `material` part of those of each is material."""

    whose: Whose = "major"
    acts: int = MAJOR
    material: float = 0.5


def instances(world: str, events: Sequence[Event], wanted: AskedActions) -> list[Question]:
    """All of a world, in story order. An action of two is an instance of each."""
    done = actions(events)
    tested = {
        (who, event.seq)
        for who in characters(events, done, wanted)
        for event in done[who][int(len(done[who]) * wanted.material) :]
    }
    return [
        one
        for event in events
        for who in doers(event)
        if (who, event.seq) in tested and (one := _instance(world, who, event))
    ]


def in_turn(some: Sequence[Question]) -> list[Question]:
    """One of each character, then the second of each: the first few tell of all of them. Those of one
    character stay in story order."""
    asked, turns = Counter[str](), list[int]()
    for one in some:
        asked[one.character] += 1
        turns.append(asked[one.character])
    return [one for _, one in sorted(zip(turns, some, strict=True), key=lambda pair: pair[0])]


def actions(events: Sequence[Event]) -> dict[str, list[Event]]:
    """What each character does, in order."""
    done: dict[str, list[Event]] = {}
    for event in events:
        for who in doers(event):
            done.setdefault(who, []).append(event)
    return done


def doers(event: Event) -> tuple[str, ...]:
    """Those who act in an event, where that is told: what is not cannot be a reference."""
    body = event.body
    return actors(event) if isinstance(body, Acted | Traced) and body.text else ()


def characters(
    events: Sequence[Event], done: Mapping[str, Sequence[Event]], wanted: AskedActions
) -> list[str]:
    """Those whose actions are predicted, in the order in which they first do something."""
    if isinstance(wanted.whose, tuple):
        return [name for name in done if name in wanted.whose]
    askable = [name for name in done if is_name(name)]
    if wanted.whose == "all":
        return askable
    if cast := cast_of(events):
        return [name for name in askable if name in cast.major]
    return [name for name in askable if len(done[name]) >= wanted.acts]


def cast_of(events: Sequence[Event]) -> Cast | None:
    """Who is major in a world, where it came with that."""
    source = source_of(events)
    return source.cast if source else None


def check_named(whose: Whose, done: Mapping[str, Sequence[Event]], material: str) -> None:
    """Refuse names that nobody has who does anything."""
    for name in whose if isinstance(whose, tuple) else ():
        if name not in done:
            why = f"nobody in {material} who does anything is called {name!r}"
            raise WrongPlan(f"characters: {why}: {nearest(name, done)}")


def _instance(world: str, who: str, event: Event) -> Question | None:
    """The question just before somebody does something; None where what is done cannot be a reference."""
    step = step_of(event)
    told = step.action if step else event.text
    if any(unfit([told])):
        return None
    return Question(
        world=world,
        character=who,
        at=f"#{event.seq - 1}",
        question=NEXT_ACTION,
        kind=KIND,
        reference=told,
        cluster=cluster_of(who, world),
        tags=(*([f"episode {event.episode}"] if event.episode else ()), origin_tag(RULE)),
    )
