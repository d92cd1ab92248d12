"""A bank as TOML, as `shelf.find_bank` reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from whoknew.worlds.bank import Bank, Sketch


def toml_of(bank: Bank) -> str:
    heads = [("name", bank.name), ("relationship", bank.relationship)]
    if bank.about:
        heads.append(("about", bank.about))
    lines = [f"{key} = {_value(value)}" for key, value in heads]
    if not bank.sketches:
        lines.append("sketches = []")
    for one in bank.sketches:
        lines += ["", "[[sketches]]", *_sketch(one)]
    return "\n".join(lines) + "\n"


def _sketch(one: Sketch) -> Iterator[str]:
    given = msgspec.to_builtins(one)
    usual = msgspec.to_builtins(Sketch("", "", "", ()))
    for key, value in given.items():
        if key in ("name", "text", "over", "goals") or value != usual[key]:
            yield f"{key} = {_value(value)}"


def _value(value: object) -> str:
    """A value on one line. TOML has no null: what is None is left out."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return _quoted(value)
        case Mapping():
            pairs = [
                f"{_key(key)} = {_value(one)}" for key, one in value.items() if one is not None
            ]
            return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
        case Sequence():
            return f"[{', '.join(map(_value, value))}]"
        case _:
            return str(value)


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if plain else _quoted(key)


def _quoted(text: str) -> str:
    """As JSON, which TOML reads alike, but for one control character that it will not have bare."""
    return msgspec.json.encode(text).decode().replace("\x7f", "\\u007f")
