"""A question put to a character: answered from its view alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents import briefing
from whoknew.agents.errors import BadAnswer, PastWindow
from whoknew.agents.life import Life
from whoknew.agents.memories.memory import Memory, Occasion, Recollection, recollected
from whoknew.agents.methods.method import Method
from whoknew.agents.models.model import (
    DEFAULT,
    Model,
    Request,
    Sampling,
    prompt_tokens,
    tokens_of,
)
from whoknew.agents.parts import awaited, given
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import Sections
from whoknew.agents.understand import understand
from whoknew.agents.unfair_lock import UnfairLock
from whoknew.eventlog import View

T = TypeVar("T")


class Answer(Struct, frozen=True):
    """What a character answers, and the places in its view that this rests on."""

    answer: str
    rests_on: tuple[int, ...] = ()


class GivenAnswer(Answer, frozen=True):
    """An answer as it was taken. Where it was voted for, `share` is that of the votes for it; where its
    model's window could not hold all that came to mind, `budget` is what that was cut to, in tokens."""

    share: float | None = None
    budget: int | None = None


class FoldedLife:
    """A character's life and memory, as far as they were folded: for several who ask it one after
    another, at the same moment or later ones. Who asks of an earlier one folds them anew, and the next
    ones go on from there: several rounds through a life take a fold each. Of those who wait meanwhile the
    nearest is next, so that many at once, in whatever order they come, take one."""

    def __init__(self, memory: Callable[[], Memory]) -> None:
        self._memory = memory
        self._folded: tuple[Life, Memory] | None = None
        self._turn = UnfairLock()

    async def upto(self, view: View, use: Callable[[Life, Memory], Awaitable[T]]) -> T:
        """What comes of both at the end of a view, for one at a time: a memory may wait while it folds.
        What breaks off in the middle is folded anew."""
        await self._turn.take(len(view))
        try:
            folded, self._folded = self._folded, None
            if folded is None or folded[0].upto > len(view):
                folded = Life(view.character), self._memory()
            await folded[0].catch_up(view)
            found = await use(*folded)
            self._folded = folded
        finally:
            self._turn.leave()
        return found


class Respondent:
    """A character that is asked, not one that acts: nothing that it says happens in the world."""

    def __init__(
        self,
        model: Model,
        past: FoldedLife,
        method: Method,
        sampling: Sampling = DEFAULT,
        *,
        budget: int | None = None,
        memory_model: Model | None = None,
    ) -> None:
        self._model, self._past, self._method = model, past, method
        self._memory_model = memory_model or model
        self._sampling, self._budget = sampling, budget
        self.brought: Recollection | None = None
        """What came to mind for the newest answer."""

    async def answer(self, view: View, question: str, choices: tuple[str, ...] = ()) -> GivenAnswer:
        """The answer to a question, which may name choices."""

        taken: list[GivenAnswer] = []

        def read(text: str) -> GivenAnswer:
            answer = understand(text, Answer)
            if wrong := [place for place in answer.rests_on if not 0 < place <= len(view)]:
                raise BadAnswer(
                    f"`rests_on` names [{wrong[0]}], which is no number that you were given: use "
                    f"those in brackets, 1 to {len(view)}."
                )
            taken.append(GivenAnswer(answer.answer, tuple(sorted(set(answer.rests_on)))))
            return taken[-1]

        budget = self._budget
        while True:
            brought, request = await self._asked(view, question, choices, budget)
            try:
                found: Answer = await awaited(self._method.ask, self._model, request, read)
                break
            except PastWindow as error:
                if not (held := tokens_of(brought.text)):
                    raise
                budget = error.budget(held, prompt_tokens(request))
        self.brought = brought
        taking = self._taken(found, taken)
        return taking if budget == self._budget else replace(taking, budget=budget)

    def _taken(self, found: Answer, taken: Sequence[GivenAnswer]) -> GivenAnswer:
        if taken and found is taken[-1]:
            return taken[-1]  # as it was read, which nobody can change
        if type(found) is GivenAnswer:
            return given(self._method, "ask", found, GivenAnswer)
        answer = given(self._method, "ask", found, Answer)  # made by the method itself
        return GivenAnswer(answer.answer, answer.rests_on)

    async def recollect(self, view: View, question: str) -> Recollection:
        """What comes to mind of the episodes before the newest one, in view of the question."""

        async def recollect(life: Life, memory: Memory) -> Recollection:
            return await self._recollect(life, memory, view, question, self._budget)

        return await self._past.upto(view, recollect)

    async def request(self, view: View, question: str, choices: tuple[str, ...] = ()) -> Request:
        """What the model is asked: made from the view and the question, and from nothing else."""
        _, request = await self._asked(view, question, choices, self._budget)
        return request

    async def _asked(
        self, view: View, question: str, choices: tuple[str, ...], budget: int | None
    ) -> tuple[Recollection, Request]:
        """What comes to mind within a budget, and what the model is asked."""

        async def asked(life: Life, memory: Memory) -> tuple[Recollection, Request]:
            recollection = await self._recollect(life, memory, view, question, budget)
            return recollection, self._request(life, recollection, question, choices)

        return await self._past.upto(view, asked)

    async def _recollect(
        self, life: Life, memory: Memory, view: View, question: str, budget: int | None
    ) -> Recollection:
        now = Occasion(
            view=view,
            life=life,
            model=self._memory_model,
            about=question,
            question=question,
            budget=budget,
        )
        return await recollected(memory, now)

    def _request(
        self, life: Life, recollection: Recollection, question: str, choices: tuple[str, ...]
    ) -> Request:
        sections = Sections(
            who=life.who,
            myself=life.myself or life.who,
            others=briefing.others(life),
            memory=recollection.lines,
            left_out=recollection.left_out,
            here=tuple(life.now.lines) if life.now else None,
            question=question,
            choices=choices,
        )
        rules = filled("answer", name=life.who)
        asked = briefing.request("answer", rules, sections, Answer, self._sampling)
        return replace(asked, adapter=recollection.adapter) if recollection.adapter else asked
