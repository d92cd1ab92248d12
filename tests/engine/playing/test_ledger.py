"""Every call on the log, made once and paid once."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from datetime import datetime

import pytest
from store_places import VolatilePlace, log_at

from whoknew.agents.errors import BadReply, Rejected, ServerUnavailable
from whoknew.agents.models.model import Message, Reply, Request
from whoknew.agents.models.prices import NOTHING, Price
from whoknew.engine.errors import LimitReached, Suspended
from whoknew.engine.plan.plan import Limit
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.engine.playing.allowance import Allowance, limits_of
from whoknew.engine.playing.chain_log import ChainLog
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.ledger import DROPPED, NOBODY, Ledger, LoggedModel
from whoknew.engine.playing.spent import Spent
from whoknew.engine.playing.state import ChainState
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Acted, Called, CharacterAdded, WorldOpened

NIGHT = datetime(2000, 1, 1, 20)
ASKED = Request("act", (Message("user", "What do you do?"),))
AGAIN = Request("act", (Message("user", "And now?"),))
NO_RULES = PlayRules()


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
    """One turn of a chain on a log, and what was written."""

    def __init__(
        self,
        log: Log,
        *,
        control: Control | None = None,
        keep: bool = False,
        rules: PlayRules = NO_RULES,
    ) -> None:
        self.state = ChainState()
        self.drafts: list[Draft] = []
        control = control or Control()
        limits = limits_of(control, rules)
        allowance = Allowance(world="w", state=self.state, limits=limits, control=control)
        self.log = ChainLog(
            log=log,
            world="w",
            state=self.state,
            allowance=allowance,
            watch=self.drafts.append,  # type: ignore[arg-type]
        )
        self.ledger = Ledger(self.log, allowance, keep_prompts=keep)

    async def begin(self, *answers: tuple[str, Called], alone: bool = True) -> Ledger:
        await self.log.append([Draft(WorldOpened("A world"), NIGHT)])
        await self.log.append(
            [Draft(CharacterAdded(who), witnesses=(who,)) for who in ("Oda", "Bram")]
        )
        for who, called in answers:
            await self.log.append([Draft(called, actor=who)])
        self.drafts.clear()
        self.ledger.begin(1, 2, NIGHT, alone=alone)
        return self.ledger

    @property
    def calls(self) -> list[Called]:
        return [one.body for one in self.drafts if isinstance(one.body, Called)]


@pytest.fixture
async def log() -> AsyncIterator[Log]:
    async with log_at(VolatilePlace()) as log:
        yield log


SAT = Called("act", "echo:", ASKED.digest, reply="Sit down.")


async def test_the_last_answer_waits_for_the_action_that_it_leads_to(log: Log) -> None:
    book = Book(log)
    await LoggedModel("Oda", Echo(), None, await book.begin()).complete(ASKED)
    assert book.drafts == []
    await book.log.append([Draft(Acted("Fine."), at=NIGHT, actor="Oda", witnesses=("Oda",))])
    held, acted = book.drafts
    assert (held.actor, held.episode, held.turn, held.at) == ("Oda", 1, 2, NIGHT)
    assert isinstance(acted.body, Acted)


async def test_an_answer_is_written_before_the_next_call_is_made(log: Log) -> None:
    book = Book(log)
    model = LoggedModel("Oda", Echo(), None, await book.begin())
    await model.complete(ASKED)
    await model.complete(AGAIN)
    assert [one.reply for one in book.calls] == ["What do you do?"]


async def test_where_others_act_too_an_answer_is_written_at_once(log: Log) -> None:
    book = Book(log)
    await LoggedModel("Oda", Echo(), None, await book.begin(alone=False)).complete(ASKED)
    assert len(book.calls) == 1


async def test_an_answered_call_is_not_made_again(log: Log) -> None:
    echo, book = Echo(), Book(log)
    model = LoggedModel("Oda", echo, None, await book.begin(("Oda", SAT)))
    assert (await model.complete(ASKED)).text == "Sit down."
    await book.log.save_held()
    assert (echo.calls, book.drafts) == (0, [])


async def test_what_was_no_reply_is_none_again_and_not_asked_for(log: Log) -> None:
    echo, book = Echo(), Book(log)
    page = Called("act", "echo:", ASKED.digest, error="it sent a page", no_reply=True)
    gone = Called("act", "echo:", ASKED.digest, error="it was away")
    answers = [("Oda", one) for one in (page, gone, SAT)]
    model = LoggedModel("Oda", echo, None, await book.begin(*answers))
    with pytest.raises(BadReply, match="it sent a page"):
        await model.complete(ASKED)
    assert (await model.complete(ASKED)).text == "Sit down."
    assert echo.calls == 0


async def test_the_answer_of_another_is_not_taken(log: Log) -> None:
    echo = Echo()
    ledger = await Book(log).begin(("Bram", SAT))
    await LoggedModel("Oda", echo, None, ledger).complete(ASKED)
    assert echo.calls == 1


async def test_a_call_that_fails_is_written_down_as_a_failure(log: Log) -> None:
    book = Book(log)
    with pytest.raises(ServerUnavailable):
        await LoggedModel("Oda", Echo(failures=1), None, await book.begin()).complete(ASKED)
    (called,) = book.calls
    assert (called.reply, called.error) == (None, "nobody answers")


@pytest.mark.parametrize(
    ("error", "price", "money"),
    [
        (ServerUnavailable("broke off"), None, None),
        (ServerUnavailable("broke off"), Price(1.0, 1.0), None),
        (ServerUnavailable("broke off"), NOTHING, 0.0),
        (Rejected("no such model"), None, 0.0),
    ],
)
async def test_what_broke_off_costs_what_nobody_knows_and_what_was_refused_nothing(
    log: Log, error: Exception, price: Price | None, money: float | None
) -> None:
    class Failing(Echo):
        async def complete(self, request: Request) -> Reply:
            raise error

    book, spent = Book(log), Spent()
    with pytest.raises(type(error)):
        await LoggedModel("Oda", Failing(), price, await book.begin()).complete(ASKED)
    (called,) = book.calls
    spent.add(called)
    assert (called.money, spent.dollars) == (money, money)


async def test_a_call_not_made_again_as_another_found_the_same_says_it_once(log: Log) -> None:
    class Waiting(Echo):
        async def complete(self, request: Request) -> Reply:
            raise Suspended("nobody answers") from ServerUnavailable("nobody answers")

    book = Book(log)
    with pytest.raises(Suspended):
        await LoggedModel("Oda", Waiting(), None, await book.begin()).complete(ASKED)
    (called,) = book.calls
    assert called.error == "nobody answers; not made again"


async def test_a_call_whose_model_breaks_is_written_down_too(log: Log) -> None:
    class Broken(Echo):
        async def complete(self, request: Request) -> Reply:
            raise KeyError("choices")

    book = Book(log)
    with pytest.raises(KeyError):
        await LoggedModel("Oda", Broken(), None, await book.begin()).complete(ASKED)
    (called,) = book.calls
    assert (called.reply, called.error) == (None, "KeyError: 'choices'")


async def test_a_call_that_is_cancelled_is_written_down_as_dropped(log: Log) -> None:
    class Hung(Echo):
        async def complete(self, request: Request) -> Reply:
            asked.set()
            return await asyncio.Future()

    asked, book = asyncio.Event(), Book(log)
    model = LoggedModel("Oda", Hung(), None, await book.begin())
    calling = asyncio.create_task(model.complete(ASKED))
    await asked.wait()
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    await book.log.save_held()
    (called,) = book.calls
    assert (called.reply, called.error, called.digest) == (None, DROPPED, ASKED.digest)


async def test_a_prompt_is_kept_where_the_plan_asks_for_it(log: Log) -> None:
    book = Book(log, keep=True)
    await LoggedModel("Oda", Echo(), None, await book.begin()).complete(ASKED)
    await book.log.save_held()
    (called,) = book.calls
    assert zlib.decompress(called.prompt or b"") == ASKED.prompt


async def test_no_call_is_made_without_leave(log: Log) -> None:
    control, echo = Control(), Echo()
    ledger = await Book(log, control=control).begin()
    control.stop("enough")
    with pytest.raises(Suspended, match="enough"):
        await LoggedModel("Oda", echo, None, ledger).complete(ASKED)
    assert echo.calls == 0


@pytest.mark.parametrize("purpose", ["act", "think", "reflect", "note"])
@pytest.mark.parametrize("scope", ["character", "episode"])
async def test_a_limit_binds_whatever_a_character_asks_in_its_turn(
    log: Log, scope: str, purpose: str
) -> None:
    book, echo = Book(log, rules=PlayRules(**{scope: Limit(calls=1)})), Echo()  # type: ignore[arg-type]
    model = LoggedModel("Oda", echo, None, await book.begin())
    await model.complete(ASKED)
    with pytest.raises(LimitReached):
        await model.complete(Request(purpose, AGAIN.messages))
    assert echo.calls == 1


async def test_a_limit_keeps_nobody_from_remembering_or_judging(log: Log) -> None:
    book, echo = (
        Book(log, rules=PlayRules(character=Limit(calls=1), episode=Limit(calls=1))),
        Echo(),
    )
    ledger = await book.begin()
    await LoggedModel("Oda", echo, None, ledger).complete(ASKED)
    await LoggedModel(NOBODY, echo, None, ledger).complete(AGAIN)
    ledger.begin(1, 2, NIGHT, alone=False, occasion="remember")
    await LoggedModel("Oda", echo, None, ledger).complete(Request("reflect", AGAIN.messages))
    assert echo.calls == 3
