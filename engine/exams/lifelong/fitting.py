"""Whether a log holds what a plan would play: else two examinations would be mixed in one table."""

from __future__ import annotations

from collections.abc import Sequence

from whoknew.engine.chain import parting
from whoknew.engine.errors import PlanChanged
from whoknew.engine.planned import written
from whoknew.engine.program import Chain
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import EpisodeOpened, Planned


async def check(log: Log, chains: Sequence[Chain]) -> None:
    """PlanChanged where a life that was begun had other episodes, seats, judges or turns. What may
    be used up, how models are called, and how many lives there are may change."""
    there = {one.name: one.head for one in await log.worlds()}
    for chain in chains:
        if chain.world in there:
            await _check(log, chain, there[chain.world])


async def _check(log: Log, chain: Chain, head: int) -> None:
    landmarks = [event.body for event in await log.landmarks(chain.world, head)]
    plans = [body for body in landmarks if isinstance(body, Planned)]
    opened = [body.name for body in landmarks if isinstance(body, EpisodeOpened)]
    if how := parting(opened, [one.name for one in chain.setting.scenarios]):
        raise _changed(chain.world, f"episodes (it {how})")
    for body in plans:
        before, now = written(body).plan, chain.plan
        for what, one, other in (
            ("seats", before.agents, now.agents),
            ("judges", before.judges, now.judges),
            ("turns", before.episodes, now.episodes),
        ):
            if one != other:
                raise _changed(chain.world, what)


def _changed(world: str, what: str) -> PlanChanged:
    return PlanChanged(
        f"{world!r} was played with other {what}: put the plan back as it was, or give it another "
        "name (or log), so that one table does not mix the two"
    )
