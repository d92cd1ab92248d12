"""A method with a guard: what gives away what its character cannot know is asked for again.

Who is asked again learns that it spoke of what it could not know, and how often, in the same words each
time (`prompts/guard.txt`). What it said is not shown to it again: that would put into its prompt what is
to be kept out of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.errors import GivesAway
from whoknew.agents.methods.method import Method, ruled
from whoknew.agents.models.model import Model, Request
from whoknew.agents.prompts.text import filled

T = TypeVar("T")

Then = Literal["drop", "keep", "stop"]
"""What becomes of a line that still gives something away when it was asked for often enough: it is
dropped, as if no sense could be made of it; it is kept; or whoever plays stops."""


class LineGuard(Protocol):
    """Reads more than its character, and says only whether a line is refused."""

    async def refuses(self, text: str, *, kept: bool) -> bool:
        """Whether a line gives away what its character cannot know. `kept`: it stands all the same."""
        ...


class Guarded(Struct, frozen=True, kw_only=True):
    """Any method, as the character `who` asks by it: its answers are looked at before they count, and
    asked for again so many `tries` at most."""

    who: str
    method: Method
    guard: LineGuard
    tries: int
    then: Then

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        for refused in range(self.tries + 1):
            asked = self._warned(request, refused) if refused else request
            found = await self.method.ask(model, asked, read)
            kept = self.then == "keep" and refused == self.tries
            if not await self.guard.refuses(said(found), kept=kept) or kept:
                return found
        raise GivesAway(self.who, self.tries + 1, stops=self.then == "stop")

    def _warned(self, request: Request, refused: int) -> Request:
        """The same, with a word on it behind its rules."""
        rules, *others = request.messages
        warning = filled("guard", name=self.who, times=str(refused))
        messages = (ruled(rules.text, warning), *others)
        return replace(request, messages=messages, warning=warning)


def said(found: object) -> str:
    """The words of an action or of an answer."""
    words = getattr(found, "text", None) or getattr(found, "answer", None)
    return words if isinstance(words, str) else ""
