"""Several processes at one exam on PostgreSQL: its limits hold for all of them together, calls that may have
been paid for are known, and all are seen and stopped from anywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from kitchen_runs import HOLDING, command, said
from model_servers import Doing, Server, serving, spoken
from shared_exams import ExamSharers, answering, shared_exam
from waiting import PATIENCE
from watch_exams import exam_in

from whoknew.agents.models.model import tokens_of
from whoknew.engine.exams.asked_models import Roles
from whoknew.engine.exams.cells import Cell
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.program import load_exam, read_exam, sit_exam
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.run import ExamOptions, Sat
from whoknew.engine.exams.session import ExamSession, SessionParts
from whoknew.engine.exams.shards import Shard
from whoknew.engine.exams.shared_sitting import SharedSitting
from whoknew.engine.playing.control import Control
from whoknew.eventlog import open_log
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.machinery import CallStarted
from whoknew.eventlog.stores.leases import Leases

WORKERS = 4

PRICED = """
price_in = 400.0
price_out = 800.0
[agents.everyone]
max_tokens = 60
[limits.run]
"""


def billing(asked: Any) -> Doing:
    """What is answered to that, billed as we would count it."""
    doing = answering(asked)
    body = spoken("openai", doing)
    prompt = sum(tokens_of(message["content"]) for message in asked["messages"])
    body["usage"] = {"prompt_tokens": prompt, "completion_tokens": tokens_of(doing.text or "")}
    return Doing(body=msgspec.json.encode(body), wait=0.01)


async def priced(server: Server, folder: Path, limit: str) -> Path:
    path = await asyncio.to_thread(shared_exam, server, folder)
    text = path.read_text("utf-8").replace('by = "rubric"', 'by = "rubric"\nmax_tokens = 60')
    path.write_text(text + PRICED + limit + "\n", "utf-8")
    return path


async def sat(plan: Path, log: str, number: int = WORKERS) -> list[Sat]:
    """By several processes, each of which has a connection and models of its own."""
    options = ExamOptions(log=log)
    return await asyncio.gather(*(sit_exam(load_exam(plan, options)) for _ in range(number)))


async def billed(log: str) -> tuple[int, float]:
    """The calls on the log, and what they cost."""
    async with open_log(log, read_only=True) as opened:
        events = await (await opened.director("lamps")).events()
    calls = [event.body for event in events if isinstance(event.body, Called)]
    return len(calls), sum(one.money or 0 for one in calls)


@pytest.mark.usefixtures("kept_leases")
async def test_a_limit_holds_for_all_who_sit_an_exam(tmp_path: Path, database: str) -> None:
    async with serving("openai", after=billing) as server:
        plan = await priced(server, tmp_path, "money = 4.0")
        reports = await sat(plan, database)
        count, money = await billed(database)
        assert count == server.calls
        assert money <= 4.0
        for one in reports:
            assert one.code == 3
            assert (one.reason or "").startswith("the limit of the run is reached: $")
        [again] = await sat(plan, database, 1)
        count, money = await billed(database)
        assert (again.code, count) == (3, server.calls)
        assert money <= 4.0, "what had been kept for calls under way may be spent, and no more"


async def test_what_a_dead_process_may_have_paid_for_is_known_and_all_are_seen_and_stopped(
    tmp_path: Path, database: str
) -> None:
    """One is killed in its calls, one is stopped by its name, one sits to the end."""
    async with serving("openai", after=answering) as server, AsyncExitStack() as stack:
        server.going.clear()
        plan = await asyncio.to_thread(shared_exam, server, tmp_path)
        sharers = ExamSharers(database, server, plan)
        killed = await stack.enter_async_context(sharers.one())
        await server.until_asked(2)
        killed.kill()
        await killed.wait()
        assert await started(database) == 2
        runs = []
        for asked in (4, 6):
            sitting = command(
                "exam", "run", plan, "--log", database, folder=tmp_path, program=HOLDING
            )
            runs.append(await stack.enter_async_context(sitting))
            await server.until_asked(asked)
        shown = await said("workers", "--log", database, folder=tmp_path, COLUMNS="200")
        names = [f"process {one.pid} on " for one in runs]
        assert all(name in shown for name in names) and "lamps " in shown
        drained, _ = await at_work(database, names[0])
        stopping = command("stop", drained, "--log", database, folder=tmp_path)
        ends = await stack.enter_async_context(stopping)
        assert ends.stderr is not None
        assert b"are finished" in await ends.stderr.readline()
        _, said_last = await at_work(database, names[0])
        async with asyncio.timeout(PATIENCE):  # it hears of it when it says next how it does
            while (await at_work(database, names[0]))[1] < said_last + 0.1:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        server.going.set()
        assert f"stopped {drained}" in (await ends.communicate())[0].decode()
        told = (await runs[0].communicate())[0].decode()
        assert runs[0].returncode == 3 and "It stopped: `whoknew stop`" in told
        told = " ".join((await runs[1].communicate())[0].decode().split())
        assert runs[1].returncode == 0
        assert "2 calls more may have been paid for" in told
        remarks = (await read_exam(load_exam(plan, ExamOptions(log=database)))).table.remarks
        assert any(one.startswith("2 calls more may have been paid for") for one in remarks)


async def at_work(log: str, begins: str) -> tuple[str, float]:
    """The worker whose name begins so, and how long after its beginning it said last how it does."""
    async with open_log(log, read_only=True) as opened:
        assert opened.store.leases is not None
        there = await opened.store.leases.workers.all()
    return next((one.name, one.since - one.silent) for one in there if one.name.startswith(begins))


async def started(log: str) -> int:
    async with open_log(log, read_only=True) as opened:
        events = await (await opened.director("lamps")).events()
    return sum(isinstance(event.body, CallStarted) for event in events)


class OneShard(ExamSession[Cell]):
    """Three pieces of work, all of them in one shard; the second cannot be done, and nothing can be from
    there on."""

    works_begun = 0

    def shards(self) -> Iterator[Shard]:
        yield Shard(lease="lamps one", works=lambda: iter([self._one] * (3 - self.works_begun)))

    async def _one(self) -> None:
        self.works_begun += 1
        if self.works_begun > 1:
            raise LogError("the disk is full")

    def share(self, leases: Leases, scenes: Collection[str] = ()) -> SharedSitting:
        self.shared = super().share(leases, scenes)
        return self.shared


async def test_who_is_at_work_says_how_much_it_has_done_and_not_what_it_refused(
    tmp_path: Path, database: str
) -> None:
    exam = await asyncio.to_thread(partial(exam_in, tmp_path, questions=[]))
    async with open_log(database) as opened:
        log = await ExamLog.of(opened, "watch")
        parts = SessionParts(
            exam=exam, log=log, roles=Roles({}, {}), control=Control(), progress=ExamProgress()
        )
        sitting = OneShard(parts)
        await sitting.sit()
    assert (sitting.works_begun, sitting.control.reason) == (2, "the disk is full")
    assert sitting.shared.sharing.done.turns == 1
