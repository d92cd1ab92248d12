"""The moment of a character: made from the scene and its view, and from nothing else."""

from __future__ import annotations

from whoknew.agents.agent import Moment
from whoknew.engine.plan.planned import ranking_of
from whoknew.eventlog import View
from whoknew.worlds.scene import Scene


def moment_of(
    scene: Scene, exits: tuple[str, ...], opened_seq: int, view: View, version: int
) -> Moment:
    """What a character gets when it must act in a scene, which opened at `opened_seq`, has these
    `exits` and is played by this version of the rules."""
    who, bearings = view.character, scene.bearings(view.character)
    return Moment(
        who=who,
        view=view.ranked(ranking_of(version)),
        begins=view.before(opened_seq),
        present=bearings.present,
        in_sight=bearings.in_sight,
        asleep=bearings.asleep,
        conditions=bearings.conditions,
        hidden=bearings.hidden,
        place=bearings.place,
        exits=tuple([one for one in exits if one != bearings.place]) if exits else (),
        turns_left=scene.turns_left(who) if version else _all_turns_left(scene),
        all_counted=not version,
        failed=scene.failed[who],
    )


def _all_turns_left(scene: Scene) -> int | None:
    limit = scene.opened.turn_limit
    return None if limit is None else limit - scene.turn
