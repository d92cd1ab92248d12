"""What every client of a language model does, against a real server that speaks its protocol: no client
is excused from any of it. Whoever runs it gives the fixture `place`, where one is opened."""

from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import msgspec
import pytest
from adversity.faults import FAULTS
from adversity.hostile import hostile
from clients import KEY, Place
from model_servers import GOOD, Doing
from waiting import PATIENCE

from whoknew.agents.errors import (
    BadReply,
    Busy,
    KeyRefused,
    ModelError,
    Rejected,
    ServerUnavailable,
)
from whoknew.agents.models.model import Message, Request
from whoknew.testing.models import ASKED


async def failing(place: Place, doing: Doing, patience: float = PATIENCE) -> ModelError:
    async with place.doing(after=doing, patience=patience) as (model, server):
        with pytest.raises(ModelError) as caught:
            await model.complete(ASKED)
        assert server.calls == 1 or (server.calls == 0 and patience < PATIENCE)
    assert KEY not in str(caught.value)
    assert model.name in str(caught.value)
    return caught.value


async def test_a_good_answer_comes_with_its_tokens_and_its_time(place: Place) -> None:
    async with place.doing() as (model, server):
        reply = await model.complete(ASKED)
    assert (reply.text, reply.tokens_in, reply.tokens_out) == (GOOD.text, 12, 5)
    assert reply.ended == "stop"
    assert reply.seconds > 0
    assert KEY in str(server.headers[0])


@pytest.mark.parametrize("before", ["", "x" * 160])  # what is long is cut off: here in the key
@pytest.mark.parametrize("status", [200, 400, 401, 429, 500])
async def test_a_key_that_a_server_quotes_in_a_refusal_is_not_told(
    place: Place, status: int, before: str
) -> None:
    said = f"{before}Headers: Bearer {KEY}"
    told = [Doing(said, status), Doing(body=said.encode(), status=status)]
    for doing in told[status == 200 :]:  # with 200 as what is no reply
        assert KEY[:12] not in str(await failing(place, doing))


async def test_a_key_that_a_server_quotes_in_a_reply_is_no_part_of_it(place: Place) -> None:
    async with place.doing(after=Doing(f"It was {KEY}.")) as (model, _):
        reply = await model.complete(Request("remember", (Message("user", "What was it?"),)))
    assert reply.text == "It was [the key]."


async def test_a_key_that_a_server_spells_out_is_no_part_of_a_reply_either(place: Place) -> None:
    spelt = "".join(f"\\u{ord(sign):04x}" for sign in KEY)
    openai = (
        f'"choices": [{{"message": {{"content": "It was {spelt}."}}, "finish_reason": "stop"}}]'
    )
    google = f'"candidates": [{{"content": {{"parts": [{{"text": "It was {spelt}."}}]}}}}]'
    body = f"{{{openai if place.protocol == 'openai' else google}}}"
    async with place.doing(after=Doing(body=body.encode())) as (model, _):
        reply = await model.complete(Request("remember", (Message("user", "What was it?"),)))
    assert reply.text == "It was [the key]."
    refusal = f'{{"error": {{"message": "Not with {spelt}."}}}}'
    assert KEY[:12] not in str(await failing(place, Doing(body=refusal.encode(), status=400)))


async def test_a_key_in_the_place_of_something_else_is_not_told(place: Place) -> None:
    strange = f'{{"choices": "{KEY}", "candidates": [{{"content": "{KEY}", "index": "{KEY}"}}]}}'
    assert KEY[:12] not in str(await failing(place, Doing(body=strange.encode())))


async def test_all_that_was_said_is_sent_with_its_roles_and_the_schema(place: Place) -> None:
    async with place.doing() as (model, server):
        await model.complete(ASKED)
    (body,) = server.asked
    if place.protocol == "openai":
        assert [one["role"] for one in body["messages"]] == ["system", "user", "assistant", "user"]
        most = "max_tokens" if place.kind == "http" else "max_completion_tokens"
        assert (body["temperature"], body[most]) == (0.5, 80)
        schema = body["response_format"]["json_schema"]["schema"]
    else:
        assert body["systemInstruction"]["parts"][0]["text"] == "You are Oda."
        assert [one["role"] for one in body["contents"]] == ["user", "model", "user"]
        schema = body["generationConfig"]["responseJsonSchema"]
    assert schema["required"] == ["act"]


async def test_plain_text_is_asked_for_without_a_schema(place: Place) -> None:
    async with place.doing(after=Doing("It rained.")) as (model, server):
        reply = await model.complete(Request("remember", (Message("user", "What happened?"),)))
    assert reply.text == "It rained."
    assert "json" not in str(server.asked[0])


async def test_a_server_that_knows_no_schemas_is_asked_without_one_from_then_on(
    place: Place,
) -> None:
    field = "response_format" if place.protocol == "openai" else "responseJsonSchema"
    async with place.doing(Doing(f"Unknown name {field}", 400)) as (model, server):
        assert (await model.complete(ASKED)).text == GOOD.text
        await model.complete(ASKED)
    assert [field in str(body) for body in server.asked] == [True, False, False]


async def test_too_many_requests_say_when_to_come_back(place: Place) -> None:
    error = await failing(place, Doing("slow down", 429, {"Retry-After": "7"}))
    assert isinstance(error, Busy)
    assert error.after == 7
    assert "slow down" in str(error)


async def test_too_many_requests_may_not_say_when_to_come_back(place: Place) -> None:
    error = await failing(place, Doing("slow down", 429))
    assert isinstance(error, Busy)
    assert error.after is None


async def test_the_time_to_come_back_can_be_a_date(place: Place) -> None:
    at = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    error = await failing(place, Doing("slow down", 429, {"Retry-After": at}))
    assert isinstance(error, Busy)
    assert error.after is not None
    assert 3000 < error.after <= 3600


async def test_the_time_to_come_back_can_stand_in_what_is_answered(place: Place) -> None:
    """As Google's servers have it."""
    told = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "33.5s"}
    error = await failing(place, told_of(429, details=[told]))
    assert isinstance(error, Busy)
    assert error.after == 33.5


async def test_an_account_with_nothing_left_is_no_reason_to_come_back(place: Place) -> None:
    """OpenAI says so with the status of too many requests."""
    kind = "insufficient_quota"
    error = await failing(place, told_of(429, type=kind, code=kind))
    assert type(error) is KeyRefused
    assert "You exceeded it" in str(error)
    assert "account" in str(error)


async def test_what_a_server_says_in_a_list_is_told_in_its_words(place: Place) -> None:
    body = msgspec.json.encode([{"error": {"code": 500, "message": "Not today."}}])
    error = await failing(place, Doing(status=500, body=body))
    assert str(error).endswith("answered 500: Not today.")


def told_of(status: int, **error: Any) -> Doing:
    told = {"error": {"message": "You exceeded it.", "code": status, **error}}
    return Doing(status=status, body=msgspec.json.encode(told))


@pytest.mark.parametrize("zone", ["", " -0000"])
async def test_a_date_without_a_zone_is_of_greenwich(place: Place, zone: str) -> None:
    at = (datetime.now(UTC) + timedelta(hours=1)).strftime("%a, %d %b %Y %H:%M:%S") + zone
    error = await failing(place, Doing("slow down", 429, {"Retry-After": at}))
    assert isinstance(error, Busy)
    assert error.after is not None
    assert 3000 < error.after <= 3600


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_trouble_on_the_server_is_for_now(place: Place, status: int) -> None:
    error = await failing(place, Doing("overloaded", status))
    assert type(error) is ServerUnavailable
    assert str(status) in str(error)


@pytest.mark.parametrize(
    ("status", "hint"), [(401, "check the key"), (404, "name of the model"), (400, "400")]
)
async def test_a_refusal_of_the_request_is_for_good(place: Place, status: int, hint: str) -> None:
    error = await failing(place, Doing("no such thing", status))
    assert type(error) is (KeyRefused if status == 401 else Rejected)
    assert "no such thing" in str(error)
    assert hint in str(error)


FORBIDDEN = {
    "a region": (
        {"code": "unsupported_country_region_territory", "message": "Country not supported"},
        (KeyRefused, "its region"),
    ),
    "a permission": (
        {"status": "PERMISSION_DENIED", "message": "The API is disabled."},
        (KeyRefused, "permissions of the key"),
    ),
    "a limit of a key": (
        {"code": 403, "message": "Key limit exceeded (total limit)."},
        (KeyRefused, "nothing left to pay with"),
    ),
    "a model": (
        {"code": "model_not_found", "message": "Project `p` does not have access to model `m`"},
        (Rejected, "name of the model"),
    ),
    "a prompt": (
        {"code": 403, "message": "It was flagged.", "metadata": {"flagged_input": "I kill ..."}},
        (Rejected, "It was flagged."),
    ),
}
"""In the words of OpenAI, Gemini and OpenRouter."""


@pytest.mark.parametrize("what", FORBIDDEN)
async def test_what_is_forbidden_is_told_apart(place: Place, what: str) -> None:
    said, (kind, hint) = FORBIDDEN[what]
    error = await failing(place, Doing(status=403, body=msgspec.json.encode({"error": said})))
    assert type(error) is kind
    assert hint in str(error)
    assert ("check the key:" in str(error)) is False
    assert ("permissions" in str(error)) is (what in ("a region", "a permission"))


@pytest.mark.parametrize("breaks", ["at once", "in the middle"])
async def test_a_connection_that_breaks_is_for_now(place: Place, breaks: Any) -> None:
    assert isinstance(await failing(place, Doing(breaks=breaks)), ServerUnavailable)


async def test_a_stall_ends_at_the_time_out(place: Place) -> None:
    error = await failing(place, Doing(wait=600), patience=0.3)
    assert type(error) is ServerUnavailable
    assert "within 0.3 seconds" in str(error)


async def test_a_reply_that_drips_ends_at_the_time_out(place: Place) -> None:
    """It is not begun anew with each byte."""
    async with hostile() as server, place.at(f"{server.url}/v1", patience=0.3) as model:
        server.choose = lambda: FAULTS["a_slow_drip"]
        with pytest.raises(ServerUnavailable, match=r"within 0\.3 seconds"):
            await model.complete(ASKED)


async def test_a_server_that_is_not_there_is_for_now(place: Place) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        async with place.at(f"http://127.0.0.1:{port}/v1") as model:
            with pytest.raises(ServerUnavailable, match="not reached"):
                await model.complete(ASKED)


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>bad gateway</html>", b"\xff\xfe\xfd", b'{"half": ', b"[]", b"{}", b"null"],
    ids=["empty", "html", "no utf-8", "cut off", "a list", "nothing in it", "null"],
)
async def test_what_is_not_in_the_protocol_is_no_reply(place: Place, body: bytes) -> None:
    assert isinstance(await failing(place, Doing(body=body)), (BadReply, ServerUnavailable))


async def test_every_fault_of_a_server_is_a_reply_or_an_error_of_its_model(place: Place) -> None:
    """Nothing else comes out of a client, whatever its SDK makes of it."""
    wrong = {}
    async with hostile() as server, place.at(f"{server.url}/v1", patience=0.3) as model:
        for name, fault in FAULTS.items():
            server.choose = lambda fault=fault: fault
            try:
                assert (await model.complete(ASKED)).text is not None
            except ModelError:
                pass
            except Exception as error:  # noqa: BLE001  (whatever else comes of it)
                wrong[name] = repr(error)[:200]
    assert wrong == {}


async def test_five_megabytes_are_no_reply(place: Place) -> None:
    async with place.doing(after=Doing("x" * 5_000_000)) as (model, _):
        with pytest.raises(BadReply, match="more than 4 MiB"):
            await model.complete(ASKED)


@pytest.mark.parametrize(
    ("doing", "ended", "text"),
    [
        (Doing("", ended="stop"), "stop", ""),
        (Doing(None, ended="refused"), "refused", ""),
        (Doing('{"act": "spe', ended="length"), "length", '{"act": "spe'),
    ],
    ids=["empty", "refused", "cut off at the limit"],
)
async def test_how_an_answer_ended_is_told(
    place: Place, doing: Doing, ended: str, text: str
) -> None:
    async with place.doing(after=doing) as (model, _):
        reply = await model.complete(ASKED)
    assert (reply.ended, reply.text) == (ended, text)
