"""Who told whom of what, found in a world that is there; or said by a person."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.finding.finder import Finder, Found
from whoknew.engine.finding.giving_way import giving_way
from whoknew.engine.finding.records import RULE, Pair, Records, is_heard, looked_through
from whoknew.engine.travel.knowers import HAPPENINGS
from whoknew.engine.travel.knows import LIMIT
from whoknew.engine.travel.rehearing import HEARD
from whoknew.eventlog import Draft, Event, Kind, Log, exactly
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.errors import Conflict
from whoknew.eventlog.kinds import EpisodeOpened, Origin, Printed, TellingFound, TellingsSought
from whoknew.eventlog.knowledge import SURE

PAGE = 1000
"""Events that are looked at at a time: then what was found is written, and it is gone on with."""

Watch = Callable[[int, int], None]
"""Hears up to where it has come, and where it ends."""


class TellingRow(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A speech that tells of an earlier event. `news`: the teller had neither witnessed it nor been
    told of it, as far as the log says."""

    speech: Event
    fact: Event
    teller: str | None = None
    hearers: tuple[str, ...] = ()
    score: float
    origin: Origin
    why: str = ""
    otherwise: str = ""
    news: bool = False


class TellingsReport(Struct, frozen=True, kw_only=True):
    """What came of looking: of `looked` events (none where all had been looked at before) `found`
    tellings were written, and `taken_back` ones. `rows` are those past the first `skipped` of the
    `total` that are on record now and at least so `sure`, the surest first; `less_sure` ones are on
    record, too."""

    world: str
    finder: str
    upto: int
    looked: int
    found: int
    taken_back: int
    sure: float
    total: int
    less_sure: int
    skipped: int
    rows: tuple[TellingRow, ...]


async def tellings(
    log: Log,
    world: str,
    *,
    sure: float = SURE,
    limit: int = LIMIT,
    skip: int = 0,
    watch: Watch = lambda done, head: None,
) -> TellingsReport:
    """Look for tellings by rule, and tell what is on record then."""
    came = await look(log, world, watch)
    return await listed(log, world, sure=sure, limit=limit, skip=skip, came=came)


class CameOf(NamedTuple):
    """What came of looking: how many events were looked at, how many tellings were written, and how
    many taken back."""

    looked: int = 0
    found: int = 0
    taken_back: int = 0


NOT_LOOKED = CameOf()


async def look(log: Log, world: str, watch: Watch = lambda done, head: None) -> CameOf:
    """Look for tellings by rule, wherever this was not done before. Ended at any moment, it goes on
    from where it was."""
    records = await on_record(log, world)
    head = (await log.lineage.find(world)).head
    looked = found = back = 0
    if not await looked_through(log, world, records.sought.get(RULE, 0), head):
        async for page in _pages(log, world, records.sought.get(RULE, 0), head):
            new, outdated = await _keep(log, world, records, page)
            looked, found, back = looked + page.looked, found + new, back + outdated
            watch(page.speeches[1], head)
    return CameOf(looked, found, back)


async def listed(
    log: Log,
    world: str,
    *,
    sure: float = SURE,
    limit: int = LIMIT,
    skip: int = 0,
    came: CameOf = NOT_LOOKED,
) -> TellingsReport:
    """What is on record of tellings, a page of it; looked for or not."""
    records = await on_record(log, world)
    rows, total = await _rows(log, world, records, sure, limit, skip)
    return TellingsReport(
        world=world,
        finder=RULE,
        upto=records.sought.get(RULE, 0),
        looked=came.looked,
        found=came.found,
        taken_back=came.taken_back,
        sure=sure,
        total=total,
        less_sure=sum(one.score > 0 for one in records.standing.values()) - total,
        skipped=skip,
        rows=rows,
    )


async def say(
    log: Log,
    world: str,
    speech: int,
    fact: int,
    *,
    told: bool = True,
    why: str = "",
    otherwise: str = "",
) -> TellingRow:
    """Put on record, as a person's word, that a speech tells of an earlier event, or does not; or
    tells of it otherwise than it was. It stands for whatever was found of the two."""
    head = (await log.lineage.find(world)).head
    if not 0 < fact < speech <= head:
        raise BadQuestion(
            f"#{speech} of {world!r} cannot tell of #{fact}: name a speech (1 to {head}), and then "
            "an event before it"
        )
    earlier, later = await log.lineage.pick(world, [fact, speech])
    _check_kind(
        world, later, HEARD, "which tells nobody anything: take a speech, a narration or a letter"
    )
    _check_kind(
        world, earlier, TOLD_OF, "which does not happen in the story: take what was said or done"
    )
    hearers = tuple(name for name in later.witnesses if name != later.teller)
    if not hearers:
        raise BadQuestion(f"nobody heard #{speech} of {world!r} but who spoke: it tells nobody")
    body = TellingFound(
        fact,
        later.teller,
        hearers,
        score=1.0 if told else 0.0,
        origin="person",
        why=why,
        otherwise=otherwise,
    )
    await log.append(world, [Draft(body, cause=speech)])
    return _row(body, later, earlier, news=False)


TOLD_OF: tuple[type[Kind], ...] = (*HAPPENINGS, EpisodeOpened, Printed)
"""What a person can say that somebody was told of: what happens, and how an episode begins."""


def _check_kind(world: str, event: Event, kinds: tuple[type[Kind], ...], why: str) -> None:
    if not isinstance(event.body, kinds):
        tag = event.body.__struct_config__.tag
        raise BadQuestion(f"#{event.seq} of {world!r} is of kind {tag}, {why}")


async def on_record(log: Log, world: str) -> Records:
    records = Records()
    await _catch_up(log, world, records)
    return records


async def _catch_up(log: Log, world: str, records: Records) -> None:
    """Hear what others have put on record since."""
    head = (await log.lineage.find(world)).head
    for event in await log.lineage.all_tellings(world, records.upto):
        records.take(event)
    records.upto = max(records.upto, head)


class Looked(NamedTuple):
    """A page that was looked at: the `speeches` past a seq, up to another."""

    speeches: tuple[int, int]
    looked: int
    found: list[Found]


async def _pages(log: Log, world: str, sought: int, head: int) -> AsyncIterator[Looked]:
    """What the rule finds past a seq, page by page. It hears all that was before, too: what a speech
    tells of depends on that."""
    finder = Finder()
    for first in range(0, head, PAGE):
        upto = min(first + PAGE, head)
        events = [event async for event in log.read(world, AtSeq(first), AtSeq(upto))]
        heard = [event for event in events if is_heard(event)]
        told = await asyncio.to_thread(_hear, finder, heard)
        if upto > sought:
            after = max(first, sought)
            new = [one for one in told if one.speech > after]
            yield Looked((after, upto), sum(event.seq > after for event in heard), new)


def _hear(finder: Finder, events: Sequence[Event]) -> list[Found]:
    return [found for event in giving_way(events) for found in finder.hear(event)]


async def _keep(log: Log, world: str, records: Records, page: Looked) -> tuple[int, int]:
    """Write what was found, if nobody else has written it: how much of it is new, and how much was
    taken back. Where another writes at the same time, it is looked again at what stands there."""
    while True:
        await _catch_up(log, world, records)
        new, outdated = records.new(page.found), records.outdated(page.found, *page.speeches)
        upto = page.speeches[1]
        sought = [_sought(upto)] if records.sought.get(RULE, 0) < upto else []
        drafts = [*new, *outdated, *sought]
        if not drafts:
            return 0, 0
        try:
            await log.append(world, drafts, expect=exactly(records.upto))
        except Conflict:
            await asyncio.sleep(0)  # what came first may still be on its way to the store
            continue
        for draft in drafts:
            records.take(draft)
        records.upto += len(drafts)
        return len(new), len(outdated)


def _sought(upto: int) -> Draft:
    return Draft(TellingsSought(upto, RULE))


async def _rows(
    log: Log, world: str, records: Records, sure: float, limit: int, skip: int
) -> tuple[tuple[TellingRow, ...], int]:
    """A page of what is on record, the surest first."""
    standing = await asyncio.to_thread(_sorted, records, sure)
    page = standing[skip : skip + limit]
    seqs = sorted({seq for pair, _ in page for seq in pair})
    events = {event.seq: event for event in await log.lineage.pick(world, seqs)}
    knowledge = await log.knowledge(world, sure=sure)

    def rows() -> tuple[TellingRow, ...]:
        return tuple(
            _row(
                one,
                events[speech],
                events[fact],
                news=one.teller is not None and knowledge.is_news(fact, one.teller, speech),
            )
            for (speech, fact), one in page
        )

    return await asyncio.to_thread(rows), len(standing)


def _sorted(records: Records, sure: float) -> list[tuple[Pair, TellingFound]]:
    """All that are at least so sure, the surest first."""
    rows = [row for row in records.standing.items() if row[1].score > 0 and row[1].score >= sure]
    return sorted(rows, key=lambda row: (-row[1].score, row[0]))


def _row(body: TellingFound, speech: Event, fact: Event, *, news: bool) -> TellingRow:
    return TellingRow(
        speech=speech,
        fact=fact,
        teller=body.teller,
        hearers=body.hearers,
        score=body.score,
        origin=body.origin,
        why=body.why,
        otherwise=body.otherwise,
        news=news,
    )
