"""The port to what proposes, compares, reads and writes for a bank: a model, or rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from whoknew.agents.lines import Line
from whoknew.agents.memories.bookmarks.bookmark import UNKNOWN, Bookmark, KeptAnswer, Proposal
from whoknew.agents.memories.bookmarks.call_cost import NO_CALLS, CallCost

Fit = Literal["reuse", "derive", "none"]
"""Whether a bookmark answers a proposal, is something to begin from, or neither."""

Effect = Literal["reset", "update", "none"]
"""What a stretch of lines does to the answer to how things stand: it does not hold any more, it has to be
changed by them, or it stays."""


class SceneNow(Struct, frozen=True, kw_only=True):
    """What is going on, for who is about to act in it, or is asked a `question` there: the last `lines`;
    `portrait`, who it is; the answers that are `near`; questions that could not be answered, which are
    `fruitless`. So many proposals are wanted at `most`."""

    who: str
    lines: Sequence[Line]
    portrait: str = ""
    near: Sequence[Bookmark] = ()
    fruitless: Sequence[str] = ()
    question: str = ""
    most: int = 5


class Operators(Protocol):
    """All but `propose` is told nothing of whose bank it is, nor of places: only what lines say. So two
    who witnessed the same ask the same, word for word. The same is always answered the same way.

    What is written rests on lines, by their numbers among those that were given, from 0 on: all of them
    where none is named."""

    @property
    def spent(self) -> CallCost:
        """What all that was asked so far has taken."""
        return NO_CALLS

    async def propose(self, scene: SceneNow) -> Sequence[Proposal]:
        """Questions that are worth an answer now."""
        ...

    async def match(self, asked: Proposal, candidates: Sequence[Bookmark]) -> Sequence[Fit]:
        """How each candidate fits."""
        ...

    async def effect(self, question: str, answer: str, lines: Sequence[Line]) -> Effect:
        """What lines do to the answer to how things stand."""
        ...

    async def update(self, question: str, answer: str, lines: Sequence[Line]) -> KeptAnswer:
        """How things stand after these lines."""
        ...

    async def shows(self, question: str, action: Line, before: Sequence[Line]) -> bool:
        """Whether an action, in view of the lines before it, tells how somebody behaves."""
        ...

    async def behavior(
        self, question: str, actions: Sequence[Line], answer: str = UNKNOWN
    ) -> KeptAnswer:
        """How somebody behaves by all actions that show it: later ones weigh more. Or by actions, and the
        answer by what was done before them."""
        ...

    async def keyword(self, question: str) -> str:
        """The words by which the lines are found that tell of a concept."""
        ...

    async def concept(self, question: str, lines: Sequence[Line]) -> KeptAnswer:
        """What somebody or something is, by lines around those that name it."""
        ...
