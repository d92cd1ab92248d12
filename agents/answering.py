"""A question put to a character: answered from its view alone."""

from __future__ import annotations

import msgspec
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
from whoknew.eventlog import View


class Answer(Struct, frozen=True):
    """What a character answers, and the places in its view that this rests on."""

    answer: str
    rests_on: tuple[int, ...] = ()


class Respondent:
    """A character that is asked, not one that acts: nothing that it says happens in the world."""

    def __init__(
        self,
        model: Model,
        memory: Memory,
        method: Method,
        sampling: Sampling = DEFAULT,
        *,
        budget: int | None = None,
    ) -> None:
        self._model, self._memory, self._method = model, memory, method
        self._sampling, self._budget = sampling, budget

    async def answer(self, view: View, question: str) -> Answer:
        def read(text: str) -> Answer:
            answer = understand(text, Answer)
            if wrong := [place for place in answer.rests_on if not 0 < place <= len(view)]:
                raise BadAnswer(
                    f"`rests_on` names [{wrong[0]}], which is no number that you were given: use "
                    f"those in brackets, 1 to {len(view)}."
                )
            return msgspec.structs.replace(answer, rests_on=tuple(sorted(set(answer.rests_on))))

        found = await self._method.ask(self._model, await self.request(view, question), read)
        return given(self._method, "ask", found, Answer)

    async def recollect(self, view: View, question: str) -> Recollection:
        """What comes to mind of the episodes before the newest one, in view of the question."""
        return await recollected(self._memory, await self._occasion(view, question))

    async def _occasion(self, view: View, question: str) -> Occasion:
        life = Life(view.character)
        await life.catch_up(view)
        return Occasion(
            view=view, life=life, model=self._model, about=question, budget=self._budget
        )

    async def request(self, view: View, question: str) -> Request:
        """What the model is asked: made from the view and the question, and from nothing else."""
        now = await self._occasion(view, question)
        life, recollection = now.life, await recollected(self._memory, now)
        sections = Sections(
            who=life.who,
            myself=life.myself or life.who,
            others=briefing.others(life),
            memory=recollection.lines,
            left_out=recollection.left_out,
            here=tuple(life.now.lines) if life.now else None,
            question=question,
        )
        rules = filled("answer", name=life.who)
        return briefing.request("answer", rules, sections, Answer, self._sampling)
