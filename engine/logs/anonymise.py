"""A log without names: exported with an alias for each person, and given its names back."""

from __future__ import annotations

import tempfile
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from whoknew.engine.logs.digest_mask import DigestMask
from whoknew.engine.opening import check_new, reading
from whoknew.eventlog import Event, Kind, Log, export_log, verify
from whoknew.eventlog.archive import becoming, exporting
from whoknew.eventlog.errors import BadAddress, Damaged
from whoknew.eventlog.kinds import CharacterAdded
from whoknew.eventlog.rewriting import events, rewrite
from whoknew.eventlog.shown_address import without_password
from whoknew.worlds.anonymiser import Anonymiser

PLAIN = frozenset({"kind", "act", "at", "recorded", "origin"})
"""Fields whose values are words of ours, and times."""

PACKED = frozenset({"content", "prompt"})
"""Fields that hold compressed text."""

NOTED = "packed"
"""One that holds compressed text, or vectors, which name nobody."""

KINDS: tuple[type[Struct], ...] = (Event, *Kind.__subclasses__())
FIELDS = {"kind", *(field.name for kind in KINDS for field in msgspec.structs.fields(kind))}
"""The keys that are ours; others can be names."""


class Anonymised(Struct, frozen=True):
    """What came of it: the files that were written, and how much is in them."""

    file: str
    key: str
    events: int
    people: int
    spellings: int


class Kept(Struct, frozen=True):
    """The key as it is kept: the aliases; and what was compressed, and the digests, under what stands there
    now."""

    aliases: dict[str, str]
    packed: dict[str, str] = {}
    digests: dict[str, str] = {}


async def anonymise(
    address: str, file: Path, key: Path, world: str | None = None, beside: Iterable[str] = ()
) -> Anonymised:
    """Export a log, or one world of it, with an alias for each name; and the key to them, apart. In the key
    stands also how names are spelt in what there is `beside` it."""
    for new in (file, key):
        check_new(new)
    if file == key:
        raise BadAddress(f"{file} is named twice: keep the key in a file of its own")
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.jsonl"
        async with reading(address) as log:
            await _check_sound(log, address, world)
            header = await export_log(log, whole, world)
        names, texts = await _read(whole)
        texts += [one.name for one in header.worlds]
        texts += beside
        anonymiser = Anonymiser(names, texts)
        mask = DigestMask(anonymiser.hide)
        packed: dict[str, str] = {}
        changed = changing(mask.hide, lambda was, now: packed.update({now: was}))
        with becoming(key) as kept, exporting(file) as hidden:
            count = await rewrite(whole, hidden, changed, mask.hide)
            _write(kept, Kept(anonymiser.key.aliases, packed, mask.masked))
    aliases = anonymiser.key
    return Anonymised(str(file), str(key), count, aliases.people, len(aliases.aliases))


async def _check_sound(log: Log, address: str, world: str | None) -> None:
    """An export without names is chained anew: what is not sound would pass for sound in it."""
    if faults := (await verify(log, world)).faults:
        raise Damaged(
            f"{without_password(address)} is damaged: {faults[0]}; nothing was written: "
            "`whoknew log verify` tells all that is wrong"
        )


def _write(key: Path, kept: Kept) -> None:
    key.write_bytes(msgspec.json.format(msgspec.json.encode(kept)))


async def _read(path: Path) -> tuple[list[str], list[str]]:
    """The names of all characters, and all texts in which they can stand."""
    names: dict[str, None] = {}
    texts: list[str] = []

    def noting(text: str) -> str:
        texts.append(text)
        return text

    async for body in events(path):
        found = msgspec.json.decode(body)
        if found["body"]["kind"] == CharacterAdded.__struct_config__.tag:
            names[found["body"]["name"]] = None
        _map(found, noting)
    return list(names), texts


def changing(
    change: Callable[[str], str],
    noted: Callable[[str, str], None] | None = None,
    packed: dict[str, str] | None = None,
) -> Callable[[bytes], bytes]:
    def changed(body: bytes) -> bytes:
        found = msgspec.json.decode(body)
        return msgspec.json.encode(_map(found, change, noted, packed or {}))

    return changed


def _map(
    value: Any,
    change: Callable[[str], str],
    noted: Callable[[str, str], None] | None = None,
    packed: dict[str, str] | None = None,
    field: str = "",
) -> Any:
    """A JSON value with its texts changed, the words that are ours left as they are."""
    if isinstance(value, str):
        if field in PACKED:
            return _packed(value, change, noted, packed)
        if field == NOTED:
            return _packed(value, change, noted, packed) if _is_text(value) else value
        return value if field in PLAIN else change(value)
    if isinstance(value, list):
        return [_map(one, change, noted, packed, field) for one in value]
    if isinstance(value, dict):
        return {
            key if key in FIELDS else change(key): _map(one, change, noted, packed, key)
            for key, one in value.items()
        }
    return value


def _packed(
    value: str,
    change: Callable[[str], str],
    noted: Callable[[str, str], None] | None,
    packed: dict[str, str] | None,
) -> str:
    """Compressed text, changed inside. What it was is noted: it could be packed otherwise again."""
    if packed and value in packed:
        return packed[value]
    text = zlib.decompress(b64decode(value)).decode()
    now = b64encode(zlib.compress(change(text).encode())).decode()
    if noted:
        noted(value, now)
    return now


def _is_text(value: str) -> bool:
    try:
        zlib.decompress(b64decode(value)).decode()
    except (ValueError, zlib.error):
        return False
    return True
