"""What a model was given at a turn: made again from the log, and checked against its digest."""

from __future__ import annotations

import shlex
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct

from whoknew.agents.agent import Agent, Moment
from whoknew.agents.errors import AgentError, NotRecorded
from whoknew.agents.mind import Mind
from whoknew.agents.models.address import RECORDED
from whoknew.agents.models.model import Message, Model, Reply, Request
from whoknew.agents.models.recorded import reply_of
from whoknew.agents.performed import ReplayedPerson
from whoknew.engine.errors import BadQuestion, BrokenPart, NoPlan, NoSuchPart
from whoknew.engine.plan.plan import Seat
from whoknew.engine.plan.planned import RecordedPlan, plan_of, version_of
from whoknew.engine.playing.guard import RecordedGuard
from whoknew.engine.playing.moments import moment_of
from whoknew.engine.running.models import agent_of
from whoknew.engine.travel.replay import facts_of
from whoknew.eventlog import Event, Log, View
from whoknew.eventlog.cursor import AtSeq, When
from whoknew.eventlog.errors import NoSuchCharacter
from whoknew.eventlog.kinds import Acted, Called, EpisodeOpened, Failed, Remembered
from whoknew.eventlog.machinery import CallOccasion
from whoknew.eventlog.story import is_outside_story
from whoknew.worlds.conditions import Conditions
from whoknew.worlds.reach import Reach
from whoknew.worlds.scene import Scene


class Call(Struct, frozen=True):
    """One call: what was asked, and what came back. `digest` is that of the prompt as the log gives
    it now; None where it does not give it any more. `messages` are empty then."""

    seq: int
    called: Called
    messages: tuple[Message, ...] = ()
    digest: str | None = None

    @property
    def agrees(self) -> bool:
        """Whether this is, to the byte, what the model was given."""
        return self.digest == self.called.digest


class CameToMind(Struct, frozen=True):
    """A piece of what came to mind, and the events that it rests on."""

    text: str
    seqs: tuple[int, ...]


class Prompted(Struct, frozen=True, kw_only=True):
    """One decision of a character, taken upon what it could know at `cursor`: so many `events`. `mind`
    is what came to mind, piece by piece. `why` says why its prompts cannot be made again."""

    world: str
    episode: int
    turn: int
    character: str
    cursor: int
    calls: tuple[Call, ...]
    outcome: Event | None
    model: str = ""
    memory: str = ""
    method: str = ""
    why: str | None = None
    events: int = 0
    mind: tuple[CameToMind, ...] = ()


class Decision(Struct):
    """The calls of one character that were made upon the same events, for the same occasion: to keep
    something before a turn, to act, or to remember. Earlier logs do not say for which."""

    character: str
    told: int
    occasion: CallOccasion
    calls: list[Event]
    outcome: Event | None = None

    def led_to(self, event: Event) -> bool:
        """Whether an event may be what came of it."""
        body = event.body
        kept = isinstance(body, Remembered) or (isinstance(body, Failed) and body.what == "memory")
        done = isinstance(body, Acted | Failed) and not kept
        return event.actor == self.character and (
            (done and self.occasion in ("", "act")) or (kept and self.occasion != "act")
        )


async def prompts(
    log: Log, world: str, at: When = "end", character: str | None = None
) -> list[Prompted]:
    """All that models were asked at the turn of a cursor: by one character, or by all."""
    events = await _episode(log, world, at)
    last = events[-1]
    taken = _decisions(events, last.turn)
    decisions = [one for one in taken if character in (None, one.character)]
    if not decisions:
        raise await _nobody(log, world, events, character, [one.character for one in taken])
    try:
        written, _ = await plan_of(log, world, last.seq)
    except NoPlan as error:
        return [_as_kept(world, last, one, str(error)) for one in decisions]
    return [await _derived(log, world, events, one, written) for one in decisions]


async def _episode(log: Log, world: str, at: When) -> list[Event]:
    """The events of an episode, from its opening to the last of the turn at a cursor."""
    seq = (await log.cursor(world, at)).seq
    marked = await log.landmarks(world, seq)
    opened = [one.seq for one in marked if isinstance(one.body, EpisodeOpened)]
    if not opened:
        raise BadQuestion(f"nobody has acted yet in {world!r} at #{seq}: take a turn, as E1.T1")
    events: list[Event] = []
    async for event in log.read(world, AtSeq(opened[-1] - 1)):
        before = event.seq <= seq
        if not before and (event.episode, event.turn) != (events[-1].episode, events[-1].turn):
            break
        if before or not is_outside_story(event):
            events.append(event)
    while is_outside_story(events[-1]):
        events.pop()
    return events


def _decisions(events: Sequence[Event], turn: int) -> list[Decision]:
    """Each decision of a turn, with what came of it."""
    found: list[Decision] = []
    told = 0
    for event in events:
        if is_outside_story(event):
            continue
        if not isinstance(event.body, Called):
            told = event.seq
        if event.turn != turn or not event.actor:
            continue
        if isinstance(event.body, Called):
            _upon(told, event.actor, event.body.occasion, found).calls.append(event)
            continue
        for one in found:
            if one.outcome is None and one.led_to(event):
                one.outcome = event
    return found


def _upon(told: int, who: str, occasion: CallOccasion, found: list[Decision]) -> Decision:
    """The decision of somebody upon these events, which its first call begins."""
    for one in found:
        if (one.character, one.told, one.occasion) == (who, told, occasion):
            return one
    found.append(Decision(who, told, occasion, []))
    return found[-1]


async def _derived(
    log: Log, world: str, events: Sequence[Event], decision: Decision, written: RecordedPlan
) -> Prompted:
    """The decision taken once more, upon the same events and with the same answers."""
    who, opened = decision.character, events[0]
    assert isinstance(opened.body, EpisodeOpened)
    named = [one for one in written.setting.scenarios if one.name == opened.body.name]
    seat = written.plan.seat(who)
    shown = Prompted(
        world=world,
        episode=opened.episode,
        turn=decision.calls[0].turn,
        character=who,
        cursor=decision.told,
        calls=(),
        outcome=decision.outcome,
        model=seat.model,
        memory=seat.memory,
        method=seat.method,
    )
    again = Again(decision.calls)
    try:
        one = _agent(world, who, seat, again, events, shown.turn) if named and seat.thinks else None
    except (NoSuchPart, BrokenPart) as error:
        return _with(shown, _kept_calls(decision), str(error))
    if one is None:
        why = f"the plan of {world!r} has no such scenario or mind any more"
        return _with(shown, _kept_calls(decision), why)
    conditions = await _conditions(log, world, opened.seq)
    scene = Scene(opened, Reach.of(written.setting), conditions)
    for event in events[1:]:
        if (
            event.seq <= decision.told
            and not isinstance(event.body, Called)
            and not is_outside_story(event)
        ):
            scene.take(event)
    view = await log.view(world, who, AtSeq(decision.told))
    version = await version_of(log, world, decision.told)
    now = moment_of(scene, named[0].exits, opened.seq, view, version)
    with suppress(AgentError):  # as it was then: what was asked is what counts
        match decision.occasion:
            case "act":
                await one.act(now)
            case "remember":
                await one.remember(now)
            case "before_turn":
                await one.before_turn(now)
            case _:
                await _as_its_purpose_says(one, now, events, decision)
    shown = _with(shown, tuple(again.calls()), None)
    other = _agent(world, who, seat, Again(decision.calls), events, shown.turn)
    mind = await _mind(other, view) if decision.occasion in ("", "act") else ()
    return msgspec.structs.replace(shown, events=len(view), mind=mind)


async def _mind(agent: Agent, view: View) -> tuple[CameToMind, ...]:
    """What comes to mind upon a view: of a seat whose agent has none, nothing does."""
    if not isinstance(agent, Mind):
        return ()
    with suppress(AgentError):
        seqs = view.seqs()
        pieces = (await agent.recollect(view)).pieces
        return tuple(
            CameToMind(str(one.text), tuple(seqs[place - 1] for place in one.places))
            for one in pieces
        )
    return ()


async def _conditions(log: Log, world: str, upto: int) -> Conditions:
    conditions = Conditions()
    for event in await log.landmarks(world, upto):
        conditions.take(event)
    return conditions


def _agent(
    world: str, who: str, seat: Seat, model: Model, events: Sequence[Event], turn: int
) -> Agent:
    """The agent of a seat, as a run makes it. A person in it does what it did, and the guard refuses
    what it refused in that turn."""
    mine = [one for one in events if one.actor == who and not is_outside_story(one)]
    guard = RecordedGuard.of(who, (one for one in events if one.turn == turn))
    return agent_of(
        who,
        world,
        seat,
        lambda _: model,
        lambda: ReplayedPerson(who, mine),
        lambda who, sure: guard,
    )


async def _as_its_purpose_says(
    one: Agent, now: Moment, events: Sequence[Event], decision: Decision
) -> None:
    """What an agent is asked by a log that does not say for which occasion it was."""
    last = decision.calls[-1].body
    if isinstance(last, Called) and last.purpose == "remember":
        await one.remember(now)
    elif _has_kept(events, decision) or not await one.before_turn(now):
        await one.act(now)


def _has_kept(events: Sequence[Event], decision: Decision) -> bool:
    """Whether the character had kept before this turn what it wanted to keep, or could not."""
    turn = decision.calls[0].turn
    return any(
        isinstance(event.body, Remembered)
        or (isinstance(event.body, Failed) and event.body.what == "memory")
        for event in events
        if (event.turn, event.actor) == (turn, decision.character) and event.seq <= decision.told
    )


def _with(shown: Prompted, calls: tuple[Call, ...], why: str | None) -> Prompted:
    return msgspec.structs.replace(shown, calls=calls, why=why)


class Again:
    """A model that answers as it did, and notes what it is asked. What was asked side by side stands on the
    log as it was answered: so a call is known by its digest, and else by its place."""

    def __init__(self, calls: Sequence[Event]) -> None:
        self.name = RECORDED
        self._calls = calls
        self._asked: dict[int, Request] = {}
        """By the place of the call."""

    async def complete(self, request: Request) -> Reply:
        left = [place for place in range(len(self._calls)) if place not in self._asked]
        if not left:
            raise NotRecorded("it was asked no more often")
        same = [one for one in left if self._called(one).digest == request.digest]
        why = None
        for place in same or left[:1]:
            self._asked[place] = request
            called = self._called(place)
            if called.reply is not None or called.no_reply:
                return reply_of(called)
            why = called.error
        raise NotRecorded(why or "it was not answered")

    def calls(self) -> Iterator[Call]:
        for place, event in enumerate(self._calls):
            called = self._called(place)
            if request := self._asked.get(place):
                yield Call(event.seq, called, request.messages, request.digest)
            else:
                yield Call(event.seq, called)

    def _called(self, place: int) -> Called:
        called = self._calls[place].body
        assert isinstance(called, Called)
        return called


def _as_kept(world: str, last: Event, decision: Decision, why: str) -> Prompted:
    return Prompted(
        world=world,
        episode=last.episode,
        turn=last.turn,
        character=decision.character,
        cursor=decision.told,
        calls=_kept_calls(decision),
        outcome=decision.outcome,
        why=why,
    )


def _kept_calls(decision: Decision) -> tuple[Call, ...]:
    """The calls with their prompts where the log has kept those whole."""
    calls: list[Call] = []
    for event in decision.calls:
        called = event.body
        assert isinstance(called, Called)
        if called.prompt is None:
            calls.append(Call(event.seq, called))
            continue
        messages, *_ = msgspec.json.decode(zlib.decompress(called.prompt))
        kept = msgspec.convert(messages, tuple[Message, ...])
        calls.append(Call(event.seq, called, kept, called.digest))
    return tuple(calls)


async def _nobody(
    log: Log, world: str, events: Sequence[Event], character: str | None, asked: Sequence[str]
) -> Exception:
    last = events[-1]
    characters = (await facts_of(log, world, last.seq)).characters
    if character is not None and character not in characters:
        return NoSuchCharacter(character, world, characters)
    whose = f"{character} asked no model" if character else "no model was asked anything"
    what = f"{whose} at E{last.episode}.T{last.turn} of {world!r}"
    if people := sorted(set(asked)):
        shows = f"--who {shlex.quote(people[0])} shows what was asked"
        return BadQuestion(f"{what}, {' and '.join(people)} did: {shows}")
    acted = {
        event.actor
        for event in events
        if event.turn == last.turn and isinstance(event.body, Acted) and event.actor
    }
    others = f" ({', '.join(sorted(acted))} acted without one)" if acted else ""
    return BadQuestion(f"{what}{others}: take another turn")
