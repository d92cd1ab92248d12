"""What came over the network, decoded; and what is wrong with it, in words that name the field, what
was given and what is wanted. Whether something is wrong is for msgspec to say, here as everywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import UnionType
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec import inspect as shape

from whoknew.engine.server.errors import BadRequest
from whoknew.eventlog.nearest import closest, guess
from whoknew.worlds import json_lines

Given = TypeVar("Given", bound=Struct)

LONGEST = 60
"""So much of a value is quoted."""

EXPLAINED = 64 * 1024
"""Bytes of a text that is taken apart to say what is wrong with it: of a longer one msgspec's words are said."""


def sent(content: bytes, kind: type[Given], what: str) -> Given:
    """The Struct that a text of JSON makes. `what` is what the text is called. Its names are looked at
    before anything is made of what stands under them: a megabyte of what nobody asked for costs little."""
    with _told(content, what):
        content.decode()
        try:
            msgspec.json.decode(content, type=dict[_Name, msgspec.Raw], dec_hook=_names(kind, what))
            found = msgspec.json.decode(content, type=kind)
        except msgspec.ValidationError as error:
            raise BadRequest(_misfit(content, kind, what, error)) from None
        json_lines.decoded(content)  # a ValueError where a key within stands there twice
        return found


def converted(given: Any, kind: type[Given], *, strict: bool = True) -> Given:
    """The Struct that fields make. What is not `strict` has its numbers as texts, as a query."""
    try:
        return msgspec.convert(given, kind, strict=strict)
    except msgspec.ValidationError:
        raise BadRequest(_fault(_Part("", given, kind), strict)) from None


def check_name(name: str, kind: type[Struct], what: str) -> None:
    """Whether a Struct has a field of that name: a mistyped one that was ignored would change what is
    asked for, and nobody would be told."""
    known = kind.__struct_encode_fields__
    if name not in known:
        said = f"{what} gives {name[:100]!r}, which is not known here"
        raise BadRequest(": ".join(filter(None, (said, guess(closest(name, known)), taken(kind)))))


def taken(kind: type[Struct]) -> str:
    known = kind.__struct_encode_fields__
    return f"it takes {', '.join(known)}" if known else "it takes nothing"


class _Name:
    """A key of what was sent, which is looked at as it is read."""


def _names(kind: type[Struct], what: str) -> Callable[[type, str], _Name]:
    """What looks at one key after another, and refuses the first that nobody knows, or that comes again."""
    seen: set[str] = set()

    def look(_: type, name: str) -> _Name:
        check_name(name, kind, what)
        if name in seen:
            raise BadRequest(f"{what} is unclear: {json_lines.twice(name)}")
        seen.add(name)
        return _Name()

    return look


@contextmanager
def _told(content: bytes, what: str) -> Iterator[None]:
    """Why a text cannot be read, in plain words."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise BadRequest(
            f"{what} is not JSON: it is not UTF-8 (at byte {error.start}): send UTF-8"
        ) from None
    except RecursionError:
        raise BadRequest(f"{what} is nested too deep: it takes plain fields") from None
    except msgspec.DecodeError as error:
        raise BadRequest(f"{what} is not JSON: {_broken(str(error), len(content))}") from None
    except ValueError as error:
        raise BadRequest(f"{what} is unclear: {error}") from None


def _misfit(content: bytes, kind: type[Struct], what: str, error: msgspec.ValidationError) -> str:
    """What is wrong in JSON that does not make the Struct that is wanted."""
    if len(content) > EXPLAINED:
        return f"{what} does not fit: {error}: {taken(kind)}"
    given = msgspec.json.decode(content)
    if not isinstance(given, dict):
        return f"{what} must be a JSON object: {taken(kind)}"
    return _fault(_Part("", given, kind), strict=True)


class _Part(NamedTuple):
    """A value under its key, and the type that it should have."""

    key: str
    value: Any
    kind: Any


def _broken(error: str, length: int) -> str:
    """Where a text stops to be JSON."""
    if error == "Input data was truncated":
        return f"it ends in the middle (at byte {length})"
    found = re.fullmatch(r"JSON is malformed: (.*) \(byte (\d+)\)", error)
    if found is None:
        return "it holds a number that is too large"
    why, byte = found.groups()
    why = "something follows its end" if why == "trailing characters" else why
    return f"{why} (at byte {byte})"


def _fault(part: _Part, strict: bool) -> str:
    """The first thing that is wrong in a value, as far inside as it can be found."""
    for inner in _parts(part):
        try:
            msgspec.convert(inner.value, inner.kind, strict=strict)
        except msgspec.ValidationError:
            return _fault(inner, strict)
    if missing := next(_missing(part), None):
        return f"{missing.key}: is missing: give {_wanted(shape.type_info(missing.kind))}"
    what = f"must be {_wanted(shape.type_info(part.kind))}, got {_shown(part.value)}"
    return f"{part.key}: {what}" if part.key else what


def _parts(part: _Part) -> Iterator[_Part]:
    """The values that a value is made of."""
    key, value, kind = part.key, part.value, _plain(part.kind)
    if isinstance(value, Mapping) and isinstance(kind, type) and issubclass(kind, Struct):
        for field in msgspec.structs.fields(kind):
            if field.encode_name in value:
                yield _Part(_join(key, field.encode_name), value[field.encode_name], field.type)
    elif isinstance(value, Mapping) and get_origin(kind) is dict:
        for name, one in value.items():
            yield _Part(_join(key, name), one, get_args(kind)[1])
    elif isinstance(value, list) and get_origin(kind) is tuple:
        kinds = get_args(kind)
        if kinds[1:] == (...,):
            kinds = kinds[:1] * len(value)
        if len(kinds) == len(value):
            for place, (one, inner) in enumerate(zip(value, kinds, strict=True)):
                yield _Part(f"{key}[{place}]", one, inner)


def _missing(part: _Part) -> Iterator[_Part]:
    kind = _plain(part.kind)
    if isinstance(part.value, Mapping) and isinstance(kind, type) and issubclass(kind, Struct):
        for field in msgspec.structs.fields(kind):
            if field.required and field.encode_name not in part.value:
                yield _Part(_join(part.key, field.encode_name), None, field.type)


def _plain(kind: Any) -> Any:
    """A type without what is said about it, and without that nothing would do, too."""
    if get_origin(kind) is Annotated:
        return _plain(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        (first, *others) = [one for one in get_args(kind) if one is not type(None)]
        return kind if others else _plain(first)
    return kind


def _wanted(kind: shape.Type) -> str:
    """What a value of a type is called."""
    match kind:
        case shape.UnionType(types=types):
            return " or ".join(_wanted(one) for one in types if not isinstance(one, shape.NoneType))
        case shape.IntType(ge=None):
            return "a whole number"
        case shape.IntType(ge=least, le=None):
            return f"a whole number of {least} or more"
        case shape.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case shape.FloatType(ge=None):
            return "a number"
        case shape.FloatType(ge=least, le=most):
            return f"a number from {least:g} to {most:g}"
        case shape.BoolType():
            return "true or false"
        case shape.StrType(max_length=None):
            return "a text"
        case shape.StrType(max_length=most):
            return f"a text of {most} characters at most"
        case shape.LiteralType(values=values):
            return " or ".join(map(_shown, values))
        case shape.TupleType(item_types=items):
            return f"a list of {len(items)}: {' and '.join(map(_wanted, items))}"
        case shape.VarTupleType(item_type=item, max_length=None):
            return f"a list, each of it {_wanted(item)}"
        case shape.VarTupleType(item_type=item, max_length=most):
            return f"a list of {most} at most, each of it {_wanted(item)}"
        case _:
            return "an object"


def _shown(value: Any) -> str:
    match value:
        case Mapping():
            return "an object"
        case list():
            return f"a list of {len(value)}"
        case str() if len(value) > LONGEST:
            return f"a text of {len(value)} characters"
        case _:
            return msgspec.json.encode(value).decode()


def _join(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name
