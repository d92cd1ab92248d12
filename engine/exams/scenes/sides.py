"""The two sides of a scene, with a seat for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whoknew.engine.exams.arms import ExamArm, acting, digest_of, seats_of
from whoknew.engine.exams.plan import ExamPlan, ExamSeat
from whoknew.engine.plan.document import seat_over
from whoknew.engine.plan.plan import Seat
from whoknew.worlds.bank import SIDES
from whoknew.worlds.document import given

SWAPPED = "-swapped"
"""Behind the name of an arm whose sides have changed places."""


def sided_arms(plan: ExamPlan, data: Mapping[str, Any]) -> list[ExamArm]:
    """The arms of an exam of scenes. One that says so stands there a second time, with its sides
    changed."""
    found: list[ExamArm] = []
    for name, seat in seats_of(plan, data):
        sides: dict[str, Seat] = {side: _side(plan, data, name, seat, side) for side in SIDES}
        found.append(sided_arm(name, seat, sides))
        if (own := plan.arms.get(name)) is not None and own.swapped:
            first, second = (sides[side] for side in SIDES)
            found.append(sided_arm(f"{name}{SWAPPED}", seat, {"first": second, "second": first}))
    return found


def sided_arm(name: str, seat: ExamSeat, sides: dict[str, Seat]) -> ExamArm:
    settings = {side: acting(one) for side, one in sides.items()}
    return ExamArm(name, seat, settings, digest_of(settings), sides=sides)


def offline_sides(arm: ExamArm) -> ExamArm:
    """The same with the model that needs no key and costs nothing."""
    sides = {side: seat.offline() for side, seat in arm.sides.items()}
    return sided_arm(arm.name, arm.seat.offline(), sides)


def _side(plan: ExamPlan, data: Mapping[str, Any], name: str, seat: Seat, side: str) -> Seat:
    """As the arm's seat, but for what is said of this side in all arms, and in this one."""
    if (common := plan.agents.get(side)) is not None:
        seat = seat_over(seat, common, given(data, "agents", side))
    own = getattr(plan.arms.get(name), side, None)
    return seat if own is None else seat_over(seat, own, given(data, "arms", name, side))
