"""Values as a file of LIFESTATE-BENCH may have them: one thing in several forms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.lifestate.keys import Names, named
from whoknew.worlds.json_lines import TOLD


class FormMistakes(Struct):
    """What is wrong, and what is only worth a look, each with its path."""

    mistakes: list[Mistake]
    remarks: list[Remark]

    def wrong(self, where: str, what: str) -> None:
        file, colon, key = where.partition(": ")
        if not colon:
            file, key = "", where
        self.mistakes.append(Mistake(file or "the file", None, key, what))
        if len(self.mistakes) >= TOLD:
            self.check()

    def odd(self, where: str, what: str) -> None:
        file, _, key = where.partition(": ")
        self.remarks.append(Remark(file, key or file, what))

    def check(self) -> None:
        """A BadDocument, where something is wrong."""
        if self.mistakes:
            raise BadDocument(self.mistakes)

    def fields(self, where: str, data: dict[str, Any], names: Names) -> dict[str, Any]:
        """The values of an object by our names for them."""
        fields: dict[str, Any] = {}
        said: dict[str, str] = {}
        for key, value in data.items():
            name = named(key, names)
            if name is None:
                self.odd(f"{where}.{key}", "is no part of the form: left out")
            elif name in fields:
                self.wrong(where, f"says {said[name]!r} and {key!r}, which are one: leave one out")
            else:
                fields[name], said[name] = value, key
        return fields


def items(value: Any) -> Iterator[tuple[str | int, Any]]:
    """What stands in an object by its keys, in a list by its places."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)


def text_of(value: Any) -> str | None:
    """A text, where it is one: a number, or several texts, will do."""
    match value:
        case None:
            return ""
        case bool() | dict():
            return None
        case str():
            return value.strip()
        case int() | float():
            return str(value)
        case list():
            some = [text_of(one) for one in value]
            return None if None in some else "\n".join(one for one in some if one)
        case _:
            return None


def name_of(value: Any) -> str | None:
    """A name, where it is one: as a text, or under the `name` of an object."""
    if isinstance(value, dict):
        value = value.get("name")
    if not isinstance(value, str):
        return None
    return " ".join(value.split()).rstrip(":").rstrip() or None
