"""A question is put to a character: in the same way by `ask`, and in exams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from whoknew.agents.answering import FoldedLife, Respondent
from whoknew.agents.methods.experts import Adviser
from whoknew.agents.models.model import Model
from whoknew.engine.plan.plan import Seat
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.running.models import Guards, guarded, memory_of, method_of, sampling_of
from whoknew.eventlog import Event, View


class Response(Struct, frozen=True):
    """What a character answered, and the events that it named for it; the share of the votes for it,
    where it was voted for; what experts said, where some were asked. `budget` is what came to mind was cut
    to, where its model's window could not hold it."""

    answer: str
    rests_on: tuple[Event, ...] = ()
    share: float | None = None
    hint: str | None = None
    budget: int | None = None

    def case(self, view: View, question: str, **known: Any) -> AnswerCase:
        """As judges get it, with what is `known` of the question besides."""
        return AnswerCase(
            character=view.character,
            question=question,
            answer=self.answer,
            rests_on=self.rests_on,
            view=view,
            **known,
        )


def respondent(
    character: str,
    seat: Seat,
    model: Model,
    past: FoldedLife | None = None,
    adviser: Adviser | None = None,
    memory_model: Model | None = None,
    *,
    guards: Guards | None = None,
) -> Respondent:
    """The character as it is asked: by the memory and the method of a seat, with a model to think by,
    and one that its memory asks; with a past of its own, where it is given none. An adviser is for the
    method `experts`, and `guards` for a seat that has one."""
    method = guarded(character, seat, method_of(character, seat, adviser), guards)
    past = past or past_of(character, seat)
    return Respondent(
        model, past, method, sampling_of(seat), budget=seat.budget, memory_model=memory_model
    )


def past_of(character: str, seat: Seat) -> FoldedLife:
    """The life of a character and the memory of a seat, to be folded."""
    return FoldedLife(lambda: memory_of(character, seat))


async def put(
    asked: Respondent, view: View, question: str, choices: Sequence[str] = ()
) -> Response:
    """What it answers at the end of a view, from that view alone."""
    found = await asked.answer(view, worded(question, choices), tuple(choices))
    rests_on = tuple(await view.pick(found.rests_on)) if found.rests_on else ()
    return Response(found.answer, rests_on, found.share, budget=found.budget)


def worded(question: str, choices: Sequence[str] = ()) -> str:
    """A question as it is worded to whoever is asked: where it has choices, with all of them."""
    if not choices:
        return question
    listed = "; ".join(choices)
    return f"{question} Answer with one of these, word for word: {listed}"
