"""Calls that another process sends: that they are as those of this one, the suites of clients see (`sent http`,
`sent openai`); here, what becomes of them where it dies, hangs, or cannot be had."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import warnings
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import pytest
from child_process import children, is_alive, started
from model_servers import Doing, Server, serving
from structlog.testing import capture_logs
from waiting import PATIENCE, line_with, until

from whoknew.agents.errors import Busy, ServerUnavailable
from whoknew.agents.models.calling import caller_process
from whoknew.agents.models.calling import sending as calling
from whoknew.agents.models.calling.caller_process import CallerProcess
from whoknew.agents.models.calling.frames import (
    MOST,
    Dropping,
    Posting,
)
from whoknew.agents.models.calling.sending import DEATHS, Sending, is_worthwhile
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.models.retries import Retrying
from whoknew.engine.running.models import opened

SAID = '{"act": "speak", "text": "Good evening."}'


def request(number: int = 0) -> Request:
    return Request("answer", (Message("user", f"What of {number}?"),))


@asynccontextmanager
async def sent(address: str, patience: float = PATIENCE) -> AsyncIterator[tuple[Model, Sending]]:
    """A model whose calls another process sends."""
    async with Sending() as there, opened(address, patience, sending=there) as model:
        assert at_work(there)
        yield model, there


def at_work(sending: Sending) -> CallerProcess | None:
    """The one that can be asked all models."""
    callers = {sending.caller(asked) for asked in sending._models}
    return callers.pop() if len(callers) == 1 else None


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving("openai") as server:
        yield server


def pid_of(sending: Sending) -> int:
    caller = at_work(sending)
    assert caller is not None
    return caller.pid


async def test_many_calls_are_under_way_at_once_and_each_gets_its_own_answer() -> None:
    def echoed(asked: Any) -> Doing:
        return Doing(asked["messages"][0]["content"], wait=0.05)

    async with (
        serving("openai", after=echoed) as server,
        sent(f"{server.url}#m") as (model, sending),
    ):
        replies = await asyncio.gather(*(model.complete(request(n)) for n in range(200)))
        assert [reply.text for reply in replies] == [f"What of {n}?" for n in range(200)]
        assert server.peak > MOST
        assert at_work(sending)
        assert at_work(sending).answers == 200


async def test_until_it_is_there_this_process_sends_the_calls(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "AWAITED", 0.01)
    async with Sending() as sending, opened(f"{server.url}#m", sending=sending) as model:
        assert at_work(sending) is None
        assert (await model.complete(request())).text == SAID
        await until(lambda: at_work(sending))
        assert (await model.complete(request())).text == SAID
        assert at_work(sending)
        assert at_work(sending).answers == 1


async def test_it_ends_with_whoever_began_it(server: Server) -> None:
    async with sent(f"{server.url}#m") as (model, sending):
        await model.complete(request())
        pid = pid_of(sending)
        assert is_alive(pid)
    assert not is_alive(pid)
    assert at_work(sending) is None


async def test_it_is_not_begun_for_models_that_are_not_sent() -> None:
    before = children(os.getpid())
    async with Sending() as sending, opened("offline:", sending=sending) as model:
        assert model.name == "offline:"
        await asyncio.sleep(0)
        assert children(os.getpid()) == before


async def test_calls_under_way_when_it_dies_are_sent_by_this_process_and_there_is_another(
    server: Server,
) -> None:
    async with sent(f"{server.url}#m") as (alone, sending):
        model = Retrying(alone, 1)
        server.going.clear()
        calls = [asyncio.create_task(model.complete(request(n))) for n in range(20)]
        await server.until_asked(20)
        first = pid_of(sending)
        with capture_logs() as logged:
            os.kill(first, signal.SIGKILL)
            await server.until_asked(40)
            server.going.set()
            assert {((await call).text, (await call).attempts) for call in calls} == {(SAID, 2)}
            await until(lambda: at_work(sending))
        assert [line["event"] for line in logged] == ["caller.ended"]
        assert pid_of(sending) != first
        assert (await model.complete(request())).text == SAID
    assert server.calls == 41


async def test_killed_again_and_again_all_calls_are_answered(
    server: Server,
) -> None:
    pids, over = set[int](), asyncio.Event()
    async with sent(f"{server.url}#m") as (alone, sending):
        model = Retrying(alone, 1)

        def another() -> bool:
            caller = at_work(sending)
            return caller is not None and caller.pid not in pids and caller.answers > 20

        async def killing() -> None:
            for _ in range(4):
                await until(another)
                pids.add(pid_of(sending))
                os.kill(pid_of(sending), signal.SIGKILL)
            over.set()

        async def calling(number: int) -> int:
            made = 0
            while made < 30 or not over.is_set():
                assert (await model.complete(request(number))).text == SAID
                made += 1
            return made

        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            group.create_task(killing())
            made = [group.create_task(calling(number)) for number in range(10)]
    assert len(pids) == 4
    assert 0 <= server.calls - sum(one.result() for one in made) <= 4 * 10


def died(logged: Sequence[object], deaths: int) -> bool:
    return len(logged) >= deaths


async def test_where_all_die_before_they_answer_no_more_are_begun(
    server: Server,
) -> None:
    with capture_logs() as logged:
        async with sent(f"{server.url}#m") as (model, sending):
            for deaths in range(1, DEATHS + 1):
                await until(lambda: at_work(sending))
                os.kill(pid_of(sending), signal.SIGKILL)
                await until(partial(died, logged, deaths))
            await until(partial(died, logged, DEATHS + 1))
            assert at_work(sending) is None
            assert (await model.complete(request())).text == SAID
    assert [line["event"] for line in logged] == ["caller.ended"] * DEATHS + ["caller.missing"]


async def test_one_that_hangs_is_killed_and_this_process_sends_its_calls(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "LATE", 0.1)
    async with sent(f"{server.url}#m", 2) as (model, there):
        await model.complete(request())
        os.kill(first := pid_of(there), signal.SIGSTOP)
        reply = await Retrying(model, 1).complete(request())
        assert (reply.text, reply.attempts) == (SAID, 2)
        await until(lambda: not is_alive(first) and at_work(there))


async def test_one_whose_server_alone_is_slow_is_not_killed(server: Server) -> None:
    async with sent(f"{server.url}#m", 0.2) as (model, sending):
        first = pid_of(sending)
        server.going.clear()
        with pytest.raises(ServerUnavailable, match=r"gave no reply within 0\.2 seconds"):
            await model.complete(request())
        server.going.set()
        assert pid_of(sending) == first
        assert is_alive(first)


class Waiting:
    """A server that answers nobody, and sees who has gone."""

    def __init__(self) -> None:
        self.asked = self.gone = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.asked += 1
        with suppress(ConnectionError):
            while await reader.read(2**16):
                pass
        self.gone += 1
        writer.close()


@pytest.fixture
async def waiting() -> AsyncIterator[tuple[Waiting, str]]:
    waiting = Waiting()
    server = await asyncio.start_server(waiting.serve, "127.0.0.1", 0)
    async with server:
        yield waiting, f"http://127.0.0.1:{port_of(server)}/v1#m"


async def test_whoever_is_stopped_stops_its_call_there_too(waiting: tuple[Waiting, str]) -> None:
    asked, address = waiting
    async with sent(address) as (model, _):
        call = asyncio.create_task(model.complete(request()))
        await until(lambda: asked.asked)
        assert not asked.gone
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: asked.gone)


async def test_what_is_dropped_in_the_frame_that_posts_it_is_not_sent(server: Server) -> None:
    async with sent(f"{server.url}#m") as (model, sending):
        await model.complete(request())  # it is open there, as model 0
        assert at_work(sending)
        frames = at_work(sending).frames
        frames.say(Posting(99, 0, "chat/completions", b"{}", 100))
        frames.say(Dropping(99))
        await model.complete(request())
    assert server.calls == 2


async def test_an_answer_that_meets_a_call_in_the_turn_in_which_it_is_stopped_harms_no_other(
    server: Server,
) -> None:
    """The answer is in the socket, and the call is stopped before the loop has read it."""
    async with sent(f"{server.url}#m") as (model, sending):
        await model.complete(request())
        assert at_work(sending)
        pid = pid_of(sending)
        for _ in range(20):
            server.asked.clear()
            stopped, other = (asyncio.create_task(model.complete(request(n))) for n in (1, 2))
            await asyncio.sleep(0)
            pipe = at_work(sending).frames._transport  # where both answers come in
            assert pipe
            pipe.pause_reading()
            await until(lambda: server.calls == 2 and not server.in_flight)
            asyncio.get_running_loop().call_soon(stopped.cancel)
            pipe.resume_reading()
            assert (await other).text == SAID
            await asyncio.wait([stopped])
        assert pid_of(sending) == pid


async def test_a_header_that_is_no_utf_8_is_told_as_far_as_it_is_read() -> None:
    async def refusing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 429 No\r\nRetry-After: \xff\r\nContent-Length: 2\r\n\r\n{}")
        await writer.drain()
        writer.close()

    served = await asyncio.start_server(refusing, "127.0.0.1", 0)
    async with served, sent(f"http://127.0.0.1:{port_of(served)}/v1#m") as (model, sending):
        found = await asyncio.gather(
            *(model.complete(request(n)) for n in range(20)), return_exceptions=True
        )
        assert {type(error) for error in found} == {Busy}
        assert at_work(sending)


def port_of(server: asyncio.Server) -> int:
    port: int = server.sockets[0].getsockname()[1]
    return port


@pytest.mark.parametrize("program", ["/bin/false", "/there/is/none", None])
async def test_where_no_such_process_can_be_had_this_one_sends_the_calls(
    program: str | None, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    with capture_logs() as logged:
        async with Sending() as sending, opened(f"{server.url}#m", sending=sending) as model:
            await until(lambda: logged)
            assert (await model.complete(request())).text == SAID
    assert [line["event"] for line in logged] == ["caller.missing"]


async def test_one_that_does_not_come_to_be_ready_is_killed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caller_process, "BEGINNING", 0.2)
    monkeypatch.setattr(caller_process, "PROGRAM", "import time; time.sleep(1000)")
    before = children(os.getpid())
    with capture_logs() as logged:
        async with Sending() as sending, opened(f"{server.url}#m", sending=sending) as model:
            await until(lambda: logged)
            assert (await model.complete(request())).text == SAID
            assert children(os.getpid()) == before
    (line,) = logged
    assert line["event"] == "caller.missing"
    assert "was not ready within 0.2 seconds" in line["why"]


async def test_a_model_that_it_cannot_open_is_asked_by_this_process(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where its key is set in this process alone, after that one has begun."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    async with Sending() as sending, opened(f"{server.url}#m", sending=sending):
        await until(lambda: at_work(sending))
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        with capture_logs() as logged:
            async with opened("openai:m", sending=sending) as model:
                replies = await asyncio.gather(*(model.complete(request(n)) for n in range(20)))
                replies.append(await model.complete(request()))
                assert {reply.text for reply in replies} == {SAID}
    (line,) = logged
    assert line["event"] == "caller.missing"
    assert "openai:m needs a key" in line["why"]


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 5, 8, 13, 40])
async def test_stopped_while_it_begins_nothing_is_left(turns: int, server: Server) -> None:
    before = children(os.getpid())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        async with Sending() as sending, opened(f"{server.url}#m", sending=sending):
            for _ in range(turns):
                await asyncio.sleep(0.002)
        gc.collect()
    assert children(os.getpid()) == before


PARENT = """
import asyncio, sys
from whoknew.agents.models.calling.sending import Sending
from whoknew.agents.models.model import Message, Request
from whoknew.engine.running.models import opened

async def main():
    async with Sending() as sending, opened(sys.argv[1], sending=sending) as model:
        print("pid", sending._caller.pid, flush=True)
        await model.complete(Request("answer", (Message("user", "What?"),)))

asyncio.run(main())
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
async def test_it_does_not_outlive_who_began_it(
    waiting: tuple[Waiting, str], how: signal.Signals
) -> None:
    asked, address = waiting
    async with started(sys.executable, "-c", PARENT, address, stdout=-1, stderr=-1) as parent:
        pid = int((await line_with(parent.stdout, "pid")).split()[1])
        await until(lambda: asked.asked)
        parent.send_signal(how)
        await until(lambda: asked.gone and not is_alive(pid))


def test_it_is_for_many_calls_many_at_a_time_where_a_processor_is_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calling, "_processors", lambda: 2)
    assert is_worthwhile(64, 1000)
    assert not is_worthwhile(64, 999)
    assert not is_worthwhile(31, 1000)
    monkeypatch.setattr(calling, "_processors", lambda: 1)
    assert not is_worthwhile(64, 1000)
