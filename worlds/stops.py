"""When an episode is over: small rules, composed with `|`, each giving its reason or nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from whoknew.worlds.scene import Scene


class Stop:
    """A rule by which an episode ends; `a | b` ends it when either does, and says why."""

    def __init__(self, *reasons: Callable[[Scene], str | None]) -> None:
        self._reasons = reasons

    def __call__(self, scene: Scene) -> str | None:
        for reason in self._reasons:
            if why := reason(scene):
                return why
        return None

    def __or__(self, other: Stop) -> Stop:
        return Stop(*self._reasons, *other._reasons)


def turn_limit(turns: int) -> Stop:
    return Stop(lambda scene: f"{turns} turns" if scene.turn >= turns else None)


def stale(turns: int, expected: Callable[[Scene], bool] = lambda _: False) -> Stop:
    """So many turns after one another in which nobody did anything, and nothing is expected to
    happen. To be out of turn is not to do nothing."""

    def reason(scene: Scene) -> str | None:
        idle = scene.stale >= turns and not expected(scene)
        return f"nothing happened for {turns} turns" if idle else None

    return Stop(reason)


def too_few(least: int, expected: Callable[[Scene], bool]) -> Stop:
    """Fewer than `least` are left, and nobody is expected to come."""

    def reason(scene: Scene) -> str | None:
        few = len(scene.present) < least and not expected(scene)
        return f"fewer than {least} are left" if few else None

    return Stop(reason)


def asleep(expected: Callable[[Scene], bool]) -> Stop:
    """All who are there are asleep, and nothing is expected to happen."""

    def reason(scene: Scene) -> str | None:
        over = bool(scene.present) and not scene.awake and not expected(scene)
        return "all are asleep" if over else None

    return Stop(reason)


def until(at: datetime) -> Stop:
    return Stop(lambda scene: f"it is {at:%H:%M}" if scene.now >= at else None)


def agreed() -> Stop:
    return Stop(lambda scene: "agreed" if scene.settled else None)
