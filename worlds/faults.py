"""What can be wrong with a setting whose every value is of the right kind: names that nobody has,
people who come in when they are there, things that are worth nothing to anybody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from whoknew.eventlog.counted import counted
from whoknew.eventlog.nearest import closest, guess, nearest
from whoknew.worlds.document import Fault, joined
from whoknew.worlds.setting import Cue, Relation, Scenario, Setting


def faults(setting: Setting) -> Iterator[Fault]:
    people = [one.name for one in setting.characters]
    places = [one.name for one in setting.places]
    yield from name_faults(people, "characters")
    yield from name_faults(places, "places")
    yield from name_faults([one.name for one in setting.scenarios], "scenarios")
    yield from least_faults(len(people), 2, "characters", "character")
    yield from least_faults(len(setting.scenarios), 1, "scenarios", "scenario")
    for number, place in enumerate(setting.places):
        for key, named in (("hears", place.hears), ("sees", place.sees)):
            yield from _known(named, places, f"places[{number}].{key}", "place")
    for number, relation in enumerate(setting.relations):
        yield from relation_faults(relation, people, f"relations[{number}]")
    if setting.pace < 0 or setting.gap < 0:
        yield "pace" if setting.pace < 0 else "gap", "is negative: story time never runs backwards"
    begins: datetime | None = None
    for number, scenario in enumerate(setting.scenarios):
        key = f"scenarios[{number}]"
        if scenario.begins and begins and scenario.begins < begins:
            yield f"{key}.begins", f"is before {begins}, when an earlier one begins"
        begins = scenario.begins or begins
        yield from _scenario(scenario, people, places, key)
        yield from _needs(scenario, setting.scenarios[:number], people, key)


def _scenario(
    one: Scenario, people: Sequence[str], places: Sequence[str], key: str
) -> Iterator[Fault]:
    yield from _known(one.cast, people, f"{key}.cast", "character")
    for field, names in (("goals", one.goals), ("where", one.where), ("worth", one.worth)):
        for name in names:
            yield from _known_one(name, people, joined(f"{key}.{field}", name), "character")
    yield from _known(one.hidden, people, f"{key}.hidden", "character")
    yield from _known(one.asleep, people, f"{key}.asleep", "character")
    if one.place is not None:
        yield from _known_one(one.place, places, f"{key}.place", "place")
    for name, place in one.where.items():
        yield from _known_one(place, places, joined(f"{key}.where", name), "place")
    for name in dict.fromkeys([*one.where, *one.hidden, *one.asleep]):
        if name in people and name not in one.cast:
            yield f"{key}.cast", f"lacks {name!r}, who is somewhere when it opens: add {name!r}"
    for field, limit in (("turns", one.turns), ("stale", one.stale)):
        if limit is not None and limit < 1:
            yield f"{key}.{field}", f"is {limit}, but should be 1 at least"
    comers = {turning.who for turning in one.turnings if turning.enters}
    yield from least_faults(
        len({*one.cast, *comers}), 2, f"{key}.cast", "character", " with those who come"
    )
    for name, goal in one.goals.items():
        yield from _directions(goal, people, places, joined(f"{key}.goals", name))
    yield from _turnings(one, people, places, key)
    yield from _pool(one, key)


DIRECTIONS = ("Say", "Whisper to", "Think", "Do", "Gesture", "Leave", "Go to")
"""With what a line of a goal begins that the offline model performs."""

SLIP = 0.87
"""How much of a word is that of a direction where it is a slip of the pen (`Wisper to`), and no word of
somebody's own, such as `Stay`, `Note to` or `Write to`."""

MEANT = 0.75
"""How much of a name is that of somebody or of a place where these are meant (`Brom` for Bram), and
nobody and nowhere else, as `the bakery` beside the market."""

_DIRECTION = re.compile(
    rf'^ *(?:({"|".join(DIRECTIONS)})|([A-Za-z]+(?: to)?))(?: ([^:"\n]+))?: ".*" *$', re.MULTILINE
)


def _directions(
    goal: str, people: Sequence[str], places: Sequence[str], key: str
) -> Iterator[Fault]:
    """Lines that are nearly directions, and that nobody would perform: any other line is what somebody
    wants, in words."""
    firsts = {one.partition(" ")[0]: one for one in reversed(people)}
    for verb, other, what in _DIRECTION.findall(goal):
        if other and (meant := closest(other, DIRECTIONS, SLIP)):
            yield key, f"{other!r} is no direction: {guess(meant)}"
        elif verb == "Whisper to" and what not in people:
            if meant := firsts.get(what) or closest(what, people, MEANT):
                yield key, f"{what!r} is no character: {guess(meant)}"
        elif verb == "Go to" and what not in places and (meant := closest(what, places, MEANT)):
            yield key, f"{what!r} is no place: {guess(meant)}"


def _needs(
    one: Scenario, before: Sequence[Scenario], people: Sequence[str], key: str
) -> Iterator[Fault]:
    earlier = [scenario.name for scenario in before]
    for number, need in enumerate(one.needs):
        where = f"{key}.needs[{number}]"
        yield from _known_one(need.scenario, earlier, f"{where}.scenario", "earlier scenario")
        yield from _known_one(need.who, people, f"{where}.who", "character")


def _turnings(
    one: Scenario, people: Sequence[str], places: Sequence[str], key: str
) -> Iterator[Fault]:
    latest = 1
    for number, turning in enumerate(one.turnings):
        where = f"{key}.turnings[{number}]"
        if turning.turn < latest:
            yield f"{where}.turn", f"is {turning.turn}, but should be {latest} at least: in order"
        latest = max(latest, turning.turn)
        if one.turns is not None and turning.turn > one.turns:
            yield f"{where}.turn", f"is {turning.turn}, but the episode ends after {one.turns}"
        if turning.place is not None:
            yield from _known_one(turning.place, places, f"{where}.place", "place")
        if turning.who is not None:
            yield from _known_one(turning.who, people, f"{where}.who", "character")
        yield from _turning(turning, where)


DEEDS = ("enters", "leaves", "becomes", "narrates")
"""What can happen in a turning."""


def _turning(turning: Cue, key: str) -> Iterator[Fault]:
    deeds = [name for name in DEEDS if getattr(turning, name) is not None]
    if len(deeds) != 1:
        given = " and ".join(deeds) or "nothing"
        yield (
            key,
            f"{given} happens in it: give exactly one of enters, leaves, becomes and narrates",
        )
    elif turning.who is None and deeds != ["narrates"]:
        yield key, f"who {deeds[0]}? Give `who`"


def _pool(one: Scenario, key: str) -> Iterator[Fault]:
    for item, count in one.pool.items():
        if count < 1:
            yield joined(f"{key}.pool", item), f"is {count}, but should be 1 at least"
    if one.worth and not one.pool:
        yield f"{key}.worth", "says what things are worth, but there is no `pool` of things"
    for who, worth in one.worth.items():
        points_of = joined(f"{key}.worth", who)
        for item, points in worth.items():
            if points < 0:
                yield joined(points_of, item), f"is {points}, but should be 0 at least"
            if one.pool and item not in one.pool:
                what = f"is not in the pool: {nearest(item, one.pool)}"
                yield joined(points_of, item), what
        if missing := [item for item in one.pool if item not in worth]:
            yield points_of, f"says nothing of {missing[0]!r}: give its points"
    if one.pool and (without := [name for name in one.cast if name not in one.worth]):
        yield f"{key}.worth", f"says nothing of {without[0]!r}, who is there to share: give points"


def relation_faults(one: Relation, people: Sequence[str], key: str) -> Iterator[Fault]:
    yield from _known(one.between, people, f"{key}.between", "character")
    for field, name in (("of", one.of), ("to", one.to)):
        if name is not None:
            yield from _known_one(name, people, f"{key}.{field}", "character")
    directed = one.of is not None and one.to is not None and not one.between
    mutual = len(set(one.between)) == 2 == len(one.between) and one.of is None and one.to is None
    if not directed and not mutual:
        yield key, "whose relation is it? Give `between` two people, or `of` one `to` another"


def name_faults(names: Sequence[str], key: str) -> Iterator[Fault]:
    for number, name in enumerate(names):
        if not name or name != name.strip() or not name.isprintable():
            yield (
                f"{key}[{number}].name",
                f"is {name!r}: use printable characters, and no space at either end",
            )
        elif name in names[:number]:
            yield f"{key}[{number}].name", f"is {name!r}, as an earlier one is"


def _known(names: Sequence[str], known: Sequence[str], key: str, what: str) -> Iterator[Fault]:
    """Each is one of the known, and stands there once."""
    for number, name in enumerate(names):
        yield from _known_one(name, known, f"{key}[{number}]", what)
        if name in names[:number]:
            yield f"{key}[{number}]", f"{name!r} stands there twice: leave one out"


def _known_one(name: str, known: Sequence[str], key: str, what: str) -> Iterator[Fault]:
    if name not in known:
        yield key, f"{name!r} is no {what}: {nearest(name, known)}"


def least_faults(count: int, least: int, key: str, noun: str, beside: str = "") -> Iterator[Fault]:
    if count < least:
        yield key, f"has {counted(count, noun)}{beside}, but needs {least} at least"
