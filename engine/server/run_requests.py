"""What somebody wants to be played, and whether it can be: found and checked before a run begins."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from whoknew.agents.models.address import RECORDED
from whoknew.engine.errors import EngineError
from whoknew.engine.plan.document import bundled_plan, parse_plan
from whoknew.engine.plan.loading import planned_on
from whoknew.engine.plan.plan import Loaded, Plan, Seat
from whoknew.engine.plan.program import Chain, Program
from whoknew.engine.running.fitting import parted
from whoknew.engine.server.errors import NameTaken
from whoknew.engine.server.payloads import Short, Some
from whoknew.engine.server.sent_models import check_sent
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import EpisodeClosed
from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.shown_address import without_password
from whoknew.worlds.shelf import bundled
from whoknew.worlds.toml_data import toml_data

EPISODES = 10_000
"""So many a run has at most that a plan begins here: all of its worlds are named in every answer about
it, and begun before the first."""


class Begin(Struct, frozen=True):
    """What to play: a bundled world by name, a world of the log by the plan on it, or a plan as
    TOML. `name` is what the world is called; `seats` are those whom people play."""

    world: Short | None = None
    plan: Annotated[str, Meta(max_length=200_000)] | None = None
    go_on: Short | None = None
    name: Annotated[str, Meta(max_length=200)] | None = None
    seats: Annotated[tuple[Short, ...], Some] = ()


async def loaded(log: Log, wanted: Begin, recorded: Collection[str] = ()) -> Loaded:
    """The plan that is wanted, with people in their seats. It may name the logs `recorded`, and no
    other: it would be opened here."""
    given = [one for one in (wanted.world, wanted.plan, wanted.go_on) if one is not None]
    if len(given) != 1:
        raise EngineError("give one of `world`, `plan` and `go_on`")
    if wanted.go_on is not None:
        if wanted.name is not None:
            raise EngineError("a world that goes on keeps its name: leave `name` out, or fork it")
        found = await planned_on(log, wanted.go_on)
    elif wanted.world is not None:
        if wanted.world not in bundled():
            raise EngineError(
                f"{wanted.world!r} is no world of Whoknew's: {nearest(wanted.world, bundled())}"
            )
        found = bundled_plan(wanted.world)
    else:
        found = await asyncio.to_thread(_sent, wanted.plan or "")
    _check_seats(found, wanted.seats)
    _check_models(found.plan, recorded)
    plan = found.plan
    people = {who: replace(plan.seat(who), agent="human") for who in wanted.seats}
    agents: dict[str, Seat] = {**plan.agents, **people}
    plan = replace(plan, agents=agents, name=wanted.name or plan.name)
    if wanted.go_on is not None and people:
        await _check_sits(log, Program.of(plan, found.setting, "").chains[0], list(people))
    return replace(found, plan=plan)


async def check_free(log: Log, worlds: Iterable[str]) -> None:
    """What begins needs a name of its own."""
    for name in worlds:
        if await log.store.find(name) is not None:
            raise name_taken(name)


def name_taken(name: str) -> NameTaken:
    return NameTaken(
        f"this log has a world {name!r} already: go on with it (go_on: {name!r}), or give another name "
        "(name)"
    )


def _check_seats(found: Loaded, seats: Iterable[str]) -> None:
    people = [one.name for one in found.setting.characters]
    for who in seats:
        if who not in people:
            raise EngineError(
                f"nobody can sit for {who!r}, who is no character of {found.setting.name!r}: "
                f"{nearest(who, people)}"
            )
        if found.plan.chains > 1:
            raise EngineError(
                f"{who} cannot be played by a person in {found.plan.chains} chains at once: set "
                "chains = 1"
            )


async def _check_sits(log: Log, chain: Chain, people: Sequence[str]) -> None:
    """Refuse people a seat in a world that is finished, or in which others have it by its plan."""
    world, episodes = chain.world, len(chain.episodes())
    events = await log.landmarks(world, (await log.lineage.find(world)).head)
    if sum(isinstance(event.body, EpisodeClosed) for event in events) >= episodes:
        raise EngineError(
            f"{world!r} is finished: all of its {episodes} episodes are over, and nobody is waited for "
            "any more. Fork it at an earlier moment and go on in the fork with these seats, or begin it "
            "anew under another name"
        )
    if await parted(log, chain):
        raise EngineError(
            f"in {world!r} {' and '.join(people)} cannot be played by people from here on: its plan "
            "says otherwise, and one world does not mix two. Fork it, and go on in the fork with these "
            "seats"
        )


def _check_models(plan: Plan, allowed: Collection[str]) -> None:
    seats = (model for seat in plan.agents.values() for model in seat.models)
    addresses = [*seats, *(one.model for one in plan.judges.values())]
    check_sent(addresses)
    for address in addresses:
        if address.startswith(RECORDED) and address.removeprefix(RECORDED) not in allowed:
            raise EngineError(
                f"{without_password(address)} would be opened by this server, which plays the "
                "answers of no log but those that it was started for: whoknew serve --recorded LOG"
            )


def _sent(plan: str) -> Loaded:
    """A plan that came over the network plays what comes with Whoknew, and not without end: it names no
    file here."""
    with suppress(ValueError):  # what is wrong with it is told with its line
        world = toml_data(plan).get("world")
        if isinstance(world, str) and world not in bundled():
            raise EngineError(
                f"no world that comes with Whoknew is called {world!r}: take one of "
                f"{', '.join(bundled())}; one of your own is begun with `whoknew run PLAN` on "
                "this log, and gone on with here"
            )
    found = parse_plan(plan, "the plan")
    episodes = found.plan.chains * Chain("", found.plan, found.setting).count()
    if episodes > EPISODES:
        raise EngineError(
            f"the plan has {episodes:,} episodes in all of its chains, and a server begins {EPISODES:,} "
            "in a run at most: play it with `whoknew run PLAN`"
        )
    return found
