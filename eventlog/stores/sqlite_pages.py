"""The rows of an SQLite file read off its pages, whatever else of the file is damaged.

No index, no page of another kind and no header is needed: each page that holds rows says so
itself. So what is whole on a page is found, however the file was cut short or written over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from whoknew.eventlog.stamp import LARGEST
from whoknew.eventlog.stores.sqlite_connection import ahead_of

TABLE_LEAF, INDEX_LEAF = 13, 10

LONGEST = LARGEST + 2**16
"""Bytes of a row at most: pages that go on on each other in a circle, damaged or made so, have no end."""

ORDINARY = 8192
"""The size of a log's pages, where its header does not say."""

INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""How many bytes an integer of each serial type takes."""

Value = int | str | bytes | None

Page = Callable[[int], bytes]
"""The page of a number, as long as a page is."""


class PageRow(NamedTuple):
    """`rowid` is None for an entry of an index."""

    rowid: int | None
    values: list[Value]


class _Broken(Exception):
    """What was to be read is not on these pages."""


def rows(path: Path) -> Iterator[PageRow]:
    with path.open("rb") as file:
        size = _page_size(file.read(100))
        count = -(-path.stat().st_size // size)
        ahead = _ahead(ahead_of(path), size)

        def page(number: int) -> bytes:
            if number in ahead:
                return ahead[number]
            if not 0 < number <= count:
                raise _Broken
            file.seek((number - 1) * size)
            return file.read(size).ljust(size, b"\0")

        for number in sorted({*range(1, count + 1), *ahead}):
            yield from _rows_on(number, page, size)


def _page_size(header: bytes) -> int:
    size = int.from_bytes(header[16:18])
    size = 65536 if size == 1 else size
    return size if size in (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536) else ORDINARY


def _ahead(path: Path, size: int) -> dict[int, bytes]:
    """Pages that were committed and not yet written back: newer than those in the file."""
    if not path.exists():
        return {}
    with path.open("rb") as file:
        salt = file.read(32)[16:24]
        committed: dict[int, bytes] = {}
        open_: dict[int, bytes] = {}
        while len(frame := file.read(24 + size)) == 24 + size and frame[8:16] == salt:
            open_[int.from_bytes(frame[:4])] = frame[24:]
            if int.from_bytes(frame[4:8]):
                committed |= open_
                open_ = {}
        return committed


def _rows_on(number: int, page: Page, size: int) -> Iterator[PageRow]:
    content = page(number)
    start = 100 if number == 1 else 0
    kind = content[start]
    if kind not in (TABLE_LEAF, INDEX_LEAF):
        return
    for cell in range(int.from_bytes(content[start + 3 : start + 5])):
        place = start + 8 + 2 * cell
        try:
            yield _row(content, int.from_bytes(content[place : place + 2]), kind, page, size)
        except (_Broken, IndexError, UnicodeDecodeError):
            continue


def _row(content: bytes, at: int, kind: int, page: Page, size: int) -> PageRow:
    length, at = _varint(content, at)
    rowid = None
    most = (size - 12) * 64 // 255 - 23
    if kind == TABLE_LEAF:
        rowid, at = _varint(content, at)
        most = size - 35
    return PageRow(rowid, _values(_payload(content, at, length, most, page, size)))


def _payload(content: bytes, at: int, length: int, most: int, page: Page, size: int) -> bytes:
    """A row's bytes: what is too long for its page goes on on others."""
    if length <= most:
        return content[at : at + length]
    if length > LONGEST:
        raise _Broken
    least = (size - 12) * 32 // 255 - 23
    here = least + (length - least) % (size - 4)
    here = here if here <= most else least
    parts, left = [content[at : at + here]], length - here
    following = int.from_bytes(content[at + here : at + here + 4])
    while left > 0:
        content = page(following)
        following = int.from_bytes(content[:4])
        parts.append(content[4 : 4 + left])
        left -= size - 4
    return b"".join(parts)


def _values(payload: bytes) -> list[Value]:
    end, at = _varint(payload, 0)
    types = []
    while at < end:
        serial, at = _varint(payload, at)
        types.append(serial)
    values: list[Value] = []
    for serial in types:
        value, at = _value(payload, serial, at)
        values.append(value)
    if at != len(payload):
        raise _Broken
    return values


def _value(payload: bytes, serial: int, at: int) -> tuple[Value, int]:
    if serial in INTEGERS:
        end = at + INTEGERS[serial]
        return int.from_bytes(payload[at:end], signed=True), end
    if serial in (0, 8, 9):
        return {0: None, 8: 0, 9: 1}[serial], at
    if serial < 12:
        raise _Broken
    end = at + (serial - 12) // 2
    return (payload[at:end].decode() if serial % 2 else payload[at:end]), end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for byte in range(at, at + 8):
        value = value << 7 | data[byte] & 0x7F
        if data[byte] < 0x80:
            return value, byte + 1
    return value << 8 | data[at + 8], at + 9
