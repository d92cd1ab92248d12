"""Whether a log holds what a program would go on with: else two stories would be mixed in one world."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from itertools import count

from msgspec.structs import replace

from whoknew.engine.errors import PlanChanged
from whoknew.engine.plan.differences import differences
from whoknew.engine.plan.planned import written
from whoknew.engine.plan.program import Chain, Program
from whoknew.engine.playing.chain import parting
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import EpisodeOpened, Planned

MOST = 5
"""So many differences are told one by one."""


async def fitted(log: Log, program: Program) -> Program:
    """The program under the names that its worlds have on the log; PlanChanged where the log was
    played by another plan. So nothing is played before this is known."""
    program = await named(log, program)
    await check(log, program.chains, judged=program.judged)
    return program


async def named(log: Log, program: Program) -> Program:
    """The program as its first chain is called on the log."""
    first = program.chains[0]
    world = await world_of(log, first)
    return program if world == first.world else program.beginning_with(world)


async def world_of(log: Log, chain: Chain) -> str:
    """What the world of a chain is called on a log: an earlier version called the first of several
    NAME-1."""
    numbered = f"{chain.world}-1"
    if chain.number > 0:
        return chain.world
    there = {one.name: one.head for one in await log.worlds()}
    earlier = numbered in there and (chain.plan.chains > 1 or chain.world not in there)
    if earlier and _is_first(await log.landmarks(numbered, there[numbered]), chain.world):
        return numbered
    return chain.world


async def check(log: Log, chains: Sequence[Chain], *, judged: bool = True) -> None:
    """PlanChanged where a world that was begun had another plan, in what decides its story; or, if it
    is `judged`, other judges."""
    worlds = await log.found([chain.world for chain in chains])
    changed: dict[str, list[str]] = {}
    for chain in chains:
        if there := worlds.get(chain.world):
            landmarks = await log.landmarks(chain.world, there.head)
            if how := _changed(chain, landmarks, there.forked_at, judged=judged):
                changed[chain.world] = how
    if changed:
        raise PlanChanged(_told(changed, {one.name for one in await log.worlds()}))


async def parted(log: Log, chain: Chain, *, judged: bool = False) -> list[str]:
    """How the plan by which a world was played is another one, in what decides its story; whoever
    judges it, where it is not `judged`. The world has to be there."""
    there = await log.lineage.find(chain.world)
    landmarks = await log.landmarks(chain.world, there.head)
    return _changed(chain, landmarks, there.forked_at, judged=judged)


def _is_first(landmarks: Sequence[Event], name: str) -> bool:
    """Whether this is the first of several chains called `name`, which once was called NAME-1."""
    plans = [
        written(event.body, f"{event.world!r} #{event.seq}")
        for event in landmarks
        if isinstance(event.body, Planned)
    ]
    return any(one.plan.chains > 1 and name == (one.plan.name or one.setting.name) for one in plans)


def _changed(
    chain: Chain, landmarks: Sequence[Event], forked_at: int, *, judged: bool = True
) -> list[str]:
    """What is not as it was when the world was played last. A fork has the plan of its past only
    for as long as it is given no other. Judges count where they sit in its episodes: `judged`."""
    opened = [event.body.name for event in landmarks if isinstance(event.body, EpisodeOpened)]
    own = (event.body for event in reversed(landmarks) if event.seq > forked_at)
    newest = next((body for body in own if isinstance(body, Planned)), None)
    return parted_by(chain, opened, newest, judged=judged)


def parted_by(
    chain: Chain, opened: Sequence[str], newest: Planned | None, *, judged: bool
) -> list[str]:
    """The same, by the names of the episodes that were opened, and the plan that it was given last."""
    if how := parting(opened, [one.name for one in chain.episodes()]):
        return [how]
    if newest is None or newest == chain.planned:
        return []
    before = written(newest, repr(chain.world))
    plan = before.plan if judged else replace(before.plan, judges=chain.plan.judges)
    return differences(Chain(chain.world, plan, before.setting, newest.chain), chain)


def _told(changed: Mapping[str, Sequence[str]], taken: Container[str]) -> str:
    (world, how), *others = changed.items()
    some = "; ".join(how[:MOST]) + (f"; and {len(how) - MOST} more" if len(how) > MOST else "")
    which = f"{world!r} was" if not others else f"{world!r} and {len(others)} more were"
    names = (f"{world}-other{number or ''}" for number in count())
    free = next(name for name in names if name not in taken)
    return (
        f"{which} played by another plan: {some}. Put the plan back as it was; or give it another "
        f'name (name = "{free}") or another log, so that no world mixes the two'
    )
