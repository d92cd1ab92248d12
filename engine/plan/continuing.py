"""Going on with a world that no plan began: its people, and the scene that they are in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

from whoknew.engine.errors import NoPlan
from whoknew.engine.plan.planned import plan_of
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import (
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    Left,
    PlaceAdded,
    WorldOpened,
)
from whoknew.worlds.scene import Scene
from whoknew.worlds.setting import Character, Order, Place, Scenario, Setting

DIES = "dies"
"""How one goes who does not come again."""


async def setting_on(log: Log, world: str) -> Setting:
    """The setting of a world on a log: as its plan has it, or as its events give it."""
    try:
        found, _ = await plan_of(log, world, (await log.lineage.find(world)).head)
    except NoPlan:
        return _setting(world, [event async for event in await log.director(world)])
    return found.setting


def _setting(world: str, events: Sequence[Event]) -> Setting:
    """The episodes that it had, and the one that is to be played: that which is going on, or a
    further one with those who were there at the end of the last."""
    bodies = [event.body for event in events]
    scene, going_on = _last_scene(events)
    if scene is None:
        raise NoPlan(f"nothing has happened in {world!r} yet, so there is no scene to go on with")
    past = [
        Scenario(body.name, "", body.cast) for body in bodies if isinstance(body, EpisodeOpened)
    ]
    last = _scenario(scene, _there(scene, events, going_on=going_on))
    if len(last.cast) < 2:
        raise NoPlan(
            f"fewer than two people are left in the last scene of {world!r}: fork it at a moment "
            "when there are two, as `whoknew fork WORLD --at E1.T5`"
        )
    added = [body.name for body in bodies if isinstance(body, CharacterAdded)]
    places = [body for body in bodies if isinstance(body, PlaceAdded)]
    return Setting(
        name=world,
        title=next((body.title for body in bodies if isinstance(body, WorldOpened)), world),
        begins=events[0].at,
        characters=tuple(Character(name) for name in dict.fromkeys([*added, *scene.seats])),
        scenarios=(*(past[:-1] if going_on else past), last),
        places=tuple(Place(one.name, one.description) for one in places),
        gap=0,
    )


def _last_scene(events: Iterable[Event]) -> tuple[Scene | None, bool]:
    """The last scene as it stood, and whether it is still going on."""
    scene: Scene | None = None
    going_on = False
    for event in events:
        if isinstance(event.body, EpisodeOpened):
            scene, going_on = Scene(event), True
        elif scene is not None and event.episode == scene.number:
            scene.take(event)
            going_on = going_on and not isinstance(event.body, EpisodeClosed)
    return scene, going_on


def _there(scene: Scene, events: Iterable[Event], *, going_on: bool) -> tuple[str, ...]:
    """Those who are there; where a scene ends with all of them going, those who were in it."""
    if going_on:
        return tuple(scene.seats)
    dead = {
        event.actor for event in events if isinstance(event.body, Left) and event.body.how == DIES
    }
    there = scene.present if len(scene.present) > 1 else scene.seats
    return tuple(name for name in there if name not in dead)


def _scenario(scene: Scene, cast: tuple[str, ...]) -> Scenario:
    opened = scene.opened
    order: Order | None = next((one for one in get_args(Order) if one == opened.order), None)
    return Scenario(
        opened.name, opened.scenario, cast, place=scene.place, order=order, pool=opened.pool
    )
