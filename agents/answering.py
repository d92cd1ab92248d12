"""A question put to a character: answered from its view alone."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from whoknew.agents import briefing
from whoknew.agents.errors import BadAnswer
from whoknew.agents.life import Life
from whoknew.agents.memories.memory import Memory
from whoknew.agents.methods.method import Method
from whoknew.agents.models.model import DEFAULT, Message, Model, Request, Sampling
from whoknew.agents.prompts.text import filled
from whoknew.agents.understand import understand
from whoknew.eventlog import View


class Answer(Struct, frozen=True):
    """What a character answers, and the places in its view that this rests on."""

    answer: str
    rests_on: tuple[int, ...] = ()


class Respondent:
    """A character that is asked, not one that acts: nothing that it says happens in the world."""

    def __init__(
        self, model: Model, memory: Memory, method: Method, sampling: Sampling = DEFAULT
    ) -> None:
        self._model, self._memory, self._method = model, memory, method
        self._sampling = sampling

    async def answer(self, view: View, question: str) -> Answer:
        def read(text: str) -> Answer:
            answer = understand(text, Answer)
            if wrong := [place for place in answer.rests_on if not 0 < place <= len(view)]:
                raise BadAnswer(
                    f"`rests_on` names [{wrong[0]}], which is no number that you were given: use "
                    f"those in brackets, 1 to {len(view)}."
                )
            return msgspec.structs.replace(answer, rests_on=tuple(sorted(set(answer.rests_on))))

        return await self._method.ask(self._model, await self.request(view, question), read)

    async def request(self, view: View, question: str) -> Request:
        """What the model is asked: made from the view and the question, and from nothing else."""
        life = Life(view.character)
        await life.catch_up(view)
        recollection = await self._memory.recollect(view, life, question)
        told = (
            briefing.myself(life),
            briefing.others(life),
            briefing.memory(recollection.text),
            briefing.here(life.now) if life.now else "",
            briefing.question(question),
        )
        rules = Message("system", filled("answer", name=view.character))
        text = "\n\n".join(part for part in told if part)
        return Request("answer", (rules, Message("user", text)), Answer, self._sampling)
