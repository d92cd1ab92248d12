"""What all parts have in common that a plan can name: memories, methods, agents, judges, models.

A part is one file: what does the work, and an `Entry` that says how a plan names it. The fields of an
entry are the keys that a plan can give, the first line of its docstring is its line of help, and
`make` makes the part. `engine/registry.py` finds entries by their names.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from inspect import isawaitable
from typing import Any, ClassVar, ParamSpec, TypeVar

import msgspec
from msgspec import Struct

from whoknew.agents.errors import BadPart

T = TypeVar("T")
P = ParamSpec("P")


REASKS = 2
"""How often a model is asked again whose answer makes no sense, where nobody says. `insist` does it."""


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """How a plan names a part. A field with a rule that types cannot say (`Annotated[int, Meta(ge=1)]`
    says most) checks it in `__post_init__` and raises a ValueError."""

    version: ClassVar[int] = 1
    """Raise it when the part comes to something else than it did in the same case: an exam does not
    take what the one gave for what the other would have given."""

    def check_here(self) -> None:
        """Raise a BadPart where what it needs is not installed: a run that needs it does not begin. What
        was kept by it can be read all the same."""

    def deciding(self) -> dict[str, Any]:
        """All settings that decide what the part comes to, by which an exam knows its answers. A
        setting that came later is left out where it changes nothing: so old answers stay known."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found


class Owner(Struct, frozen=True, kw_only=True):
    """Whose a memory or a method is: a character, of whose model an answer that makes no sense is
    asked again at most `reasks` times."""

    who: str
    reasks: int = REASKS


async def awaited(method: Callable[P, Awaitable[T]], *args: P.args, **named: P.kwargs) -> T:
    """What a part answers, of which this is a method. BadPart where it does not take what it is given,
    or gives what cannot be waited for."""
    try:
        answer = method(*args, **named)
    except TypeError as error:
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise  # in the part itself
        raise BadPart(f"{_place(method)} does not take what it is given: {error}") from None
    if not isawaitable(answer):
        raise BadPart(f"{_place(method)} should be `async def`, or give what can be waited for")
    return await answer


def _place(method: Callable[..., object]) -> str:
    part = type(getattr(method, "__self__", method))
    return f"{part.__module__}.{part.__name__}.{getattr(method, '__name__', '')}"


def given(part: object, what: str, found: T, kind: type[T]) -> T:
    """A copy of what a part gave, which has to be of a kind, and all that is in it of its own: else it
    could be written onto a log, and not be read again, or say something else the next time that it
    is looked at. BadPart where it is not."""
    if type(found) is not kind:
        raise wrong(part, what, kind.__name__, type(found).__name__)
    try:
        return msgspec.convert(msgspec.to_builtins(found), kind)
    except (TypeError, ValueError) as error:
        raise wrong(part, what, kind.__name__, f"one with a mistake in it: {error}") from None


def all_given(part: object, what: str, found: Sequence[T], kind: type[T]) -> Sequence[T]:
    """What a part gave, which has to be a tuple or a list of a kind."""
    if not isinstance(found, (tuple, list)):
        raise wrong(part, what, f"a tuple of {kind.__name__}", type(found).__name__)
    return [given(part, what, one, kind) for one in found]


def made(entry: Entry, found: T, kind: type[object]) -> T:
    """What an entry made, which has to inherit from a kind: what it does not say itself, it has from
    there. BadPart where it does not."""
    if kind in type(found).__mro__:  # ports are protocols: isinstance cannot be asked
        return found
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    wanted = f"{article} {kind.__name__} (a class that inherits {kind.__name__})"
    raise wrong(entry, "make", wanted, type(found).__name__)


def made_with(entry: Entry, found: T, what: str, method: str) -> T:
    """What an entry made, which has to have a method. BadPart where it does not."""
    if callable(getattr(found, method, None)):
        return found
    raise wrong(entry, "make", f"{what} (with a method {method})", type(found).__name__)


def wrong(part: object, what: str, wanted: str, found: str) -> BadPart:
    """Which part gave something else than it should."""
    where = f"{type(part).__module__}.{type(part).__name__}.{what}"
    return BadPart(f"{where} should give {wanted}, but gave {found}")
