"""What a character perceived, drawn in the time of the world: whoever looks through its eyes for a while
keeps their place. What it saw stands until it sees something else."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec.structs import replace

from whoknew.engine.travel.gatherings import Gatherings
from whoknew.engine.travel.lifelines import COLUMNS, Column
from whoknew.engine.travel.story_drawing import Drawing, DrawnFact, DrawnStory, few
from whoknew.eventlog import Log
from whoknew.eventlog.cursor import AtSeq, When
from whoknew.eventlog.knowledge import SURE


async def lens_drawing(
    log: Log,
    whole: DrawnStory,
    own: DrawnStory,
    at: When = "end",
    *,
    about: str | None = None,
    after: int | None = None,
    upto: int | None = None,
    columns: int = COLUMNS,
    sure: float = SURE,
) -> Drawing:
    """Of all up to a cursor, a window in seqs: of the `own` story of a character, in the time of the
    `whole`."""
    facts, story = await whole.told(at)
    cursor = story.upto
    begins = min(story.begins, cursor)
    low = begins if after is None else min(max(after, begins), cursor)
    high = cursor if upto is None else max(low, min(upto, cursor))
    seqs = (await log.view(own.world, own.who or "", AtSeq(cursor))).seqs()
    before = max(0, bisect_right(seqs, low) - 1)  # what it saw last is still before its eyes
    drawing = await own.drawing(
        AtSeq(cursor),
        about=about,
        after=before,
        upto=bisect_right(seqs, high),
        columns=columns,
        sure=sure,
    )
    window = _Window(story, seqs, low, high)
    return replace(
        drawing,
        title=facts.title,
        characters=facts.characters,
        begins=begins,
        cursor=cursor,
        after=low,
        upto=high,
        lines=replace(drawing.lines, columns=tuple(window.columns(drawing.lines.columns))),
        episodes=few(story.episodes_between(low, high), columns),
        happenings=tuple(
            replace(event, seq=seqs[event.seq - 1])
            for event in drawing.happenings
            if seqs[event.seq - 1] > low
        ),
        fact=drawing.fact and window.fact(drawing.fact),
    )


class _Window:
    """Past one seq and up to another, of events by their numbers in a view."""

    def __init__(self, story: Gatherings, seqs: Sequence[int], after: int, upto: int) -> None:
        self._seqs, self._after, self._upto = seqs, after, upto
        self._episodes = story.episodes

    def columns(self, some: Sequence[Column]) -> list[Column]:
        """Each until the next begins."""
        found = []
        for one in some:
            first = max(self._after + 1, self._seqs[one.first - 1])
            last = self._seqs[one.last] - 1 if one.last < len(self._seqs) else self._upto
            if first <= min(last, self._upto):
                number = self._episode(first) if one.episode else 0
                last = min(last, self._upto)
                found.append(replace(one, first=first, last=last, episode=number))
        return found

    def _episode(self, seq: int) -> int:
        """As the world counts them."""
        place = bisect_right(self._episodes, seq, key=lambda one: one.first)
        return self._episodes[place - 1].number if place else 0

    def fact(self, one: DrawnFact) -> DrawnFact:
        learnt = tuple(replace(some, at=self._seqs[some.at - 1]) for some in one.learnt)
        return replace(one, event=self._seqs[one.event - 1], learnt=learnt)
