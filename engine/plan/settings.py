"""The settings of parts: what a plan may say of a memory, a method, an agent or a judge that it names,
beyond what all of them have; and the parts that a plan brings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec import inspect as shape

from whoknew.engine.errors import BrokenPart, NoSuchPart
from whoknew.engine.part_code import check_beside, is_place
from whoknew.engine.plan.plan import Judging, Seat
from whoknew.engine.registry import (
    AGENTS,
    CONTROLS,
    JUDGES,
    MEMORIES,
    METHODS,
    MODELS,
    Parts,
    model_part,
)
from whoknew.worlds.document import More

OF_A_SEAT = (MEMORIES, METHODS, AGENTS)

Announce = Callable[[str], None]
"""Is told what is about to be loaded."""


def quietly(what: str) -> None:
    """Tell nobody."""


def more(kind: type, data: Mapping[str, Any]) -> Mapping[str, shape.Field]:
    """The further keys of a seat: a table of settings for each part, by its name; those of a judge,
    which is one part: its settings."""
    if issubclass(kind, Seat):
        return _tables(kind, data)
    if kind is Judging and (entry := entry_of(JUDGES, data.get("by"))):
        return fields_of(entry)
    return {}


def trusting(beside: Path | None, announce: Announce) -> More:
    """The same in a plan file that was given on the command line: what it names as `module:Name` is
    announced, and loaded."""

    tried: set[tuple[str, str]] = set()

    def loading(kind: type, data: Mapping[str, Any]) -> Mapping[str, shape.Field]:
        for parts, name in _named(kind, data):
            if (parts.what, name) not in tried:
                tried.add((parts.what, name))
                admit(parts, name, beside, announce)
        return more(kind, data)

    return loading


def admit(parts: Parts, name: str, beside: Path | None, announce: Announce) -> None:
    """Load a part that a trusted plan names as `module:Name`."""
    if not is_place(name) or name in parts.ours or name in parts.elsewhere:
        return
    check_beside(name, beside)
    if name not in parts.outside:
        announce(f"loading {name}, the {parts.what} that the plan names")
        parts.admit(name, beside)


def _named(kind: type, data: Mapping[str, Any]) -> Iterator[tuple[Parts, str]]:
    """The parts that a table names."""
    for parts in OF_A_SEAT if issubclass(kind, Seat) else (JUDGES,) if kind is Judging else ():
        name = data.get("by" if parts is JUDGES else parts.what)
        if isinstance(name, str):
            yield parts, name
    if issubclass(kind, (Seat, Judging)) and isinstance(address := data.get("model"), str):
        yield MODELS, model_part(address)


def _tables(kind: type[Seat], data: Mapping[str, Any]) -> Mapping[str, shape.Field]:
    """A table is looked into where it is given; of the others it is enough that they may be."""
    found = {
        name: optional(name, shape.AnyType())
        for parts in (*OF_A_SEAT, CONTROLS)
        for name in parts.ours
    }
    for parts in OF_A_SEAT:
        if isinstance(named := data.get(parts.what), str):  # what does not load is told elsewhere
            found[named] = optional(named, shape.DictType(shape.StrType(), shape.AnyType()))
    for name in data.keys() - set(kind.__struct_fields__):
        named_by = [parts for parts in OF_A_SEAT if data.get(parts.what) == name]
        if len(named_by) > 1:  # for which of them its settings are is told elsewhere
            continue
        every = sorted((*OF_A_SEAT, CONTROLS), key=lambda parts: name not in parts.ours)
        for parts in named_by or every:
            if entry := entry_of(parts, name):
                found[name] = optional(name, shape.type_info(entry))
                break
    return found


def fields_of(entry: type[Struct]) -> Mapping[str, shape.Field]:
    form = shape.type_info(entry)
    fields = form.fields if isinstance(form, shape.StructType) else ()
    return {field.encode_name: field for field in fields}


def optional(name: str, form: shape.Type) -> shape.Field:
    return shape.Field(name, name, form, required=False)


def entry_of(parts: Parts, name: object) -> type[Struct] | None:
    """The entry of a name, where there is one that loads."""
    try:
        return parts.entry(name) if isinstance(name, str) else None
    except (NoSuchPart, BrokenPart):
        return None
