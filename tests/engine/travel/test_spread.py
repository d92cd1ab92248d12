"""How one event came to be known: as data, in sentences, and as a picture."""

from __future__ import annotations

import asyncio
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_worlds import NIGHT, opened, said
from told_worlds import BEGUN, NAMES, known, told_worlds

from whoknew.engine.errors import BadQuestion
from whoknew.engine.travel.knows import knows
from whoknew.engine.travel.spread import Spread, spread
from whoknew.engine.travel.spread_picture import draw, moment, picture, sentences
from whoknew.eventlog import Draft, Event, Log, open_log
from whoknew.eventlog.errors import BadAddress
from whoknew.eventlog.kinds import Doubted, MarkPlaced, TellingFound, WorldOpened

SVG = "{http://www.w3.org/2000/svg}"


def parts(found: Spread, tag: str, style: str) -> list[ET.Element]:
    root = ET.fromstring(picture(found))
    return [one for one in root.iter(SVG + tag) if one.get("class") == style]


def titles(found: Spread) -> list[str]:
    return [one.text or "" for one in ET.fromstring(picture(found)).iter(SVG + "title")]


@given(told_worlds(), st.data())
def test_each_who_knows_of_it_was_there_or_was_told_at_one_place(
    drafts: list[Draft], data: st.DataObject
) -> None:
    seq = data.draw(st.integers(BEGUN, len(drafts)))

    async def asked() -> tuple[Spread, list[Event]]:
        async with open_log(":memory:") as log:
            await log.append("w", drafts)
            return await spread(log, "w", seq), await (await log.director("w")).events()

    found, events = asyncio.run(asked())
    ways = {name: known(events, name).get(seq) for name in NAMES}
    assert {cell.character for cell in found.present} == {
        name for name, way in ways.items() if way == "present"
    }
    told = {cell.character: (t.by, t.speech.seq) for t in found.tellings for cell in t.to}
    assert told == {name: way for name, way in ways.items() if way and way != "present"}
    assert set(found.absent) == {name for name, way in ways.items() if not way}
    order = [one.speech.seq for one in found.tellings]
    assert order == sorted(set(order))
    for one in found.tellings:
        before = ways.get(one.by or "")
        since = seq if before == "present" else before[1] if before else one.speech.seq
        assert one.unknowing == (one.by is not None and since >= one.speech.seq)
    hearers = sum(len(one.to) for one in found.tellings if one.by)
    assert len(parts(found, "path", "tip")) == hearers


async def gossip(log: Log) -> None:
    """1 opened, 2-5 the cast; 6 the fact; 7 Cy guesses it to Di; 8 Bo tells Cy."""
    ana, bo, cy, di = NAMES
    await log.append("w", [*opened(*NAMES), said(ana, "A <b>secret</b> & more", bo)])
    await log.append("w", [said(cy, "I guess", di, about=[6], episode=1, turn=2)])
    await log.append("w", [said(bo, "it is so", cy)])
    await log.append("w", [Draft(Doubted(bo, "far off"), cause=6)])
    await log.append("w", [Draft(TellingFound(6, bo, (cy,), 0.82), cause=8)])


async def test_it_says_in_words_what_the_picture_shows(log: Log) -> None:
    await gossip(log)
    found = await spread(log, "w", 6)
    assert sentences(found) == [
        "Present at #6: Ana, Bo (left open: far off).",
        "#7 E1.T2: Cy, who could not know of it, tells Di (declared).",
        "#8: Bo tells Cy (rule .82).",
        "Tellings that are not declared were not looked for: whoknew tellings does.",
    ]
    root = ET.fromstring(picture(found))
    assert root.findtext(SVG + "desc") == " ".join(sentences(found))
    assert root.get("role") == "img"
    early = await spread(log, "w", 6, "#6")
    assert "Nobody is known to have been told of it." in sentences(early)
    assert "Absent: Cy, Di." in sentences(early)


async def test_a_node_has_its_cursor_and_a_found_telling_its_score(log: Log) -> None:
    await gossip(log)
    found = await spread(log, "w", 6)
    labels = [one.text for one in parts(found, "text", "small")]
    assert labels == ["#6", "#6", "#7", "#8 rule .82"]
    assert len(parts(found, "path", "arrow found")) == 2  # one of them in the legend
    assert len(parts(found, "circle", "node present open")) == 2
    assert len(parts(found, "circle", "node absent")) == 2


async def test_names_and_texts_are_text_in_the_picture(log: Log) -> None:
    hostile = "</title><script>alert(1)</script>"
    await log.append("w", [*opened(hostile, "B"), said(hostile, hostile * 9, "B")])
    await log.append("w", [Draft(MarkPlaced("<i>", upto=4, secret=True))])
    found = await spread(log, "w", 4)
    root = ET.fromstring(picture(found))
    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= {
        "svg", "title", "desc", "style", "rect", "text", "line", "path", "circle",
    }  # fmt: skip
    assert any(title.startswith(f"<i>: {hostile}") for title in titles(found))


async def test_of_however_long_a_title_the_picture_says_its_moment(log: Log) -> None:
    long, cast = Draft(WorldOpened("A long winter " * 30), NIGHT), opened("Ann", "Bob")[1:]
    await log.append("w", [long, *cast, said("Ann", "A word.", "Bob")])
    where = parts(await spread(log, "w", 4), "text", "soft small")[0].text or ""
    assert where.startswith("At #4 of A long winter") and where.endswith("…")


async def test_one_event_is_drawn_into_a_new_file(log: Log, tmp_path: Path) -> None:
    await gossip(log)
    file = tmp_path / "graph.svg"
    with pytest.raises(BadQuestion, match="a graph is of one event, and this finds 2"):
        await draw(log, await knows(log, "w", about="6-7"), file)
    assert not file.exists()
    one = await knows(log, "w", about="6")
    await draw(log, one, file)
    assert file.read_text("utf-8") == picture(await spread(log, "w", 6))
    with pytest.raises(BadAddress, match=r"graph\.svg exists already"):
        await draw(log, one, file)


async def test_what_has_not_happened_is_refused(log: Log) -> None:
    await gossip(log)
    for seq, at in ((99, "end"), (8, "#7"), (0, "end")):
        with pytest.raises(BadQuestion, match=f"#{seq} is not among the events of 'w' up to"):
            await spread(log, "w", seq, at)


async def test_what_was_told_otherwise_is_drawn_as_false(log: Log) -> None:
    ana, bo, cy, di = NAMES
    await log.append("w", [*opened(*NAMES), said(ana, "it is a secret", bo)])
    await log.append("w", [said(di, "it is public", cy)])
    await log.append(
        "w", [Draft(TellingFound(6, di, (cy,), 0.7, otherwise="it is public"), cause=7)]
    )
    found = await spread(log, "w", 6)
    [false] = found.tellings
    assert (false.by, false.otherwise, found.absent) == (di, "it is public", (cy, di))
    assert f"{moment(false.speech)}: {di} tells {cy} otherwise: it is public." in sentences(found)
    assert len(parts(found, "circle", "node false")) == 2  # in the picture and in its legend
    assert parts(found, "circle", "node told") == []
    assert (await spread(log, "w", 6, sure=0.8)).tellings == ()
    assert (await spread(log, "w", 6, recorded_at="#7")).tellings == ()
