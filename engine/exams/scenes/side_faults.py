"""What can be wrong with the seats of an exam of scenes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whoknew.engine.exams.plan import ExamPlan
from whoknew.engine.plan.document import seat_over
from whoknew.engine.plan.faults import address_fault, seat_faults
from whoknew.engine.plan.plan import EVERYONE, Seat
from whoknew.eventlog.nearest import nearest
from whoknew.worlds.bank import SIDES
from whoknew.worlds.document import Fault, given, joined

ROLES = (EVERYONE, *SIDES)


def side_faults(plan: ExamPlan, data: Mapping[str, Any]) -> Iterator[Fault]:
    """Each seat under the key where it is said what is wrong with it."""
    for role, seat in plan.agents.items():
        if role not in ROLES:
            yield joined("agents", role), f"is no seat here: {nearest(role, ROLES)}"
        else:
            said = given(data, "agents", role)
            yield from _seat(seat_over(plan.usual, seat, said), said, joined("agents", role))
    for name, arm in plan.arms.items():
        key = joined("arms", name)
        said = given(data, "arms", name)
        seat = seat_over(plan.usual, arm, said)
        yield from _seat(seat, said, key)
        for side in SIDES:
            if (own := getattr(arm, side)) is not None:
                said = given(data, "arms", name, side)
                yield from _seat(seat_over(seat, own, said), said, joined(key, side))


def _seat(seat: Seat, said: Mapping[str, Any], key: str) -> Iterator[Fault]:
    if not said:
        return
    yield from seat_faults(seat, key)
    if "writer" in said:
        yield f"{key}.writer", "is for exams of questions; here each writes itself: leave it out"
    if "model" in said:
        yield from address_fault(seat.model, f"{key}.model")
