"""The questions of an exam: so many of each kind and form, drawn by seed from all worlds in turn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import zip_longest
from random import Random

from msgspec import to_builtins

from whoknew.engine.exams.timechara.asked_world import AskedFor, AskedWorld, SomeEvent
from whoknew.engine.exams.timechara.event_sentences import ToldEvent
from whoknew.engine.exams.timechara.fakes import STRATEGIES
from whoknew.engine.exams.timechara.labels import ABSENCE, FUTURE, ONLY, PRESENCE, UNSURE
from whoknew.engine.exams.timechara.points import TimePoint
from whoknew.engine.exams.timechara.worded_questions import FACT, FAKE, STRUCTURED, AskedPerson
from whoknew.worlds.json_lines import unfit
from whoknew.worlds.question import Question


def questions(worlds: Sequence[AskedWorld], wanted: AskedFor) -> list[Question]:
    """The same worlds give the same questions. Where a world has fewer than are wanted, others have
    more of them. All sorts are mixed: the first so many are of each."""
    found: dict[str, Question] = {}
    sorts: list[list[Question]] = []
    for number, (_, make, kinds) in enumerate(_strata(unsure=wanted.unsure is not None)):
        left: dict[str, int] = dict.fromkeys(kinds, wanted.each)
        sort: list[Question] = []
        sorts.append(sort)
        for world, event, draw in _events(worlds, f"{wanted.seed}/{number}"):
            if not any(left.values()):
                break
            for one in make(world, event, draw):
                if left.get(one.kind) and one.id not in found and not any(unfit(to_builtins(one))):
                    found[one.id] = one
                    sort.append(one)
                    left[one.kind] -= 1
    return _mixed(sorts)


def _mixed(sorts: Sequence[Sequence[Question]]) -> list[Question]:
    """All of them, each sort at even distances."""
    places = sorted(
        ((place + 0.5) / len(sort), number, place)
        for number, sort in enumerate(sorts)
        for place in range(len(sort))
    )
    return [sorts[number][place] for _, number, place in places]


def about(
    world: AskedWorld, event: ToldEvent, *, kinds: Collection[str], each: int, seed: str
) -> list[Question]:
    """Of one event that is told in a sentence `each` of these kinds of every type: all of them rest on
    it."""
    found: dict[str, Question] = {}
    for number, (kind, make, types) in enumerate(_strata()):
        draw = Random(f"{seed}/{number}")
        left: dict[str, int] = dict.fromkeys(types, each if kind in kinds else 0)
        for _ in range(each):
            some = list(make(world, event, draw))
            for one in draw.sample(some, len(some)):
                if left[one.kind] and one.id not in found and not any(unfit(to_builtins(one))):
                    found[one.id] = one
                    left[one.kind] -= 1
    return list(found.values())


Making = Callable[[AskedWorld, SomeEvent, Random], Iterator[Question]]


def _strata(*, unsure: bool = False) -> Iterator[tuple[str, Making, Sequence[str]]]:
    """The sorts of questions, how each is made, and of which types; on what is `unsure` where that is
    wanted."""
    yield STRUCTURED, _ahead, (FUTURE,)
    yield STRUCTURED, _behind, (PRESENCE, ABSENCE)
    yield FACT, _free_ahead, (FUTURE,)
    yield FACT, _free_behind, (ONLY,)
    yield FAKE, _fake, (ONLY,)
    if unsure:
        yield UNSURE, _unsure, (UNSURE,)


def _events(
    worlds: Sequence[AskedWorld], seed: str
) -> Iterator[tuple[AskedWorld, SomeEvent, Random]]:
    """All events in a random order, from each world in turn, twice: of one nothing may be had with what
    was drawn for it. In each world speeches and what is told in a sentence take turns."""
    for turn in (1, 2):
        columns: list[list[tuple[AskedWorld, SomeEvent, Random]]] = []
        for world in worlds:
            drawn = f"{seed}/{world.name}/{turn}"
            some: tuple[Sequence[SomeEvent], ...] = (world.events, world.told)
            columns += [
                [
                    (world, one, Random(f"{drawn}/{one.seq}"))
                    for one in Random(drawn).sample(events, len(events))
                ]
                for events in some
            ]
        for row in zip_longest(*columns):
            yield from (one for one in row if one is not None)


def _ahead(world: AskedWorld, event: SomeEvent, draw: Random) -> Iterator[Question]:
    """One main character, at a point before it."""
    if drawn := _drawn(world, draw, lambda who: world.ahead(event, who)):
        yield AskedPerson.of(world, event, *drawn).structured(draw)


def _behind(world: AskedWorld, event: SomeEvent, draw: Random) -> Iterator[Question]:
    """All main characters, each at a point after it, but for those who stood by and noticed nothing."""
    for who in world.people:
        if who not in event.unsure and (points := world.behind(event, who)):
            asked = AskedPerson.of(world, event, who, draw.choice(points))
            if asked.can_be_structured:
                yield asked.structured(draw)


def _free_ahead(world: AskedWorld, event: SomeEvent, draw: Random) -> Iterator[Question]:
    if drawn := _drawn(world, draw, lambda who: world.ahead(event, who)):
        yield from AskedPerson.of(world, event, *drawn).free(draw)


def _free_behind(world: AskedWorld, event: SomeEvent, draw: Random) -> Iterator[Question]:
    if drawn := _drawn(world, draw, lambda who: _knowing(world, event, who)):
        yield from AskedPerson.of(world, event, *drawn).free(draw)


def _fake(world: AskedWorld, event: SomeEvent, draw: Random) -> Iterator[Question]:
    """Each strategy as often as any other, where the event has it."""
    drawn = _drawn(world, draw, lambda who: _knowing(world, event, who))
    if drawn is None:
        return
    yield from AskedPerson.of(world, event, *drawn).falsely([draw.choice(STRATEGIES)], draw)


def _unsure(world: AskedWorld, event: SomeEvent, draw: Random) -> Iterator[Question]:
    """All main characters of whom it is open whether they witnessed it, or were told."""
    for who in world.people:
        asked = [AskedPerson.unsure(world, event, who, one) for one in world.behind(event, who)]
        there = [one for one in asked if one.open("structured")]
        knowing = [one for one in asked if one.open("free") and one.can_be_free]
        if there and not (knowing and draw.random() < 0.5):
            yield draw.choice(there).structured(draw)
        elif knowing:
            yield from draw.choice(knowing).free(draw)


def _knowing(world: AskedWorld, event: SomeEvent, who: str) -> list[TimePoint]:
    """The points at which somebody is asked of an event in free form."""
    return [
        one
        for one in world.behind(event, who)
        if (asked := AskedPerson.of(world, event, who, one)).can_be_free and not asked.open("free")
    ]


def _drawn(
    world: AskedWorld, draw: Random, points: Callable[[str], Sequence[TimePoint]]
) -> tuple[str, TimePoint] | None:
    """One of the main characters who can be asked, and a point."""
    able = [(who, some) for who in world.people if (some := points(who))]
    if not able:
        return None
    who, some = draw.choice(able)
    return who, draw.choice(some)
