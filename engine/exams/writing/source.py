"""The port to where questions of an exam are written: the places, and what is made at each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from msgspec import Struct, field

from whoknew.agents.models.model import Model
from whoknew.eventlog.kinds import RefusedQuestion
from whoknew.worlds.question import Question

if TYPE_CHECKING:
    from whoknew.engine.exams.exam_log import ExamLog

P = TypeVar("P")

ModelOf = Callable[[str, str], Model]
"""A model for somebody, by its address: its calls are those of the place."""

KEPT = 600
"""So many signs of what was refused are kept."""


class PlaceOnLog(Struct, frozen=True, kw_only=True):
    """A place as the log names it: who is asked there, up to which seq of a world, and what vouches for
    all up to there."""

    who: str
    world: str
    upto: int
    hash: str


class WrittenDraft(Struct):
    """What is kept of one place, and what is not. `texts` counts what else was kept on the way to the
    questions, by what it is; `made` is what later places rest on."""

    questions: list[Question] = field(default_factory=list)
    refused: list[RefusedQuestion] = field(default_factory=list)
    texts: Counter[str] = field(default_factory=Counter)
    made: dict[str, Any] = field(default_factory=dict)

    def refuse(self, *, check: str, why: str, kind: str, text: str) -> None:
        kept = (one[:KEPT] for one in (why, kind, text))
        self.refused.append(RefusedQuestion(check, *kept))


class ExpectedCalls(Struct, frozen=True, kw_only=True):
    """What a place may take, if all that is written will do at once: `calls` of the model that writes,
    and of the second one; `most` of each are the most there can be."""

    calls: int
    tokens_in: int
    tokens_out: int
    most: int
    checks: int
    most_checks: int


class WritingSource(Generic[P]):
    """Where questions are written. Places of one row are taken one after another, rows at once."""

    purposes: ClassVar[frozenset[str]]
    """Those of the calls of the model that writes."""

    unit: ClassVar[str] = "moment"
    """What a place is, in a word."""

    guess: ClassVar[str] = "90 tokens a question"
    """How long replies are taken to be where none is known, in words."""

    sampled: ClassVar[int] = 40
    """A forecast makes the prompts of so many places, from all over."""

    rows: Sequence[Sequence[P]]

    def key(self, place: P) -> str:
        """What was written at a place is known by this: by all that decides it."""
        raise NotImplementedError

    def on_log(self, place: P) -> PlaceOnLog:
        raise NotImplementedError

    async def drafted(self, place: P, model_of: ModelOf) -> WrittenDraft:
        """What a model writes there, checked."""
        raise NotImplementedError

    async def read(self, log: ExamLog) -> None:
        """Told where what was written stands, before anything else."""

    def ready(self, place: P) -> bool:
        """Whether all is there that it rests on."""
        return True

    def kept(self, place: P, draft: WrittenDraft) -> None:
        """Told when it is on the log."""

    async def finish(self) -> None:
        """Told when no more is written for now."""

    async def expected(self, place: P) -> ExpectedCalls:
        """Made from the very prompts, as far as there are such."""
        raise NotImplementedError
