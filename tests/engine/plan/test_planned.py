"""The plan of a world on its log, whatever stands there in its place."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from command_runner import refused, run
from whoknew_server import begun, episodes, says, served

from whoknew.engine.plan import planned as recorded
from whoknew.engine.plan.planned import plan_of
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.errors import Damaged
from whoknew.eventlog.kinds import Planned

BAD = {
    "junk": b"junk",
    "nothing": b"",
    "no JSON": zlib.compress(b"no JSON"),
    "cut short": zlib.compress(b'{"plan": {}}')[:-4],
    "other keys": zlib.compress(b'{"a": 1}'),
    "null": zlib.compress(b"null"),
    "no seats": zlib.compress(b'{"plan": {"agents": [1]}}'),
    "odd seats": zlib.compress(b'{"plan": {"agents": {"Ann": {"settings": 3}}}}'),
    "too deep": zlib.compress(b"[" * 100_000),
    "no UTF-8": zlib.compress(b'{"plan": "\xff"}'),
}


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(tmp_path / "p.db") as log:
        await begun(log, "sound")
        yield log


async def bad(log: Log, world: str, content: bytes) -> None:
    await begun(log, world)
    await log.append(world, [Draft(Planned(content)), says("Hello."), *episodes(2, 3)])


@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
async def test_what_is_no_plan_is_told_with_its_place(log: Log, content: bytes) -> None:
    await bad(log, "bad", content)
    with pytest.raises(Damaged, match="'bad' #5 holds no plan that can be read"):
        await plan_of(log, "bad", 6)


async def test_no_more_is_unpacked_than_a_plan_can_be(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded, "LARGEST", 1000)
    await bad(log, "bad", zlib.compress(b" " * 1001))
    with pytest.raises(Damaged, match="more than 1,000 bytes"):
        await plan_of(log, "bad", 6)


async def test_a_plan_that_cannot_be_read_hides_no_world_from_the_list(log: Log) -> None:
    for name, content in BAD.items():
        await bad(log, name.replace(" ", "-"), content)
    async with served(log) as server, server.client.get("/api/v1/worlds") as response:
        assert response.status == 200
        lines = await response.json()
    assert len(lines) == len(BAD) + 1
    assert {line["plan"] for line in lines} == {""}


async def test_whoever_would_play_by_it_is_told_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "c.db"
    async with open_log(file) as log:
        await bad(log, "w", b"junk")
    await asyncio.to_thread(run, "fork", "w", "--name", "w2", "--log", file)
    for command in (("run", "--world", "w"), ("run", "--world", "w2"), ("rerun", "w")):
        told = await asyncio.to_thread(refused, *command, "--log", file)
        assert "'w' #5 holds no plan that can be read" in told, command
