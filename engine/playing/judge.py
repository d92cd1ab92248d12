"""The port to a judge: an episode or an answer in, a verdict on each whom it is about out."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from msgspec import Struct

from whoknew.agents.mind import Mind
from whoknew.agents.models.model import Model, Sampling
from whoknew.agents.parts import Entry
from whoknew.engine.playing.case import Case

Judged = Literal["episode", "answer"]
Needed = Literal["reference", "choices", "correct", "evidence", "labels"]

C_contra = TypeVar("C_contra", bound=Case, contravariant=True)


class Verdict(Struct, frozen=True):
    """What a judge has to say of one character. Without scores, `reason` says why it has none: that
    is a failure, and written down as one."""

    character: str
    scores: dict[str, float] | None
    reason: str = ""


class Judge(Protocol[C_contra]):
    """A judge of episodes takes an `EpisodeCase`, a judge of answers an `AnswerCase`."""

    async def review(self, case: C_contra) -> list[Verdict]:
        """A verdict on each of whom there is something to say: of an answer, on who gave it."""
        ...


class Bench(Struct, frozen=True, kw_only=True):
    """What a judge is made of: the model that it asks, if it asks one, and for each character its mind,
    which says what comes to it and asks nothing."""

    model: Model
    sampling: Sampling
    reasks: int
    mind: Callable[[str], Mind]


class JudgeEntry(Entry, frozen=True):
    """How a plan names a judge: its fields are the judge's settings."""

    judges: ClassVar[tuple[Judged, ...]] = ("episode",)
    """What it can judge: an episode that is over, an answer, or both."""
    needs: ClassVar[tuple[Needed, ...]] = ()
    """What it cannot judge an answer without."""
    own_words: ClassVar[bool] = False
    """Whether it judges only what was answered in one's own words, where there were no choices."""
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    """The worst and the best that it gives an answer."""
    faults: ClassVar[Collection[str]] = ()
    """Of its scores those that count what is wrong: more of them is not better."""
    asks: ClassVar[bool] = False
    """Whether it asks a model."""

    def needed(self) -> tuple[Needed, ...]:
        """The same, with these settings."""
        return self.needs

    def lacking(self) -> tuple[str, ...]:
        """The same in words, with that there should be no choices."""
        return (*self.needed(), *(["no choices"] if self.own_words else []))

    def marks(self) -> tuple[float, float]:
        """The worst and the best that it gives an answer, with these settings."""
        return self.scale

    def prompts(self) -> tuple[str, ...]:
        """The files of `agents/prompts` that decide what it asks."""
        return ()

    def most_calls(self, reasks: int) -> int:
        """The most calls that it makes for each of whom it gives a verdict: one, unless a judge says
        otherwise, and each answer asked for again as often as may be."""
        return 1 + reasks if self.asks else 0

    def make(self, bench: Bench) -> Judge[Any]:
        raise NotImplementedError
