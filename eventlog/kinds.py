"""The bodies of events: what can happen in a world, one small Struct a kind.

A new kind is one Struct here: the log needs no more to keep it, find it and read it. How it is
shown stands in `engine/terminal/transcript.py`. A field that is added needs a default. A kind
that must change keeps its old Struct, given a method `upcast` that returns the new one, and
the new Struct takes a new tag: logs written by every released version stay readable.

`words` is what of the event can be read or searched. It never holds a seq or the world's
episode number, which would tell a character how much happened unseen (law 4).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, Union

from whoknew.eventlog.frozen_dict import NONE, freeze
from whoknew.eventlog.imports import Imported as Imported
from whoknew.eventlog.imports import Printed as Printed
from whoknew.eventlog.json_numbers import check_numbers
from whoknew.eventlog.kind import LANDMARK, RECORD
from whoknew.eventlog.kind import Kind as Kind
from whoknew.eventlog.machinery import Answered as Answered
from whoknew.eventlog.machinery import ArmAdded as ArmAdded
from whoknew.eventlog.machinery import Called as Called
from whoknew.eventlog.machinery import Failed as Failed
from whoknew.eventlog.machinery import JudgeAdded as JudgeAdded
from whoknew.eventlog.machinery import MemoryAdded as MemoryAdded
from whoknew.eventlog.machinery import MemoryDerived as MemoryDerived
from whoknew.eventlog.machinery import NothingDerived as NothingDerived
from whoknew.eventlog.machinery import Planned as Planned
from whoknew.eventlog.machinery import Probed as Probed
from whoknew.eventlog.machinery import QuestionDecided as QuestionDecided
from whoknew.eventlog.machinery import QuestionsWritten as QuestionsWritten
from whoknew.eventlog.machinery import RefusedQuestion as RefusedQuestion
from whoknew.eventlog.machinery import Reviewed as Reviewed
from whoknew.eventlog.machinery import ScenePlayed as ScenePlayed
from whoknew.eventlog.machinery import WriterAdded as WriterAdded
from whoknew.eventlog.words import titled

Act = Literal["speak", "non-verbal", "action", "leave", "none"]
State = Literal["asleep", "awake", "deaf", "hearing", "blind", "seeing", "invisible", "visible"]

Origin = Literal["rule", "model", "person"]
"""Who found that a speech tells of an earlier event."""


# world


class WorldOpened(Kind, frozen=True, tag="world.opened"):
    """`planned` is how many episodes are to be played in it, where that is known. Where strangers
    `meet`, each is described to the other then; else everybody was described at the beginning."""

    title: str = ""
    seed: int = 0
    planned: int | None = None
    meet: bool = False

    @property
    def words(self) -> str:
        return self.title


class WorldForked(Kind, frozen=True, tag="world.forked"):
    """The first event of a fork's own: it goes on from `parent` after `seq`."""

    outside_story: ClassVar[bool] = True
    parent: str
    seq: int


class CharacterAdded(Kind, frozen=True, tag="world.character"):
    """`key` is what it is known by where it was taken from, such as in Sotopia's database."""

    landmark: ClassVar[int] = LANDMARK
    name: str
    description: str = ""
    key: str = ""

    @property
    def words(self) -> str:
        return titled(self.name, self.description)


class Described(Kind, frozen=True, tag="world.described"):
    """As much of the character `name` as its witnesses know of it from before the story, or get to
    know when they first meet it or are told of it."""

    name: str
    text: str

    @property
    def words(self) -> str:
        return titled(self.name, self.text)


class RelationSet(Kind, frozen=True, tag="world.relation"):
    """How `of` stands to `to`: stranger, friend, family ..."""

    of: str
    to: str
    relation: str

    @property
    def words(self) -> str:
        return f"{self.of} to {self.to}: {self.relation}"


class PlaceAdded(Kind, frozen=True, tag="world.place"):
    name: str
    description: str = ""

    @property
    def words(self) -> str:
        return titled(self.name, self.description)


class MarkPlaced(Kind, frozen=True, tag="world.mark"):
    """A name for a moment, which a cursor can use: this one, or the earlier one at `upto`. A secret
    is marked at the event that holds it, so that one can ask at any time who knows."""

    landmark: ClassVar[int] = LANDMARK
    outside_story: ClassVar[bool] = True
    name: str
    upto: int | None = None
    secret: bool = False


# episode


class EpisodeOpened(Kind, frozen=True, tag="episode.opened"):
    """`cast` are those in the room. `pool` is what there is to divide, how many of each. `key` is
    what the scenario is known by where it was taken from."""

    landmark: ClassVar[int] = LANDMARK
    scenario: str
    cast: tuple[str, ...] = ()
    order: str = "round-robin"
    turn_limit: int | None = None
    name: str = ""
    stale_limit: int | None = None
    pool: dict[str, int] = NONE
    key: str = ""

    def __post_init__(self) -> None:
        freeze(self, "pool")

    @property
    def words(self) -> str:
        return self.scenario


class EpisodeResumed(Kind, frozen=True, tag="episode.resumed"):
    """An episode that nobody plays by turns, such as one that was imported, is played from here on:
    in this order, and up to these limits. Nobody witnesses it."""

    order: str = "round-robin"
    turn_limit: int | None = None
    stale_limit: int | None = None


class GoalGiven(Kind, frozen=True, tag="episode.goal"):
    """Private: its owner is its only witness. `worth` is what one of each thing is worth to it."""

    owner: str
    goal: str
    worth: dict[str, int] = NONE

    def __post_init__(self) -> None:
        freeze(self, "worth")

    @property
    def words(self) -> str:
        return self.goal


class Entered(Kind, frozen=True, tag="episode.entered"):
    """The actor comes in, or as `how` says. Hidden: nobody but the actor witnesses it."""

    hidden: bool = False
    how: str = ""

    @property
    def words(self) -> str:
        return self.how or ("comes in, unseen" if self.hidden else "comes in")


class Left(Kind, frozen=True, tag="episode.left"):
    """The actor goes, or as `how` says: whoever hides, sleeps or is dead is with nobody."""

    how: str = ""

    @property
    def words(self) -> str:
        return self.how or "leaves"


class Acted(Kind, frozen=True, tag="episode.acted"):
    """What a character does with its turn; `to` names those it is meant for: a whisper or letter
    reaches nobody else, an aside is for the actor alone. `also` do the same with the actor.
    `offer` says who is to get how many of what; `agrees` takes the offer that stands. Where it reads
    a letter aloud, `writer` is who wrote that, if it is known.
    """

    text: str = ""
    act: Act = "speak"
    to: tuple[str, ...] = ()
    offer: dict[str, dict[str, int]] = NONE
    agrees: bool = False
    also: tuple[str, ...] = ()
    writer: str | None = None

    def __post_init__(self) -> None:
        freeze(self, "offer")

    @property
    def words(self) -> str:
        return self.text


class Seen(Kind, frozen=True, tag="episode.seen"):
    """The actor said something to these people: that much its witnesses saw, who did not hear a word.
    It stands right behind what was said, which they did not witness."""

    to: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        return f"says something to {', '.join(self.to)}" if self.to else "says something"


class Became(Kind, frozen=True, tag="episode.became"):
    """What the actor perceives, or whether it is perceived, is otherwise from now on; `by` woke it.
    Sleep ends with the episode at the latest."""

    landmark: ClassVar[int] = LANDMARK
    state: State
    by: str | None = None

    @property
    def words(self) -> str:
        return f"is woken by {self.by}" if self.by else BECOMING[self.state]


BECOMING: Mapping[State, str] = {
    "asleep": "is asleep",
    "awake": "wakes",
    "deaf": "is deaf",
    "hearing": "can hear again",
    "blind": "is blind",
    "seeing": "can see again",
    "invisible": "cannot be seen",
    "visible": "can be seen again",
}


class Narrated(Kind, frozen=True, tag="episode.narrated"):
    text: str

    @property
    def words(self) -> str:
        return self.text


class EpisodeClosed(Kind, frozen=True, tag="episode.closed"):
    landmark: ClassVar[int] = LANDMARK
    reason: str


# life


class Traced(Kind, frozen=True, tag="life.traced"):
    """What a life leaves behind: a diary page, post, e-mail, message, search, photo in words."""

    medium: str
    text: str
    audience: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        return self.text


class Felt(Kind, frozen=True, tag="life.felt"):
    """How it is inside: energy and stress 0 to 1, and where each arc of the life stands."""

    energy: float | None = None
    stress: float | None = None
    emotion: str = ""
    focus: str = ""
    arcs: dict[str, str] = NONE

    def __post_init__(self) -> None:
        freeze(self, "arcs")
        check_numbers("a state", (self.energy, self.stress))

    @property
    def words(self) -> str:
        arcs = [f"{arc}: {standing}" for arc, standing in self.arcs.items()]
        return ". ".join(part for part in (self.emotion, self.focus, *arcs) if part)


class EvidenceNoted(Kind, frozen=True, tag="life.evidence"):
    """What is so, for whoever examines somebody: nobody witnesses it. What shows it stands in `about`."""

    claim: str

    @property
    def words(self) -> str:
        return self.claim


# knowledge


class Doubted(Kind, frozen=True, tag="knowledge.doubted"):
    """The story leaves it open whether `who`, and `also` some others, witnessed the event that is this
    one's cause: for `reason`. It is taken as that event says; a doubt changes no view, and nobody
    witnesses it."""

    landmark: ClassVar[int] = LANDMARK
    outside_story: ClassVar[bool] = True
    who: str
    reason: str
    also: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (self.who, *self.also)


class Amended(Kind, frozen=True, tag="knowledge.amended"):
    """A person has said, and `why`, who heard the event that is this one's cause, and who did not: its
    witnesses are as is said here. Nobody witnesses it."""

    outside_story: ClassVar[bool] = True
    why: str
    heard: tuple[str, ...] = ()
    unheard: tuple[str, ...] = ()


class TellingFound(Kind, frozen=True, tag="knowledge.telling"):
    """It was found that the event which is this one's cause, a speech by `teller`, tells of the earlier
    event `fact`: news to the `hearers`, and heard by all who witnessed it. It counts from the speech
    on, wherever this stands. `score` says how sure that is; with 0 an earlier finding is taken back, as
    any later one for the same speech and event stands for the one before. A false report says what it
    has `otherwise`. It changes no view, and nobody witnesses it."""

    landmark: ClassVar[int] = RECORD
    outside_story: ClassVar[bool] = True
    fact: int
    teller: str | None = None
    hearers: tuple[str, ...] = ()
    score: float = 1.0
    origin: Origin = "rule"
    why: str = ""
    otherwise: str = ""

    def __post_init__(self) -> None:
        check_numbers("a telling", (self.score,))


class TellingsSought(Kind, frozen=True, tag="knowledge.sought"):
    """Tellings were looked for in all that happened up to the event `upto`, by this finder."""

    landmark: ClassVar[int] = RECORD
    outside_story: ClassVar[bool] = True
    upto: int
    finder: str


# mind


class Remembered(Kind, frozen=True, tag="mind.remembered"):
    """Derived of `sources` in its owner's view, for `upto` (law 5): words, or what is `packed`."""

    owner: str
    strategy: str
    text: str
    sources: tuple[int, ...] = ()
    upto: int = 0
    packed: bytes = b""

    @property
    def words(self) -> str:
        return self.text


if TYPE_CHECKING:
    Body = Kind
else:
    Body = Union[tuple(Kind.__subclasses__())]  # noqa: UP007  (no `|` over a computed tuple)
