"""Stories that are drawn for pages: each world folded once, and gone on with."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from functools import partial

from msgspec.structs import replace

from whoknew.engine.server.character_view import Own
from whoknew.engine.server.errors import RequestRefused
from whoknew.engine.server.pages import fitting
from whoknew.engine.server.payloads import StoryQuery, StoryShown
from whoknew.engine.travel.lens_drawing import lens_drawing
from whoknew.engine.travel.story_drawing import Drawing, DrawnStory
from whoknew.engine.travel.story_picture import StoryPicture
from whoknew.engine.travel.story_shapes import Frame
from whoknew.engine.travel.story_words import sentences
from whoknew.eventlog import Log
from whoknew.eventlog.cursor import AtSeq, When

KEPT = 50
"""So many are kept, the newest asked for: a world of 100,000 events takes some megabytes."""


class Stories:
    """Those of a server: whole, or as somebody perceived them."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._stories: OrderedDict[tuple[str, str | None], DrawnStory] = OrderedDict()
        self.one_by_one = asyncio.Semaphore(2)
        """Held by whoever has one drawn: it takes a processor."""

    def of(self, world: str, who: str | None) -> DrawnStory:
        story = self._stories.pop((world, who), None) or DrawnStory(self._log, world, who)
        self._stories[world, who] = story
        while len(self._stories) > KEPT:
            self._stories.popitem(last=False)
        return story

    async def drawing(self, world: str, query: StoryQuery, at: When) -> Drawing:
        """In the time of the world where `seqs` are wanted, else in that of whoever perceived it."""
        story = self.of(world, query.who)
        drawn = story.drawing
        if query.seqs and query.who is not None:
            drawn = partial(lens_drawing, self._log, self.of(world, None), story)
        return await drawn(
            at,
            about=query.about,
            after=query.after,
            upto=query.upto,
            columns=query.columns,
            sure=query.sure,
        )


async def own_story(own: Own, query: StoryQuery, stories: Stories) -> StoryShown:
    """To a character its own events alone, by its own numbers; cursors, too."""
    if own.who is None:
        raise RequestRefused("the public part is nobody's story: take a seat, or come with a token")
    if query.seqs:
        raise RequestRefused("what you perceived has numbers of its own: ask without seqs")
    cut = await own.resolve(query.at)
    about = query.about
    if about is not None and (number := about.strip().lstrip("#")).isdecimal():
        told = int(number[:9])
        if not 0 < told <= own.count:
            raise RequestRefused(f"there is no event {number[:9]} among your own")
        about = str(own.seq(told))
    query = replace(query, who=own.who, about=about)
    return await shown(stories, own.world, query, AtSeq(own.seq(cut)))


async def shown(
    stories: Stories, world: str, query: StoryQuery, at: When | None = None
) -> StoryShown:
    """What is asked for, one after another: a thread draws, and all others are answered meanwhile."""
    async with stories.one_by_one:
        drawing = await stories.drawing(world, query, query.at if at is None else at)
        return await asyncio.to_thread(_shown, drawing, query)


def _shown(drawing: Drawing, query: StoryQuery) -> StoryShown:
    told = drawing.happenings
    fits = len(fitting(told, newest=False)) == len(told)
    shown = StoryShown(
        story=drawing if fits else replace(drawing, happenings=()),
        left_out=0 if fits else len(told),
        sentences=tuple(sentences(drawing)),
    )
    if query.width is None:
        return shown
    picture = StoryPicture(drawing, Frame(query.width, query.height))
    return replace(shown, picture=str(picture.drawn()), box=picture.box)
