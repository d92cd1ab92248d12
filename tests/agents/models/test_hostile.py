"""Servers that mean harm, or mean nothing: whatever one sends is a reply that makes no sense."""

from __future__ import annotations

import tracemalloc
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web
from clients import KINDS, Place
from model_servers import GOOD, Doing, serving

from whoknew.agents.errors import BadReply, Busy, ModelError, Rejected, ServerUnavailable
from whoknew.agents.methods.method import Method
from whoknew.agents.methods.plain import Plain
from whoknew.agents.methods.stepwise import Stepwise
from whoknew.agents.models.model import Reply
from whoknew.engine.plan.plan import Episodes, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called, Failed
from whoknew.testing.models import ASKED
from whoknew.testing.small_chain import SETTING, events_of

DEEP = 100_000


def choice(content: bytes) -> bytes:
    return b'{"choices": [{"message": {"content": %s}}]}' % content


BODIES = {
    "nested lists": b"[" * DEEP,
    "nested objects": b'{"a":' * DEEP,
    "nested and closed": b"[" * DEEP + b"]" * DEEP,
    "nested under usage": b'{"choices": [], "usage": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "nested under what is not read": b'{"x": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "nested content": choice(b"[" * DEEP + b"]" * DEEP),
    "nested candidates": b'{"candidates": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "an endless number": choice(b"9" * DEEP),
    "a number past all bounds": choice(b"1e999999"),
    "not a number": choice(b"NaN"),
    "half an escape": choice(b'"\\ud83d"'),
    "a wrong escape": choice(b'"\\x41"'),
    "no utf-8 within": choice(b'"\xff\xfe"'),
    "zeros": b"\0" * 1000,
    "utf-16": '{"choices": []}'.encode("utf-16"),
    "a mark of order": b"\xef\xbb\xbf{}",
    "a number": b"7",
    "a text": b'"Hello."',
    "true": b"true",
    "two objects": b"{}{}",
    "a number of choices": b'{"choices": 7}',
    "a choice that is none": b'{"choices": [null]}',
    "a message that is none": b'{"choices": [{"message": 7}]}',
    "candidates that are none": b'{"candidates": [7]}',
    "parts that are none": b'{"candidates": [{"content": {"parts": 7}}]}',
    "an object for a text": b'{"candidates": [{"content": {"parts": [{"text": {}}]}}]}',
    "a stream": b'data: {"choices": []}\n\ndata: [DONE]\n\n',
    "blanks": b" " * 100_000,
    "an error with 200": b'{"error": {"message": "quota"}}',
}
HEADERS = {
    "a charset that nobody knows": {"Content-Type": "application/json; charset=klingon"},
    "gzip that is none": {"Content-Encoding": "gzip"},
    "deflate that is none": {"Content-Encoding": "deflate"},
    "no type": {"Content-Type": ""},
    "a wrong type": {"Content-Type": "image/png"},
}


@pytest.fixture(
    params=[kind for kind in KINDS if kind != "sent openai"]
)  # as the other that is sent
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def place(kind: str, monkeypatch: pytest.MonkeyPatch) -> Place:
    return Place(kind, monkeypatch)


async def came_of(place: Place, doing: Doing) -> Reply | ModelError:
    """A reply or one of our own errors, and nothing else."""
    async with place.doing(after=doing) as (model, _):
        try:
            return await model.complete(ASKED)
        except ModelError as error:
            return error


@pytest.mark.parametrize("body", BODIES)
async def test_whatever_a_server_sends_is_a_reply_that_makes_no_sense(
    place: Place, body: str
) -> None:
    came = await came_of(place, Doing(body=BODIES[body]))
    if isinstance(came, Reply):
        assert came.text == ""
    else:
        assert isinstance(came, BadReply | ServerUnavailable)
        assert len(str(came)) < 1000


@pytest.mark.parametrize("method", [Plain(2), Stepwise(2)])
@pytest.mark.parametrize("page", [b"<html>Sign in</html>", b""])
async def test_what_is_no_reply_is_asked_for_again_with_the_same_prompt(
    place: Place, page: bytes, method: Method
) -> None:
    senseless = Doing(body=page, headers={"Content-Type": "text/html"})
    async with place.doing(senseless, senseless) as (model, server):
        assert await method.ask(model, ASKED, str) == GOOD.text
        assert server.asked[0] == server.asked[1] == server.asked[2]
    async with place.doing(after=senseless) as (model, server):
        with pytest.raises(BadReply):
            await method.ask(model, ASKED, str)
        assert server.calls == 3


async def test_after_senseless_replies_a_turn_is_a_failed_turn_and_the_chain_goes_on(
    tmp_path: Path,
) -> None:
    async with serving("openai", after=Doing(body=BODIES["nested and closed"])) as server:
        address = f"{server.url}#stub"
        plan = Plan(
            "ferry",
            episodes=Episodes(play=("sunday",), turns=3, stale=9),
            agents={"everyone": Seat(model=address, memory="none")},
            models={address: ModelSettings(attempts=1)},
        )
        async with open_run(Program.of(plan, SETTING, str(tmp_path / "log.db"))) as run:
            await run.survey()
            report = await run.play()
    assert [one.state for one in report.chains] == ["finished"]
    async with open_log(tmp_path / "log.db") as log:
        bodies = [event.body for event in await events_of(log)]
    errors = [body.error for body in bodies if isinstance(body, Called | Failed)]
    assert len(errors) == 3 * (1 + Seat().reasks) + 3, "each call, and each turn"
    assert all("sent what is no reply" in (error or "") for error in errors)


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
@pytest.mark.parametrize("body", ["nested lists", "an endless number", "zeros", "no utf-8 within"])
async def test_a_refusal_may_be_as_senseless(place: Place, body: str, status: int) -> None:
    came = await came_of(place, Doing(body=BODIES[body], status=status))
    assert isinstance(came, ModelError)
    # Google's SDK reads the body of a refusal before it tells of the status.
    assert str(status) in str(came) or (place.protocol == "gemini" and isinstance(came, BadReply))


@pytest.mark.parametrize("headers", HEADERS)
async def test_senseless_headers_break_nothing(place: Place, headers: str) -> None:
    came = await came_of(place, Doing(headers=HEADERS[headers]))
    assert isinstance(came, Reply | BadReply | ServerUnavailable)


@pytest.mark.parametrize(
    "until",
    [
        "Mon, 01 Jan 99999999999 00:00:00 GMT",
        f"Mon, 01 Jan 2029 {'9' * 30}:00:00 GMT",
        f"Mon, 01 Jan 2029 00:00:00 +{'9' * 30}",
    ],
)
async def test_a_date_beyond_counting_is_no_date_to_wait_for(place: Place, until: str) -> None:
    came = await came_of(place, Doing(status=429, headers={"Retry-After": until}))
    assert isinstance(came, Busy)
    assert came.after is None


@pytest.mark.parametrize("status", [200, 500])
async def test_a_reply_that_swells_is_not_read_to_its_end(place: Place, status: int) -> None:
    """A few hundred kilobytes of gzip are 200 megabytes of blanks."""
    packing = zlib.compressobj(1, wbits=31)
    blanks = [packing.compress(b" " * 1_000_000) for _ in range(200)]
    bomb = b"".join([*blanks, packing.flush()])
    tracemalloc.start()
    try:
        headers = {"Content-Encoding": "gzip"}
        came = await came_of(place, Doing(body=bomb, headers=headers, status=status))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(came, BadReply | ServerUnavailable)
    assert status != 200 or "more than 4 MiB" in str(came)
    assert most < 150_000_000


# sent on


class Sends:
    """A server that sends whoever asks on to another address."""

    def __init__(self, status: int) -> None:
        self._status, self.to = status, ""

    async def answer(self, request: web.Request) -> web.Response:
        if "on" in request.query:
            return web.json_response({"choices": [{"message": {"content": GOOD.text}}]})
        return web.Response(status=self._status, headers={"Location": self.to})


@asynccontextmanager
async def sending(status: int) -> AsyncIterator[tuple[Sends, str]]:
    sends = Sends(status)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", sends.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield sends, f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_no_prompt_is_sent_on_to_another_server(place: Place, status: int) -> None:
    async with serving(place.protocol) as thief, sending(status) as (sends, url):
        sends.to = f"{thief.url}/steal"
        async with place.at(f"{url}/v1") as model:
            with pytest.raises(Rejected, match="name that address if you trust it") as caught:
                await model.complete(ASKED)
        assert thief.calls == 0
    assert thief.url.removesuffix("/v1") in str(caught.value)


@pytest.mark.parametrize("to", ["", "http://[::1", "ftp://x/", "//", "\\", "http://", "data:,x"])
async def test_where_it_is_sent_to_may_be_nowhere(place: Place, to: str) -> None:
    async with sending(307) as (sends, url), place.at(f"{url}/v1") as model:
        sends.to = to
        with pytest.raises(ModelError):
            await model.complete(ASKED)


@pytest.mark.parametrize("kind", ["http", "openai"])
async def test_the_same_server_may_send_it_elsewhere(place: Place) -> None:
    async with sending(307) as (sends, url), place.at(f"{url}/v1") as model:
        sends.to = "/elsewhere?on=1"
        assert (await model.complete(ASKED)).text == GOOD.text
