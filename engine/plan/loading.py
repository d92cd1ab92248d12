"""The plan that a command names: in a file, of a bundled world, or on the log of a world."""

from __future__ import annotations

import asyncio
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.command_text import command_text
from whoknew.engine.errors import NoPlan, WrongPlan
from whoknew.engine.opening import DEFAULT_LOG, reading, reading_begun
from whoknew.engine.part_code import is_place
from whoknew.engine.plan.continuing import setting_on
from whoknew.engine.plan.document import bundled_plan, load_plan, on_shelf
from whoknew.engine.plan.other_files import check_is
from whoknew.engine.plan.plan import EVERYONE, Found, Loaded, Plan, Seat
from whoknew.engine.plan.planned import plan_of
from whoknew.engine.plan.program import Program, seed_of
from whoknew.engine.plan.settings import OF_A_SEAT, Announce, quietly
from whoknew.engine.registry import JUDGES, MODELS, Parts, model_part
from whoknew.eventlog import Log
from whoknew.eventlog.errors import Damaged
from whoknew.eventlog.shown_address import without_password
from whoknew.worlds import shelf
from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.setting import Setting


class Options(Struct, frozen=True):
    """What a command says otherwise than its plan."""

    log: str | None = None
    chains: int | None = None
    offline: bool = False
    announce: Announce = quietly
    """Is told of what the plan has loaded that is not ours, and of what is not done as the plan says."""
    variable: str = ""
    """Where the log is named, if it is an environment variable."""


def load(plan: str | None, world: str | None, options: Options) -> Loaded:
    """The plan in a file, that of a bundled world, or that on the log of a world, as a command
    wants it."""
    if plan is None:
        return adjusted(asyncio.run(_on_log(world or "", options.log or DEFAULT_LOG)), options)
    path = Path(plan)
    if path.suffix == ".toml" or path.exists():
        loaded = _of_file(path, options)
        own = loaded.plan.log
        if options.variable and own not in (None, options.log):
            its, taken = without_password(own or ""), without_password(options.log or "")
            options.announce(
                f"{path} names the log {its}; {options.variable} names {taken}, and that is taken"
            )
        return adjusted(loaded, options)
    return adjusted(bundled_plan(plan), options)


def _of_file(path: Path, options: Options) -> Loaded:
    def look(plan: Plan, beside: Path | None) -> Found:
        return _look(plan, beside, options.log or plan.log or DEFAULT_LOG)

    try:
        return load_plan(path, look, options.announce)
    except BadDocument:
        check_is("plan", path)
        raise


def _look(plan: Plan, beside: Path | None, address: str) -> Found:
    """What a plan plays: a setting, or else a world of its log, which goes on."""
    setting, mistakes = on_shelf(plan, beside)
    if setting is not None:
        return setting, mistakes
    setting, worlds = asyncio.run(_setting_on_log(plan.world, address))
    if worlds is None:
        return None, mistakes
    if setting is None:
        known = shelf.nearest_world(plan.world, beside, worlds)
        what = (
            f"no file, no world of {without_password(address)} and none that comes with Whoknew has "
            f"this name: {known}"
        )
        return None, [Mistake(plan.world, None, "", what)]
    episodes = plan.episodes
    if (
        plan.name not in (None, plan.world)
        or plan.chains > 1
        or episodes != replace(episodes, play=None, repeat=1, shuffle=False)
    ):
        what = "goes on as it stands: leave out name, chains, episodes.play, repeat and shuffle"
        return None, [Mistake(plan.world, None, "", what)]
    return setting, ()


async def _setting_on_log(world: str, address: str) -> tuple[Setting | None, list[str] | None]:
    """The setting of a world on a log, and what worlds there are, where there is a log."""
    async with reading_begun(address) as log:
        if log is None:
            return None, None
        known = [one.name for one in await log.worlds()]
        return await setting_on(log, world) if world in known else None, known


async def _on_log(world: str, address: str) -> Loaded:
    async with reading(address) as log:
        loaded = await planned_on(log, world)
    if code := [name for parts, name in code_of(loaded.plan) if name not in parts.outside]:
        raise WrongPlan(
            f"{world!r} was played with code beside a plan ({', '.join(code)}): only a plan file that "
            f"is given on the command line has it loaded. To go on, set name = {world!r} in that "
            f"plan, and give it: {command_text('run', 'PLAN', log=address)}"
        )
    return replace(loaded, plan=replace(loaded.plan, log=address))


def code_of(plan: Plan) -> list[tuple[Parts, str]]:
    """What a plan names as `module:Name`, once each."""
    seats, judges = plan.agents.values(), plan.judges.values()
    named = [(parts, getattr(seat, parts.what)) for seat in seats for parts in OF_A_SEAT]
    named += [(JUDGES, one.by) for one in judges]
    models = [
        *(model for seat in seats for model in seat.models),
        *(judge.model for judge in judges),
    ]
    named += [(MODELS, model_part(address)) for address in models]
    return list(dict.fromkeys((parts, name) for parts, name in named if is_place(name)))


async def code_on(log: Log, world: str) -> list[str]:
    """What the plan on the log of a world names that only a plan file has loaded: nothing, where there is
    no plan that can be read, which is told where it is played."""
    try:
        written, _ = await plan_of(log, world, (await log.lineage.find(world)).head)
    except (NoPlan, Damaged):
        return []
    return [name for _, name in code_of(written.plan)]


async def planned_on(log: Log, world: str) -> Loaded:
    """The plan of one world, which keeps the seed that it had among its chains; of one that no plan
    began, offline minds for all of its people."""
    try:
        found, number = await plan_of(log, world, (await log.lineage.find(world)).head)
    except NoPlan:
        return Loaded(Plan(world, name=world), await setting_on(log, world), world)
    seed = seed_of(found.plan, found.setting, number)
    plan = replace(found.plan, name=world, chains=1, seed=seed)
    return Loaded(plan, found.setting, world)


def has_person(loaded: Loaded) -> bool:
    return any(seat.by_person for seat in loaded.plan.agents.values())


def adjusted(loaded: Loaded, options: Options) -> Loaded:
    """A plan as a command wants it."""
    plan = loaded.plan
    if options.chains is not None:
        if options.chains > 1 and has_person(loaded):
            raise WrongPlan(
                f"a person cannot play in {options.chains} chains at once: leave out --chains"
            )
        plan = replace(plan, chains=options.chains)
    if options.offline:
        seats = {name: one.offline() for name, one in plan.agents.items()}
        judges = {name: one.offline() for name, one in plan.judges.items()}
        plan = replace(plan, agents={EVERYONE: Seat(), **seats}, judges=judges)
    log = options.log or plan.log or DEFAULT_LOG
    return replace(loaded, plan=replace(plan, log=log))


def program_of(loaded: Loaded) -> Program:
    return Program.of(loaded.plan, loaded.setting, loaded.plan.log or DEFAULT_LOG)
