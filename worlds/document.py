"""TOML documents, read as a whole: every mistake at once, each with where it stands."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec import inspect as shape

from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.lines import Lines

T = TypeVar("T", bound=Struct)

_STEP = re.compile(r'"([^"]*)"|\[(\d+)\]|([^.\[\]"]+)')


def read(text: str, source: str, kind: type[T]) -> T:
    """The Struct that a text holds; a BadDocument lists all that is wrong with it."""
    found, mistakes = sift(text, source, kind)
    if mistakes or found is None:
        raise BadDocument(mistakes)
    return found


def sift(text: str, source: str, kind: type[T]) -> tuple[T | None, list[Mistake]]:
    """What can be had of a text without the keys that are wrong, and those: so that whoever looks
    further can add to them. Nothing can be had where a key is missing."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return None, [Mistake(source, None, "", f"is not TOML: {error}")]
    lines = Lines(text)
    wrong = list(_wrong(data, shape.type_info(kind), ""))
    mistakes = [Mistake(source, lines.of(key), key, what) for key, what in wrong]
    for key, _ in wrong:
        _drop(data, key)
    try:
        return msgspec.convert(data, kind), mistakes
    except msgspec.ValidationError:
        return None, mistakes


def nearest(name: str, known: Sequence[str]) -> str:
    """What may have been meant, or else what there is: the end of an error message."""
    if close := get_close_matches(name, known, 1, 0.6):
        return f"did you mean {close[0]!r}?"
    some = ", ".join(map(repr, known[:12])) + (" ..." if len(known) > 12 else "")
    return f"there are: {some}" if known else "there are none"


def _wrong(data: Any, kind: shape.Type, key: str) -> Iterator[tuple[str, str]]:
    """All that is wrong with a value: the keys, and what is wrong there."""
    match kind:
        case shape.StructType() if isinstance(data, Mapping):
            yield from _wrong_fields(data, kind, key)
        case shape.DictType(value_type=inner, key_type=names) if isinstance(data, Mapping):
            for name, value in data.items():
                yield from _wrong(name, names, _join(key, name))
                yield from _wrong(value, inner, _join(key, name))
        case shape.VarTupleType(item_type=inner) if isinstance(data, list):
            for place, one in enumerate(data):
                yield from _wrong(one, inner, f"{key}[{place}]")
        case shape.LiteralType(values=values):
            if data not in values or isinstance(data, bool) != (True in values):
                yield key, _unknown(data, values)
        case shape.UnionType(types=types):
            yield from _wrong(data, _meant(data, types), key)
        case _:
            yield from _wrong_value(data, kind, key)


def _wrong_fields(
    data: Mapping[str, Any], kind: shape.StructType, key: str
) -> Iterator[tuple[str, str]]:
    fields = {field.encode_name: field for field in kind.fields}
    for name, value in data.items():
        if name in fields:
            yield from _wrong(value, fields[name].type, _join(key, name))
        else:
            missing = [one for one in fields if one not in data]
            yield _join(key, name), f"no such key: {nearest(name, missing or list(fields))}"
    for name, field in fields.items():
        if field.required and name not in data:
            yield key, f"{name!r} is missing: give {_called(field.type)}"


def _wrong_value(data: Any, kind: shape.Type, key: str) -> Iterator[tuple[str, str]]:
    match kind:
        case shape.StrType():
            right = isinstance(data, str)
        case shape.BoolType():
            right = isinstance(data, bool)
        case shape.IntType():
            right = isinstance(data, int) and not isinstance(data, bool)
        case shape.FloatType():
            right = isinstance(data, int | float) and not isinstance(data, bool)
        case shape.DateTimeType():
            right = isinstance(data, datetime)
            if right and data.tzinfo is not None:
                yield key, "has a time zone, which story time has not: leave it out"
                return
        case _:
            right = False
    if not right:
        yield key, f"is {_shown(data)}, but should be {_called(kind)}"


def _meant(data: Any, types: Sequence[shape.Type]) -> shape.Type:
    """Of several types that would do, the one that is complained of."""
    some = [one for one in types if not isinstance(one, shape.NoneType)]
    literals = [one for one in some if isinstance(one, shape.LiteralType)]
    return literals[0] if isinstance(data, str) and literals else some[0]


def _unknown(data: Any, values: Sequence[Any]) -> str:
    if isinstance(data, str):
        return f"is {data!r}: {nearest(data, [str(one) for one in values])}"
    return f"is {_shown(data)}, but should be one of {', '.join(map(repr, values))}"


def _called(kind: shape.Type) -> str:
    """What a value of a type is called in a document."""
    match kind:
        case shape.StrType():
            return 'a text in quotes, as "..."'
        case shape.BoolType():
            return "true or false"
        case shape.IntType():
            return "a whole number"
        case shape.FloatType():
            return "a number"
        case shape.DateTimeType():
            return "a date and time, as 1998-11-12T22:00:00"
        case shape.VarTupleType(item_type=inner):
            return f"a list, each of it {_called(inner)}"
        case shape.LiteralType(values=values):
            return f"one of {', '.join(map(repr, values))}"
        case shape.UnionType(types=types):
            return _called(_meant("", types))
        case _:
            return "a table of keys"


def _drop(data: Any, key: str) -> None:
    """Take a key out of the data, as far as there is one; with what is wrong in a list, the list."""
    steps = [quoted or place or name for quoted, place, name in _STEP.findall(key)]
    holder: tuple[Any, str] | None = None
    for step in steps:
        if isinstance(data, dict):
            holder = (data, step)
        try:
            data = data[int(step)] if isinstance(data, list) else data[step]
        except (KeyError, IndexError, TypeError, ValueError):
            break
    if holder:
        holder[0].pop(holder[1], None)


def _shown(data: Any) -> str:
    match data:
        case bool():
            return str(data).lower()
        case Mapping():
            return "a table"
        case list():
            return "a list"
        case str():
            return repr(data if len(data) < 40 else f"{data[:40]}...")
        case _:
            return str(data)


def _join(key: str, name: str) -> str:
    name = name if name.replace("_", "").replace("-", "").isalnum() else f'"{name}"'
    return f"{key}.{name}" if key else name
