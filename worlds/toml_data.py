"""What a text in TOML holds, as plain data."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from typing import Any

DEEPEST = 32
"""Tables and lists, one in the other: no document of ours needs as many."""

_TOO_DEEP = f"it goes deeper than {DEEPEST} tables and lists in one another"


def toml_data(text: str) -> dict[str, Any]:
    """A ValueError says why, where it is not TOML or nothing that could be read further."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except ValueError:  # Python's own limit for whole numbers, told in its words
        raise ValueError("a number in it has thousands of digits") from None
    if _is_too_deep(data):
        raise ValueError(_TOO_DEEP)
    return data


def _is_too_deep(data: Any) -> bool:
    """Level by level: what is deep enough would overflow a recursion."""
    level: Iterable[Any] = [data]
    for _ in range(DEEPEST):
        level = [inner for one in level for inner in _inner(one)]
        if not level:
            return False
    return True


def _inner(data: Any) -> Iterable[Any]:
    if isinstance(data, dict):
        return data.values()
    return data if isinstance(data, list) else ()
