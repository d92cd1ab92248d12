"""A story as a picture: what of it is drawn, and for whom."""

from __future__ import annotations

import asyncio
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from perceived_worlds import arras
from small_worlds import opened, said
from store_places import Place, log_at
from told_worlds import NAMES, told_worlds

from whoknew.engine.errors import BadQuestion
from whoknew.engine.travel.draw import draw, draw_into
from whoknew.engine.travel.knows import knows
from whoknew.engine.travel.story_drawing import Drawing, DrawnStory
from whoknew.engine.travel.story_picture import picture
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import Acted, Doubted, EpisodeClosed, EpisodeOpened, TellingFound

SVG = "{http://www.w3.org/2000/svg}"


async def drawn(drafts: list[Draft], at: str = "end", **options: str) -> str:
    async with open_log(":memory:") as log:
        await log.append("w", drafts)
        return picture(await draw(log, "w", at, **options))


def parts(text: str, tag: str, style: str) -> list[ET.Element]:
    """Those that are drawn in a style, the legend left out."""
    found = ET.fromstring(text).iter(SVG + tag)
    return [one for one in found if style in (one.get("class") or "").split()]


async def gossip(log: Log) -> None:
    """1 opened, 2-5 the cast; 6 an episode; 7 Ana tells Bo a fact; 8 Bo whispers it to Cy, as is found;
    9 Cy tells Di; 10 over."""
    ana, bo, cy, di = NAMES
    await log.append(
        "w",
        [
            *opened(*NAMES),
            Draft(EpisodeOpened("A hall", NAMES), episode=1, place="hall"),
            said(ana, "A <b>secret</b> & more", bo, episode=1),
            Draft(Acted("psst", to=(cy,)), actor=bo, episode=1, witnesses=(bo, cy)),
            said(cy, "I heard", di, about=[7], episode=1),
            Draft(EpisodeClosed("over"), episode=1),
            Draft(TellingFound(7, bo, (cy,), 0.82), cause=8),
            Draft(Doubted(bo, "far off"), cause=7),
        ],
    )


@settings(max_examples=40)
@given(told_worlds(), st.sampled_from(NAMES), st.data())
def test_drawn_as_somebody_it_is_the_same_on_a_world_that_ends_there(
    drafts: list[Draft], who: str, data: st.DataObject
) -> None:
    upto = data.draw(st.integers(1 + len(NAMES), len(drafts)))

    async def both() -> tuple[str, str]:
        options = {"character": who}
        whole = await drawn(drafts, f"#{upto}", **options)
        return whole, await drawn(drafts[:upto], **options)

    whole, cut = asyncio.run(both())
    assert whole == cut


async def test_drawn_as_somebody_it_is_the_same_whatever_happened_unseen() -> None:
    with_much, with_little = arras(unseen=True), arras(unseen=False)
    for about in (None, "alone"):
        options = {"character": "Ann"} | ({"about": about} if about else {})
        assert await drawn(with_much, **options) == await drawn(with_little, **options)
    assert "Pol" not in await drawn(with_much, character="Ann")
    behind = await drawn(with_much, character="Pol")
    assert parts(behind, "path", "hidden")
    assert "Elsewhere." in behind


async def test_a_world_has_one_picture_on_each_store(place: Place) -> None:
    async with log_at(place) as log:
        await log.append("w", arras(unseen=True))
        text = picture(await draw(log, "w", about="9"))
    assert text == await drawn(arras(unseen=True), about="9")


async def test_who_knows_of_an_event_is_drawn_as_knows_has_it(log: Log) -> None:
    await gossip(log)
    found = await draw(log, "w", about="7")
    [row] = (await knows(log, "w", about="7")).rows
    assert found.fact is not None
    ways = {one.character: (one.how, one.by, one.at) for one in found.fact.learnt}
    assert ways == {
        cell.character: (cell.answer, cell.by, cell.at)
        for cell in row.cells
        if cell.answer in ("present", "told")
    }
    text = picture(found)
    assert len(parts(text, "path", "tip")) == 2
    assert len(parts(text, "path", "doubtful")) == 2  # one of them in the legend
    assert len(parts(text, "circle", "open")) == 2
    says = ET.fromstring(text).findtext(SVG + "desc") or ""
    assert "Cy was told at #8 by Bo (rule .82). Di was told at #9 by Cy." in says
    assert "Bo was there (left open: far off)." in says
    assert parts(text, "path", "whisper")
    sure = await draw(log, "w", about="7", sure=0.9)
    assert sure.fact and [one.character for one in sure.fact.learnt] == ["Ana", "Bo", "Di"]


async def test_what_is_found_of_tellings_later_is_drawn_at_earlier_cursors() -> None:
    async with open_log(":memory:") as log:
        await gossip(log)
        story = DrawnStory(log, "w")
        assert await knowing(story, "#7", "#10") == NAMES
        await log.append("w", [Draft(TellingFound(7, "Bo", score=0.0, origin="person"), cause=8)])
        assert await knowing(story, "#7", "#10") == (NAMES[0], NAMES[1], NAMES[3])


async def test_of_two_who_draw_a_world_at_once_each_is_told_of_what_it_asked() -> None:
    async with open_log(":memory:") as log:
        await gossip(log)
        story = DrawnStory(log, "w")
        asked = [(about, f"#{at}") for about in ("#7", "#8", "#9") for at in (8, 9, 10)]
        alone = [await knowing(DrawnStory(log, "w"), *one) for one in asked]
        assert await asyncio.gather(*(knowing(story, *one) for one in asked)) == alone


async def knowing(story: DrawnStory, about: str, at: str) -> tuple[str, ...]:
    fact = (await story.drawing(at, about=about)).fact
    assert fact is not None
    return tuple(sorted(one.character for one in fact.learnt))


async def test_as_somebody_those_know_of_it_whom_that_one_saw_hear_it(log: Log) -> None:
    await gossip(log)
    found = await draw(log, "w", about="secret", character="Bo")
    assert found.fact and found.fact.event == 1
    assert [one.character for one in found.fact.learnt] == ["Ana", "Bo"]
    with pytest.raises(BadQuestion, match="Di witnessed nothing about '7'"):
        await draw(log, "w", about="7", character="Di")


async def test_names_and_texts_are_text_in_the_picture(log: Log, tmp_path: Path) -> None:
    hostile = "</title><script>alert(1)</script>"
    cast = (hostile, "B\x07")
    await log.append(
        "w", [*opened(*cast), Draft(EpisodeOpened(hostile, cast), episode=1, place="<i>")]
    )
    await log.append("w", [said(hostile, hostile * 9, "B\x07", episode=1)])
    file = tmp_path / "story.svg"
    found = await draw_into(log, "w", file, about="5")
    root = ET.fromstring(file.read_text("utf-8"))
    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= {
        "svg", "title", "desc", "style", "rect", "text", "line", "path", "circle",
    }  # fmt: skip
    assert root.get("role") == "img"
    assert any(one.text == hostile for one in root.iter(SVG + "title"))
    assert isinstance(found, Drawing)


async def test_nothing_yet_is_drawn_as_nothing(log: Log) -> None:
    await log.append("w", opened("Ana"))
    found = await draw(log, "w")
    assert found.lines.columns == ()
    assert "0 lines" in picture(found)
