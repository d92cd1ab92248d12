"""The voting method: the same is asked several times, and the commonest answer is taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from whoknew.agents.choices import chosen
from whoknew.agents.methods.method import MethodEntry, insist
from whoknew.agents.models.model import Model, Request
from whoknew.agents.parts import REASKS, Owner
from whoknew.eventlog.words import words

T = TypeVar("T")

USUAL = 5

_RESTS = frozenset(("rests_on", "refers_to"))
"""What an answer rests on makes it no other answer."""


class Vote(Struct, frozen=True):
    """Of answers that come equally often the one that came first is taken."""

    answers: int = USUAL
    reasks: int = REASKS

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        """What is read of the commonest answer. If it can hold the `share` of the answers that say the
        same, it does."""
        found = [
            await insist(model, _ballot(request, number), read, self.reasks)
            for number in range(self.answers)
        ]
        choices = request.sections.choices if request.sections else ()
        same = [what(one, choices) for one in found]
        best, count = Counter(same).most_common(1)[0]
        taken: Any = found[same.index(best)]
        if "share" in getattr(taken, "__struct_fields__", ()):
            taken = replace(taken, share=count / len(found))
        return taken  # type: ignore[no-any-return]


def what(found: object, choices: Sequence[str] = ()) -> Hashable:
    """What an answer says: two that say the same are one. Of choices it is the one that is named; of
    anything else it is its words, however they are written."""
    data = msgspec.to_builtins(found, enc_hook=repr)
    if choices and isinstance(data, dict) and isinstance(said := data.get("answer"), str):
        named = chosen(said, choices)
        if len(named) == 1:
            return choices.index(named[0])
    return _plain(data)


def _plain(data: Any) -> Hashable:
    if isinstance(data, dict):
        kept = ((key, _plain(value)) for key, value in data.items() if key not in _RESTS)
        return tuple(sorted(kept, key=repr))
    if isinstance(data, (list, tuple)):
        return tuple(map(_plain, data))
    if isinstance(data, str):
        return tuple(words(data)) or data
    return repr(data)


def _ballot(request: Request, number: int) -> Request:
    """Each answer has a seed of its own, where there is one: else all would be the same."""
    if request.sampling.seed is None:
        return request
    sampling = replace(request.sampling, seed=request.sampling.seed + number)
    return replace(request, sampling=sampling)


class VoteEntry(MethodEntry, frozen=True):
    """several answers, of which the commonest is taken"""

    answers: Annotated[int, Meta(ge=2, le=99)] = USUAL
    """So many are asked for."""

    def calls(self, purpose: str) -> tuple[str, ...]:
        return (purpose,) * self.answers

    def make(self, owner: Owner) -> Vote:
        return Vote(self.answers, owner.reasks)
