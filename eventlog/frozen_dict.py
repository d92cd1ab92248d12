"""A dict that is never changed, for what happened and what was planned: code from elsewhere is handed
the very events that the world is told by."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr

K = TypeVar("K")
V = TypeVar("V")


def _refuse(*args: object, **more: object) -> NoReturn:
    raise TypeError("what is on a log or in a plan cannot be changed: take a copy, dict(...)")


_refused: Any = _refuse


class FrozenDict(dict[K, V]):
    """Reads, compares and is written as any dict; `dict(one)` is a copy that can be changed."""

    __slots__ = ()

    __setitem__ = __delitem__ = __ior__ = _refused
    clear = pop = popitem = setdefault = update = _refused

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)


NONE: FrozenDict[Any, Any] = FrozenDict()
"""The one that holds nothing: a default of fields."""


PLAIN = frozenset({str, int, float, bool, type(None), FrozenDict})
"""Types of what holds no dict that could be changed."""


def frozen(value: Any) -> Any:
    """A dict, with all dicts in it, so that it cannot be changed; anything else as it is."""
    if not isinstance(value, dict) or type(value) is FrozenDict:
        return value
    if not value:
        return NONE
    if PLAIN.issuperset(map(type, value.values())):
        return FrozenDict(value)
    return FrozenDict({key: frozen(inner) for key, inner in value.items()})


def freeze(one: Struct, field: str) -> None:
    """Freeze a dict in a field of a Struct that is being made."""
    value = getattr(one, field)
    if type(value) is not FrozenDict:
        force_setattr(one, field, frozen(value))
