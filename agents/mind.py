"""The usual mind: recollect, ask a model, understand what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents import briefing
from whoknew.agents.agent import (
    Action,
    Agent,
    AgentEntry,
    AgentSeat,
    Moment,
    Note,
    Offer,
    check,
    noted,
)
from whoknew.agents.errors import BadAction, BadAnswer, PastWindow
from whoknew.agents.life import Life
from whoknew.agents.memories.memory import Memory, Occasion, Recollection, recollected
from whoknew.agents.methods.method import Method
from whoknew.agents.models.model import DEFAULT, Model, Request, Sampling, prompt_tokens, tokens_of
from whoknew.agents.parts import awaited, given
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import Sections, Turn
from whoknew.agents.understand import understand
from whoknew.eventlog import View
from whoknew.eventlog.kinds import Act


class Said(Struct, frozen=True, omit_defaults=True):
    """What a model answers when it is asked to act."""

    act: Act
    text: str = ""
    to: list[str] = []
    refers_to: list[int] = []


class Going(Said, frozen=True):
    goes: str | None = None


class Dealing(Said, frozen=True):
    offer: Offer = {}
    agrees: bool = False


class DealingAndGoing(Dealing, frozen=True):
    goes: str | None = None


ANSWERS: Mapping[tuple[bool, bool], type[Said]] = {
    (False, False): Said,
    (False, True): Going,
    (True, False): Dealing,
    (True, True): DealingAndGoing,
}
"""What an answer may hold: by whether there is something to divide, and somewhere to go. What was
not asked for is not offered, and not read."""

Rules = tuple[str, type[Said]]


class Mind(Agent):
    """One mind decides for one character. Its life is a fold of the view that it is given. What
    comes to mind takes so many tokens at most as its `budget`. Its memory asks the same model, or one
    of its own."""

    def __init__(
        self,
        who: str,
        model: Model,
        memory: Memory,
        method: Method,
        sampling: Sampling = DEFAULT,
        *,
        budget: int | None = None,
        memory_model: Model | None = None,
    ) -> None:
        self.who, self._model, self._memory_model = who, model, memory_model or model
        self._memory, self._method, self._sampling = memory, method, sampling
        self._life, self._budget = Life(who), budget
        self._rules: dict[tuple[tuple[str, ...], str | None], Rules] = {}
        """Those of an act, put together once for the exits and the thing that they name."""

    @property
    def keeps_before_turns(self) -> bool:
        return type(self._memory).before_turn is not Memory.before_turn

    async def before_turn(self, moment: Moment) -> tuple[Note, ...]:
        kept = await awaited(self._memory.before_turn, await self._occasion(moment.view))
        return tuple(noted(self._memory, "before_turn", kept, moment.view))

    @property
    def keeps_of_episodes(self) -> bool:
        return type(self._memory).remember is not Memory.remember

    async def act(self, moment: Moment) -> Action:
        request = await self.request(moment)
        made: Action | None = None

        def read(text: str) -> Action:
            nonlocal made
            said = understand(text, request.answer or Said)
            action = msgspec.convert(said, Action, from_attributes=True)
            if action.goes is not None and (action.act != "leave" or not action.goes):
                action = replace(action, goes=None)  # where to is asked of those who leave
            try:
                check(action, moment)
            except BadAction as error:
                raise BadAnswer(f"{error}.") from None
            made = action
            return action

        try:
            action = await awaited(self._method.ask, self._model, request, read)
        except PastWindow as error:
            raise error.advised(_past(request), prompt_tokens(request)) from None
        if made is not None and action is made and not action.offer:
            return action  # nobody can have changed it since
        action = given(self._method, "ask", action, Action)
        check(action, moment)
        return action

    async def request(self, moment: Moment) -> Request:
        """What the model is asked at this moment: made from the view, and from nothing else."""
        recollection = await self.recollect(moment.view)
        life, episode = self._life, self._life.now
        assert episode is not None, "nobody acts before an episode opens"
        sections = Sections(
            who=life.who,
            myself=life.myself or life.who,
            others=briefing.others(life),
            memory=recollection.lines,
            left_out=recollection.left_out,
            now=briefing.now(life, moment, episode),
            goal=episode.goal,
            here=tuple(episode.lines),
            turn=Turn(moment.turns_left, moment.all_counted),
        )
        named = moment.exits, next(iter(episode.pool), None)
        if named not in self._rules:
            self._rules[named] = _rules(self.who, *named)
        rules, answer = self._rules[named]
        asked = briefing.request("act", rules, sections, answer, self._sampling)
        return replace(asked, adapter=recollection.adapter) if recollection.adapter else asked

    async def recollect(self, view: View) -> Recollection:
        """What comes to mind of the episodes before this one, in view of what goes on now."""
        return await recollected(self._memory, await self._occasion(view))

    async def remember(self, moment: Moment) -> tuple[Note, ...]:
        kept = await awaited(self._memory.remember, await self._occasion(moment.view))
        return tuple(noted(self._memory, "remember", kept, moment.view))

    async def _occasion(self, view: View) -> Occasion:
        await self._life.catch_up(view)
        return Occasion(
            view=view,
            life=self._life,
            model=self._memory_model,
            about=going_on(self._life),
            budget=self._budget,
        )


def _past(request: Request) -> int:
    """The tokens of what came to mind of earlier episodes."""
    assert request.sections is not None
    return tokens_of("\n".join(request.sections.memory))


def going_on(life: Life) -> str:
    """What goes on now, in words: what memory searches by."""
    episode = life.now
    return "\n".join([episode.scenario, episode.goal, *episode.lines[-3:]]) if episode else ""


class MindEntry(AgentEntry, frozen=True):
    """a model"""

    thinks: ClassVar[bool] = True

    def make(self, seating: AgentSeat) -> Agent:
        return seating.mind()


def _rules(who: str, exits: tuple[str, ...], thing: str | None) -> Rules:
    """What a character may do here, in words, and the Struct that its answer decodes into. `thing` is
    one of those that there are to divide."""
    rules = [filled("act", name=who)]
    if exits:
        rules.append(filled("exits", exits=", ".join(exits)))
    if thing is not None:
        rules.append(filled("offers", name=who, thing=thing))
    return "\n".join(rules), ANSWERS[thing is not None, bool(exits)]
