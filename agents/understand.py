"""What a model said, turned into the Struct that was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct

from whoknew.agents import lenient
from whoknew.agents.errors import BadAnswer, NotJson

T = TypeVar("T", bound=Struct)

TRIES = 20
"""So many places in a text are tried where an object may begin, and so many fences."""

_LANGUAGE = re.compile(r"[\w-]*+[ \t]*+\n?+")
"""What a fence may begin with."""


def understand(text: str, kind: type[T]) -> T:
    """The answer in a text: JSON as it should be, or as models write it, with prose around it.

    Fields that were not asked for are left out. What cannot be understood is a BadAnswer, in words
    that can be sent back to the model.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        pass
    found: BadAnswer | None = None
    for data in _objects(text):
        if isinstance(data, BadAnswer):
            found = found or data
            continue
        try:
            return msgspec.convert(_named(data, kind), kind, strict=False)
        except msgspec.ValidationError as error:
            found = BadAnswer(f"{_lower(str(error)[:300])}.")
    fields = ", ".join(f'"{name}"' for name in kind.__struct_fields__)
    why = str(found) if found else f"there is no JSON object in {_short(text)}."
    raise BadAnswer(f"{why} Expected was one object with the fields {fields}.")


def understand_one(text: str, kind: type[T]) -> T:
    """The same of a text in which there must not be two answers that differ, nor a field twice: which
    of them holds cannot be told."""
    found = understand(text, kind)
    for data in _objects(text):
        if isinstance(data, BadAnswer):
            continue
        if name := _repeated(data):
            raise BadAnswer(f'"{name}" stands twice in one object: give it once.')
        try:
            other = msgspec.convert(_named(data, kind), kind, strict=False)
        except msgspec.ValidationError:
            continue
        if other != found:
            raise BadAnswer("there are two answers in it that differ: give one.")
    return found


def _repeated(data: Any) -> str:
    """A name that stands twice in an object, however deep that lies."""
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    own = data.repeated or _alike(data) if isinstance(data, lenient.JsonObject) else ""
    return own or next(filter(None, map(_repeated, inner)), "")


def _alike(names: Iterable[str]) -> str:
    """One of some names that is another's, but for how it is written."""
    known: set[str] = set()
    for name in names:
        if _plain(name) in known:
            return name
        known.add(_plain(name))
    return ""


def _plain(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


def _objects(text: str) -> Iterator[dict[str, Any] | BadAnswer]:
    """The objects that a text holds: in a fence first, then anywhere, each with its error."""
    for part in (*islice(_fenced(text), TRIES), text):
        at, left = 0, len(part)  # all tries together read it twice at most, not twenty times
        for _ in range(TRIES):
            at = part.find("{", at)
            if at < 0 or left < 0:
                break
            try:
                data, end = lenient.read(part, at)
            except NotJson as error:
                left -= error.at - at
                at += 1
                yield error
                continue
            left -= end - at
            at = end
            yield data


def _fenced(text: str) -> Iterator[str]:
    """What stands between two fences, each without its language."""
    parts = text.split("```")
    for part in parts[1:-1:2]:
        language = _LANGUAGE.match(part)
        yield part[language.end() :] if language else part


def _named(data: dict[str, Any], kind: type[Struct]) -> dict[str, Any]:
    """The fields that were asked for, whatever the case they were written in."""
    wanted = {field.name.casefold(): field for field in msgspec.structs.fields(kind)}
    named: dict[str, Any] = {}
    for key, value in data.items():
        field = wanted.get(_plain(key))
        if field is not None and not (value is None and not field.required):
            named[field.name] = _one_of(value, field.type)
    return named


def _one_of(value: Any, kind: Any) -> Any:
    """A word of those to choose from, whatever its case."""
    if isinstance(value, str) and get_origin(kind) is Literal:
        said = value.strip().casefold()
        return next((one for one in get_args(kind) if one.casefold() == said), value)
    return value


def _short(text: str) -> str:
    line = " ".join(text[:1000].split())
    return repr(f"{line[:80]}..." if len(line) > 80 else line)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
