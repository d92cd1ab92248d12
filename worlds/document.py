"""TOML documents, read as a whole: every mistake at once, each with where it stands."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from msgspec import inspect as shape

from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.lines import LineNumbers

T = TypeVar("T", bound=Struct)

Fault = tuple[str, str]
"""A key of a document, and what is wrong there."""


def read(text: str, source: str, kind: type[T]) -> T:
    """The Struct that a text holds; a BadDocument lists all that is wrong with it."""
    found, mistakes = sift(text, source, kind)
    if mistakes or found is None:
        raise BadDocument(mistakes)
    return found


def sift(
    text: str, source: str, kind: type[T], faults: Callable[[T], Iterable[Fault]] = lambda _: ()
) -> tuple[T | None, list[Mistake]]:
    """What a text holds, with something that will do in place of each value that is wrong: so that
    `faults` can look at the rest. With it, all that is wrong. None where it is not TOML."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return None, [Mistake(source, None, "", f"is not TOML: {error}")]
    form = shape.type_info(kind)
    wrong = list(_wrong(data, form, ""))
    found = msgspec.convert(_mended(data, form), kind)
    beyond = [fault for fault in faults(found) if not any(one.covers(fault[0]) for one in wrong)]
    lines = LineNumbers(text)
    told = [*((one.key, one.what) for one in wrong), *beyond]
    mistakes = [Mistake(source, lines.of(key), key, what) for key, what in told]
    return found, sorted(mistakes, key=lambda mistake: mistake.line or 0)


def given(data: object, *names: str) -> Mapping[str, Any]:
    """The table of a document under these names; an empty one where there is none."""
    for name in names:
        data = data.get(name) if isinstance(data, Mapping) else None
    return data if isinstance(data, Mapping) else {}


class _Wrong(NamedTuple):
    """What is wrong at a key; a field that is missing is told of at the table that lacks it."""

    key: str
    what: str
    field: str = ""

    def covers(self, key: str) -> bool:
        """Whether a fault there may only come of what was put in this one's place."""
        own = _join(self.key, self.field) if self.field else self.key
        return key == own or key.startswith((f"{own}.", f"{own}["))


def nearest(name: str, known: Sequence[str]) -> str:
    """What may have been meant, or else what there is: the end of an error message."""
    known = list(dict.fromkeys(known))
    if close := get_close_matches(name, known, 1, 0.6):
        return f"did you mean {close[0]!r}?"
    some = ", ".join(map(repr, known[:12])) + (" ..." if len(known) > 12 else "")
    return f"there are: {some}" if known else "there are none"


def _wrong(data: Any, kind: shape.Type, key: str) -> Iterator[_Wrong]:
    """All that is wrong with a value."""
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
                yield _Wrong(key, _unknown(data, values))
        case shape.UnionType(types=types):
            yield from _wrong(data, _meant(data, types), key)
        case _:
            yield from _wrong_value(data, kind, key)


def _wrong_fields(data: Mapping[str, Any], kind: shape.StructType, key: str) -> Iterator[_Wrong]:
    fields = {field.encode_name: field for field in kind.fields}
    for name, value in data.items():
        if name in fields:
            yield from _wrong(value, fields[name].type, _join(key, name))
        else:
            missing = [one for one in fields if one not in data]
            what = f"no such key: {nearest(name, missing or list(fields))}"
            yield _Wrong(_join(key, name), what)
    for name, field in fields.items():
        if field.required and name not in data:
            yield _Wrong(key, f"{name!r} is missing: give {_called(field.type)}", name)


def _wrong_value(data: Any, kind: shape.Type, key: str) -> Iterator[_Wrong]:
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
                yield _Wrong(key, "has a time zone, which story time has not: leave it out")
                return
        case _:
            right = False
    if not right:
        yield _Wrong(key, f"is {_shown(data)}, but should be {_called(kind)}")


def _mended(data: Any, kind: shape.Type) -> Any:
    """The same with a value that will do in place of each that is wrong."""
    match kind:
        case shape.StructType() if isinstance(data, Mapping):
            return {
                field.encode_name: _mended(data.get(field.encode_name), field.type)
                for field in kind.fields
                if field.required or _is_kept(data.get(field.encode_name), field.type)
            }
        case shape.DictType(value_type=inner, key_type=names) if isinstance(data, Mapping):
            right = [name for name in data if _is_kept(name, names)]
            return {name: _mended(data[name], inner) for name in right}
        case shape.VarTupleType(item_type=inner) if isinstance(data, list):
            return [_mended(one, inner) for one in data]
        case shape.UnionType(types=types):
            return _mended(data, _meant(data, types))
        case _:
            return data if _is_kept(data, kind) else _stand_in(data, kind)


def _is_kept(data: Any, kind: shape.Type) -> bool:
    """Whether there is something of a value to be kept: it is right, or a part of it may be."""
    match kind:
        case shape.StructType() | shape.DictType():
            return isinstance(data, Mapping)
        case shape.VarTupleType():
            return isinstance(data, list)
        case shape.UnionType(types=types):
            return _is_kept(data, _meant(data, types))
        case _:
            return next(_wrong(data, kind, ""), None) is None


def _stand_in(data: Any, kind: shape.Type) -> Any:
    """A value that will do. A text is what it would have been with quotes around it, so that who
    is called 3 in two places is the same."""
    match kind:
        case shape.StrType():
            return str(data)
        case shape.DateTimeType():
            return data.replace(tzinfo=None) if isinstance(data, datetime) else datetime.min
        case shape.LiteralType(values=values):
            return values[0]
        case shape.StructType():
            return _mended({}, kind)
        case shape.DictType():
            return {}
        case shape.VarTupleType():
            return []
        case _:
            return 1


def _meant(data: Any, types: Sequence[shape.Type]) -> shape.Type:
    """Of several types that would do, the one that is complained of."""
    some = [one for one in types if not isinstance(one, shape.NoneType)]
    literals = [one for one in some if isinstance(one, shape.LiteralType)]
    return literals[0] if isinstance(data, str) and literals else some[0]


def _unknown(data: Any, values: Sequence[Any]) -> str:
    texts = [one for one in values if isinstance(one, str)]
    if isinstance(data, str) and texts:
        return f"is {data!r}: {nearest(data, texts)}"
    right = [_shown(one) for one in values]
    return f"is {_shown(data)}, but should be {' or '.join(right)}"


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
            return " or ".join(map(_shown, values))
        case shape.UnionType(types=types):
            return _called(_meant("", types))
        case _:
            return "a table of keys"


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
