"""Every part that a plan can name, and every importer: ours, and those that packages bring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from whoknew.engine.errors import BrokenPart
from whoknew.engine.part_code import package_of
from whoknew.engine.registry import JUDGES, KINDS, MODELS, Parts, model_form


class PartLine(Struct, frozen=True, kw_only=True):
    """One part: `form` is how a plan names it; `settings` are its keys in a plan, each with what
    holds without it; `needed` are those that a plan has to give; `judges` what a judge can judge;
    `error` says why one from outside cannot be used."""

    kind: str
    name: str
    form: str
    help: str
    source: str
    settings: dict[str, Any] = {}
    needed: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    error: str | None = None


def parts() -> list[PartLine]:
    return [line for kind in KINDS for line in _lines(kind)]


def _lines(kind: Parts) -> Iterator[PartLine]:
    for name in kind.names():
        try:
            entry = kind.entry(name)
        except BrokenPart as error:
            yield PartLine(
                kind=kind.what,
                name=name,
                form=form_of(kind, name),
                help="",
                source=kind.source(name),
                error=str(error),
            )
        else:
            yield PartLine(
                kind=kind.what,
                name=name,
                form=form_of(kind, name),
                help=help_of(entry),
                source=kind.source(name),
                settings=defaults(entry),
                needed=() if kind is MODELS else needed(entry),
                judges=tuple(entry.judges) if kind is JUDGES else (),
            )
    for point in kind.hidden():
        yield PartLine(
            kind=kind.what,
            name=point.name,
            form=form_of(kind, point.name),
            help="",
            source=package_of(point),
            error=f"the name {point.name!r} is taken by one of ours: give it another",
        )


def form_of(kind: Parts, name: str) -> str:
    """How a plan names a part."""
    return model_form(name) if kind is MODELS else name


def judges_of(what: str) -> list[str]:
    """Those of our judges that judge an `episode`, or an `answer`."""
    return [name for name in JUDGES.ours if what in JUDGES.entry(name).judges]


def help_of(entry: type[Struct]) -> str:
    """The line of help: the first of its docstring."""
    return (entry.__doc__ or "").strip().partition("\n")[0]


def defaults(entry: type[Struct]) -> dict[str, Any]:
    """The settings that have a value of their own; the others must be given."""
    fields = msgspec.structs.fields(entry)
    return {
        field.encode_name: msgspec.to_builtins(_default(field))
        for field in fields
        if not field.required
    }


def needed(entry: type[Struct]) -> tuple[str, ...]:
    """The settings that must be given, in the order of their names."""
    fields = msgspec.structs.fields(entry)
    return tuple(sorted(field.encode_name for field in fields if field.required))


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return field.default
    factory: Any = field.default_factory
    return factory()
