"""A world played again with the answers that its models gave: does the same story come of it?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from whoknew.agents.agent import Agent
from whoknew.agents.errors import AgentError
from whoknew.agents.models.address import RECORDED
from whoknew.agents.models.model import Model
from whoknew.agents.models.recorded import Calls, Recorded
from whoknew.agents.performed import ReplayedPerson
from whoknew.engine.errors import EngineError, NoPlan
from whoknew.engine.plan.planned import VERSION, RecordedPlan, plan_of
from whoknew.engine.plan.program import Chain
from whoknew.engine.playing import chain
from whoknew.engine.playing.allowance import Allowance, limits_of
from whoknew.engine.playing.chain_log import ChainLog
from whoknew.engine.playing.chain_run import ChainRun
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.guard import RecordedGuard
from whoknew.engine.playing.ledger import NOBODY, Ledger, LoggedModel
from whoknew.engine.running.models import Voices, agent_of, bench, price_at
from whoknew.engine.travel.fork import SOURCE
from whoknew.eventlog import Event, Log, open_log
from whoknew.eventlog.archive import copy_world
from whoknew.eventlog.kinds import (
    Became,
    Called,
    Imported,
    Planned,
    WorldForked,
)
from whoknew.eventlog.story import is_outside_story, of_story, told
from whoknew.worlds.errors import WorldError
from whoknew.worlds.scene import ATTEMPT

UNTOLD = frozenset((Called, Planned))
"""What a rerun writes down as well, and is no part of the story: an earlier version may have worded a
plan or a call otherwise."""


class Difference(Struct, frozen=True):
    """Where two tellings part: the event as it was, and as it comes out now; nothing where the
    story stops short."""

    was: Event
    now: Event | None


class Rerun(Struct, frozen=True, kw_only=True):
    """What came of playing a world again. The first `given` events were handed to it, the next
    `events` were played, with `calls` answers from the log."""

    world: str
    given: int
    events: int
    calls: int
    agrees: bool
    difference: Difference | None = None
    reason: str | None = None


async def rerun(log: Log, world: str) -> Rerun:
    """Play a world again in memory, as far as it was played, with the answers on its log."""
    events = await (await log.director(world)).events()
    written, number = await plan_of(log, world, len(events))
    given = _given(events)
    if not any(map(of_story, events[given:])):
        raise NoPlan(f"nothing of {world!r} was played yet: `whoknew run` goes on with it")
    async with open_log(":memory:") as scratch:
        if given:
            await copy_world(log, world, given, scratch)
        reason = await _play(scratch, world, written, number, events[given:])
        again = await (await scratch.director(world)).events()
    difference = _difference(events, again)
    return Rerun(
        world=world,
        given=given,
        events=len(events) - given,
        calls=sum(map(_is_its_own, events[given:])),
        agrees=difference is None,
        difference=difference,
        reason=reason if difference else None,
    )


def _is_its_own(event: Event) -> bool:
    """Whether an event is a call of the story, and none of what was asked of it."""
    return type(event.body) is Called and not is_outside_story(event)


def _given(events: Sequence[Event]) -> int:
    """How many events nobody played: those of a what-if, and all before them; and how a world began
    that is played by the rules of an earlier version."""
    handed = [
        event.seq
        for event in events
        if event.source == SOURCE or type(event.body) in (Imported, WorldForked)
    ]
    plans = [(event.seq, event.body) for event in events if type(event.body) is Planned]
    earlier = [seq for seq, first in plans[:1] if first.version < VERSION]
    return max([*handed, *earlier], default=0)


async def _play(
    log: Log, world: str, written: RecordedPlan, number: int, events: Sequence[Event]
) -> str | None:
    """Play as far as the answers go; why it went no further."""
    part = Chain(world, written.plan, written.setting, number)
    stand = await chain.standing(log, world, written.setting)
    rules = part.rules()
    control = Control()
    limits = limits_of(control, rules)
    allowance = Allowance(world=world, state=stand, limits=limits, control=control)
    chain_log = ChainLog(
        log=log, world=world, state=stand, allowance=allowance, watch=lambda _: None
    )
    ledger = Ledger(chain_log, allowance, keep_prompts=rules.keep_prompts)
    voice = _voices(ledger, written, events)
    run = ChainRun(
        rules=rules,
        log=chain_log,
        allowance=allowance,
        ledger=ledger,
        agents={
            one.name: _agent(one.name, written, events, voice, stand.refused)
            for one in written.setting.characters
        },
        panel=bench(part, voice),
    )
    while True:
        tried = stand.tally.failed[ATTEMPT]
        try:
            await chain.play(run, written.setting, part.episodes())
        except (EngineError, WorldError, AgentError) as error:
            if stand.tally.failed[ATTEMPT] > tried:
                continue  # it was suspended there, and somebody was asked anew
            return str(error)
        return None


def _agent(
    who: str,
    written: RecordedPlan,
    events: Sequence[Event],
    voice: Voices,
    refused: Sequence[tuple[str, str]],
) -> Agent:
    """Whoever asked a model gets the same answers; a person does what it did; rules are rules. Some
    lines may have been `refused` in the turn that is gone on with."""
    seat, before = written.plan.seat(who), tuple(refused)

    def person() -> Agent:
        mine = [event for event in events if _did(event, who) and not is_outside_story(event)]
        return ReplayedPerson(who, mine)

    def guard(who: str, sure: float) -> RecordedGuard:
        return RecordedGuard.of(who, events, before)

    return agent_of(who, events[0].world, seat, partial(voice, who), person, guard)


def _did(event: Event, who: str) -> bool:
    return event.actor == who or (isinstance(event.body, Became) and event.body.by == who)


def _voices(ledger: Ledger, written: RecordedPlan, events: Sequence[Event]) -> Voices:
    """What models answered, for each that asked: under no name, for the judges."""
    calls: dict[str, Calls] = {}
    for event in events:
        if type(event.body) is Called and not is_outside_story(event):
            calls.setdefault(event.actor or NOBODY, Calls()).take(event.body)

    def voice(who: str, address: str) -> Model:
        model = Recorded(RECORDED, who, calls.get(who) or Calls())
        return LoggedModel(who, model, price_at(written.plan, address), ledger)

    return voice


def _difference(events: Sequence[Event], again: Sequence[Event]) -> Difference | None:
    """The first event of the story that does not come out as it was."""
    if len(events) == len(again) and all(map(_same, events, again)):
        return None  # as it nearly always is, down to the seqs
    before, after = told(events), told(again)
    story = [event for event in events if of_story(event)]
    played = [event for event in again if of_story(event)]
    for place, (was, now) in enumerate(zip(before, after, strict=False)):
        if was != now:
            return Difference(story[place], played[place])
    return Difference(story[len(after)], None) if len(after) < len(before) else None


def _same(was: Event, now: Event) -> bool:
    """Whether an event came out as it was, but for what is of the day."""
    if type(was.body) in UNTOLD:
        return type(now.body) is type(was.body)
    return (
        was.body == now.body
        and was.at == now.at
        and was.witnesses == now.witnesses
        and (was.episode, was.turn, was.actor, was.place)
        == (now.episode, now.turn, now.actor, now.place)
        and (was.about, was.cause, was.source) == (now.about, now.cause, now.source)
    )
