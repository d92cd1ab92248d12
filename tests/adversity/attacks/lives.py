"""Law 8, of lives that a model makes up: one that is killed at any moment, by a server that fails now and then,
goes on with the same person; nothing that was answered is asked for again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from adversity.attack import Attack, Ground, Strike
from kitchen_runs import command
from life_writers import writing
from model_servers import Answering, Doing, Server, serving

from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called

KILLS = 10

NEW = ("exam", "new", "clonemem", "lives.toml", "--from", "trial:1", "--kinds", "causal")


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    with asyncio.Runner() as loop:
        serves = serving("openai", after=writing)
        server = loop.run(serves.__aenter__())

        @cache
        def whole() -> list[str]:
            return loop.run(_written(ground, server, Random(0), 0))

        def strike(chance: Random) -> None:
            assert loop.run(_written(ground, server, chance, KILLS)) == whole()

        yield strike
        loop.run(serves.__aexit__(None, None, None))


ATTACK = Attack(setup=setup, short=0)  # tests of the command kill it three times


def failing(chance: Random) -> Answering:
    """Now and then what is busy, breaks off, or says what cannot be read."""
    bad = (
        Doing("busy", status=503, headers={"Retry-After": "0"}),
        Doing("too many", status=429, headers={"Retry-After": "0"}),
        Doing(breaks="at once"),
        Doing(breaks="in the middle"),
        Doing("{"),
        Doing('{"job": [[[[' + "[" * 5_000),
    )

    def answer(asked: Any) -> Doing:
        return chance.choice(bad) if chance.random() < 0.05 else writing(asked)

    return answer


async def _written(ground: Ground, server: Server, chance: Random, kills: int) -> list[str]:
    """The traces of a life that was killed so many times as it was written."""
    server.asked.clear()
    server._after = failing(chance) if kills else writing
    with ground.fresh() as folder:
        words = (*NEW, "--model", f"{server.url}#m")
        for _ in range(kills):
            await _killed(server, folder, words, server.calls + chance.randint(1, 25))
        for _ in range(4):  # a step that failed for good is tried again only where that is said
            async with command(*words, "--again", "--json", folder=folder) as process:
                out, error = await process.communicate()
            assert process.returncode in (0, 1), error.decode()
            found = msgspec.json.decode(out)["questions"]
            if not process.returncode:
                break
        assert found["done"] == found["places"] and not found["failed"], found
        digests = await _answered(folder)
        assert len(digests) == len(set(digests)), "an answered call was paid for again"
        return await _traces(folder)


async def _killed(server: Server, folder: Path, words: tuple[str, ...], calls: int) -> None:
    async with command(*words, folder=folder) as process:
        over = asyncio.ensure_future(process.wait())
        asked = asyncio.ensure_future(server.until_asked(calls))
        await asyncio.wait([over, asked], return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        if not over.done():
            process.kill()
        await over


async def _answered(folder: Path) -> list[str]:
    """The digests of the calls of which a readable reply is on the log."""
    async with open_log(folder / "lives.db", read_only=True) as log:
        events = [one.body async for one in log.read("lives")]
    return [
        one.digest
        for one in events
        if isinstance(one, Called) and one.reply and one.reply.endswith("}") and not one.error
    ]


async def _traces(folder: Path) -> list[str]:
    async with open_log(folder / "lives.worlds.db", read_only=True) as log:
        (world,) = await log.worlds()
        return [one.text async for one in log.read(world.name) if one.source]
