"""A model that writes one thing after another at a place, each checked, and asked for again where it will
not do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.lines import one_line, quoted
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.prompts.text import filled
from whoknew.agents.understand import understand
from whoknew.engine.exams.writing.checks import CheckFailed
from whoknew.engine.exams.writing.source import WrittenDraft

ROUNDS = 2
"""What will not do is asked for once more."""

SHOWN = 2_000
"""So many signs of what will not do its model is shown again."""

AGAIN = "scene.again"
"""The prompt that asks once more."""

T = TypeVar("T", bound=Struct)


class Pen:
    """Writes into `found`. What is refused by a check is counted with the texts of its `kinds`."""

    def __init__(
        self,
        model: Model,
        found: WrittenDraft,
        *,
        reasks: int,
        rounds: int = ROUNDS,
        kinds: Mapping[str, str] | None = None,
    ) -> None:
        self.found = found
        self._model, self._reasks, self._rounds, self._kinds = model, reasks, rounds, kinds or {}

    async def written(
        self,
        kind: str,
        first: Request,
        drafted: type[T],
        wrong: Callable[[T], Awaitable[CheckFailed | None]],
    ) -> T | None:
        """What passes, at first or when it is asked for again."""
        request = first
        self.found.texts[kind] += 0  # what is never kept is counted, too
        for _ in range(self._rounds):
            one = await insist(self._model, request, lambda text: read(text, drafted), self._reasks)
            why = await wrong(one)
            if why is None:
                self.found.texts[kind] += 1
                return one
            self.found.refuse(
                check=why.check,
                why=why.why,
                kind=self._kinds.get(why.check, kind),
                text=str(getattr(one, "sentence", "") or getattr(one, "question", "") or one),
            )
            request = again(first, one, why.why)
        return None


def again(first: Request, drafted: Struct, why: str) -> Request:
    """The same once more, told what would not do, and why."""
    messages = (
        *first.messages,
        Message("assistant", quoted(drafted)[:SHOWN]),
        Message("user", filled(AGAIN, why=why)),
    )
    return replace(first, messages=messages)


def read(text: str, kind: type[T]) -> T:
    """Each of its texts in one line."""
    found = understand(text, kind)
    texts = {
        name: " ".join(one_line(value).split())
        for name in kind.__struct_fields__
        if isinstance(value := getattr(found, name), str)
    }
    return replace(found, **texts)
