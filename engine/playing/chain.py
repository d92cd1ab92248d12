"""A chain: episodes one after another in one world, from wherever its log stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from whoknew.engine.errors import PlanChanged
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.engine.playing.chain_run import ChainRun
from whoknew.engine.playing.episode import Episode
from whoknew.engine.playing.state import ChainState
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.stores.store import Segment
from whoknew.worlds import beginning
from whoknew.worlds.meeting import Meetings
from whoknew.worlds.reach import Reach
from whoknew.worlds.setting import Scenario, Setting


async def stands(log: Log, settings: Mapping[str, Setting]) -> dict[str, ChainState]:
    """How those of these worlds stand that the log has, by their names."""
    there = await log.found(settings)
    states = {name: ChainState(Reach.of(settings[name])) for name in settings if name in there}
    whole = (Segment(name, 0, there[name].head) for name in states)
    async for name, events in log.read_several(whole):
        states[name].take_all(events)
    return states


async def standing(log: Log, world: str, setting: Setting) -> ChainState:
    """How a world stands; at its very beginning where the log has none of that name."""
    found = await stands(log, {world: setting})
    return found[world] if found else ChainState(Reach.of(setting))


async def play(run: ChainRun, setting: Setting, episodes: Sequence[Scenario]) -> None:
    """Play what is left of the chain. `episodes` are all of it, as the plan says."""
    stand = run.state
    _check_plan(run.log.world, stand, episodes)
    if stand.head == 0:
        await run.log.append(opening(setting, run.rules, len(episodes)))
    if stand.closed < len(episodes) and (drafts := replanned(stand, run.rules)):
        await run.log.append(drafts)
    meetings = Meetings(setting)
    while stand.closed < len(episodes):
        scenario = episodes[stand.closed]
        if stand.scene is None:
            await run.allowance.going_on()
            await _open(run, setting, scenario)
        elif stand.scene.opened.turn_limit is None and scenario.turns is not None:
            await run.log.append([beginning.resumed(scenario, stand.scene)])
        assert stand.scene is not None
        await Episode(run, scenario, stand.scene, stand.opened_seq, meetings).play()


def opening(setting: Setting, rules: PlayRules, episodes: int) -> list[Draft]:
    """How a world begins, with the plan that it is played by: in one batch, so that each that is
    there can be gone on with."""
    drafts = beginning.world(setting, rules.seed, episodes)
    return [*drafts, Draft(rules.planned, setting.begins)] if rules.planned else drafts


def replanned(stand: ChainState, rules: PlayRules) -> list[Draft]:
    """The plan that it is played by from now on, where that is not the one it had."""
    planned = rules.planned and replace(rules.planned, version=stand.version)
    return [Draft(planned, stand.now)] if planned and planned != stand.planned else []


async def _open(run: ChainRun, setting: Setting, scenario: Scenario) -> None:
    stand = run.state
    at = beginning.begins(setting, scenario, stand.now or setting.begins, stand.opened_at)
    await run.log.append(
        beginning.episode(scenario, stand.closed + 1, at, stand.reach, stand.conditions)
    )


def _check_plan(world: str, stand: ChainState, episodes: Sequence[Scenario]) -> None:
    """What the log holds must be what the plan begins with: else another story would go on."""
    if how := parting(stand.scenarios, [one.name for one in episodes]):
        raise PlanChanged(
            f"{world!r} {how}: put the plan back as it was, or give the world another name"
        )


def parting(played: Sequence[str], planned: Sequence[str]) -> str | None:
    """How a plan is not the one by which these episodes were played."""
    for number, (found, wanted) in enumerate(zip(played, planned, strict=False), start=1):
        if found != wanted:
            return f"played {found!r} as episode {number}, but the plan says {wanted!r}"
    if len(played) > len(planned):
        return f"has played {len(played)} episodes, but the plan has {len(planned)}"
    return None
