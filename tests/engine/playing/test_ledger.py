"""Every call on the log, made once and paid once."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from datetime import datetime

import pytest

from whoknew.agents.errors import ServerUnavailable
from whoknew.agents.models.model import Message, Reply, Request
from whoknew.engine.errors import Suspended
from whoknew.engine.playing.ledger import DROPPED, Ledger, LoggedModel
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Called

NIGHT = datetime(2000, 1, 1, 20)
ASKED = Request("act", (Message("user", "What do you do?"),))
AGAIN = Request("act", (Message("user", "And now?"),))


class Echo:
    name = "echo:"

    def __init__(self, failures: int = 0) -> None:
        self.calls, self._failures = 0, failures

    async def complete(self, request: Request) -> Reply:
        self.calls += 1
        if self.calls <= self._failures:
            raise ServerUnavailable("nobody answers")
        return Reply(text=request.messages[-1].text, tokens_in=4, tokens_out=2, seconds=0.5)


class Book:
    """What was written."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []

    async def append(self, drafts: Sequence[Draft]) -> None:
        self.drafts += drafts

    @property
    def calls(self) -> list[Called]:
        return [one.body for one in self.drafts if isinstance(one.body, Called)]


def ledger(book: Book, *, alone: bool = True, keep: bool = False) -> Ledger:
    made = Ledger(book.append, lambda *_: nullcontext(), keep_prompts=keep)
    made.begin(1, 2, NIGHT, alone=alone)
    return made


async def test_the_last_answer_waits_for_the_action_that_it_leads_to() -> None:
    book = Book()
    made = ledger(book)
    await LoggedModel("Oda", Echo(), None, made).complete(ASKED)
    assert book.drafts == []
    (held,) = made.take()
    assert (held.actor, held.episode, held.turn, held.at) == ("Oda", 1, 2, NIGHT)


async def test_an_answer_is_written_before_the_next_call_is_made() -> None:
    book = Book()
    voice = LoggedModel("Oda", Echo(), None, ledger(book))
    await voice.complete(ASKED)
    await voice.complete(AGAIN)
    assert [one.reply for one in book.calls] == ["What do you do?"]


async def test_where_others_act_too_an_answer_is_written_at_once() -> None:
    book = Book()
    await LoggedModel("Oda", Echo(), None, ledger(book, alone=False)).complete(ASKED)
    assert len(book.calls) == 1


async def test_an_answered_call_is_not_made_again() -> None:
    echo, book = Echo(), Book()
    made = ledger(book)
    made.resume([("Oda", Called("act", "echo:", ASKED.digest, reply="Sit down."))])
    voice = LoggedModel("Oda", echo, None, made)
    assert (await voice.complete(ASKED)).text == "Sit down."
    assert (echo.calls, made.take()) == (0, [])


async def test_the_answer_of_another_is_not_taken() -> None:
    echo, made = Echo(), ledger(Book())
    made.resume([("Bram", Called("act", "echo:", ASKED.digest, reply="Sit down."))])
    await LoggedModel("Oda", echo, None, made).complete(ASKED)
    assert echo.calls == 1


async def test_a_call_that_fails_is_written_down_as_a_failure() -> None:
    book = Book()
    with pytest.raises(ServerUnavailable):
        await LoggedModel("Oda", Echo(failures=1), None, ledger(book)).complete(ASKED)
    (called,) = book.calls
    assert (called.reply, called.error) == (None, "nobody answers")


async def test_a_call_that_is_cancelled_is_written_down_as_dropped() -> None:
    class Hung(Echo):
        async def complete(self, request: Request) -> Reply:
            asked.set()
            return await asyncio.Future()

    asked, book = asyncio.Event(), Book()
    calling = asyncio.create_task(LoggedModel("Oda", Hung(), None, ledger(book)).complete(ASKED))
    await asked.wait()
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    (called,) = book.calls
    assert (called.reply, called.error, called.digest) == (None, DROPPED, ASKED.digest)


async def test_a_prompt_is_kept_where_the_plan_asks_for_it() -> None:
    made = ledger(Book(), keep=True)
    await LoggedModel("Oda", Echo(), None, made).complete(ASKED)
    (held,) = made.take()
    assert isinstance(held.body, Called)
    assert zlib.decompress(held.body.prompt or b"") == ASKED.prompt


async def test_no_call_is_made_without_leave() -> None:
    @asynccontextmanager
    async def refuse(*_: object) -> AsyncIterator[None]:
        raise Suspended("enough")
        yield

    echo = Echo()
    made = Ledger(Book().append, refuse, keep_prompts=False)
    made.begin(1, 1, NIGHT, alone=True)
    with pytest.raises(Suspended, match="enough"):
        await LoggedModel("Oda", echo, None, made).complete(ASKED)
    assert echo.calls == 0
