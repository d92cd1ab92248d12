"""What worlds are made of, written as TOML, so that `document` reads it as it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from whoknew.worlds.setting import Part


def toml_of(part: Part) -> str:
    """A file of its own: a bank, or a setting."""
    return msgspec.toml.encode(_given(part)).decode()


def _given(value: Any) -> Any:
    """Without what goes without saying: TOML has no null, and a file of defaults hides what it is
    about."""
    match value:
        case msgspec.Struct():
            fields = msgspec.structs.fields(value)
            given = {field.name: (field, getattr(value, field.name)) for field in fields}
            return {
                name: _given(inner)
                for name, (field, inner) in given.items()
                if field.required or inner != _default(field)
            }
        case Mapping():
            return {key: _given(inner) for key, inner in value.items()}
        case tuple() | list():
            return [_given(inner) for inner in value]
        case _:
            return value


def _default(field: msgspec.structs.FieldInfo) -> Any:
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()
