"""Exports that nobody wrote: an import is whole and verifies, or is refused and nothing is written.

Some are changed as bytes; of others what they say is changed and every hash made right again.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from adversity.attack import Attack, Ground, Strike
from adversity.mutations import STRANGE, altered, mutated
from small_worlds import elsinore, said

from whoknew.engine.logs.restore import put_back
from whoknew.eventlog import Log, export_log, import_log, open_log, verify
from whoknew.eventlog.chain import GENESIS, link
from whoknew.eventlog.errors import LogError

WORLDS = ("elsinore", "what-if", "early", "another")


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    with ground.fresh() as folder, asyncio.Runner() as loop:
        loop.run(_export(folder / "sound.jsonl"))
        (folder / "key.json").write_text('{"aliases": {"Person1": "Horatio"}}', "utf-8")
        whole = (folder / "sound.jsonl").read_bytes()

        def strike(chance: Random) -> None:
            data = _told_otherwise(whole, chance) if chance.random() < 0.5 else whole
            if data is whole or chance.random() < 0.1:
                data = _lines_otherwise(data, chance)
            zipped = chance.random() < 0.2
            file = folder / ("changed.jsonl.gz" if zipped else "changed.jsonl")
            file.write_bytes(_zipped(data, chance) if zipped else data)
            loop.run(_brought_in(folder, file, folder / "sound.jsonl", chance))
            loop.run(_put_back(folder, file))

        yield strike


ATTACK = Attack(setup=setup, short=150)


async def _export(file: Path) -> None:
    async with open_log(":memory:") as log:
        await elsinore(log)
        await log.fork("elsinore", "what-if", "E1")
        await log.append("what-if", [said("Horatio", "What if?"), said("Horatio", "…")], key="k")
        await log.fork("what-if", "early", "#4")
        await log.append("early", [said("Horatio", "Earlier. ☠")])
        await elsinore(log, "another")
        await export_log(log, file)


# what is changed


def _zipped(data: bytes, chance: Random) -> bytes:
    zipped = gzip.compress(data, 1)
    return mutated(zipped, chance) if chance.random() < 0.7 else zipped


def _lines_otherwise(data: bytes, chance: Random) -> bytes:
    """Bytes are changed, or whole lines are missing, come twice, or stand elsewhere."""
    if chance.random() < 0.5:
        return mutated(data, chance)
    lines = data.splitlines(keepends=True)
    for _ in range(chance.choice((1, 2, 5))):
        one, other = (chance.randrange(len(lines)) for _ in range(2))
        match chance.randrange(4):
            case 0:
                del lines[one]
            case 1:
                lines.insert(other, lines[one])
            case 2:
                lines[one], lines[other] = lines[other], lines[one]
            case _:
                lines[one] = mutated(lines[one], chance)
        lines = lines or [b""]
    return b"".join(lines)


def _told_otherwise(data: bytes, chance: Random) -> bytes:
    """Its first line or some of its events say something else, and all hashes agree."""
    header, *lines = (msgspec.json.decode(line) for line in data.splitlines())
    events = [line["event"] for line in lines]
    strange = _strange(chance)
    for _ in range(chance.choice((1, 1, 2, 3))):
        if chance.random() < 0.5:
            header["worlds"] = altered(header["worlds"], chance, strange)
        else:
            at = chance.randrange(len(events))
            events[at] = altered(events[at], chance, strange)
    return b"\n".join([_encoded(header), *_linked(header, events)]) + b"\n"


def _strange(chance: Random) -> Any:
    """Values that may mean something in an archive."""

    def strange() -> Any:
        known: Any = (*WORLDS, "Horatio", "Hamlet", 3, 4, 9, 14, "1599-06-01T21:00:00")
        return chance.choice(known if chance.random() < 0.6 else STRANGE)

    return strange


def _linked(header: Any, events: list[Any]) -> Iterator[bytes]:
    """The lines of events, each hashed on top of the one before it in its world."""
    worlds = header["worlds"] if isinstance(header["worlds"], list) else []
    named = {str(one.get("name")): one for one in worlds if isinstance(one, dict)}
    tips: dict[str, bytes] = {}
    hashes: dict[tuple[str, Any], bytes] = {}
    for event in events:
        told = event if isinstance(event, dict) else {}
        name, seq, body = str(told.get("world")), str(told.get("seq")), _encoded(event)
        if name not in tips:
            one = named.get(name, {})
            seam = str(one.get("parent")), str(one.get("forked_at"))
            tips[name] = hashes.get(seam, GENESIS) if one.get("parent") else GENESIS
        tips[name] = hashes[name, seq] = link(tips[name], body)
        yield b'{"event":%b,"hash":"%b"}' % (body, tips[name].hex().encode())


def _encoded(value: Any) -> bytes:
    """JSON of whatever Python holds: halves of pairs and endless integers, too."""
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


# what comes of it


async def _brought_in(folder: Path, file: Path, sound: Path, chance: Random) -> None:
    place = str(folder / "log.db") if chance.random() < 0.01 else ":memory:"
    try:
        async with open_log(place) as log:
            if chance.random() < 0.1:
                await import_log(log, sound)
            before = await _heads(log)
            try:
                await import_log(log, file)
            except LogError:
                assert await _heads(log) == before, "refused, but some of it is there"
            else:
                await _check(log, folder / "again.jsonl")
    finally:
        Path(folder / "log.db").unlink(missing_ok=True)


async def _put_back(folder: Path, file: Path) -> None:
    """Names are put back into all of what an import would take, or into nothing."""
    back = folder / "back.jsonl"
    try:
        await put_back(file, folder / "key.json", back)
    except LogError:
        assert not back.exists()
    else:
        async with open_log(":memory:") as log:
            await import_log(log, back)
    finally:
        back.unlink(missing_ok=True)


async def _heads(log: Log) -> list[Any]:
    return await log.worlds()


async def _check(log: Log, again: Path) -> None:
    """It verifies, can be read as anybody, and goes out as a file that comes in again."""
    assert (await verify(log)).faults == ()
    for world in await log.worlds():
        await (await log.director(world.name)).events()
        known = await log.knowledge(world.name)
        for character in known.characters[:3]:
            view = await log.view(world.name, character)
            assert len(await view.events()) == len(view)
            await view.recall("ghost")
    again.unlink(missing_ok=True)
    await export_log(log, again)
    async with open_log(":memory:") as other:
        await import_log(other, again)
        assert (await other.worlds()) == (await log.worlds())
