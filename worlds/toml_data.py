"""What a text in TOML holds, as plain data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from typing import Any

from whoknew.worlds.errors import Mistake, TooDeep

DEEPEST = 32
"""Tables and lists, one in the other: no document of ours needs as many."""

_QUOTED = re.compile(
    r"""
    \"{3}(?:[^"\\]++|\\.|"(?!""))*+"{0,5}
    | '{3}(?:[^']++|'(?!''))*+'{0,5}
    | "(?:[^"\\\n]++|\\.)*+"?
    | '[^'\n]*+'?
    | \#[^\n]*+
    """,
    re.VERBOSE | re.DOTALL,
)
"""A text in quotes, or a comment: as far as it goes, also where it has no end."""

_SIGN = re.compile(r"[=,{}\[\]]")


def toml_data(text: str) -> dict[str, Any]:
    """A ValueError says why, where it is not TOML or nothing that could be read further."""
    _check_keys(text)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise TooDeep(DEEPEST) from None
    except ValueError:  # Python's own limit for whole numbers, told in its words
        raise ValueError("a number in it has thousands of digits") from None
    if _is_too_deep(data):
        raise TooDeep(DEEPEST)
    return data


def no_toml(source: str, error: ValueError) -> Mistake:
    """Why a text is not TOML; the line is said once, where that of every mistake is."""
    why = str(error)
    if not isinstance(error, tomllib.TOMLDecodeError):
        where = error.line if isinstance(error, TooDeep) else None
        return Mistake(source, where, "", f"cannot be read: {why}")
    found = re.search(r" \(at line (\d+), column (\d+)\)$", why)
    if found is None:
        return Mistake(source, None, "", f"is not TOML: {why}")
    line, column = found.groups()
    return Mistake(
        source, int(line), "", f"is not TOML: {why[: found.start()]}, at column {column}"
    )


def _check_keys(text: str) -> None:
    """`a.a.a...` takes a time that grows with the square of its parts, once it is read."""
    if max(line.count(".") for line in text.split("\n")) <= DEEPEST:
        return
    bare = _QUOTED.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(bare.split("\n"), start=1):
        if any(between.count(".") > DEEPEST for between in _SIGN.split(line)):
            raise TooDeep(DEEPEST, number)


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
