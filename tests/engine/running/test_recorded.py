"""Law 9: recorded calls tell the same story, in any process, however many are told at once."""

from __future__ import annotations

import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from child_process import started
from model_servers import by_digest, serving
from replay_program import digests, plan

from whoknew.engine.plan.plan import Episodes, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called, Remembered
from whoknew.testing.small_chain import SETTING, digest_of
from whoknew.worlds.setting import Order


async def replayed(
    recorded: Path, log: Path, chains: int, at_once: int, order: Order, seed: str
) -> list[str]:
    """The digests as another process finds them, which replays from the calls alone."""
    program = Path(__file__).parents[2] / "support" / "replay_program.py"
    arguments = [program, recorded, log, str(chains), str(at_once), order]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    replaying = started(sys.executable, *arguments, env=environment, stdout=PIPE, stderr=PIPE)
    async with replaying as process:
        out, error = await process.communicate()
    assert process.returncode == 0, error.decode()
    return out.decode().split()


@pytest.mark.parametrize(("order", "chains"), [("simultaneous", 48), ("random", 16)])
async def test_recorded_calls_tell_the_same_stories(
    tmp_path: Path, order: Order, chains: int
) -> None:
    first = tmp_path / "first.db"
    async with serving("openai", after=by_digest) as server:
        told = await digests(f"{server.url}#stub", str(first), chains, 64, order)
        assert server.calls > chains
    assert len(set(told)) == chains
    for number, (at_once, seed) in enumerate([(1, "0"), (128, "1")]):
        log = tmp_path / f"again{number}.db"
        assert await replayed(first, log, chains, at_once, order, seed) == told
    async with open_log(str(log)) as again:
        events = [one async for one in await again.director("ferry-2")]
    assert all(one.body.model.endswith("#stub") for one in events if isinstance(one.body, Called))


async def test_recorded_vectors_tell_the_same_story(tmp_path: Path) -> None:
    """They stand on both logs under the model that gave them, who recorded them or not."""
    first, again = tmp_path / "first.db", tmp_path / "again.db"
    async with serving("openai") as server:
        told = await story(f"{server.url}#m", "recall", f"{server.url}#e", first)
        vectors = [one for one in server.asked if "input" in one]
        assert len(vectors) < server.calls and any(len(one["input"]) > 1 for one in vectors)
    assert await story(f"recorded:{first}", "recall", f"recorded:{first}", again) == told
    assert await strategies(again) == {f"vectors of {server.url}#e"}


@pytest.mark.parametrize("memory", ["flat", "facts"])
async def test_so_do_those_of_what_was_noted(tmp_path: Path, memory: str) -> None:
    first, again = tmp_path / "first.db", tmp_path / "again.db"
    async with serving("openai") as server:
        told = await story("offline:", memory, f"{server.url}#e", first)
        assert server.calls and all("input" in one for one in server.asked)
    assert await story(f"recorded:{first}", memory, f"recorded:{first}", again) == told
    assert await strategies(again) == {f"{memory}, vectors of {server.url}#e"}


async def strategies(log: Path) -> set[str]:
    async with open_log(log) as opened:
        bodies = [event.body async for event in await opened.director("ferry")]
    return {one.strategy for one in bodies if isinstance(one, Remembered)}


async def story(model: str, memory: str, embedder: str, log: Path) -> str:
    seat = Seat(model=model, memory=memory, settings={memory: {"embedder": embedder}})
    plan = Plan(world="ferry", episodes=Episodes(turns=5, stale=9), agents={"everyone": seat})
    async with open_run(Program.of(plan, SETTING, str(log))) as run:
        await run.survey()
        assert (await run.play()).finished
    async with open_log(log) as opened:
        return await digest_of(opened, "ferry")


@pytest.mark.parametrize("chains", [1, 3])
async def test_the_first_chain_is_found_in_a_log_that_calls_it_by_its_number(
    tmp_path: Path, chains: int
) -> None:
    earlier = tmp_path / "earlier.db"
    program = Program.of(plan("offline:", 3, 8, "round-robin"), SETTING, str(earlier))
    async with open_run(program.beginning_with("ferry-1")) as run:
        await run.survey()
        await run.play()
    async with open_log(earlier) as log:
        told = [await digest_of(log, f"ferry-{number}") for number in range(1, chains + 1)]
    again = tmp_path / "again.db"
    assert await digests(f"recorded:{earlier}", str(again), chains, 8, "round-robin") == told
