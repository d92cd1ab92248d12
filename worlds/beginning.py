"""How a world begins, and how each of its episodes begins and ends: drafts, ready to append."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from itertools import permutations

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import (
    Became,
    CharacterAdded,
    Described,
    Entered,
    EpisodeClosed,
    EpisodeOpened,
    EpisodeResumed,
    GoalGiven,
    PlaceAdded,
    RelationSet,
    Reviewed,
    WorldOpened,
)
from whoknew.worlds.conditions import Conditions
from whoknew.worlds.drafting import points
from whoknew.worlds.reach import Reach
from whoknew.worlds.relationship import KNOWN, OWN, Relationship, portrait
from whoknew.worlds.scene import Scene
from whoknew.worlds.setting import Scenario, Setting
from whoknew.worlds.stage import Stage

POINTS = "points"
"""The judge of exact points, where there was something to divide."""


def world(setting: Setting, seed: int, planned: int) -> list[Draft]:
    """What the world is. Each knows itself, how it stands to others and as much of them as
    follows from that; of places everyone knows. Strangers are described when they are met."""
    everyone = tuple(one.name for one in setting.characters)
    drafts = [Draft(WorldOpened(setting.title, seed, planned, meet=True), setting.begins)]
    drafts += [
        Draft(CharacterAdded(one.name, portrait(one, OWN), one.key), witnesses=(one.name,))
        for one in setting.characters
    ]
    drafts += [
        Draft(PlaceAdded(place.name, place.description), witnesses=everyone)
        for place in setting.places
    ]
    drafts += [
        Draft(Became(condition), actor=one.name, witnesses=(one.name,))
        for one in setting.characters
        for condition in one.conditions
    ]
    relations = relations_of(setting)
    for (of, to), relation in relations.items():
        drafts.append(Draft(RelationSet(of, to, relation), witnesses=(of,)))
    drafts += _descriptions(setting, relations)
    return drafts


def relations_of(setting: Setting) -> dict[tuple[str, str], Relationship]:
    """How each who has a relation set stands to whom; nobody else knows anybody."""
    relations: dict[tuple[str, str], Relationship] = {}
    for one in setting.relations:
        if one.of and one.to:
            relations[one.of, one.to] = one.relation
        else:
            for of, to in permutations(one.between):
                relations[of, to] = one.relation
    return relations


def _descriptions(
    setting: Setting, relations: Mapping[tuple[str, str], Relationship]
) -> Iterator[Draft]:
    """Of each character, one event for all who stand to it so that they know the same of it."""
    knowing: dict[str, dict[str, list[str]]] = {}
    people = {one.name: one for one in setting.characters}
    for (of, to), relation in relations.items():
        text = portrait(people[to], KNOWN[relation])
        knowing.setdefault(to, {}).setdefault(text, []).append(of)
    for name in people:
        for text, witnesses in knowing.get(name, {}).items():
            if text:
                yield Draft(Described(name, text), witnesses=tuple(witnesses))


def begins(
    setting: Setting, scenario: Scenario, now: datetime, opened: datetime | None
) -> datetime:
    """When an episode begins: at its own time, or some hours after the one before it opened."""
    planned = scenario.begins
    if planned is None:
        planned = setting.begins if opened is None else opened + timedelta(hours=setting.gap)
    return max(planned, now)


def episode(
    scenario: Scenario,
    number: int,
    at: datetime,
    reach: Reach | None = None,
    conditions: Conditions | None = None,
) -> list[Draft]:
    """How an episode opens: the scenario, to all who are there and awake; to each its own goal, also
    to those who come later; who stands elsewhere, or is not seen; and who is asleep."""
    conditions = conditions.copy() if conditions else Conditions()
    invisible = [name for name in scenario.cast if not conditions.visible(name)]
    apart = {*scenario.where, *scenario.hidden, *invisible}
    here = tuple(name for name in scenario.cast if name not in apart)
    awake = tuple(name for name in scenario.cast if name not in scenario.asleep)
    draft = partial(Draft, at=at, episode=number, turn=0)
    drafts = [draft(_opened(scenario, here), place=scenario.place, witnesses=awake)]
    for owner in dict.fromkeys([*scenario.goals, *scenario.worth]):
        given = GoalGiven(owner, scenario.goals.get(owner, ""), scenario.worth.get(owner, {}))
        drafts.append(draft(given, witnesses=(owner,)))
    for name in scenario.asleep:
        conditions.become(name, "asleep")
    stage = Stage(here, scenario.place, reach, conditions)
    for name in scenario.cast:
        if name in apart:
            hidden = name in scenario.hidden
            place = scenario.where.get(name, scenario.place)
            witnesses = stage.enter(name, place, hidden=hidden)
            place = stage.place_of(name)
            drafts.append(draft(Entered(hidden), actor=name, place=place, witnesses=witnesses))
    for name in scenario.asleep:
        witnesses, place = stage.passing(name), stage.place_of(name)
        drafts.append(draft(Became("asleep"), actor=name, place=place, witnesses=witnesses))
    return drafts


def _opened(scenario: Scenario, here: tuple[str, ...]) -> EpisodeOpened:
    return EpisodeOpened(
        scenario.text,
        cast=here,
        order=scenario.order or "round-robin",
        turn_limit=scenario.turns,
        name=scenario.name,
        stale_limit=scenario.stale,
        pool=scenario.pool,
        key=scenario.key,
    )


def resumed(scenario: Scenario, scene: Scene) -> Draft:
    """How a scene goes on that was not played so far: its turns are counted from here."""
    turns = None if scenario.turns is None else scene.turn + scenario.turns
    body = EpisodeResumed(scenario.order or "round-robin", turns, scenario.stale)
    return Draft(
        body, at=scene.now, episode=scene.number, turn=scene.turn, actor=None, place=scene.place
    )


def shares(scene: Scene, worth: Mapping[str, Mapping[str, int]]) -> dict[str, tuple[int, int]]:
    """The points that each has of what there was to divide, and the most that it could have."""
    given = scene.offer if scene.settled else {}
    pool = scene.opened.pool
    return {
        name: (points(given.get(name, {}), values), points(pool, values))
        for name, values in worth.items()
        if pool
    }


def ending(
    scene: Scene, reason: str, worth: Mapping[str, Mapping[str, int]], seq: int
) -> list[Draft]:
    """How an episode closes, at seq `seq`; and where there was something to divide, what each has
    of it. Without an agreement nobody has anything."""
    at, number = scene.now, scene.number
    drafts = [
        Draft(
            EpisodeClosed(reason),
            at=at,
            episode=number,
            turn=scene.turn,
            actor=None,
            place=None,
            witnesses=scene.present,
        )
    ]
    if earned := shares(scene, worth):
        scores = {name: float(mine) for name, (mine, _) in earned.items()}
        review = Reviewed(POINTS, scores, reason)
        drafts.append(Draft(review, at=at, episode=number, turn=scene.turn, cause=seq))
    return drafts
