"""Worlds over HTTP: their events, who knew what, prompts, questions, what-ifs, marks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.asking.answer_panel import named
from whoknew.engine.asking.ask import Asked, ask, keep
from whoknew.engine.exams.exam_log import OPENED
from whoknew.engine.server import character_routes as owned
from whoknew.engine.server.access import Guest, Right, check_writable
from whoknew.engine.server.call_table import CallTable, CallTables
from whoknew.engine.server.errors import RequestRefused
from whoknew.engine.server.lookings import Looking, Lookings
from whoknew.engine.server.pages import fitting, of_episodes, page_of
from whoknew.engine.server.payloads import (
    AskRequest,
    AtQuery,
    Band,
    CallsQuery,
    Compared,
    CompareQuery,
    CursorFound,
    EpisodesQuery,
    EventsQuery,
    Family,
    Fork,
    ForksQuery,
    KnowledgeQuery,
    LearntQuery,
    Mark,
    Page,
    PromptQuery,
    RecallQuery,
    ScorePage,
    ScoreRow,
    ScoresQuery,
    SpreadQuery,
    SpreadShown,
    StoryQuery,
    StoryShown,
    TellingsQuery,
    TellingsShown,
    TraceQuery,
    WorldView,
)
from whoknew.engine.server.routes import WORLD, RouteTable
from whoknew.engine.server.sent_models import check_sent
from whoknew.engine.server.stories import Stories, own_story, shown
from whoknew.engine.travel.diff import compare
from whoknew.engine.travel.family import family
from whoknew.engine.travel.fork import Changes, Forked, fork
from whoknew.engine.travel.knows import Matrix, knows
from whoknew.engine.travel.learnt import Learnt, learnt
from whoknew.engine.travel.mark import Marked, mark, marks
from whoknew.engine.travel.prompt import Prompted, prompts
from whoknew.engine.travel.recall import RecallResult, recall
from whoknew.engine.travel.replay import facts_of
from whoknew.engine.travel.spread import spread
from whoknew.engine.travel.spread_picture import picture, sentences
from whoknew.engine.travel.tellings import NOT_LOOKED, listed
from whoknew.eventlog import Director, Event, Known, Log, View
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened, Reviewed
from whoknew.eventlog.story import of_story

routes = RouteTable()

T = TypeVar("T")

SCAN = 20_000
"""Events that one page of scores looks through."""


@routes.add(f"GET {WORLD}", own=owned.world)
async def get_world(log: Log, name: str, query: EpisodesQuery) -> WorldView:
    """One world: who is in it, its episodes and marks. A character is told what it went through."""
    found = await log.lineage.find(name)
    facts = await facts_of(log, name, found.head)
    first = await log.lineage.events(name, 0, 1, 1)
    bands = _bands(await log.landmarks(name, found.head))
    return WorldView(
        name=name,
        title=facts.title,
        head=found.head,
        parent=found.parent,
        exam=any(one.key == OPENED for one in first),
        forked_at=found.forked_at if found.parent else None,
        characters=facts.characters,
        episodes=of_episodes(bands, query),
        total=len(bands),
        marks=tuple(await marks(log, name)),
    )


def _bands(landmarks: Iterable[Event]) -> list[Band]:
    """From where to where each episode goes; the newest may be open."""
    bands: list[Band] = []
    for event in landmarks:
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
            bands[-1] = replace(bands[-1], last=event.seq)
    return bands


@routes.add(f"GET {WORLD}/events", own=owned.events)
async def list_events(log: Log, name: str, query: EventsQuery) -> Page:
    """Events of a world, a page at a time: of all, or of what one character perceived."""
    head = (await log.lineage.find(name)).head
    upto = min(head, head if query.upto is None else query.upto)
    if query.who is not None:
        view = await log.view(name, query.who, f"#{upto}")
        begins = _begins(query, len(view), view.before((query.after or 0) + 1))
        return await _page(query, view, head, len(view), begins)
    director = await log.director(name, f"#{upto}")
    return await _page(query, director, head, upto, _begins(query, upto, query.after or 0))


async def _page(
    query: EventsQuery, reader: View | Director, head: int, total: int, begins: int
) -> Page:
    ends, newest = min(total, begins + query.limit), query.after is None
    found = await page_of(reader.events, begins, ends, newest=newest)
    return Page(tuple(found.events), head, total, found.after)


def _begins(query: EventsQuery, total: int, after: int) -> int:
    """After a seq; without one, the newest."""
    return max(0, total - query.limit) if query.after is None else min(after, total)


@routes.add(f"GET {WORLD}/knowledge")
async def list_knowledge(log: Log, name: str, query: KnowledgeQuery) -> Matrix:
    """Who knows of what at a cursor, a page at a time: of what some words, seqs, or the marked secrets
    mean; of what only some know, or some do not."""
    found = await knows(
        log,
        name,
        query.at,
        about=query.about,
        who=_names(query.who),
        only=_names(query.only),
        unaware=_names(query.unaware),
        doubtful=query.doubtful,
        order=query.order,
        limit=query.limit,
        skip=query.skip,
        sure=query.sure,
        recorded_at=query.recorded_at,
    )
    return replace(found, rows=tuple(fitting(found.rows, newest=False)))


@routes.add(f"GET {WORLD}/learnt")
async def list_news(log: Log, name: str, query: LearntQuery) -> Learnt:
    """What came to be known to a character in an episode, a turn or some events, a page at a time."""
    found = await learnt(
        log,
        name,
        query.who,
        query.new,
        query.at,
        sure=query.sure,
        recorded_at=query.recorded_at,
        limit=query.limit,
        skip=query.skip,
    )
    return replace(found, rows=tuple(fitting(found.rows, newest=False)))


def _names(text: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in text.split(",") if one.strip())


@routes.add(f"GET {WORLD}/trace")
async def trace_fact(log: Log, name: str, query: TraceQuery) -> tuple[Known, ...]:
    """How an event came to be known to a character, teller by teller."""
    found = await log.knowledge(name, query.at, sure=query.sure, recorded_at=query.recorded_at)
    return tuple(await asyncio.to_thread(found.trace, query.event, query.character))


@routes.add(f"GET {WORLD}/spread")
async def get_spread(log: Log, name: str, query: SpreadQuery) -> SpreadShown:
    """Who was there when an event happened, and who told whom of it, with a picture of that."""
    found = await spread(
        log, name, query.event, query.at, sure=query.sure, recorded_at=query.recorded_at
    )
    drawn = await asyncio.to_thread(picture, found)
    return SpreadShown(found, tuple(sentences(found)), drawn)


@routes.add(f"GET {WORLD}/story", own=own_story)
async def get_story(name: str, query: StoryQuery, stories: Stories) -> StoryShown:
    """Who is together with whom, and who comes to know of an event: a window of a story, as data and as a
    picture."""
    return await shown(stories, name, query)


@routes.add(f"GET {WORLD}/tellings")
async def list_tellings(
    log: Log, name: str, query: TellingsQuery, lookings: Lookings
) -> TellingsShown:
    """Who was found to have told whom of what, the surest first, a page at a time."""
    return await _tellings(log, name, query, lookings.at(name))


@routes.add(f"POST {WORLD}/tellings", Right.CONTROL)
async def find_tellings(
    log: Log, name: str, query: TellingsQuery, lookings: Lookings, writable: bool
) -> TellingsShown:
    """Look for tellings by rule, wherever this was not done before. After 10 s it answers how far it has
    come, and goes on."""
    check_writable(writable)
    return await _tellings(log, name, query, await lookings.look(name))


async def _tellings(
    log: Log, name: str, query: TellingsQuery, looking: Looking | None
) -> TellingsShown:
    found = await listed(
        log,
        name,
        sure=query.sure,
        limit=query.limit,
        skip=query.skip,
        came=looking.came if looking else NOT_LOOKED,
    )
    goes_on = looking is not None and not looking.task.done()
    head = (await log.lineage.find(name)).head
    return TellingsShown(goes_on, looking.upto if goes_on and looking else found.upto, head, found)


@routes.add(f"GET {WORLD}/prompts")
async def list_prompts(log: Log, name: str, query: PromptQuery) -> tuple[Prompted, ...]:
    """What models were given at a turn, made again from the log."""
    return tuple(await prompts(log, name, query.at, query.who))


@routes.add(f"GET {WORLD}/recall", own=owned.recall)
async def recall_words(log: Log, name: str, query: RecallQuery) -> RecallResult:
    """Search what a character knows."""
    return await recall(log, name, query.who, query.words, query.at, query.k)


@routes.add(f"GET {WORLD}/compare")
async def compare_views(log: Log, name: str, query: CompareQuery) -> Compared:
    """Two characters, two cursors, or two worlds, side by side, a page at a time."""
    found = await compare(log, name, query.other, query.at, query.after, _names(query.who))

    def page(rows: Sequence[T]) -> tuple[T, ...]:
        return tuple(fitting(rows[query.skip : query.skip + query.limit], newest=False))

    return Compared(
        kind=found.kind,
        left=found.left,
        right=found.right,
        only_left=page(found.only_left),
        only_right=page(found.only_right),
        gains=page(found.gains),
        losses=page(found.losses),
        both=found.both,
        shared=found.shared,
        characters=found.characters,
        total_left=len(found.only_left),
        total_right=len(found.only_right),
        total_gains=len(found.gains),
        total_losses=len(found.losses),
    )


@routes.add(f"GET {WORLD}/scores")
async def list_scores(log: Log, name: str, query: ScoresQuery) -> ScorePage:
    """Reviews of episodes, in order, a page at a time. One page reads no more of the world than
    SCAN events: so it may hold few, or none, and still not be the last."""
    head = (await log.lineage.find(name)).head
    upto = min(head, query.after + SCAN)
    found: list[ScoreRow] = []
    async for event in log.read(name, AtSeq(min(query.after, head)), AtSeq(upto)):
        if isinstance(event.body, Reviewed) and of_story(event):
            scores = event.body.scores
            found.append(ScoreRow(event.seq, event.episode, event.actor, event.body.judge, scores))
            if len(found) == query.limit:
                upto = event.seq
                break
    return ScorePage(tuple(found), max(upto, min(query.after, head)), head)


@routes.add(f"GET {WORLD}/calls")
async def list_calls(name: str, query: CallsQuery, call_tables: CallTables) -> CallTable:
    """What calls of models came to, by character, purpose and model; and those that failed."""
    return await call_tables.of(name, query.skip, query.limit)


@routes.add(f"GET {WORLD}/cursor", own=owned.cursor)
async def find_cursor(log: Log, name: str, query: AtQuery) -> CursorFound:
    """The seq that a cursor comes to."""
    return CursorFound((await log.cursor(name, query.at)).seq)


@routes.add(f"POST {WORLD}/ask")
async def ask_character(log: Log, name: str, body: AskRequest, guest: Guest) -> Asked:
    """Ask a character, and have judges judge its answer. Keeping that, and any model but the offline
    one, need control."""
    if guest.right < Right.CONTROL and (body.save or {body.model, body.judge_model} != {OFFLINE}):
        raise RequestRefused("this token only reads: ask the offline model, with save false")
    check_sent((body.model, body.judge_model))
    found = await ask(
        log,
        name,
        body.character,
        body.question,
        body.at,
        model=body.model,
        memory=body.memory,
        method=body.method,
        reference=body.reference,
        judges=named(body.judges, body.judge_model),
        dropped=partial(keep, log) if body.save else None,
    )
    return await keep(log, found) if body.save else found


@routes.add(f"GET {WORLD}/forks")
async def list_forks(log: Log, name: str, query: ForksQuery) -> Family:
    """All worlds that share a past with this one, a page at a time: parents before their forks."""
    found = await family(log, name)
    page = found[query.skip : query.skip + query.limit]
    return Family(worlds=page, total=len(found))


@routes.add(f"POST {WORLD}/forks", Right.CONTROL)
async def fork_world(log: Log, name: str, body: Fork) -> Forked:
    """Begin a what-if."""
    changes = Changes(
        tell=body.tell,
        goal=body.goal,
        replace=body.replace,
        about=body.about,
        heard=body.heard,
        unheard=body.unheard,
    )
    return await fork(log, name, body.at, name=body.name, changes=changes)


@routes.add(f"POST {WORLD}/marks", Right.CONTROL)
async def mark_moment(log: Log, name: str, body: Mark) -> Marked:
    """Give a moment a name."""
    return await mark(log, name, body.name, body.at, secret=body.secret)
