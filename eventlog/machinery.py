"""The bodies of events in which Whoknew speaks of its own work: calls, plans, failures; and of
examinations. No character witnesses any of them."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from msgspec import Struct
from msgspec.structs import force_setattr

from whoknew.eventlog.frozen_dict import NONE, freeze, frozen
from whoknew.eventlog.json_numbers import check_numbers, leaves
from whoknew.eventlog.kind import LANDMARK, Kind

CallOccasion = Literal["", "before_turn", "act", "remember"]


class Called(Kind, frozen=True, tag="machinery.called"):
    """One request to a model and what came of it. Nobody witnesses it (law 6).

    Without a reply, `error` says why; `no_reply`: its server sent what is none, and the same could be
    asked again, as after an answer that makes no sense (logs of before do not say). `money` is None where
    the price is not known. `prompt` is the exact request, where it is kept. `counted`: tokens by our own count. `left_out`: no room for those.
    `occasion` is what its actor was asked for in a run; logs of before do not say. In an exam its prompt
    told of so many events that are not in the view of who was asked (`leaks`). Where somebody else had
    asked the very same, nothing was sent: it was answered by the call at the seq `answered_by`.
    """

    purpose: str
    model: str
    digest: str
    reply: str | None = None
    parameters: dict[str, str | int | float | bool | None] = NONE
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    attempts: int = 1
    error: str | None = None
    money: float | None = None
    prompt: bytes | None = None
    ended: Literal["stop", "length", "refused"] = "stop"
    counted: bool = False
    left_out: int = 0
    occasion: CallOccasion = ""
    leaks: int = 0
    answered_by: int = 0
    no_reply: bool = False

    def __post_init__(self) -> None:
        freeze(self, "parameters")
        check_numbers("a call", (self.seconds, self.money, *self.parameters.values()))


class CallStarted(Kind, frozen=True, tag="machinery.started"):
    """A call is about to be made, which may take so much at most: written where several processes play
    the chains of a plan, or sit an exam. Where no `Called` of its digest follows, whoever made it died: it
    may have been paid for, and is made again. In an exam it is of what has this `key`, and made under this
    `lease`. Nobody witnesses it."""

    outside_story: ClassVar[bool] = True
    purpose: str
    model: str
    digest: str
    tokens: int = 0
    money: float | None = None
    key: str = ""
    lease: str = ""

    def __post_init__(self) -> None:
        check_numbers("a call", (self.money,))


class Planned(Kind, frozen=True, tag="machinery.planned"):
    """By which plan the world goes on from here: compressed JSON, opaque to the log. `chain` is the
    number of the world among those of its plan; `version`, of the rules that whoever plays it goes
    by, that of the world's first plan. Nobody witnesses it."""

    landmark: ClassVar[int] = LANDMARK
    outside_story: ClassVar[bool] = True
    content: bytes
    chain: int = 0
    version: int = 0


class Failed(Kind, frozen=True, tag="machinery.failed"):
    """Something could not be done; a failure is written down as a failure (law 7)."""

    what: str
    error: str


class LineRefused(Kind, frozen=True, tag="machinery.refused"):
    """A line that its actor was not let say: it gives away the event `fact`, which its actor could not
    know, in these `phrases`; `score` says how sure that is. In an exam `fact` is a seq of the world that
    was asked about. `kept`: it stands all the same, as its plan says. Nobody witnesses it."""

    outside_story: ClassVar[bool] = True
    text: str
    fact: int
    score: float
    phrases: tuple[str, ...] = ()
    why: str = ""
    kept: bool = False

    def __post_init__(self) -> None:
        check_numbers("a refusal", (self.score,))


class LeakRead(Kind, frozen=True, tag="machinery.leak"):
    """A model was shown the line, or the answer, that is this one's cause, and the event `fact`, which its
    speaker could not know: whether it `gives` that away, by the words of the `quote`. In the log of an
    exam `fact` is a seq of the world that was asked about. Nobody witnesses it."""

    outside_story: ClassVar[bool] = True
    fact: int
    gives: bool
    model: str
    quote: str = ""
    why: str = ""


# examination


class _Settings(Struct, frozen=True, gc=False, omit_defaults=True):
    """What stands behind a digest that other events of an exam name: all that decides what comes of it
    is in `settings`. No kind by itself."""

    landmark: ClassVar[int] = LANDMARK
    outside_story: ClassVar[bool] = True
    what: ClassVar[str]
    name: str
    digest: str
    settings: dict[str, Any] = NONE

    def __post_init__(self) -> None:
        freeze(self, "settings")
        check_numbers(self.what, leaves(self.settings))


class ArmAdded(_Settings, Kind, frozen=True, tag="exam.arm"):
    """One way to answer the questions of an exam: its probes name the digest."""

    what: ClassVar[str] = "an arm"


class JudgeAdded(_Settings, Kind, frozen=True, tag="exam.judge"):
    """One who judges the answers of an exam: its reviews name the digest."""

    what: ClassVar[str] = "a judge"


class MemoryAdded(_Settings, Kind, frozen=True, tag="exam.memory"):
    """A memory that is derived for characters whose worlds hold none."""

    what: ClassVar[str] = "a memory"


class MemoryDerived(Kind, frozen=True, tag="exam.remembered"):
    """What the memory that is this event's cause keeps of a life in another log: of the world
    `material`, whose hash at `upto` is `hash`. It holds from there on, and rests on `sources`, which are
    seqs of that world, all of them in its owner's view (law 5)."""

    outside_story: ClassVar[bool] = True
    owner: str
    strategy: str
    text: str
    sources: tuple[int, ...] = ()
    upto: int = 0
    material: str = ""
    hash: str = ""
    packed: bytes = b""

    @property
    def words(self) -> str:
        return self.text


class NothingDerived(Kind, frozen=True, tag="exam.nothing-remembered"):
    """The memory that is this event's cause keeps nothing of a stretch of its owner's life, which ends
    at `upto` in the world `material`, whose hash there is `hash`."""

    outside_story: ClassVar[bool] = True
    owner: str
    upto: int
    material: str
    hash: str


class WriterAdded(_Settings, Kind, frozen=True, tag="exam.writer"):
    """A model that writes questions of an exam."""

    what: ClassVar[str] = "a writer"


class RefusedQuestion(Struct, frozen=True, gc=False, omit_defaults=True):
    """A question that was written and did not pass a `check`, and why not."""

    check: str
    why: str
    kind: str
    question: str


class QuestionsWritten(Kind, frozen=True, tag="exam.written"):
    """What the writer that is this event's cause wrote to be asked of a character at `upto` of the world
    `material`, whose hash there is `hash`: the questions that are kept, as they would stand in a file,
    and those that are not. They may be of a scene, and of nobody in particular. `texts` counts what else
    was kept on the way to them, by what it is; `made` is what was made there for later ones to rest
    on: a part of a life that is written, of which there is no world yet."""

    landmark: ClassVar[int] = LANDMARK
    outside_story: ClassVar[bool] = True
    character: str
    material: str
    upto: int
    hash: str
    questions: tuple[dict[str, Any], ...] = ()
    refused: tuple[RefusedQuestion, ...] = ()
    texts: dict[str, int] = NONE
    made: dict[str, Any] = NONE

    def __post_init__(self) -> None:
        freeze(self, "texts")
        force_setattr(self, "made", frozen(self.made))
        check_numbers("what was made", leaves(self.made))
        force_setattr(self, "questions", tuple(map(frozen, self.questions)))
        for one in self.questions:
            check_numbers("a question", leaves(one))


class QuestionDecided(Kind, frozen=True, tag="exam.decided"):
    """What somebody said of a question of an exam who looked at it: a struck one is not asked any more.
    The newest of these holds. `unit` is the id of the question."""

    landmark: ClassVar[int] = LANDMARK
    outside_story: ClassVar[bool] = True
    unit: str
    verdict: Literal["accepted", "struck"]
    why: str = ""
    by: str = ""


class Probed(Kind, frozen=True, tag="exam.probed"):
    """A question put to a character at a cursor; `reference` is an answer known to be right.

    In the log of an exam the world that it is about lies in another log: it is `material`, whose
    hash at `upto` is `hash`. `unit` is the id of the question, `arm` the digest of who answers, for
    the `repeat`-th time."""

    outside_story: ClassVar[bool] = True
    character: str
    upto: int
    question: str
    reference: str | None = None
    material: str = ""
    hash: str = ""
    unit: str = ""
    arm: str = ""
    repeat: int = 0


class Answered(Kind, frozen=True, tag="exam.answered"):
    """The answer to the probe that is this event's cause, and the seqs that it rested on: of the
    world that was asked about. Where it was voted for, `share` is that of the votes for it; where
    experts looked at the question, `hint` is what they said: future, absent, or none. Where its model's
    window could not hold all that came to mind, that was cut to so many tokens (`budget`)."""

    outside_story: ClassVar[bool] = True
    text: str
    rests_on: tuple[int, ...] = ()
    share: float | None = None
    hint: str | None = None
    budget: int | None = None

    def __post_init__(self) -> None:
        check_numbers("an answer", (self.share,))


class ScenePlayed(Kind, frozen=True, tag="exam.played"):
    """A scene of an exam is over: the world that it was played in, and its hash at its head `upto`.
    `unit` is the id of the scene, `arm` the digest of who played it, for the `repeat`-th time."""

    outside_story: ClassVar[bool] = True
    unit: str
    arm: str
    repeat: int
    played: str
    upto: int
    hash: str


class Reviewed(Kind, frozen=True, tag="exam.reviewed"):
    """A verdict on this event's cause, an episode or an answer. A judge that failed: `Failed`. In an
    exam `by` is the digest of the judge; of a scene of several episodes it is about one `episode`."""

    judge: str
    scores: dict[str, float]
    reason: str = ""
    by: str = ""
    episode: int = 0

    def __post_init__(self) -> None:
        freeze(self, "scores")
        check_numbers("a review", self.scores.values())
