"""On which line of a TOML text a key stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r]+|\#[^\n]*)
    | (?P<newline>\n)
    | (?P<text>\"\"\"(?:\\.|[^\\])*?\"{3,5}|'''.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')
    | (?P<word>[A-Za-z0-9_+:.\-]+)
    | (?P<sign>\[\[|\]\]|[\[\]{}=,])
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


class TomlToken(NamedTuple):
    kind: str
    text: str
    line: int


class LineNumbers:
    """Made from a text that is TOML: one pass, which gives each key its line."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0
        self._found: dict[str, int] = {}
        self._counts: dict[str, int] = {}
        self._document()

    def of(self, key: str) -> int | None:
        """The line of a key, or of the nearest thing around it."""
        while key not in self._found and key:
            key = key.rpartition("[")[0] if key.endswith("]") else _parent(key)
        return self._found.get(key)

    def _document(self) -> None:
        table = ""
        while token := self._peek():
            if token.kind == "newline":
                self._at += 1
            elif token.text in ("[", "[["):
                table = self._header()
            else:
                self._pair(table)

    def _header(self) -> str:
        opening = self._next()
        names = self._key()
        self._next()
        key = ""
        for number, name in enumerate(names, start=1):
            key = _join(key, name)
            if opening.text == "[[" and number == len(names):
                self._counts[key] = self._counts.get(key, -1) + 1
            if key in self._counts:
                key = f"{key}[{self._counts[key]}]"
            self._found.setdefault(key, opening.line)
        if opening.text == "[[":
            self._found.setdefault(key.rpartition("[")[0], opening.line)
        return key

    def _pair(self, table: str) -> None:
        line = self._tokens[self._at].line
        key = table
        for name in self._key():
            key = _join(key, name)
            self._found.setdefault(key, line)
        self._next()
        self._value(key)

    def _value(self, key: str) -> None:
        token = self._next()
        if token.text == "{":
            self._inline(key)
        elif token.text in ("[", "[["):
            self._list(key, nested=token.text == "[[")

    def _inline(self, key: str) -> None:
        while (token := self._peek()) and token.text != "}":
            if token.text == "," or token.kind == "newline":
                self._at += 1
            else:
                self._pair(key)
        self._at += 1

    def _list(self, key: str, *, nested: bool) -> None:
        """`[[` in a value are two lists, one in the other; so are `]]` their ends."""
        if nested:
            self._split()
        place = 0
        while (token := self._peek()) and token.text not in ("]", "]]"):
            if token.text == "," or token.kind == "newline":
                self._at += 1
            else:
                self._found.setdefault(f"{key}[{place}]", token.line)
                self._value(f"{key}[{place}]")
                place += 1
        if token and token.text == "]]":
            self._split(consumed=False)
        self._at += 1

    def _split(self, *, consumed: bool = True) -> None:
        """Take a double sign as two: of one that was consumed, the second is still to come."""
        at = self._at - 1 if consumed else self._at
        sign = self._tokens[at]
        halves = [TomlToken("sign", sign.text[0], sign.line)] * 2
        self._tokens[at : at + 1] = halves

    def _key(self) -> list[str]:
        """The names of a dotted key, up to the sign that ends it."""
        names: list[str] = []
        while (token := self._peek()) and token.text not in ("=", "]", "]]"):
            self._at += 1
            if token.kind == "text":
                names.append(token.text[1:-1])
            else:
                names += [name for name in token.text.split(".") if name]
        return names

    def _peek(self) -> TomlToken | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _next(self) -> TomlToken:
        self._at += 1
        return self._tokens[self._at - 1]


def _tokens(text: str) -> Iterator[TomlToken]:
    line = 1
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or "other"
        if kind != "space":
            yield TomlToken(kind, found.group(), line)
        line += found.group().count("\n")


def _join(key: str, name: str) -> str:
    name = name if name.replace("_", "").replace("-", "").isalnum() else f'"{name}"'
    return f"{key}.{name}" if key else name


def _parent(key: str) -> str:
    """The key around a key, whose last name may be quoted and hold dots."""
    found = re.match(r'^(.*?)\.?("[^"]*"|[^."]+)$', key)
    return found.group(1) if found else key.rpartition(".")[0]
