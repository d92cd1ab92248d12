"""Worlds over HTTP: their events, who knew what, prompts, questions, what-ifs, marks."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from whoknew.engine.asking.ask import Asked, ask, keep
from whoknew.engine.server.access import Guest, Right
from whoknew.engine.server.errors import RequestRefused
from whoknew.engine.server.pages import fitting
from whoknew.engine.server.tallies import Tallies
from whoknew.engine.travel.diff import Comparison, compare
from whoknew.engine.travel.fork import Changes, Forked, fork
from whoknew.engine.travel.knows import LIMIT, Matrix, knows
from whoknew.engine.travel.mark import Marked, mark, marks
from whoknew.engine.travel.prompt import Prompted, prompts
from whoknew.engine.travel.recall import RecallResult, recall
from whoknew.engine.travel.replay import facts_of
from whoknew.eventlog import Event, Known, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.errors import NoSuchWorld
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened, Reviewed

Text = Annotated[str, Meta(max_length=20_000)]
Short = Annotated[str, Meta(max_length=400)]
Count = Annotated[int, Meta(ge=1, le=1000)]

SOME = 160
"""Letters of what was said last, at a glance."""

SCAN = 20_000
"""Events that one page of scores looks through."""


class AtQuery(Struct, frozen=True):
    at: Short = "end"


class EventsQuery(Struct, frozen=True, rename={"who": "as"}):
    """Those after a seq or before one, as somebody or as the director."""

    after: Annotated[int, Meta(ge=0)] | None = None
    upto: Annotated[int, Meta(ge=0)] | None = None
    limit: Count = 200
    who: Short | None = None


class KnowledgeQuery(Struct, frozen=True):
    at: Short = "end"
    about: Short | None = None
    who: Short = ""
    limit: Count = LIMIT
    skip: Annotated[int, Meta(ge=0)] = 0


class TraceQuery(Struct, frozen=True):
    at: Short
    event: Annotated[int, Meta(ge=1)]
    character: Short


class PromptQuery(Struct, frozen=True):
    at: Short
    who: Short | None = None


class RecallQuery(Struct, frozen=True, rename={"who": "as"}):
    who: Short
    words: Short
    at: Short = "end"
    k: Annotated[int, Meta(ge=1, le=100)] = 10


class CompareQuery(Struct, frozen=True):
    """Of each list, `limit` rows past the first `skip`."""

    other: Short | None = None
    at: Short = "end"
    after: Short | None = None
    who: Short = ""
    skip: Annotated[int, Meta(ge=0)] = 0
    limit: Count = 200


class ScoresQuery(Struct, frozen=True):
    """Those after a seq, as many as a page holds."""

    after: Annotated[int, Meta(ge=0)] = 0
    limit: Count = 1000


class WorldsQuery(Struct, frozen=True):
    """The newest, or those that began before one."""

    before: Short | None = None
    limit: Count = 200


class Question(Struct, frozen=True):
    character: Short
    question: Text
    at: Short = "end"
    model: Short = "offline:"
    memory: Short = "entire"
    method: Short = "plain"
    save: bool = True


class Fork(Struct, frozen=True):
    at: Short | None = None
    name: Short | None = None
    tell: tuple[tuple[str, str], ...] = ()
    goal: tuple[tuple[str, str], ...] = ()
    replace: tuple[int, str] | None = None
    about: tuple[int, ...] = ()


class Mark(Struct, frozen=True):
    name: Short
    at: Short = "end"
    secret: bool = False


class SeatState(Struct, frozen=True):
    character: Short


class WorldLine(Struct, frozen=True, kw_only=True):
    """A world at a glance. To whoever may not see all of it nothing is counted."""

    name: str
    title: str
    head: int | None
    parent: str | None
    characters: int
    episodes: int | None
    closed: int | None
    turns: int | None
    calls: int | None
    failures: int | None
    money: float | None
    last: str
    recorded: datetime | None

    @property
    def discreet(self) -> WorldLine:
        return replace(
            self,
            head=None,
            episodes=None,
            closed=None,
            turns=None,
            calls=None,
            failures=None,
            money=None,
            last="",
            recorded=None,
        )


class Band(Struct, frozen=True, kw_only=True):
    """An episode on the timeline."""

    number: int
    name: str
    scenario: str
    place: str | None
    at: datetime
    first: int
    last: int | None


class WorldView(Struct, frozen=True, kw_only=True):
    name: str
    title: str
    head: int
    parent: str | None
    forked_at: int | None
    characters: tuple[str, ...]
    episodes: tuple[Band, ...]
    marks: tuple[Marked, ...]


class Page(Struct, frozen=True):
    """`total` events are there for this reader, `before` of them come before the page."""

    events: tuple[Event, ...]
    head: int
    total: int
    before: int


class ScoreRow(Struct, frozen=True):
    """One review: of a character, or of an episode."""

    seq: int
    episode: int
    character: str | None
    judge: str
    scores: dict[str, float]


class ScorePage(Struct, frozen=True):
    """`upto` is where to go on from; there is no more where it is `head`."""

    scores: tuple[ScoreRow, ...]
    upto: int
    head: int


class Compared(Comparison, frozen=True, kw_only=True):
    """A page of a comparison. The totals are of the whole of it."""

    total_left: int
    total_right: int
    total_gains: int
    total_losses: int


class CursorFound(Struct, frozen=True):
    cursor: int


async def worlds(
    log: Log, tallies: Tallies, known: dict[str, WorldLine], query: WorldsQuery
) -> tuple[WorldLine, ...]:
    """The newest worlds of the log at a glance, in the order in which they began; or those before
    one. Those that stand as they are `known` are not read."""
    there = await log.worlds()
    if query.before is not None:
        names = [one.name for one in there]
        if query.before not in names:
            raise NoSuchWorld(query.before, names)
        there = there[: names.index(query.before)]
    lines: list[WorldLine] = []
    for one in there[-query.limit :]:
        line = known.get(one.name)
        if line is None or line.head != one.head:
            line = known[one.name] = await _line(log, tallies, one.name, one.head, one.parent)
        lines.append(line)
    return tuple(lines)


async def _line(log: Log, tallies: Tallies, name: str, head: int, parent: str | None) -> WorldLine:
    tally = await tallies.of(log, name, head)
    return WorldLine(
        name=name,
        title=tally.title or name,
        head=head,
        parent=parent,
        characters=len(tally.characters),
        episodes=tally.opened,
        closed=tally.closed,
        turns=tally.turns,
        calls=tally.spent.calls,
        failures=tally.failures,
        money=tally.money,
        last=tally.said[:SOME],
        recorded=tally.last,
    )


async def world(log: Log, name: str) -> WorldView:
    """One world: who is in it, its episodes and marks. A character is told what it went through."""
    found = await log.lineage.find(name)
    facts = await facts_of(log, name, found.head)
    bands: list[Band] = []
    for event in await log.landmarks(name, found.head):
        body = event.body
        if isinstance(body, EpisodeOpened):
            bands.append(
                Band(
                    number=event.episode,
                    name=body.name,
                    scenario=body.scenario,
                    place=event.place,
                    at=event.at,
                    first=event.seq,
                    last=None,
                )
            )
        elif isinstance(body, EpisodeClosed) and bands and bands[-1].last is None:
            bands.append(replace(bands.pop(), last=event.seq))
    return WorldView(
        name=name,
        title=facts.title,
        head=found.head,
        parent=found.parent,
        forked_at=found.forked_at if found.parent else None,
        characters=facts.characters,
        episodes=tuple(bands),
        marks=tuple(await marks(log, name)),
    )


async def events(log: Log, name: str, query: EventsQuery) -> Page:
    """Events of a world, a page at a time: of all, or of what one character perceived."""
    head = (await log.lineage.find(name)).head
    upto = min(head, head if query.upto is None else query.upto)
    if query.who is not None:
        view = await log.view(name, query.who, f"#{upto}")
        begins = _begins(query, len(view), view.before((query.after or 0) + 1))
        found = await view.events(begins, begins + query.limit)
        return _page(query, found, head, len(view), begins)
    begins = _begins(query, upto, query.after or 0)
    found = await (await log.director(name, f"#{upto}")).events(begins, begins + query.limit)
    return _page(query, found, head, upto, begins)


def _page(query: EventsQuery, found: list[Event], head: int, total: int, begins: int) -> Page:
    newest = query.after is None
    kept = fitting(found, newest=newest)
    begins += len(found) - len(kept) if newest else 0
    return Page(tuple(kept), head, total, begins)


def _begins(query: EventsQuery, total: int, after: int) -> int:
    """After a seq; without one, the newest."""
    return max(0, total - query.limit) if query.after is None else min(after, total)


async def knowledge(log: Log, name: str, query: KnowledgeQuery) -> Matrix:
    """Who knows of what at a cursor, a page at a time: of what some words, seqs, or the marked secrets
    mean."""
    who = tuple(one.strip() for one in query.who.split(",") if one.strip())
    return await knows(
        log, name, query.at, about=query.about, who=who, limit=query.limit, skip=query.skip
    )


async def trace(log: Log, name: str, query: TraceQuery) -> tuple[Known, ...]:
    """How an event came to be known to a character, teller by teller."""
    found = await log.knowledge(name, query.at)
    return tuple(await asyncio.to_thread(found.trace, query.event, query.character))


async def prompt(log: Log, name: str, query: PromptQuery) -> tuple[Prompted, ...]:
    """What models were given at a turn, made again from the log."""
    return tuple(await prompts(log, name, query.at, query.who))


async def remembered(log: Log, name: str, query: RecallQuery) -> RecallResult:
    """Search what a character knows."""
    return await recall(log, name, query.who, query.words, query.at, query.k)


async def compared(log: Log, name: str, query: CompareQuery) -> Compared:
    """Two characters, two cursors, or two worlds, side by side, a page at a time."""
    who = tuple(one.strip() for one in query.who.split(",") if one.strip())
    found = await compare(log, name, query.other, query.at, query.after, who)
    page = slice(query.skip, query.skip + query.limit)
    return Compared(
        kind=found.kind,
        left=found.left,
        right=found.right,
        only_left=found.only_left[page],
        only_right=found.only_right[page],
        gains=found.gains[page],
        losses=found.losses[page],
        both=found.both,
        shared=found.shared,
        characters=found.characters,
        total_left=len(found.only_left),
        total_right=len(found.only_right),
        total_gains=len(found.gains),
        total_losses=len(found.losses),
    )


async def scores(log: Log, name: str, query: ScoresQuery) -> ScorePage:
    """Reviews of episodes, in order, a page at a time. One page reads no more of the world than
    SCAN events: so it may hold few, or none, and still not be the last."""
    head = (await log.lineage.find(name)).head
    upto = min(head, query.after + SCAN)
    found: list[ScoreRow] = []
    async for event in log.read(name, AtSeq(min(query.after, head)), AtSeq(upto)):
        if isinstance(event.body, Reviewed):
            scores = event.body.scores
            found.append(ScoreRow(event.seq, event.episode, event.actor, event.body.judge, scores))
            if len(found) == query.limit:
                upto = event.seq
                break
    return ScorePage(tuple(found), max(upto, min(query.after, head)), head)


async def cursor(log: Log, name: str, query: AtQuery) -> CursorFound:
    """The seq that a cursor comes to."""
    return CursorFound((await log.cursor(name, query.at)).seq)


async def asked(log: Log, name: str, body: Question, guest: Guest) -> Asked:
    """Ask a character. Keeping the answer, and any model but the offline one, need control."""
    if guest.right < Right.CONTROL and (body.save or body.model != "offline:"):
        raise RequestRefused("this token only reads: ask the offline model, with save false")
    found = await ask(
        log,
        name,
        body.character,
        body.question,
        body.at,
        model=body.model,
        memory=body.memory,
        method=body.method,
    )
    return await keep(log, found) if body.save else found


async def forked(log: Log, name: str, body: Fork) -> Forked:
    """Begin a what-if."""
    changes = Changes(body.tell, body.goal, body.replace, body.about)
    return await fork(log, name, body.at, name=body.name, changes=changes)


async def marked(log: Log, name: str, body: Mark) -> Marked:
    """Give a moment a name."""
    return await mark(log, name, body.name, body.at, secret=body.secret)
