"""A process beside this one that sends calls: that it keeps the contract of a client, the suites of clients see
(`sent http`, `sent openai`); here, what becomes of calls when it dies, hangs, or cannot be had."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from child_process import is_alive, started
from hypothesis import given
from hypothesis import strategies as st
from model_servers import Doing, Server, serving
from structlog.testing import capture_logs
from waiting import PATIENCE, line_with, until

from whoknew.agents.errors import NoKey, ServerUnavailable
from whoknew.agents.models.calling import call_process
from whoknew.agents.models.calling.call_process import CallProcess, is_worthwhile
from whoknew.agents.models.calling.frames import MOST, Dropping, Frames, ServerAnswer
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.models.retries import Retrying
from whoknew.engine.running.models import opened

SAID = '{"act": "speak", "text": "Good evening."}'


def request(number: int = 0) -> Request:
    return Request("answer", (Message("user", f"What of {number}?"),))


@pytest.fixture
async def process() -> AsyncIterator[CallProcess]:
    async with CallProcess() as process:
        yield process


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving("openai") as server:
        yield server


@pytest.fixture
async def model(process: CallProcess, server: Server) -> AsyncIterator[Model]:
    async with opened(f"{server.url}#m", PATIENCE, sending=process) as model:
        yield model


async def test_many_calls_are_under_way_at_once_and_each_gets_its_own_answer(
    process: CallProcess,
) -> None:
    def echoed(asked: dict) -> Doing:
        return Doing(asked["messages"][0]["content"], wait=0.05)

    async with (
        serving("openai", after=echoed) as server,
        opened(f"{server.url}#m", PATIENCE, sending=process) as model,
    ):
        replies = await asyncio.gather(*(model.complete(request(n)) for n in range(200)))
        assert [reply.text for reply in replies] == [f"What of {n}?" for n in range(200)]
        assert server.peak > MOST


async def test_it_ends_with_whoever_opened_it(server: Server) -> None:
    async with CallProcess() as process:
        async with opened(f"{server.url}#m", PATIENCE, sending=process) as model:
            await model.complete(request())
        pid = process.pid
        assert pid and is_alive(pid)
    assert not is_alive(pid)


async def test_it_is_not_begun_for_models_that_are_not_sent(process: CallProcess) -> None:
    async with opened("offline:", sending=process) as model:
        assert model.name == "offline:"
    assert process.pid is None


async def test_calls_under_way_when_it_dies_fail_for_now_and_the_next_begins_another(
    process: CallProcess, server: Server, model: Model
) -> None:
    server.going.clear()
    calls = [asyncio.create_task(model.complete(request(n))) for n in range(20)]
    await server.until_asked(20)
    first = process.pid
    assert first
    os.kill(first, signal.SIGKILL)
    found = await asyncio.gather(*calls, return_exceptions=True)
    assert {type(error) for error in found} == {ServerUnavailable}
    assert f"process {first}, which sends calls, ended before it answered" in str(found[0])
    server.going.set()
    with capture_logs() as logged:
        assert (await model.complete(request())).text == SAID
    assert [one["event"] for one in logged] == ["caller.replaced"]
    assert process.pid != first


async def test_killed_again_and_again_calls_that_are_made_again_are_all_answered(
    process: CallProcess, server: Server, model: Model
) -> None:
    async def at_once(seconds: float) -> None:
        await asyncio.sleep(0)

    trying = Retrying(model, 50, sleep=at_once)

    pids = set[int]()

    async def killing() -> None:
        for calls in range(30, 180, 30):
            await server.until_asked(calls)
            await until(lambda: process.pid and process.pid not in pids)
            pids.add(process.pid or 0)
            os.kill(process.pid or 0, signal.SIGKILL)

    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        group.create_task(killing())
        room = asyncio.Semaphore(10)

        async def call(number: int) -> None:
            async with room:
                assert (await trying.complete(request(number))).text == SAID

        for number in range(300):
            group.create_task(call(number))
    assert len(pids) == 5
    assert server.calls - 300 <= 5 * 10


async def test_one_that_hangs_is_waited_for_a_while(
    process: CallProcess, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_process, "LATE", 0.1)
    async with opened(f"{server.url}#m", 0.2, sending=process) as model:
        assert process.pid
        os.kill(process.pid, signal.SIGSTOP)
        with pytest.raises(ServerUnavailable, match=r"gave no reply within 0\.3 seconds"):
            await model.complete(request())
        os.kill(process.pid, signal.SIGCONT)


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
        yield waiting, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1#m"


async def test_whoever_is_stopped_stops_its_call_there_too(
    process: CallProcess, waiting: tuple[Waiting, str]
) -> None:
    asked, address = waiting
    async with opened(address, PATIENCE, sending=process) as model:
        call = asyncio.create_task(model.complete(request()))
        await until(lambda: asked.asked)
        assert not asked.gone
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: asked.gone)


async def test_one_that_was_stopped_before_it_was_sent_leaves_nothing(
    process: CallProcess, server: Server, model: Model
) -> None:
    for _ in range(3):
        call = asyncio.create_task(model.complete(request()))
        await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    assert (await model.complete(request())).text == SAID


async def test_what_keeps_a_model_from_being_opened_is_said_at_once(
    process: CallProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(NoKey, match="openai:m needs a key: set OPENAI_API_KEY"):
        async with opened("openai:m", sending=process):
            pass


async def test_where_no_such_process_can_be_had_this_one_makes_the_calls(
    process: CallProcess, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for program in ("/bin/false", "/there/is/none"):
        monkeypatch.setattr(sys, "executable", program)
        with capture_logs() as logged:
            async with opened(f"{server.url}#m", PATIENCE, sending=process) as model:
                assert (await model.complete(request())).text == SAID
        assert "caller.missing" in [one["event"] for one in logged]


PARENT = """
import asyncio, sys
from whoknew.agents.models.calling.call_process import CallProcess
from whoknew.agents.models.model import Message, Request
from whoknew.engine.running.models import opened

async def main():
    async with CallProcess() as process, opened(sys.argv[1], sending=process) as model:
        print("pid", process.pid, flush=True)
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
    monkeypatch.setattr(call_process, "_processors", lambda: 2)
    assert is_worthwhile(64, 1000)
    assert not is_worthwhile(64, 999)
    assert not is_worthwhile(31, 1000)
    monkeypatch.setattr(call_process, "_processors", lambda: 1)
    assert not is_worthwhile(64, 1000)


class Kept:
    """A transport that keeps what is written to it."""

    def __init__(self) -> None:
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data


MESSAGES = st.lists(
    st.one_of(
        st.builds(
            ServerAnswer,
            call=st.integers(0, 2**40),
            status=st.integers(100, 599),
            headers=st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2),
            body=st.binary(max_size=40),
        ),
    ),
    max_size=3 * MOST,
)


@given(messages=MESSAGES, cuts=st.lists(st.integers(1, 200)))
async def test_what_is_said_is_heard_however_it_is_cut_on_the_way(
    messages: list[ServerAnswer], cuts: list[int]
) -> None:
    heard, kept = list[ServerAnswer](), Kept()
    speaking = Frames[Dropping](Dropping, lambda _: None, lambda: None)
    hearing = Frames[ServerAnswer](ServerAnswer, heard.append, lambda: None)
    speaking.connection_made(kept)
    for message in messages:
        speaking.say(message)
    await asyncio.sleep(0)
    left = kept.written
    for cut in [*cuts, len(left)]:
        hearing.data_received(left[:cut])
        left = left[cut:]
    hearing.data_received(left)
    assert heard == messages
