"""A rehearsal: what prompts a plan leads to, before any was sent. The first episodes of a chain are
played in memory by offline minds; the prompts are made as for its own models."""

from __future__ import annotations

from msgspec.structs import replace

from whoknew.agents.errors import BadPart
from whoknew.agents.models.model import EMBED, LOOK
from whoknew.engine.plan.plan import Plan, Seat
from whoknew.engine.plan.program import Chain, Program
from whoknew.engine.running.chains import Run
from whoknew.engine.running.models import ModelPool
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.run_report import RunReport
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.stores.volatile import VolatileStore

EPISODES = 3
"""So many are played: prompts grow from one to the next."""


async def rehearse(chain: Chain) -> list[tuple[str, Event]]:
    """The calls, each with the model that would have been asked."""
    offline = Chain(chain.world, _offline(chain), chain.setting, chain.number)
    program = Program([offline], ":memory:")
    async with ModelPool([offline]) as pool, Log(VolatileStore()) as log:
        report = await Run(program, log, pool, Progress()).play()
        _check(report)
        events = [event async for event in log.read(chain.world)]
    calls = [event for event in events if isinstance(event.body, Called)]
    return [(model, event) for event in calls for model in _models(chain.plan, event)]


def _check(report: RunReport) -> None:
    """A part that ends the rehearsal would end the run as well: BadPart, with what it did."""
    for one in report.chains:
        if one.state in ("failed", "suspended") and not report.reason:
            raise BadPart(f"a rehearsal, played offline in memory, broke off: {one.reason}")


def _offline(chain: Chain) -> Plan:
    """The same plan with minds that cost nothing, and without limits."""
    plan = chain.plan
    first = tuple(one.name for one in chain.episodes()[:EPISODES])
    seats = {one.name: _offline_seat(plan.seat(one.name)) for one in chain.setting.characters}
    judges = {name: one.offline() for name, one in plan.judges.items()}
    episodes = replace(plan.episodes, play=first, repeat=1, shuffle=False)
    return replace(
        plan, chains=1, episodes=episodes, agents=seats, judges=judges, limits={}, models={}
    )


def _offline_seat(seat: Seat) -> Seat:
    """Nobody waits for a person."""
    return replace(seat.offline(), agent="mind" if seat.by_person else seat.agent)


def _models(plan: Plan, call: Event) -> list[str]:
    if call.actor:
        seat = plan.seat(call.actor)
        purpose = call.body.purpose if isinstance(call.body, Called) else ""
        return [{EMBED: seat.embedder, LOOK: seat.small_model}.get(purpose, seat.model)]
    return list(dict.fromkeys(one.model for one in plan.judges.values() if one.asks))
