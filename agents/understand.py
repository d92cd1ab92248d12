"""What a model said, turned into the Struct that was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct

from whoknew.agents import lenient
from whoknew.agents.errors import BadAnswer

T = TypeVar("T", bound=Struct)

TRIES = 20
"""So many places in a text are tried where an object may begin."""

_FENCE = re.compile(r"```[\w-]*[ \t]*\n?(.*?)```", re.DOTALL)


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
            found = BadAnswer(f"{_lower(str(error))}.")
    fields = ", ".join(f'"{name}"' for name in kind.__struct_fields__)
    why = str(found) if found else f"there is no JSON object in {_short(text)}."
    raise BadAnswer(f"{why} Expected was one object with the fields {fields}.")


def _objects(text: str) -> Iterator[dict[str, Any] | BadAnswer]:
    """The objects that a text holds: in a fence first, then anywhere, each with its error."""
    for part in (*_FENCE.findall(text), text):
        at = tries = 0
        while tries < TRIES and (at := part.find("{", at)) >= 0:
            tries += 1
            try:
                data, at = lenient.read(part, at)
            except BadAnswer as error:
                yield error
                at += 1
                continue
            yield data


def _named(data: dict[str, Any], kind: type[Struct]) -> dict[str, Any]:
    """The fields that were asked for, whatever the case they were written in."""
    wanted = {field.name.casefold(): field for field in msgspec.structs.fields(kind)}
    named: dict[str, Any] = {}
    for key, value in data.items():
        field = wanted.get(key.strip().casefold().replace("-", "_").replace(" ", "_"))
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
    line = " ".join(text.split())
    return repr(f"{line[:80]}..." if len(line) > 80 else line)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
