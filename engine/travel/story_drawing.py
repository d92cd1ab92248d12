"""The story as a picture: what is drawn of a world, all of it or what one character perceived; and of
one event, who came to know of it, when, and from whom."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from itertools import islice

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.finding.searching import Wanted, run_of, wanted
from whoknew.engine.travel.gatherings import EpisodeSpan, Gatherings
from whoknew.engine.travel.knows import LIMIT, knows
from whoknew.engine.travel.lifelines import COLUMNS, Lifelines, Order, lifelines, ordered
from whoknew.engine.travel.replay import WorldFacts, facts_of
from whoknew.engine.travel.retelling import PAGE, Retelling
from whoknew.engine.travel.spread import was_found
from whoknew.engine.travel.whereabouts import Onstage
from whoknew.eventlog import Event, Known, Log
from whoknew.eventlog.cursor import AtSeq, When
from whoknew.eventlog.kinds import Acted, Narrated, Traced
from whoknew.eventlog.knowledge import SURE
from whoknew.eventlog.words import terms

BESIDE = 3
"""So many events to a column are drawn each by itself; where there are more, only who is with whom."""

HAPPENED = (Acted, Narrated, Traced)
"""What is drawn one by one, and what a character's own words mean."""

DIGITS = 18
"""Of a seq: a longer one is none."""


class KnowsSince(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Since the event `at` a character knows, having been there, or because `by` told it; or was told
    what is not so. `doubt` says why that may be otherwise."""

    character: str
    at: int
    how: str
    by: str | None = None
    doubt: str = ""


class DrawnFact(Struct, frozen=True, kw_only=True):
    """The event whose knowers are drawn, one of so many that were `meant`, and those who came to
    know of it, in order."""

    event: int
    text: str
    meant: int
    learnt: tuple[KnowsSince, ...]


class Drawing(Struct, frozen=True, kw_only=True):
    """What is drawn past the event `after` and up to the event `upto`, of as many as there are up to
    the `cursor`; before `begins` nobody is anywhere. A character's events are numbered by their places in
    its view. `characters` are all of whom the reader knows, as their colours go. `episodes` are there
    where they are no more than columns; `happenings` are drawn one by one."""

    world: str
    title: str
    character: str | None
    characters: tuple[str, ...]
    begins: int
    cursor: int
    after: int
    upto: int
    lines: Lifelines
    episodes: tuple[EpisodeSpan, ...]
    happenings: tuple[Event, ...]
    fact: DrawnFact | None


class DrawnStory:
    """A world as it can be drawn, folded once and gone on with."""

    def __init__(self, log: Log, world: str, who: str | None = None) -> None:
        self._log, self.world, self.who = log, world, who
        self._gatherings = Gatherings()
        self._retelling = Retelling(world, who) if who is not None else None
        self._onstage = Onstage(log, world)
        self._ordered: tuple[int, Order] | None = None
        self._found: tuple[object, DrawnFact] | None = None

    async def drawing(
        self,
        at: When = "end",
        *,
        about: str | None = None,
        after: int | None = None,
        upto: int | None = None,
        columns: int = COLUMNS,
        sure: float = SURE,
    ) -> Drawing:
        """Of all up to a cursor, a window: past one event and up to another."""
        facts, cursor = await self._caught_up(at)
        fact = None if about is None else await self._known_fact(about, at, cursor, sure)
        story = self._gatherings.upto_seq(cursor)
        begins = min(story.begins, cursor)
        low = begins if after is None else min(max(after, begins), cursor)
        high = cursor if upto is None else max(low, min(upto, cursor))
        lines = await asyncio.to_thread(self._laid_out, story, low, high, columns)
        return Drawing(
            world=self.world,
            title=facts.title if self.who is None else self.world,
            character=self.who,
            characters=self._characters(facts, lines),
            begins=begins,
            cursor=cursor,
            after=low,
            upto=high,
            lines=lines,
            episodes=few(story.episodes_between(low, high), columns),
            happenings=await self._happenings(low, high) if high - low <= BESIDE * columns else (),
            fact=fact,
        )

    async def told(self, at: When = "end") -> tuple[WorldFacts, Gatherings]:
        """What is known of the world, and who was with whom, up to a cursor."""
        facts, cursor = await self._caught_up(at)
        return facts, self._gatherings.upto_seq(cursor)

    def _characters(self, facts: WorldFacts, lines: Lifelines) -> tuple[str, ...]:
        """To a character those alone whom it met."""
        return facts.characters if self.who is None else tuple(sorted(lines.people))

    async def _caught_up(self, at: When) -> tuple[WorldFacts, int]:
        cursor = await self._log.cursor(self.world, at)
        facts = await facts_of(self._log, self.world, cursor.seq)
        story, told = self._gatherings, self._retelling
        if told is None:
            if story.upto < cursor.seq:
                async for event in self._log.read(self.world, AtSeq(story.upto), cursor):
                    if event.seq == story.upto + 1:  # nobody else took it meanwhile
                        story.take(event)
            return facts, cursor.seq
        view = await self._log.view(self.world, told.who, cursor)
        await told.catch_up(self._log, self._onstage, cursor)
        while news := told.past(story.upto, PAGE):
            for event in news:
                story.take(event)
            await asyncio.sleep(0)  # a server answers others meanwhile
        story.reach(told.upto)
        return facts, len(view)

    def _laid_out(self, story: Gatherings, after: int, upto: int, columns: int) -> Lifelines:
        kept = self._ordered
        if kept is None or kept[0] != story.upto:
            kept = self._ordered = story.upto, ordered(story)
        return lifelines(story, kept[1], after, upto, columns)

    async def _happenings(self, after: int, upto: int) -> tuple[Event, ...]:
        if self._retelling is not None:
            some: Sequence[Event] = [one for one in self._retelling.past(after) if one.seq <= upto]
        else:
            some = await (await self._log.director(self.world, AtSeq(upto))).events(after, upto)
        return tuple(event for event in some if isinstance(event.body, HAPPENED))

    async def _known_fact(self, about: str, at: When, cursor: int, sure: float) -> DrawnFact:
        """Found once for as long as nothing is added to the world: what is found of tellings later counts
        at earlier cursors, too."""
        head = (await self._log.lineage.find(self.world)).head
        asked, kept = (about, cursor, sure, head), self._found
        if kept is None or kept[0] != asked:
            kept = self._found = asked, await self._fact(about, at, cursor, sure)
        return kept[1]

    async def _fact(self, about: str, at: When, cursor: int, sure: float) -> DrawnFact:
        if self._retelling is not None:
            return await self._own_fact(about, at, cursor)
        found = await knows(self._log, self.world, at, about=about, limit=LIMIT, sure=sure)
        if not found.rows:
            raise BadQuestion(f"nothing is about {about!r}: name an event by its seq")
        best = _best([row.event for row in found.rows], about)
        [cells] = [row.cells for row in found.rows if row.event.seq == best.seq]
        return _fact(best, found.total, cells)

    async def _own_fact(self, about: str, at: When, cursor: int) -> DrawnFact:
        """Of what the character witnessed itself, as far as it saw who else knows."""
        told = self._retelling
        assert told is not None
        if about.lstrip("#").isdecimal():
            view = await self._log.view(self.world, told.who, at)
            place = view.place(int(about.lstrip("#")[:DIGITS]))
            meant = [one for one in told.events if one.seq == place]
        else:
            meant = await asyncio.to_thread(_meant, told.events, about, cursor)
        if not meant:
            raise BadQuestion(f"{told.who} witnessed nothing about {about!r}: draw it without `as`")
        event = _best(meant, about)
        return _fact(event, len(meant), await asyncio.to_thread(told.row, event.seq, cursor))


def few(episodes: Iterable[EpisodeSpan], most: int) -> tuple[EpisodeSpan, ...]:
    """All, or none: where there are too many to be told apart."""
    found = tuple(islice(episodes, most + 1))
    return found if len(found) <= most else ()


def _meant(events: Sequence[Event], about: str, upto: int) -> list[Event]:
    """Those that hold any of the words."""
    sought = wanted(about)
    return [
        event
        for event in events
        if event.seq <= upto and isinstance(event.body, HAPPENED) and any(_holds(event, sought))
    ]


def _best(events: Sequence[Event], about: str) -> Event:
    """The first to happen of those that hold the most of the words: what comes later tells of it."""
    if len(events) == 1:
        return events[0]
    sought = wanted(about)
    return min(events, key=lambda event: (*(-found for found in _holds(event, sought)), event.seq))


def _holds(event: Event, sought: Wanted) -> tuple[int, int]:
    """Whether it holds the words as they stand, and how many of them at all."""
    whole = sought.whole.strip() and sought.whole in run_of(event.text)
    return bool(whole), len(sought.stems.intersection(terms(event.text)))


def _fact(event: Event, meant: int, cells: Sequence[Known]) -> DrawnFact:
    learnt = [one for cell in cells if (one := _learnt(cell))]
    learnt.sort(key=lambda one: (one.at, one.character))
    return DrawnFact(event=event.seq, text=event.text, meant=meant, learnt=tuple(learnt))


def _learnt(cell: Known) -> KnowsSince | None:
    if cell.answer == "present":
        return KnowsSince(character=cell.character, at=cell.event, how="present", doubt=cell.doubt)
    if cell.answer == "told" and cell.at is not None:
        doubt = cell.how if was_found(cell) else ""
        return KnowsSince(character=cell.character, at=cell.at, how="told", by=cell.by, doubt=doubt)
    if cell.otherwise:
        false = cell.otherwise
        return KnowsSince(
            character=cell.character, at=false.at, how="otherwise", by=false.by, doubt=false.text
        )
    return None
