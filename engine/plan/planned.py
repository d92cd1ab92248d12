"""The plan of a world, written into its log: so the log is all that it takes to go on (law 8)."""

from __future__ import annotations

import zlib

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import NoPlan
from whoknew.engine.plan.plan import Plan
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import Planned
from whoknew.worlds.setting import Setting


class RecordedPlan(Struct, frozen=True):
    """What a plan comes to: with the setting that it plays, as it was then."""

    plan: Plan
    setting: Setting


def planned(plan: Plan, setting: Setting, chain: int) -> Planned:
    """A plan as an event. Where its log is, the log need not say."""
    written = RecordedPlan(replace(plan, log=None), setting)
    return Planned(zlib.compress(msgspec.json.encode(written)), chain)


def written(planned: Planned) -> RecordedPlan:
    return msgspec.json.decode(zlib.decompress(planned.content), type=RecordedPlan)


async def plan_of(log: Log, world: str, upto: int) -> tuple[RecordedPlan, int]:
    """By which plan a world was being played at a seq, and as which of its chains."""
    landmarks = await log.landmarks(world, upto)
    for event in reversed(landmarks):
        if isinstance(event.body, Planned):
            return written(event.body), event.body.chain
    raise NoPlan(
        f"{world!r} was not played by a plan (it was imported, or written by a program): there is "
        "nothing to play again"
    )
