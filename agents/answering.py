"""A question put to a character: answered from its view alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec import Struct

from whoknew.agents import briefing
from whoknew.agents.errors import BadAnswer
from whoknew.agents.life import Life
from whoknew.agents.memories.memory import Memory, Occasion, Recollection, recollected
from whoknew.agents.methods.method import Method
from whoknew.agents.models.model import DEFAULT, Model, Request, Sampling
from whoknew.agents.parts import given
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
    """An answer as it was taken. Where it was voted for, `share` is that of the votes for it."""

    share: float | None = None


class FoldedLife:
    """A character's life and memory, as far as they were folded: for several who ask it one after
    another, at the same moment or later ones. Who asks of an earlier one folds them anew."""

    def __init__(self, memory: Callable[[], Memory]) -> None:
        self._memory = memory
        self._folded: tuple[Life, Memory] | None = None
        self._turn = UnfairLock()

    async def upto(self, view: View, use: Callable[[Life, Memory], Awaitable[T]]) -> T:
        """What comes of both at the end of a view, for one at a time: a memory may wait while it folds.
        What breaks off in the middle is folded anew."""
        async with self._turn:
            folded, self._folded = self._folded, None
            earlier = folded is not None and folded[0].upto > len(view)
            now = folded if folded and not earlier else (Life(view.character), self._memory())
            await now[0].catch_up(view)
            found = await use(*now)
            self._folded = folded if earlier else now
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

        request = await self.request(view, question, choices)
        found: Answer = await self._method.ask(self._model, request, read)
        if taken and found is taken[-1]:
            return taken[-1]  # as it was read, which nobody can change
        if type(found) is GivenAnswer:
            return given(self._method, "ask", found, GivenAnswer)
        answer = given(self._method, "ask", found, Answer)  # made by the method itself
        return GivenAnswer(answer.answer, answer.rests_on)

    async def recollect(self, view: View, question: str) -> Recollection:
        """What comes to mind of the episodes before the newest one, in view of the question."""

        async def recollect(life: Life, memory: Memory) -> Recollection:
            return await self._recollect(life, memory, view, question)

        return await self._past.upto(view, recollect)

    async def request(self, view: View, question: str, choices: tuple[str, ...] = ()) -> Request:
        """What the model is asked: made from the view and the question, and from nothing else."""

        async def request(life: Life, memory: Memory) -> Request:
            recollection = await self._recollect(life, memory, view, question)
            return self._request(life, recollection, question, choices)

        return await self._past.upto(view, request)

    async def _recollect(
        self, life: Life, memory: Memory, view: View, question: str
    ) -> Recollection:
        now = Occasion(
            view=view, life=life, model=self._memory_model, about=question, budget=self._budget
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
        return briefing.request("answer", rules, sections, Answer, self._sampling)
