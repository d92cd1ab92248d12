"""Whose turn it is. A new order is one function here: a scene in, those who act now out."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from whoknew.worlds.scene import Scene

Turns = Callable[[Scene, int], tuple[str, ...]]
"""From a scene and the world's seed to those who act in its next turn, in the order of seats."""


def round_robin(scene: Scene, seed: int) -> tuple[str, ...]:
    """One after another in the order of seats, whoever is there and awake."""
    seats, last = scene.seats, scene.last_actor
    start = seats.index(last) + 1 if last in seats else 0
    there = scene.awake
    for name in (*seats[start:], *seats[:start]):
        if name in there:
            return (name,)
    return ()


def simultaneous(scene: Scene, seed: int) -> tuple[str, ...]:
    """All at once: none of them knows what the others are about to do."""
    return scene.awake


def at_random(scene: Scene, seed: int) -> tuple[str, ...]:
    """One of those awake. The draw depends on nothing but the seed, the episode and the turn."""
    awake = scene.awake
    turn = scene.turn + 1 if scene.played else scene.turn
    return (Random(f"{seed}/{scene.number}/{turn}").choice(awake),) if awake else ()


ORDERS: dict[str, Turns] = {
    "round-robin": round_robin,
    "simultaneous": simultaneous,
    "random": at_random,
}
