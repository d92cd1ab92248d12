"""Scenes for tests: opened, and gone on with, as if each draft were on the log."""

from __future__ import annotations

from datetime import datetime, timedelta

from whoknew.eventlog import Draft
from whoknew.worlds.beginning import episode
from whoknew.worlds.conditions import Conditions
from whoknew.worlds.drafting import Drafting
from whoknew.worlds.reach import Reach
from whoknew.worlds.scene import Scene
from whoknew.worlds.setting import Scenario

EVENING = datetime(2001, 3, 1, 20, 0)

TWO = Scenario("two", "A kitchen.", ("Oda", "Bram"), turns=6, stale=2)
THREE = Scenario("three", "A kitchen.", ("Oda", "Bram", "Kit"), turns=9, stale=3)


def opened(
    scenario: Scenario = THREE, reach: Reach | None = None, conditions: Conditions | None = None
) -> Scene:
    first, *others = episode(scenario, 1, EVENING, reach, conditions)
    scene = Scene(first, reach, conditions)
    go_on(scene, others)
    return scene


def go_on(scene: Scene, drafts: list[Draft]) -> list[Draft]:
    for draft in drafts:
        scene.take(draft)
    return drafts


def next_turn(scene: Scene) -> Drafting:
    return Drafting(scene, scene.turn + 1, scene.now + timedelta(seconds=20))
