"""What a character perceived, drawn in the time of the world."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st
from told_worlds import NAMES, told_worlds

from whoknew.engine.travel.lens_drawing import lens_drawing
from whoknew.engine.travel.lifelines import heights_at
from whoknew.engine.travel.story_drawing import DrawnStory
from whoknew.eventlog import Draft, open_log


@settings(max_examples=30)
@given(told_worlds(), st.sampled_from(NAMES), st.data())
def test_each_line_runs_as_its_owner_perceived_it_at_the_time_of_the_world(
    drafts: list[Draft], who: str, data: st.DataObject
) -> None:
    begins = data.draw(st.integers(0, len(drafts)))
    ends = data.draw(st.integers(begins, len(drafts)))

    async def looked() -> None:
        async with open_log(":memory:") as log:
            await log.append("w", drafts)
            seqs = (await log.view("w", who)).seqs()
            whole, own = DrawnStory(log, "w"), DrawnStory(log, "w", who)
            perceived = await own.drawing(columns=400)
            found = await lens_drawing(log, whole, own, after=begins, upto=ends, columns=400)
            everything = await whole.drawing(after=begins, upto=ends, columns=400)
            bounds = (found.begins, found.after, found.upto, found.cursor)
            assert bounds == (
                everything.begins,
                everything.after,
                everything.upto,
                everything.cursor,
            )
            for number, seq in enumerate(seqs, 1):
                if found.after < seq <= found.upto:
                    assert heights_at(found.lines, seq) == heights_at(perceived.lines, number)
            shown = [event.seq for event in found.happenings]
            assert shown == [
                seqs[event.seq - 1]
                for event in perceived.happenings
                if found.after < seqs[event.seq - 1] <= found.upto
            ]

    asyncio.run(looked())
