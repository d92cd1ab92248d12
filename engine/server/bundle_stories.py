"""The pictures of a bundle: a poster of the story, and what the timeline of its page shows, on a wide screen
and on a narrow one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from html import unescape
from typing import Any

import msgspec
from msgspec.structs import replace

from whoknew.engine.server.bundle_names import renamed
from whoknew.engine.server.bundle_parts import Part
from whoknew.engine.travel.draw import POSTER
from whoknew.engine.travel.gatherings import Gathering
from whoknew.engine.travel.lens_drawing import lens_drawing
from whoknew.engine.travel.lifelines import Column
from whoknew.engine.travel.story_drawing import Drawing, DrawnStory
from whoknew.engine.travel.story_picture import StoryPicture, picture
from whoknew.engine.travel.story_shapes import Frame
from whoknew.engine.travel.story_words import sentences
from whoknew.eventlog import Event, Log

STORY = "story-"
"""With which the names of their parts begin."""

SIZES = {"wide": (1280, 120, 240), "narrow": (390, 92, 143)}
"""How wide a picture is, and how high at least and at most."""

FOR_COLUMN = 9
"""Points: what is nearer is not told apart."""

EPISODES, LENSES = 60, 12
"""Where there are more, they are not drawn one by one."""

TOLD = 30
"""So many sentences are read to whoever does not see the picture."""

_MARKUP = re.compile(r"<style>.*?</style>|<[^>]*>", re.DOTALL)

Hide = Callable[[str], str]


async def poster(log: Log, world: str, who: str | None, hide: Hide = str) -> str:
    """All of it as one picture, as `whoknew draw` makes it."""
    drawing = await DrawnStory(log, world, who).drawing(columns=POSTER)
    return await asyncio.to_thread(lambda: picture(_hidden(drawing, hide)))


async def story_parts(
    log: Log, world: str, who: str | None, facts: dict[str, Any], hide: Hide = str
) -> AsyncIterator[Part]:
    """The whole, each episode, and to whoever sees all the whole as each character perceived it."""
    story = DrawnStory(log, world, who)
    shown = facts["world"]
    for size in SIZES:
        columns = SIZES[size][0] // FOR_COLUMN
        drawing = await story.drawing(columns=columns)
        yield f"{STORY}{size}", await _shown(drawing, size, hide)
        for one in shown.episodes if facts["stories"]["episodes"] else ():
            drawing = await story.drawing(after=one.first - 1, upto=one.last, columns=columns)
            yield f"{STORY}{size}-E{one.number}", await _shown(drawing, size, hide)
    if who is None and facts["stories"]["lenses"]:
        for place, name in enumerate(shown.characters):
            own = DrawnStory(log, world, name)
            for size in SIZES:
                columns = SIZES[size][0] // FOR_COLUMN
                drawing = await lens_drawing(log, story, own, columns=columns)
                yield f"{STORY}{size}-as{place}", await _shown(drawing, size, hide)


def drawn(episodes: int, characters: int) -> dict[str, bool]:
    """What of a world is drawn one by one."""
    return {"episodes": episodes <= EPISODES, "lenses": characters <= LENSES}


def told_by(part: dict[str, Any]) -> Iterator[str]:
    """What a picture says to its reader, without its shapes."""
    yield from part["sentences"]
    yield unescape(_MARKUP.sub(" ", part["picture"]))


async def _shown(drawing: Drawing, size: str, hide: Hide) -> dict[str, Any]:
    return await asyncio.to_thread(_drawn, drawing, size, hide)


def _drawn(drawing: Drawing, size: str, hide: Hide) -> dict[str, Any]:
    drawing = _hidden(drawing, hide)
    width, least, most = SIZES[size]
    height = max(least, min(most, 60 + 24 * len(drawing.characters)))
    made = StoryPicture(drawing, Frame(width, height))
    window = {"after": drawing.after, "upto": drawing.upto, "begins": drawing.begins}
    words = sentences(drawing)[:TOLD]
    return {"story": window, "sentences": words, "picture": str(made.drawn()), "box": made.box}


# names that are taken out


def _hidden(drawing: Drawing, hide: Hide) -> Drawing:
    """The same with its texts changed, before any is cut."""
    if hide is str:
        return drawing
    lines = drawing.lines
    return replace(
        drawing,
        world=hide(drawing.world),
        title=hide(drawing.title),
        character=drawing.character and hide(drawing.character),
        characters=tuple(map(hide, drawing.characters)),
        lines=replace(
            lines,
            people=tuple(map(hide, lines.people)),
            columns=tuple(_column(one, hide) for one in lines.columns),
        ),
        episodes=tuple(
            one._replace(name=hide(one.name), place=one.place and hide(one.place))
            for one in drawing.episodes
        ),
        happenings=tuple(_event(one, hide) for one in drawing.happenings),
    )


def _column(column: Column, hide: Hide) -> Column:
    return replace(column, together=tuple(_gathering(one, hide) for one in column.together))


def _gathering(one: Gathering, hide: Hide) -> Gathering:
    place = one.place and hide(one.place)
    return Gathering(place, tuple(map(hide, one.people)), tuple(map(hide, one.hidden)))


def _event(event: Event, hide: Hide) -> Event:
    return msgspec.convert(renamed(msgspec.to_builtins(event), hide), Event)
