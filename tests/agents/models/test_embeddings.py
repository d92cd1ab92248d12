"""Vectors of texts from a server that speaks the OpenAI protocol."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import msgspec
import numpy
import pytest
from clients import Place
from model_servers import Doing, embeddings

from whoknew.agents.errors import BadAnswer, BadReply, Busy, ModelError, Rejected
from whoknew.agents.models.hashing import hashed
from whoknew.agents.models.model import EMBED, Message, Request
from whoknew.agents.models.prices import price_of
from whoknew.agents.models.vectors import packed, rows_in, rows_of, unpacked

TEXTS = ("The ferry is late.", "Bread and cheese", "Who saw the lantern?")


def asked(*texts: str) -> Request:
    return Request(EMBED, tuple(Message("user", text) for text in texts))


def rows(text: str, count: int) -> numpy.ndarray:
    return rows_of(unpacked(text, count), count)


def sent(*vectors: Any, **others: Any) -> Doing:
    """What a server says of its vectors, in their order."""
    data = [{"index": index, "embedding": one} for index, one in enumerate(vectors)]
    return Doing(body=msgspec.json.encode({"data": data, **others}))


@pytest.fixture(params=["http", "openai"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Place:
    return Place(request.param, monkeypatch)


async def failing(place: Place, *doings: Doing, texts: tuple[str, ...] = TEXTS) -> ModelError:
    async with place.doing(*doings) as (model, _):
        with pytest.raises(ModelError) as raised:
            await model.complete(asked(*texts))
    return raised.value


async def test_each_text_gets_its_own_vector_in_one_request(place: Place) -> None:
    """Whatever the order in which a server gives them."""
    async with place.doing() as (model, server):
        reply = await model.complete(asked(*TEXTS))
    assert [one["input"] for one in server.asked] == [list(TEXTS)]
    assert server.asked[0]["model"] == "stub"
    wanted = rows(packed([hashed(text) for text in TEXTS]), 3)
    assert numpy.array_equal(rows(reply.text, 3), wanted)
    assert (reply.tokens_in, reply.tokens_out) == (11, 0) and reply.seconds > 0


@pytest.mark.parametrize("usage", [None, 7, {"prompt_tokens": "x"}, {"prompt_tokens": None}])
async def test_vectors_are_none_the_worse_for_tokens_that_are_not_told(
    place: Place, usage: Any
) -> None:
    async with place.doing(sent([1.0, 0.0], usage=usage)) as (model, _):
        reply = await model.complete(asked("Bread"))
    assert reply.tokens_in is None
    assert rows(reply.text, 1).tolist() == [[1.0, 0.0]]


async def test_a_server_that_knows_no_base64_sends_numbers(place: Place) -> None:
    async with place.doing(after=lambda one: embeddings(one, as_numbers=True)) as (model, _):
        reply = await model.complete(asked(*TEXTS))
    async with place.doing() as (model, _):
        assert reply.text == (await model.complete(asked(*TEXTS))).text


async def test_who_counts_no_tokens_gives_vectors_all_the_same(place: Place) -> None:
    async with place.doing(sent([3e300, 4e300])) as (model, _):
        reply = await model.complete(asked("One"))
    assert rows(reply.text, 1)[0] == pytest.approx([0.6, 0.8], abs=1e-3)
    assert (reply.tokens_in, reply.tokens_out) == (None, 0)


async def test_a_server_that_takes_fewer_texts_is_sent_fewer_from_then_on(place: Place) -> None:
    def few(asked: Any) -> Doing:
        many = len(asked["input"]) > 2
        return Doing("batch size > maximum", 413) if many else embeddings(asked)

    texts = [f"This is text {number}" for number in range(7)]
    async with place.doing(after=few) as (model, server):
        first = await model.complete(asked(*texts))
        assert [len(one["input"]) for one in server.asked] == [7, 4, 2, 2, 2, 1]
        server.asked.clear()
        assert await model.complete(asked(*texts)) is not None
        assert [len(one["input"]) for one in server.asked] == [2, 2, 2, 1]
    assert first.text == packed([hashed(text) for text in texts])
    assert first.tokens_in == 28


async def test_of_a_very_long_text_the_beginning_is_sent(place: Place) -> None:
    async with place.doing() as (model, server):
        await model.complete(asked("word " * 9_000))
    assert len(server.asked[0]["input"][0]) == 8_000


@pytest.mark.parametrize(
    ("doing", "why"),
    [
        (sent([1.0], [1.0]), "2 vectors for 3 texts"),
        (sent(*[[1.0]] * 4), "4 vectors for 3 texts"),
        (sent([1.0, 0.0], [1.0], [1.0, 0.0]), "different lengths"),
        (sent([], [], []), "without a number"),
        (sent("", "", ""), "without a number"),
        (sent("AAAA", "AAAA", "AAAA"), "no reply"),
        (sent(*["?"] * 3), "no reply"),
        (sent(*["AADAfwAAAAA="] * 3), "no number"),
        (Doing(body=b'{"data":[{"index":0,"embedding":[NaN]}]}'), "no reply"),
        (Doing(body=b'{"data":[{"index":0,"embedding":[1]}]}'), "1 vectors for 3 texts"),
        (Doing(body=b'{"object":"list"}'), "no reply"),
        (Doing(body=b"<html>"), "no reply"),
    ],
)
async def test_what_is_no_vector_is_told(place: Place, doing: Doing, why: str) -> None:
    error = await failing(place, doing)
    assert type(error) is BadReply and why in str(error)


async def test_a_refusal_is_for_good_and_too_many_requests_for_now(place: Place) -> None:
    error = await failing(place, Doing("No such model.", 404))
    assert type(error) is Rejected and "the name of the model" in str(error)
    error = await failing(place, *[Doing("The context is too long.", 400)] * 2, texts=("One",))
    assert type(error) is Rejected and "too long" in str(error)
    error = await failing(place, Doing("Slow down.", 429, {"Retry-After": "3"}))
    assert isinstance(error, Busy) and error.after == 3


async def test_gemini_says_who_gives_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    error = await failing(Place("gemini", monkeypatch))
    assert type(error) is Rejected and "minilm:" in str(error)


def test_what_vectors_of_openai_cost_is_listed() -> None:
    price = price_of("openai:text-embedding-3-small")
    assert price and price.money(1_000_000, 0) == 0.02


@pytest.mark.parametrize("numbers", [[3.0, 4.0], [float("nan"), 0.0], [float("inf"), 0.0]])
def test_what_is_no_vector_of_length_1_is_none(numbers: list[float]) -> None:
    data = numpy.asarray(numbers, "<f2").tobytes()
    assert rows_in(data, 1) is None
    with pytest.raises(BadAnswer):
        unpacked(b64encode(data).decode(), 1)


@pytest.mark.parametrize(("data", "count"), [(b"", 1), (b"abc", 1), (b"abcdef", 2)])
def test_bytes_that_are_not_so_many_vectors_are_none(data: bytes, count: int) -> None:
    assert rows_in(data, count) is None
