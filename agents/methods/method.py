"""The port to a method: how a question becomes one or more calls, and their replies an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Protocol, TypeVar

from msgspec.structs import replace

from whoknew.agents.errors import BadAnswer, BadReply
from whoknew.agents.models.model import Message, Model, Reply, Request
from whoknew.agents.parts import Entry, Owner
from whoknew.agents.prompts.text import filled

T = TypeVar("T")

LONGEST = 2**17
"""No answer that is asked for has as many signs, with all the thinking aloud that stands around it.
What is longer is not read: it would go into the log, and from there into prompts."""

SHOWN = 2000
"""So much of an answer that was too long its model is shown again."""


class Method(Protocol):
    """One method asks for one character, in as many calls as it likes."""

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        """The answer that `read` makes of a reply; BadAnswer or BadReply where none can be had."""
        ...


class MethodEntry(Entry, frozen=True):
    """How a plan names a method: its fields are the method's settings."""

    calls_before: ClassVar[tuple[str, ...]] = ()
    """The purposes of the calls that it makes before the one that is answered."""
    prompts: ClassVar[tuple[str, ...]] = ()
    """The files of `agents/prompts` that it uses, beside those that every method does."""
    tells_the_past: ClassVar[bool] = True
    """Whether its prompts hold anything but the question."""

    def calls(self, purpose: str) -> tuple[str, ...]:
        """The purposes of all calls that it makes at most for one answer, which is asked for with that
        purpose, where each is understood at once."""
        return (*self.calls_before, purpose)

    def most(self, reasks: int, purpose: str = "answer") -> int:
        """The most calls that it makes for one answer."""
        return len(self.calls(purpose)) * (1 + reasks)

    def make(self, owner: Owner) -> Method:
        raise NotImplementedError


def ruled(rules: str, warning: str) -> Message:
    """Rules, with the warning of a request behind them: a method that has rules of its own puts them so."""
    return Message("system", f"{rules}\n\n{warning}" if warning else rules)


async def insist(model: Model, request: Request, read: Callable[[str], T], reasks: int) -> T:
    """Ask, and where the answer cannot be understood ask the same model again, told why, at most
    `reasks` times."""
    while True:
        reply, reasks = await replied(model, request, reasks)
        try:
            return read(_whole(reply))
        except BadAnswer as error:
            if reasks == 0:
                raise
            reasks -= 1
            request = _again(request, reply.text, str(error))


async def replied(model: Model, request: Request, reasks: int) -> tuple[Reply, int]:
    """A reply, whatever it says, and how many times can still be asked again. What a server sends
    that is none cannot be shown to its model: it is asked the same again."""
    while True:
        try:
            return await model.complete(request), reasks
        except BadReply:
            if reasks == 0:
                raise
            reasks -= 1


def _whole(reply: Reply) -> str:
    if len(reply.text) > LONGEST:
        raise BadAnswer(
            f"the answer is {len(reply.text):,} signs long, of which {LONGEST:,} are read at most."
        )
    if reply.ended == "refused":
        raise BadAnswer("the model refused to answer.")
    said = _without_thought(reply.text)
    if reply.ended == "length" or not said.strip():
        what = "was cut off at the limit of tokens" if reply.ended == "length" else "is empty"
        raise BadAnswer(f"the answer {what}.")
    return said


def _without_thought(text: str) -> str:
    """What stands behind what a model thought aloud: some servers send both in one text, and some
    templates of a chat leave out how a thought begins."""
    thought, end, said = text.partition("</think>")
    is_thought = thought.lstrip().startswith("<think>") or thought.endswith("\n")
    return said if end and is_thought else text


def shown(said: str) -> str:
    """What a model said, as it is shown to it again: of what is too long only the beginning."""
    return (said if len(said) <= LONGEST else f"{said[:SHOWN]}...") or "(nothing)"


def _again(request: Request, said: str, why: str) -> Request:
    """What a model is asked again whose answer makes no sense: the same, with what it said, and why that
    would not do in the text of `prompts/again.txt` (`reword.txt` where words were asked for)."""
    messages = (
        *request.messages,
        Message("assistant", shown(said)),
        Message("user", filled("again" if request.answer else "reword", why=why)),
    )
    return replace(request, messages=messages)
