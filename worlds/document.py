"""TOML documents, read as a whole: every mistake at once, each with where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import isfinite
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from msgspec import inspect as shape

from whoknew.eventlog.nearest import closest, guess, nearest
from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.lines import LineNumbers
from whoknew.worlds.setting import Part
from whoknew.worlds.toml_data import no_toml, toml_data

T = TypeVar("T", bound=Struct)

Fault = tuple[str, str]
"""A key of a document, and what is wrong there."""

FAR = 2**63
"""No whole number of a document lies beyond it."""

SHORT = 40
"""Signs of a value that a message has."""

SETTINGS = "settings"
"""A field of this name is no key: it holds what stands under the further keys of a table."""

FURTHER = "further_keys"
"""Says of a table which further keys it may have, in words: where they are too many to be listed."""

More = Callable[[type, Mapping[str, Any]], Mapping[str, shape.Field]]
"""The further keys that a table of a Struct may have which has `settings`, each as a field of it."""


def read(text: str, source: str, kind: type[T]) -> T:
    """The Struct that a text holds; a BadDocument lists all that is wrong with it."""
    try:
        data = toml_data(text)
    except ValueError as error:
        raise BadDocument([no_toml(source, error)]) from None
    wrong = list(_Reader(lambda kind, data: {}).wrong(data, shape.type_info(kind), ""))
    if wrong:
        raise BadDocument(placed(text, source, wrong))
    return msgspec.convert(data, kind)


def sift(
    text: str,
    source: str,
    kind: type[T],
    faults: Callable[[T], Iterable[Fault]] = lambda _: (),
    more: More = lambda kind, data: {},
) -> tuple[T | None, list[Mistake]]:
    """What a text holds, with something that will do in place of each value that is wrong: so that
    `faults` can look at the rest. With it, all that is wrong. None where it is not TOML."""
    try:
        data = toml_data(text)
    except ValueError as error:
        return None, [no_toml(source, error)]
    found, told = sifted(data, kind, faults, more)
    return found, placed(text, source, told)


def sifted(
    data: Any,
    kind: type[T],
    faults: Callable[[T], Iterable[Fault]] = lambda _: (),
    more: More = lambda kind, data: {},
) -> tuple[T, list[Fault]]:
    """What data holds that was read already, and all that is wrong with it."""
    form, reader = shape.type_info(kind), _Reader(more)
    wrong = list(reader.wrong(data, form, ""))
    found = msgspec.convert(reader.mended(data, form), kind)
    beyond = [fault for fault in faults(found) if not any(one.covers(fault[0]) for one in wrong)]
    return found, [*((one.key, one.what) for one in wrong), *beyond]


def given(data: object, *names: str) -> Mapping[str, Any]:
    """The table of a document under these names; an empty one where there is none."""
    for name in names:
        data = data.get(name) if isinstance(data, Mapping) else None
    return data if isinstance(data, Mapping) else {}


class _Wrong(NamedTuple):
    """What is wrong at a key."""

    key: str
    what: str

    def covers(self, key: str) -> bool:
        """Whether a fault there may only come of what was put in this one's place."""
        return key == self.key or key.startswith((f"{self.key}.", f"{self.key}["))


def _keys_for(name: str, kind: shape.StructType, keys: Sequence[str]) -> str:
    """Which key may have been meant by an unknown one, and all that there are."""
    meant = guess(closest(name, keys))
    if further := getattr(kind.cls, FURTHER, ""):
        keys = [one.encode_name for one in kind.fields if one.encode_name != SETTINGS]
        further = f", and {further}"
    listed = f"{', '.join(map(repr, keys))}{further}"
    return f"{meant} There are: {listed}" if meant else f"there are: {listed}"


def placed(text: str, source: str, told: Iterable[Fault]) -> list[Mistake]:
    """All mistakes of a document, such as a plan: each with its line number, in the order of the text."""
    lines = LineNumbers(text)
    mistakes = [Mistake(source, lines.of(key), key, what) for key, what in told]
    return sorted(mistakes, key=lambda mistake: mistake.line or 0)


class _Reader:
    """Looks through data by the types that it should be of."""

    def __init__(self, more: More) -> None:
        self._more = more

    def wrong(self, data: Any, kind: shape.Type, key: str) -> Iterator[_Wrong]:
        """All that is wrong with a value."""
        match kind:
            case shape.StructType() if isinstance(data, Mapping):
                yield from self._wrong_struct(data, kind, key)
            case shape.DictType(value_type=inner, key_type=names) if isinstance(data, Mapping):
                for name, value in data.items():
                    yield from self.wrong(name, names, joined(key, name))
                    yield from self.wrong(value, inner, joined(key, name))
            case shape.VarTupleType(item_type=inner, min_length=least) if isinstance(data, list):
                if len(data) < (least or 0):
                    yield _Wrong(key, f"is empty: give {least} at least")
                for place, one in enumerate(data):
                    yield from self.wrong(one, inner, f"{key}[{place}]")
            case shape.TupleType(item_types=inner) if _fits(data, inner):
                for place, one in enumerate(inner):
                    yield from self.wrong(data[place], one, f"{key}[{place}]")
            case shape.LiteralType(values=values):
                if data not in values or isinstance(data, bool) != (True in values):
                    yield _Wrong(key, _unknown(data, values))
            case shape.UnionType(types=types):
                yield from self.wrong(data, _meant(data, types), key)
            case shape.VarTupleType() if not isinstance(data, list):
                what = f"is {shown(data)}, but should be {_called(kind)}"
                yield _Wrong(key, f"{what}{self._in_lists(data, kind)}")
            case _:
                yield from _wrong_value(data, kind, key)

    def _in_lists(self, data: Any, kind: shape.VarTupleType) -> str:
        """How a value would be right that only lacks the lists around it."""
        inner, depth = kind.item_type, 1
        while isinstance(inner, shape.VarTupleType):
            inner, depth = inner.item_type, depth + 1
        if any(self.wrong(data, inner, "")):
            return ""
        written = msgspec.json.encode(data).decode()
        return f": write {'[' * depth}{written}{']' * depth}" if len(written) < SHORT else ""

    def _wrong_struct(
        self, data: Mapping[str, Any], kind: shape.StructType, key: str
    ) -> Iterator[_Wrong]:
        found = list(self._wrong_fields(data, kind, key))
        yield from found
        checks = getattr(kind.cls, "__post_init__", Part.__post_init__)
        if not found and checks is not Part.__post_init__:
            try:
                msgspec.convert(data, kind.cls)
            except msgspec.ValidationError as error:
                yield _Wrong(key, str(error))

    def _wrong_fields(
        self, data: Mapping[str, Any], kind: shape.StructType, key: str
    ) -> Iterator[_Wrong]:
        fields = self._fields(data, kind)
        for name, value in data.items():
            if name in fields:
                yield from self.wrong(value, fields[name].type, joined(key, name))
            else:
                yield _Wrong(
                    joined(key, name), f"no such key: {_keys_for(name, kind, list(fields))}"
                )
        for name, field in fields.items():
            if field.required and name not in data:
                yield _Wrong(joined(key, name), f"is missing: give {_called(field.type)}")

    def _fields(self, data: Mapping[str, Any], kind: shape.StructType) -> Mapping[str, shape.Field]:
        """The keys that a table may have."""
        fields = {field.encode_name: field for field in kind.fields}
        if fields.pop(SETTINGS, None) is None:
            return fields
        return {**self._more(kind.cls, data), **fields}

    def mended(self, data: Any, kind: shape.Type) -> Any:
        """The same with a value that will do in place of each that is wrong."""
        match kind:
            case shape.StructType() if isinstance(data, Mapping):
                return self._mended_struct(data, kind)
            case shape.DictType(value_type=inner, key_type=names) if isinstance(data, Mapping):
                right = [name for name in data if self._is_kept(name, names)]
                return {name: self.mended(data[name], inner) for name in right}
            case shape.VarTupleType(item_type=inner) if isinstance(data, list):
                return [self.mended(one, inner) for one in data]
            case shape.UnionType(types=types):
                return self.mended(data, _meant(data, types))
            case _:
                return data if self._is_kept(data, kind) else self._stand_in(data, kind)

    def _mended_struct(self, data: Mapping[str, Any], kind: shape.StructType) -> dict[str, Any]:
        found = {
            name: self.mended(data.get(name), field.type)
            for name, field in self._fields(data, kind).items()
            if field.required or (name in data and self._counts(data[name], field.type))
        }
        own = {field.encode_name for field in kind.fields}
        if SETTINGS not in own:
            return found
        further = {name: found.pop(name) for name in list(found) if name not in own}
        return {**found, SETTINGS: further}

    def _counts(self, data: Any, kind: shape.Type) -> bool:
        """Whether a value that may be left out is better than none: of some words another was meant."""
        chosen = _meant(data, kind.types) if isinstance(kind, shape.UnionType) else kind
        return isinstance(chosen, shape.LiteralType) or self._is_kept(data, kind)

    def _is_kept(self, data: Any, kind: shape.Type) -> bool:
        """Whether there is something of a value to be kept: it is right, or a part of it may be."""
        match kind:
            case shape.StructType() | shape.DictType():
                return isinstance(data, Mapping)
            case shape.VarTupleType(min_length=least):
                return isinstance(data, list) and len(data) >= (least or 0)
            case shape.UnionType(types=types):
                return self._is_kept(data, _meant(data, types))
            case _:
                return next(self.wrong(data, kind, ""), None) is None

    def _stand_in(self, data: Any, kind: shape.Type) -> Any:
        """A value that will do. A text is what it would have been with quotes around it, so that
        who is called 3 in two places is the same."""
        match kind:
            case shape.StrType():
                return str(data)
            case shape.DateTimeType():
                return data.replace(tzinfo=None) if isinstance(data, datetime) else datetime.min
            case shape.LiteralType(values=values):
                return values[0]
            case shape.StructType():
                return self.mended({}, kind)
            case shape.DictType():
                return {}
            case shape.VarTupleType():
                return []
            case shape.BoolType():
                return False
            case shape.IntType(ge=least) | shape.FloatType(ge=least):
                return 1 if least is None else least
            case _:
                return 1


def _fits(data: Any, inner: Sequence[shape.Type]) -> bool:
    return isinstance(data, list) and len(data) == len(inner)


def _wrong_value(data: Any, kind: shape.Type, key: str) -> Iterator[_Wrong]:
    match kind:
        case shape.AnyType():
            right = True
        case shape.NoneType():
            right = data is None
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
        yield _Wrong(key, f"is {shown(data)}, but should be {_called(kind)}")
    elif isinstance(kind, shape.StrType) and kind.min_length and not data:
        yield _Wrong(key, f"is empty: give {_called(kind)}")
    elif isinstance(kind, shape.IntType | shape.FloatType):
        yield from _wrong_number(data, kind, key)


def _wrong_number(data: float, kind: shape.IntType | shape.FloatType, key: str) -> Iterator[_Wrong]:
    if not (isinstance(data, int) or isfinite(data)):
        yield _Wrong(key, f"is {data:g}, but should be {_called(kind)}")
    elif not -FAR <= data < FAR and isinstance(data, int):
        yield _Wrong(key, "is too large a number: no whole number of TOML has more than 64 bits")
    elif range_ := _missed(data, kind):
        yield _Wrong(key, f"is {data:g}, but should be {range_}")


def _missed(data: float, kind: shape.IntType | shape.FloatType) -> str:
    """The bounds that a number does not keep to, in words."""
    low, high = kind.ge, kind.le
    if low is not None and high is not None and not low <= data <= high:
        return f"from {low:g} to {high:g}"
    if low is not None and not data >= low:
        return f"{low:g} at least"
    if high is not None and not data <= high:
        return f"{high:g} at most"
    if kind.gt is not None and not data > kind.gt:
        return f"above {kind.gt:g}"
    return ""


def _meant(data: Any, types: Sequence[shape.Type]) -> shape.Type:
    """Of several types that would do, the one that is complained of."""
    for one in types:
        match one:
            case shape.LiteralType() | shape.StrType() if isinstance(data, str):
                return one
            case shape.StructType() | shape.DictType() if isinstance(data, Mapping):
                return one
            case shape.VarTupleType() if isinstance(data, list):
                return one
            case shape.NoneType() if data is None:
                return one
    return next(one for one in types if not isinstance(one, shape.NoneType))


def _unknown(data: Any, values: Sequence[Any]) -> str:
    texts = [one for one in values if isinstance(one, str)]
    if isinstance(data, str) and texts:
        return f"is {data!r}: {nearest(data, texts)}"
    right = [shown(one) for one in values]
    return f"is {shown(data)}, but should be {' or '.join(right)}"


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
        case shape.TupleType(item_types=(first, *_) as inner):
            return f"a list of {len(inner)}, each of it {_called(first)}"
        case shape.VarTupleType(item_type=inner):
            return f"a list, each of it {_called(inner)}"
        case shape.LiteralType(values=values):
            return " or ".join(map(shown, values))
        case shape.UnionType(types=types):
            some = [one for one in types if not isinstance(one, shape.NoneType)]
            return " or ".join(dict.fromkeys(map(_called, some)))
        case _:
            return "a table of keys"


def shown(data: Any) -> str:
    """A value as a message has it."""
    match data:
        case None:
            return "null"
        case bool():
            return str(data).lower()
        case Mapping():
            return "a table"
        case list():
            return "a list"
        case str():
            return repr(data if len(data) < SHORT else f"{data[:SHORT]}...")
        case _:
            return str(data)


def joined(key: str, name: str) -> str:
    name = name if name.replace("_", "").replace("-", "").isalnum() else f'"{name}"'
    return f"{key}.{name}" if key else name
