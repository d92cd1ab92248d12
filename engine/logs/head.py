"""Heads of worlds, printed to be kept elsewhere, and read again: `whoknew log head`."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from whoknew.engine.errors import BadHead
from whoknew.engine.opening import reading
from whoknew.eventlog import Head


class _KeptHead(Struct):
    """A head as `log head --json` printed it."""

    world: str
    seq: Annotated[int, Meta(ge=1, lt=10**18)]
    hash: str


async def heads(address: str, world: str | None = None) -> list[Head]:
    async with reading(address) as log:
        names = [world] if world else [one.name for one in await log.worlds()]
        return [await log.head(name) for name in names]


def kept(printed: Sequence[str], file: Path | None = None) -> list[Head]:
    """Heads that were kept elsewhere, given one by one or in a file, as lines or as JSON."""
    found = [parse_head(line) for line in printed]
    if file is None:
        return found
    text = sys.stdin.read() if str(file) == "-" else file.read_text("utf-8", errors="replace")
    source = "stdin" if str(file) == "-" else str(file)
    in_file = _from_json(text, source) if text.lstrip()[:1] == "[" else _from_lines(text)
    if not in_file:
        raise BadHead(f"{source} holds no head: `whoknew log head LOG` prints them")
    return found + in_file


def parse_head(line: str) -> Head:
    """A head as it was printed: `world #seq hash`."""
    found = re.fullmatch(r"(.+) #([0-9]{1,18}) ([0-9a-f]{64})", line.strip())
    if not found:
        shown = line.strip() if len(line.strip()) <= 80 else f"{line.strip()[:80]}..."
        raise BadHead(f"{shown!r} is no head: it is printed as `world #seq hash`")
    return Head(found[1], int(found[2]), bytes.fromhex(found[3]))


def _from_lines(text: str) -> list[Head]:
    return [parse_head(line) for line in text.splitlines() if line.strip()]


def _from_json(text: str, source: str) -> list[Head]:
    try:
        found = msgspec.json.decode(text, type=list[_KeptHead])
        return [Head(one.world, one.seq, bytes.fromhex(one.hash)) for one in found]
    except ValueError as error:
        raise BadHead(f"{source} is not what `log head --json` prints: {error}") from None
