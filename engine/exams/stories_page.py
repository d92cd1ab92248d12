"""The worlds of an exam on the page of its report, each as a picture of who is together with whom."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Sequence

from whoknew.engine.exams.cell_rows import CellRow
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.page import Html, anchor, link, tag
from whoknew.engine.opening import reading
from whoknew.engine.travel.draw import draw
from whoknew.engine.travel.story_drawing import Drawing
from whoknew.engine.travel.story_picture import picture
from whoknew.engine.travel.story_words import sentences

STORIES, TOLD = 6, 12
"""So many worlds are drawn, the first that are asked about; and so much of one is told in words."""


async def stories_shown(
    exam: LoadedExam, cells: Sequence[CellRow], viewer: str
) -> tuple[Html, ...]:
    """Nothing where nobody is ever together with anybody, or nothing was played yet."""
    worlds = dict.fromkeys(one.world for one in cells if one.world and _begun(one))
    stories = []
    async with reading(exam.material) as log:
        for world in worlds:
            drawing = await draw(log, world)
            if len(drawing.lines.people) > 1:
                stories.append(await asyncio.to_thread(_story, drawing, viewer))
            if len(stories) == STORIES:
                break
    if not stories:
        return ()
    more = f" The first {STORIES} of {len(worlds):,} worlds." if len(worlds) > STORIES else ""
    says = f"Who is together with whom: time goes to the right, and each has a line.{more}"
    return tag("h2", "The stories"), tag("p", says, class_="quiet"), *stories


def _begun(cell: CellRow) -> bool:
    return cell.answer is not None or cell.failure is not None or bool(cell.scores)


def _story(drawing: Drawing, viewer: str) -> Html:
    where = anchor(drawing.world, link(viewer, drawing.world, drawing.cursor))
    coded = b64encode(picture(drawing).encode()).decode()
    says = " ".join(sentences(drawing)[:TOLD])
    image = tag("img", src=f"data:image/svg+xml;base64,{coded}", alt=says).removesuffix("</img>")
    return tag(
        "details",
        tag("summary", drawing.title),
        tag("p", where, class_="quiet"),
        tag("div", Html(image), class_="wide", tabindex="0"),
    )
