"""What a server is asked about worlds, and what it answers: the fields of each."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.travel.diff import Comparison
from whoknew.engine.travel.draw import POSTER
from whoknew.engine.travel.family import Relative
from whoknew.engine.travel.knowers import KnownTo
from whoknew.engine.travel.knows import LIMIT
from whoknew.engine.travel.lifelines import COLUMNS
from whoknew.engine.travel.mark import Marked
from whoknew.engine.travel.recall import BEST
from whoknew.engine.travel.spread import Spread
from whoknew.engine.travel.story_drawing import Drawing
from whoknew.engine.travel.story_picture import WIDEST
from whoknew.engine.travel.story_shapes import Box
from whoknew.engine.travel.tellings import TellingsReport
from whoknew.eventlog import Event
from whoknew.eventlog.knowledge import SURE

Text = Annotated[str, Meta(max_length=20_000)]
Short = Annotated[str, Meta(max_length=400)]
Count = Annotated[int, Meta(ge=1, le=1000)]
Some = Meta(max_length=1000)
"""So many at most in a list that is sent."""


class AtQuery(Struct, frozen=True):
    at: Short = "end"


class EpisodesQuery(Struct, frozen=True):
    """The newest, or those before one, by its number."""

    before: Annotated[int, Meta(ge=1)] | None = None
    limit: Count = 200


class EventsQuery(Struct, frozen=True, rename={"who": "as"}):
    """Those after a seq or before one, as somebody or as the director."""

    after: Annotated[int, Meta(ge=0)] | None = None
    upto: Annotated[int, Meta(ge=0)] | None = None
    limit: Count = 200
    who: Short | None = None


Share = Annotated[float, Meta(ge=0, le=1)]


class KnowledgeQuery(Struct, frozen=True, rename={"unaware": "not"}):
    """`only` and `not` pick events by who knows of them, `doubtful` those of which it is open who
    witnessed them. Names stand with commas between."""

    at: Short = "end"
    about: Short | None = None
    who: Short = ""
    only: Short = ""
    unaware: Short = ""
    doubtful: bool = False
    order: KnownTo | None = None
    limit: Count = LIMIT
    skip: Annotated[int, Meta(ge=0)] = 0
    sure: Share = SURE
    recorded_at: Short | None = None


class LearntQuery(Struct, frozen=True):
    who: Short
    new: Short
    at: Short = "end"
    sure: Share = SURE
    recorded_at: Short | None = None
    limit: Count = LIMIT
    skip: Annotated[int, Meta(ge=0)] = 0


class SpreadQuery(Struct, frozen=True):
    event: Annotated[int, Meta(ge=1)]
    at: Short = "end"
    sure: Share = SURE
    recorded_at: Short | None = None


class SpreadShown(Struct, frozen=True):
    """How an event came to be known: as data, in sentences, and as a picture in SVG."""

    spread: Spread
    sentences: tuple[str, ...]
    picture: str


class StoryQuery(Struct, frozen=True, rename={"who": "as"}):
    """A window of a story, past one event and up to another, in at most so many `columns`; and a picture of
    it that is so wide and high, where a `width` is given. With `as` events have the numbers of that view,
    unless `seqs` are asked for: then what the character perceived is laid out in the time of the world."""

    at: Short = "end"
    who: Short | None = None
    seqs: bool = False
    about: Short | None = None
    after: Annotated[int, Meta(ge=0)] | None = None
    upto: Annotated[int, Meta(ge=0)] | None = None
    columns: Annotated[int, Meta(ge=1, le=POSTER)] = COLUMNS
    width: Annotated[int, Meta(ge=200, le=WIDEST)] | None = None
    height: Annotated[int, Meta(ge=60, le=2000)] = 300
    sure: Share = SURE


class StoryShown(Struct, frozen=True, kw_only=True):
    """A story that is drawn: who is together when, in sentences, and as a picture in SVG, in which the
    lines run in the `box`: its window from left to right. Of what happened so much is `left_out` of the
    data: all of it, where it is more than a page of events."""

    story: Drawing
    left_out: int = 0
    sentences: tuple[str, ...]
    picture: str = ""
    box: Box | None = None


class TellingsQuery(Struct, frozen=True):
    sure: Share = SURE
    limit: Count = LIMIT
    skip: Annotated[int, Meta(ge=0)] = 0


class TellingsShown(Struct, frozen=True):
    """What is on record of tellings, a page of it. While it is still being `looking` for, it is known
    up to `reached`, of `head` events."""

    looking: bool
    reached: int
    head: int
    report: TellingsReport


class TraceQuery(Struct, frozen=True):
    at: Short
    event: Annotated[int, Meta(ge=1)]
    character: Short
    sure: Share = SURE
    recorded_at: Short | None = None


class PromptQuery(Struct, frozen=True):
    at: Short
    who: Short | None = None


class RecallQuery(Struct, frozen=True, rename={"who": "as"}):
    who: Short
    words: Short
    at: Short = "end"
    k: Annotated[int, Meta(ge=1, le=100)] = BEST


class CompareQuery(Struct, frozen=True):
    """Of each list, `limit` rows past the first `skip`."""

    other: Short | None = None
    at: Short = "end"
    after: Short | None = None
    who: Short = ""
    skip: Annotated[int, Meta(ge=0)] = 0
    limit: Count = 200


class CallsQuery(Struct, frozen=True):
    """Of the failures `limit` past the first `skip`."""

    skip: Annotated[int, Meta(ge=0)] = 0
    limit: Count = 50


class ScoresQuery(Struct, frozen=True):
    """Those after a seq, as many as a page holds."""

    after: Annotated[int, Meta(ge=0)] = 0
    limit: Count = 1000


class WorldsQuery(Struct, frozen=True):
    """The newest, or those that began before one."""

    before: Short | None = None
    limit: Count = 200


class PageQuery(Struct, frozen=True):
    """Of a list, `limit` rows past the first `skip`."""

    skip: Annotated[int, Meta(ge=0)] = 0
    limit: Count = 200


class RunsQuery(Struct, frozen=True):
    """The newest, or those that began before one, by its number."""

    before: Annotated[int, Meta(ge=1)] | None = None
    limit: Count = 200


class AskRequest(Struct, frozen=True):
    character: Short
    question: Text
    at: Short = "end"
    model: Short = OFFLINE
    memory: Short = "entire"
    method: Short = "plain"
    reference: Text | None = None
    judges: Annotated[tuple[Short, ...], Some] = ()
    judge_model: Short = OFFLINE
    save: bool = True


class Fork(Struct, frozen=True):
    at: Short | None = None
    name: Short | None = None
    tell: Annotated[tuple[tuple[Short, Text], ...], Some] = ()
    goal: Annotated[tuple[tuple[Short, Text], ...], Some] = ()
    replace: tuple[int, Text] | None = None
    about: Annotated[tuple[int, ...], Some] = ()
    heard: Annotated[tuple[tuple[int, Short], ...], Some] = ()
    unheard: Annotated[tuple[tuple[int, Short], ...], Some] = ()


class ForksQuery(Struct, frozen=True):
    limit: Count = 200
    skip: Annotated[int, Meta(ge=0)] = 0


class Family(Struct, frozen=True, kw_only=True):
    """Worlds with a past in common: `total` of them, here is a page."""

    worlds: tuple[Relative, ...]
    total: int


class Mark(Struct, frozen=True):
    name: Short
    at: Short = "end"
    secret: bool = False


class SeatState(Struct, frozen=True):
    character: Short


class WorldLine(Struct, frozen=True, kw_only=True):
    """A world at a glance. To whoever may not see all of it nothing is counted."""

    name: str
    title: str
    head: int | None
    parent: str | None
    characters: int
    episodes: int | None
    closed: int | None
    turns: int | None
    calls: int | None
    failures: int | None
    money: float | None
    last: str
    recorded: datetime | None
    origin: str = "played"
    """How it came here: played, imported, as a fork, or as the log of an exam."""
    plan: str = ""
    """The name of the plan by which it was played first."""
    why: str = ""
    """What was wrong where something failed last."""

    @property
    def discreet(self) -> WorldLine:
        return replace(
            self,
            head=None,
            episodes=None,
            closed=None,
            turns=None,
            calls=None,
            failures=None,
            money=None,
            last="",
            recorded=None,
            origin="",
            plan="",
            why="",
        )


class Band(Struct, frozen=True, kw_only=True):
    """An episode on the timeline."""

    number: int
    name: str
    scenario: str
    place: str | None
    at: datetime
    first: int
    last: int | None


class WorldView(Struct, frozen=True, kw_only=True):
    """`total` episodes have begun; here is a page of them. In the world of an `exam` nobody lives: it holds
    what was asked, answered and judged."""

    name: str
    title: str
    head: int
    parent: str | None
    exam: bool
    forked_at: int | None
    characters: tuple[str, ...]
    episodes: tuple[Band, ...]
    total: int
    marks: tuple[Marked, ...]


class Page(Struct, frozen=True):
    """`total` events are there for this reader, `before` of them come before the page."""

    events: tuple[Event, ...]
    head: int
    total: int
    before: int


class ScoreRow(Struct, frozen=True):
    """One review: of a character, or of an episode."""

    seq: int
    episode: int
    character: str | None
    judge: str
    scores: dict[str, float]


class ScorePage(Struct, frozen=True):
    """`upto` is where to go on from; there is no more where it is `head`."""

    scores: tuple[ScoreRow, ...]
    upto: int
    head: int


class Compared(Comparison, frozen=True, kw_only=True):
    """A page of a comparison. The totals are of the whole of it."""

    total_left: int
    total_right: int
    total_gains: int
    total_losses: int


class CursorFound(Struct, frozen=True):
    cursor: int
