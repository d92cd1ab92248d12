"""Retries, limits, prices and addresses."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs

from whoknew.agents.errors import (
    BadModel,
    BadReply,
    Busy,
    ModelError,
    NotCalled,
    NotRecorded,
    Rejected,
    ServerUnavailable,
)
from whoknew.agents.models.limits import Limited, Limits
from whoknew.agents.models.model import Message, Reply, Request, Sampling
from whoknew.agents.models.prices import NOTHING, Price, price_of, prices
from whoknew.agents.models.recorded import Calls, Recorded
from whoknew.agents.models.retries import Retrying
from whoknew.engine import registry
from whoknew.engine.running.models import opened

ASKED = Request("act", (Message("user", "x" * 400),), None, Sampling(max_tokens=100))


class Model:
    """Fails as often as it is told, then answers; and counts."""

    name = "m:"

    def __init__(self, failures: Sequence[ModelError] = (), wait: float = 0.0) -> None:
        self._failures, self._wait = list(failures), wait
        self.calls = self.in_flight = self.peak = 0

    async def complete(self, request: Request) -> Reply:
        self.calls += 1
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            await asyncio.sleep(self._wait)
        finally:
            self.in_flight -= 1
        if self._failures:
            raise self._failures.pop(0)
        return Reply(text="Yes.", tokens_in=50, tokens_out=50)


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


def retrying(model: Model, clock: Clock, attempts: int = 6) -> Retrying:
    return Retrying(model, attempts, sleep=clock.sleep, chance=lambda: 0.5)


async def test_what_fails_for_now_is_made_again_later_and_later() -> None:
    model, clock = Model([ServerUnavailable(why) for why in "abc"]), Clock()
    reply = await retrying(model, clock).complete(ASKED)
    assert (reply.attempts, model.calls) == (4, 4)
    assert clock.slept == sorted(clock.slept)
    assert clock.slept[-1] >= 2 * clock.slept[0]


async def test_what_no_server_is_to_blame_for_is_made_again_at_once_and_counts_as_made() -> None:
    model, clock = (
        Model([NotCalled("it died"), ServerUnavailable("a"), NotCalled("it died")]),
        Clock(),
    )
    reply = await retrying(model, clock, attempts=2).complete(ASKED)
    assert (reply.attempts, model.calls, len(clock.slept)) == (4, 4, 1)
    model, clock = Model([NotCalled("it died"), Rejected("no")]), Clock()
    with pytest.raises(Rejected) as caught:
        await retrying(model, clock, attempts=1).complete(ASKED)
    assert (model.calls, caught.value.attempts, clock.slept) == (2, 2, [])


async def test_the_server_is_taken_at_its_word() -> None:
    clock = Clock()
    await retrying(Model([Busy("later", 7.0)]), clock).complete(ASKED)
    assert 7.0 <= clock.slept[0] <= 8.5


async def test_hours_are_not_waited() -> None:
    model, clock = Model([Busy("later.", 7200.0)]), Clock()
    with pytest.raises(Busy, match="a wait of 7200 seconds, more than the 120"):
        await retrying(model, clock).complete(ASKED)
    assert clock.slept == []


async def test_each_retry_is_logged_with_what_waits_for_how_long_and_why() -> None:
    with capture_logs() as logged:
        await retrying(Model([Busy("429: slow down", 7.0)]), Clock()).complete(ASKED)
    assert logged == [
        {
            "event": "call.retried",
            "log_level": "info",
            "model": "m:",
            "purpose": "act",
            "attempt": 1,
            "seconds": 8.0,
            "why": "429: slow down",
        }
    ]


async def test_what_is_refused_for_good_is_not_made_again() -> None:
    model, clock = Model([Rejected("no")]), Clock()
    with pytest.raises(Rejected):
        await retrying(model, clock).complete(ASKED)
    assert (model.calls, clock.slept) == (1, [])


async def test_what_makes_no_sense_is_not_waited_for() -> None:
    """Whoever asks for an answer asks again, as often as it is told to, and each time is on the log."""
    model, clock = Model([BadReply("<html>")]), Clock()
    with pytest.raises(BadReply):
        await retrying(model, clock).complete(ASKED)
    assert (model.calls, clock.slept) == (1, [])


async def test_a_refusal_after_a_failure_ends_it_too() -> None:
    model = Model([ServerUnavailable("a"), Rejected("no")])
    with pytest.raises(Rejected) as caught:
        await retrying(model, Clock()).complete(ASKED)
    assert (model.calls, caught.value.attempts) == (2, 2)


async def test_in_the_end_it_gives_up_and_says_how_often_it_tried() -> None:
    model = Model([ServerUnavailable("gone")] * 9)
    with pytest.raises(ServerUnavailable, match="gone") as caught:
        await retrying(model, Clock(), attempts=4).complete(ASKED)
    assert (model.calls, caught.value.attempts) == (4, 4)


async def test_so_many_at_once_and_no_more() -> None:
    model = Model(wait=0.001)
    limited = Limited(model, Limits(at_once=3))
    await asyncio.gather(*(limited.complete(ASKED) for _ in range(20)))
    assert (model.peak, model.calls) == (3, 20)


async def test_requests_are_spread_over_the_minute() -> None:
    model, clock = Model(), Clock()
    limited = Limited(model, Limits(requests_per_minute=60), clock, clock.sleep)
    for _ in range(180):
        await limited.complete(ASKED)
    assert 119 <= clock.now <= 121


async def test_tokens_are_reckoned_before_and_set_right_after() -> None:
    """400 signs and 100 tokens at most are taken for 200; the reply says that it was 100."""
    model, clock = Model(), Clock()
    limited = Limited(model, Limits(tokens_per_minute=1000), clock, clock.sleep)
    for _ in range(40):
        await limited.complete(ASKED)
    assert 170 <= clock.now <= 200


async def test_each_wait_for_a_limit_is_logged_with_the_limit() -> None:
    model, clock = Model(), Clock()
    limited = Limited(model, Limits(requests_per_minute=1), clock, clock.sleep)
    with capture_logs() as logged:
        await limited.complete(ASKED)
        assert logged == []
        await limited.complete(ASKED)
    (line,) = logged
    assert (line["event"], line["model"], line["seconds"]) == ("call.waited", "m:", 60.0)
    assert line["why"] == "requests_per_minute = 1"


async def test_who_is_cancelled_while_waiting_has_taken_nothing() -> None:
    model, clock = Model(), Clock()
    gate = asyncio.Event()

    async def sleep(seconds: float) -> None:
        await gate.wait()
        await clock.sleep(seconds)

    limited = Limited(model, Limits(at_once=1, requests_per_minute=1), clock, sleep)
    await limited.complete(ASKED)
    waiting = asyncio.create_task(limited.complete(ASKED))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    gate.set()
    await limited.complete(ASKED)
    assert model.calls == 2
    assert 59 <= clock.now <= 61


def test_a_price_that_is_not_known_is_unknown_and_never_nothing() -> None:
    assert price_of("openai:no-such-model") is None
    assert price_of("http://localhost:1/v1#m") is None
    known = price_of("openai:gpt-4o-mini-2024-07-18")
    assert known == prices()["openai:gpt-4o-mini"]
    assert known is not None
    assert known.money(None, 5) is None
    assert known.money(1_000_000, 0) == known.tokens_in


@pytest.mark.parametrize(
    "address",
    [
        "openai:o3-pro",
        "openai:o3-mini",
        "openai:gpt-5-pro",
        "openai:gpt-4o-audio-preview",
        "gemini:gemini-2.5-flash-image",
        "gemini:gemini-2.5-flash-preview-tts",
    ],
)
def test_another_model_whose_name_begins_alike_has_no_price_of_it(address: str) -> None:
    assert price_of(address) is None, "it may cost ten times as much"


@pytest.mark.parametrize("version", ["-2025-04-16", "-latest", "-001", "-preview-05-20"])
def test_a_version_of_a_model_has_its_price(version: str) -> None:
    for name, price in prices().items():
        assert price_of(f"{name}{version}") == price


def test_a_version_that_is_listed_itself_has_its_own_price() -> None:
    assert price_of("openai:gpt-4o-2024-05-13") == Price(5.0, 15.0)
    assert price_of("openai:gpt-4o-2024-08-06") == Price(2.5, 10.0)


def test_what_costs_nothing_costs_nothing_and_a_plan_goes_before_the_list() -> None:
    assert price_of("local:my-model#ann") == NOTHING
    offline = price_of("offline:")
    assert offline is not None
    assert offline.money(None, None) == 0.0
    assert price_of("openai:gpt-4o", 1.0, 2.0) == Price(1.0, 2.0)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("opnai:x", "did you mean 'openai:x'?"),
        ("openai:", "names no model: give openai:NAME"),
        ("http://localhost:1/v1", "give http://HOST:PORT/v1#NAME"),
        ("http://user:key@localhost/v1#m", "set WHOKNEW_HTTP_KEY instead"),
        ("recorded:", "names no log"),
        ("http://[::1]:99999/v1#m", "Port out of range"),
        ("http://[::1/v1#m", "Invalid IPv6"),
        ("http://localhost:port/v1#m", "Port could not be cast"),
        ("http://:80/v1#m", "names no host"),
        ("gpt-4o", "is no address of a model"),
    ],
)
def test_what_is_no_address_is_told(address: str, why: str) -> None:
    with pytest.raises(BadModel) as caught:
        registry.model(address)
    assert why in str(caught.value)
    assert "user:key" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "variable"), [("openai:m", "OPENAI_API_KEY"), ("gemini:m", "GEMINI_API_KEY")]
)
async def test_a_key_that_is_missing_is_named(
    address: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(BadModel, match=variable):
        async with opened(address):
            pass


async def test_what_was_never_asked_has_no_recorded_answer() -> None:
    with pytest.raises(NotRecorded, match="Oda"):
        await Recorded("recorded:x.db", "Oda", Calls()).complete(ASKED)
