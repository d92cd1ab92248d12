"""JSON Lines: a file with an object a line, read as a whole, every mistake with its line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from whoknew.eventlog.archive import becoming
from whoknew.eventlog.endless import check_ends
from whoknew.worlds.document import FAR, Fault, joined, sifted
from whoknew.worlds.errors import BadDocument, BadSource, Mistake

T = TypeVar("T", bound=Struct)

LONGEST = 1_000_000
"""Bytes of a line."""

MOST = 250_000
"""Lines of a file that hold something."""

DEEPEST = 8
"""Lists and objects, one in the other."""

TOLD = 1_000
"""So many mistakes are told. Who makes more made the file wrong, not one line of it."""

_BAD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, which no text needs, and halves of characters, which no file can hold."""

_TOO_DEEP = f"goes deeper than {DEEPEST} lists and objects in one another"

_NO_LINES = "begins a list, or an object of several lines: put one object on each line, and no list around them"

_Place = tuple["_Place", str | int, int] | None
"""Where a value stands: in what, under which name or at which place, and how deep."""


def read(
    path: Path, kind: type[T], faults: Callable[[T], Iterable[Fault]] = lambda _: ()
) -> list[tuple[int, T]]:
    """What each line holds, with its number; a BadDocument lists all that is wrong. Linear in the
    file. To be called on a thread: a large file takes seconds."""
    found: list[tuple[int, T]] = []
    mistakes: list[Mistake] = []
    for number, line in _lines(path):
        if not found and not mistakes and (line.startswith(b"[") or line.strip() == b"{"):
            mistakes.append(Mistake(str(path), number, "", _NO_LINES))
            break
        one, wrong = _read_line(line, kind, faults)
        mistakes += [Mistake(str(path), number, key, what) for key, what in wrong]
        if one is not None:
            found.append((number, one))
        if (end := _reached(found, mistakes)) is not None:
            mistakes.append(Mistake(str(path), number, "", end))
            break
    if not found and not mistakes:
        mistakes.append(Mistake(str(path), None, "", "is empty: it should hold an object a line"))
    if mistakes:
        raise BadDocument(mistakes)
    return found


def write(path: Path, rows: Iterable[Struct]) -> None:
    """A new file with a row a line: whole, or not there at all."""
    with becoming(path) as whole, whole.open("wb") as file:
        file.writelines(msgspec.json.encode(row) + b"\n" for row in rows)


def _reached(found: list[Any], mistakes: list[Mistake]) -> str | None:
    """Why the rest of a file is not looked at."""
    if len(mistakes) >= TOLD:
        return f"{len(mistakes)} mistakes up to here; what follows was not looked at"
    if len(found) > MOST:
        return f"has more than {MOST:,} lines with this one: divide it"
    return None


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, of none more than is allowed and a little."""
    try:
        check_ends(path)
        with path.open("rb") as file:
            number, begins = 0, True
            while line := file.readline(LONGEST + 2):
                number += begins
                if begins and line.strip():
                    yield number, line
                begins = line.endswith(b"\n")
    except OSError as error:
        raise BadSource(f"{path} cannot be read: {error.strerror or error}") from None


def _read_line(
    line: bytes, kind: type[T], faults: Callable[[T], Iterable[Fault]]
) -> tuple[T | None, list[Fault]]:
    line = line.rstrip(b"\r\n")
    if len(line) > LONGEST:
        return None, [("", f"is longer than {LONGEST:,} bytes: divide it")]
    try:
        data = decoded(line)
    except (ValueError, RecursionError) as error:
        return None, [("", what_is_no_json(error))]
    if wrong := list(unfit(data)):
        return None, wrong
    with suppress(msgspec.ValidationError):  # where it is sound this is ten times as fast
        sound = msgspec.convert(data, kind)
        if isinstance(data, dict) and data.keys() <= _keys(kind):
            return sound, list(faults(sound))
    one, wrong = sifted(data, kind, faults)
    return one, wrong


def _keys(kind: type[Struct]) -> frozenset[str]:
    return frozenset(kind.__struct_encode_fields__)


def decoded(line: bytes) -> Any:
    """What stands in JSON: a ValueError, or a RecursionError, where it is none, or says a key twice."""
    return loaded(line.decode("utf-8-sig"))


def loaded(text: str) -> Any:
    """The same of a text."""
    return json.loads(text, object_pairs_hook=_once, parse_constant=_refused)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(twice(key))
    return found


def twice(key: str) -> str:
    return f"the key {key!r} stands there twice: leave one out"


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON: leave it out")


def what_is_no_json(error: Exception) -> str:
    """Why something could not be read as JSON."""
    match error:
        case json.JSONDecodeError():
            return f"is not JSON: {error.msg}, at column {error.colno}"
        case UnicodeEncodeError():
            return (
                f"holds half of a character, U+{ord(error.object[error.start]):04X}: leave it out"
            )
        case UnicodeDecodeError():
            return f"is not UTF-8: {error.reason}, at byte {error.start + 1}"
        case RecursionError():
            return _TOO_DEEP
        case _ if "integer string" in str(error):
            return "a number in it has thousands of digits"
        case _:
            return str(error)


def unfit(data: Any) -> Iterator[Fault]:
    """What no line can hold, wherever it stands in it."""
    left: list[tuple[Any, _Place]] = [(data, None)]
    for value, place in left:
        inner: Iterable[tuple[str | int, Any]] = ()
        if isinstance(value, str):
            if _BAD.search(value):
                yield _key(place), _bad_text(value)
        elif isinstance(value, dict):
            inner = value.items()
            for name in filter(_BAD.search, value):
                yield _key(place), f"has a key that {_bad_text(name)}"
        elif isinstance(value, list | tuple):
            inner = enumerate(value)
        elif isinstance(value, int | float) and not (isfinite(value) and abs(value) < FAR):
            yield _key(place), "is too large a number"
        depth = place[2] if place else 0
        if inner and depth == DEEPEST:
            yield _key(place), _TOO_DEEP
        else:
            left += [(one, (place, name, depth + 1)) for name, one in inner]


def _key(place: _Place) -> str:
    names: list[str | int] = []
    while place is not None:
        place, name, _ = place
        names.append(name)
    key = ""
    for name in reversed(names):
        key = f"{key}[{name}]" if isinstance(name, int) else joined(key, name)
    return key


def _bad_text(text: str) -> str:
    """Which character a text should not hold."""
    found = _BAD.search(text)
    assert found is not None
    sign, place = ord(found.group()), found.start() + 1
    what = "half of a character" if sign >= 0xD800 else "the control character"
    return f"holds {what} U+{sign:04X}, at character {place}: leave it out"
