"""What was sound, changed at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

Bytes = bytes | bytearray


def flipped(data: bytes, chance: Random) -> bytes:
    """A few bits, or whole bytes, or a short run of zeros anywhere."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        at = chance.randrange(len(changed))
        match chance.randrange(4):
            case 0:
                changed[at] = chance.randrange(256)
            case 1:
                length = min(chance.choice((2, 16, 512)), len(changed) - at)
                changed[at : at + length] = bytes(length)
            case _:
                changed[at] ^= 1 << chance.randrange(8)
    return bytes(changed)


def cut(data: bytes, chance: Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def doubled(data: bytes, chance: Random) -> bytes:
    """A piece of it comes twice, or stands somewhere else, too."""
    start, end = sorted(chance.choices(range(len(data) + 1), k=2))
    at = chance.randrange(len(data) + 1)
    return data[:at] + data[start:end] + data[at:]


def without(data: bytes, chance: Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    return data[:start] + data[start + chance.choice((1, 2, 30)) :]


def planted(data: bytes, chance: Random) -> bytes:
    """Something that means something stands where it should not."""
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(TOKENS) + data[at:]


def mutated(data: bytes, chance: Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 4))):
        data = chance.choice((flipped, cut, doubled, without, planted))(data or b"x", chance)
    return data


TOKENS: Sequence[bytes] = (
    b"{",
    b"}",
    b"[" * 2000,
    b'{"a":' * 2000,
    b'"',
    b"\\",
    b"\\ud800",
    b"\\u0000",
    b"\x00",
    b"\xff\xfe",
    b"\r\n",
    b"\r\n\r\n",
    b"```json\n",
    b"```",
    b"/*",
    b"//",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"9" * 400,
    b" " * 5000,
    b"null",
    b"true",
    b",",
    b":",
    "“".encode(),
    "☠".encode(),
    b"%00",
    b"%",
    b"..%2f",
    b"<script>",
)

STRANGE: Sequence[Any] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**63,
    2**64,
    10**400,
    -(10**30),
    0.5,
    "",
    " ",
    "end",
    "#1",
    "#0",
    "#-1",
    "#99999999999999999999",
    "E1",
    "E1.T1",
    "E99999999999999999999",
    "@1599-06-01T21:00",
    "@9999-12-31T23:59",
    "@0001-01-01",
    "recorded:2026-11-20T20:00",
    "recorded:x",
    "a\x00b",
    "\ud800",
    "☠",
    "é\u0301\u202e",
    "x" * 5000,
    "' OR 1=1 --",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    [],
    [[]],
    {},
    {"a": {"a": {"a": []}}},
    [1, "2", None],
)
"""Values that come where others are expected."""


def altered(value: Any, chance: Random, strange: Callable[[], Any]) -> Any:
    """JSON in which one thing, somewhere, is another, is missing, or is one too many."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        match chance.randrange(6):
            case 0:
                return {name: value[name] for name in value if name != key}
            case 1:
                return {**value, str(strange()): strange()}
            case _:
                return {**value, key: altered(value[key], chance, strange)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        match chance.randrange(5):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return [*value[:at], value[at], *value[at:]]
            case _:
                return [*value[:at], altered(value[at], chance, strange), *value[at + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool) and chance.random() < 0.5:
        return value + chance.choice((-1, 1, 2, 10))
    return strange()
