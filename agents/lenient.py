"""JSON as models write it: single quotes, trailing commas, bare keys, comments, Python's words.

A small reader, from left to right and once: it never evaluates anything. Whatever stands there, the
time that it takes grows with its length and no faster: no expression here can go back on what it has
taken (`++`, `*+`), and no more digits are read than a number can use.

By hand, because libraries do less or more: json5 reads JSON5 and none of the rest, and json-repair
closes what was cut short, so that half an answer would pass for a whole one instead of being asked
for again.
"""

from __future__ import annotations

import re
from typing import Any

from whoknew.agents.errors import NotJson

DEPTH = 60
"""No answer that is asked for is nested deeper; what is, is no answer."""

DIGITS = 400
"""No number is longer: neither an integer that is asked for, nor a float, written out."""

_SPACE = re.compile(r"(?:\s++|//[^\n]*+|/\*.*?\*/|#[^\n]*+)*+", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][+-]?\d++)?+(?![\w.])")
_WORD = re.compile(r"[^\W\d][\w-]*")
_WORDS: dict[str, Any] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
}
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}  # noqa: RUF001
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class JsonObject(dict[str, Any]):
    """An object; `repeated` is a name that stands twice in it, of which the later holds."""

    repeated: str = ""


def read(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at `start`, and where it ends."""
    return _Reader(text).value(start, 0)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        at = self._skip(at)
        sign = self._text[at : at + 1]
        if depth > DEPTH:
            raise NotJson(f"the answer is nested more than {DEPTH} deep.", at)
        if sign == "{":
            return self._object(at + 1, depth)
        if sign == "[":
            return self._array(at + 1, depth)
        if sign in _CLOSING:
            return self._string(at)
        if number := _NUMBER.match(self._text, at):
            if number.end() - at > DIGITS:
                raise NotJson(f"a number has more than {DIGITS} digits.", number.end())
            return _number(number.group()), number.end()
        if (word := _WORD.match(self._text, at)) and word.group() in _WORDS:
            return _WORDS[word.group()], word.end()
        raise self._wrong(at, "a value")

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found = JsonObject()
        while (at := self._skip(at)) < len(self._text):
            if self._text[at] == "}":
                return found, at + 1
            key, at = self._key(at)
            at = self._skip(at)
            if self._text[at : at + 1] != ":":
                raise self._wrong(at, "':'")
            found.repeated = key if key in found else found.repeated
            found[key], at = self.value(at + 1, depth + 1)
            at = self._separator(at, "}")
        raise self._wrong(at, "'}'")

    def _array(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        while (at := self._skip(at)) < len(self._text):
            if self._text[at] == "]":
                return found, at + 1
            one, at = self.value(at, depth + 1)
            found.append(one)
            at = self._separator(at, "]")
        raise self._wrong(at, "']'")

    def _separator(self, at: int, end: str) -> int:
        at = self._skip(at)
        if self._text[at : at + 1] == ",":
            return at + 1
        if self._text[at : at + 1] != end:
            raise self._wrong(at, f"',' or '{end}'")
        return at

    def _key(self, at: int) -> tuple[str, int]:
        if self._text[at] in _CLOSING:
            return self._string(at)
        if word := _WORD.match(self._text, at):
            return word.group(), word.end()
        raise self._wrong(at, "a name")

    def _string(self, at: int) -> tuple[str, int]:
        text, end = self._text, _CLOSING[self._text[at]]
        parts: list[str] = []
        at += 1
        while at < len(text):
            sign = text[at]
            if sign == "\\":
                part, at = self._escape(at + 1)
                parts.append(part)
            elif sign == end and self._ends(at, end):
                return "".join(parts), at + 1
            else:
                stop = self._plain(at + 1, end)
                parts.append(text[at:stop])
                at = stop
        raise self._wrong(at, f"{end} at the end of a text")

    def _plain(self, at: int, end: str) -> int:
        """Where the next sign stands that may mean something in a string."""
        found = re.compile(rf"[\\{re.escape(end)}]").search(self._text, at)
        return found.start() if found else len(self._text)

    def _ends(self, at: int, end: str) -> bool:
        """Whether a quotation mark closes its text: an apostrophe between letters does not."""
        return end == '"' or not (
            self._text[at - 1 : at].isalnum() and self._text[at + 1 : at + 2].isalnum()
        )

    def _escape(self, at: int) -> tuple[str, int]:
        sign = self._text[at : at + 1]
        if sign == "u":
            found = re.compile(r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}").match(
                self._text, at
            )
            if found:
                pair = found.group().replace("u", "").split("\\")
                return _joined(int(pair[0], 16), int(pair[1], 16)), found.end()
            found = re.compile(r"u[0-9a-fA-F]{4}").match(self._text, at)
            if found is None:
                raise self._wrong(at, "four hex digits")
            code = int(found.group()[1:], 16)
            return ("\ufffd" if 0xD800 <= code < 0xE000 else chr(code)), found.end()
        return _ESCAPES.get(sign, sign), at + 1

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def _wrong(self, at: int, expected: str) -> NotJson:
        there = self._text[at : at + 30]
        found = repr(there) if there else "the end"
        return NotJson(f"it is no JSON: {expected} was expected where {found} stands.", at)


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


def _joined(high: int, low: int) -> str:
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
