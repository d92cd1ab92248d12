"""What a character is answered: the routes that it may ask, each from what it perceived alone."""

from __future__ import annotations

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.server.character_view import Own, OwnEpisode
from whoknew.engine.server.errors import RequestRefused
from whoknew.engine.server.pages import of_episodes, page_of
from whoknew.engine.server.payloads import AtQuery, EpisodesQuery, EventsQuery, RecallQuery
from whoknew.engine.travel.character_events import Perceived
from whoknew.eventlog import Log
from whoknew.eventlog.cursor import AtSeq


class OwnWorld(Struct, frozen=True, kw_only=True):
    """A world as far as a character perceived it: so many events, in `total` episodes of its own."""

    name: str
    character: str | None
    events: int
    episodes: tuple[OwnEpisode, ...]
    total: int


class OwnPage(Struct, frozen=True, kw_only=True):
    """`before` of its own events come before the page."""

    events: tuple[Perceived, ...]
    before: int


class OwnCursor(Struct, frozen=True, kw_only=True):
    """The number of an event of its own."""

    cursor: int


class OwnMatch(Struct, frozen=True, kw_only=True):
    number: int
    score: float
    text: str


class OwnFound(Struct, frozen=True, kw_only=True):
    """Its events that match best, the best first, out of those up to the cursor."""

    character: str | None
    cursor: int
    words: str
    found: tuple[OwnMatch, ...]


async def world(own: Own, query: EpisodesQuery) -> OwnWorld:
    """The newest of its episodes, or those before one."""
    return OwnWorld(
        name=own.world,
        character=own.who,
        events=own.count,
        episodes=of_episodes(own.episodes, query),
        total=len(own.episodes),
    )


async def events(own: Own, query: EventsQuery) -> OwnPage:
    """After one of its events; without that, the newest."""
    upto = own.count if query.upto is None else min(query.upto, own.count)
    after = max(0, upto - query.limit) if query.after is None else min(query.after, upto)
    newest = query.after is None
    page = await page_of(own.told, after, min(upto, after + query.limit), newest=newest)
    return OwnPage(events=tuple(page.events), before=page.after)


async def cursor(own: Own, query: AtQuery) -> OwnCursor:
    return OwnCursor(cursor=await own.resolve(query.at))


async def recall(own: Own, query: RecallQuery, log: Log) -> OwnFound:
    if own.who is None:
        raise RequestRefused(
            "the public part is nobody's memory: take a seat, or come with a token"
        )
    if not query.words.strip():
        raise BadQuestion("there are no words to search for: give some")
    cut = await own.resolve(query.at)
    view = await log.view(own.world, own.who, AtSeq(own.seq(cut))) if cut else None
    found = await view.recall(query.words, query.k) if view else ()
    return OwnFound(
        character=own.who,
        cursor=cut,
        words=query.words,
        found=tuple(OwnMatch(number=one.place, score=one.score, text=one.text) for one in found),
    )
