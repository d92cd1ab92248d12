"""All questions that could be asked, none left to chance but their words: of each event every main character,
at each of its points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import to_builtins

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.timechara.asked_world import AskedFor, AskedWorld, SomeEvent
from whoknew.engine.exams.timechara.fakes import STRATEGIES
from whoknew.engine.exams.timechara.points import TimePoint
from whoknew.engine.exams.timechara.worded_questions import AskedPerson
from whoknew.worlds.json_lines import unfit
from whoknew.worlds.question import Question

MOST = 200_000
"""Questions of a grid: each is some kilobytes, and a cell for every arm."""


def grid(worlds: Sequence[AskedWorld], wanted: AskedFor) -> list[Question]:
    """At each place a structured one; a fact, where there is one to ask for that the character can know of;
    and of what is past a false one likewise."""
    cells = sum(len(_events(world)) * _points(world) for world in worlds)
    if cells > MOST:
        raise WrongPlan(
            f'sampling = "grid": {cells:,} places to ask at, but no more than {MOST:,} can be asked: '
            "name some `worlds`, or some `points`"
        )
    found = (
        one
        for world in worlds
        for event in _events(world)
        for one in _of_event(world, event, wanted.seed)
    )
    return [one for one in found if not any(unfit(to_builtins(one)))]


def _events(world: AskedWorld) -> Sequence[SomeEvent]:
    return (*world.events, *world.told)


def _points(world: AskedWorld) -> int:
    return sum(len(world.points.of(who)) for who in world.people)


def _of_event(world: AskedWorld, event: SomeEvent, seed: int) -> Iterator[Question]:
    for who in world.people:
        for point in (*world.ahead(event, who), *world.behind(event, who)):
            draw = Random(f"{seed}/grid/{world.name}/{event.told()}/{who}/{point.seq}")
            asked = AskedPerson.of(world, event, who, point)
            if asked.can_be_structured:
                yield asked.structured(draw)
            if asked.open("free") or not (asked.can_be_free or point.seq < event.first):
                yield from _unsure(world, event, who, point, draw)
                continue
            yield from asked.free(draw)
            if asked.can_be_free:
                yield from asked.falsely(draw.sample(STRATEGIES, len(STRATEGIES)), draw)


def _unsure(
    world: AskedWorld, event: SomeEvent, who: str, point: TimePoint, draw: Random
) -> Iterator[Question]:
    """What is asked where it is open what somebody knows, and that is wanted."""
    if world.wanted.unsure is not None:
        asked = AskedPerson.unsure(world, event, who, point)
        if asked.open("free") and asked.can_be_free:
            yield from asked.free(draw)
