"""A model reads what an audit found: its verdicts are checked, kept, and never asked for twice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from model_servers import Doing, Server, serving
from small_worlds import NIGHT, opened, said
from store_places import VolatilePlace, log_at

from whoknew.engine.travel.audit import AuditReport, audit, forecast_audit
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.kinds import Answered, Called, EpisodeOpened, Failed, Probed
from whoknew.eventlog.machinery import LeakRead
from whoknew.eventlog.story import story_digest

SECRET = "Barnaby hid forty silver spoons beneath the lighthouse stairs."
AGAIN = "They say forty silver spoons lie hidden beneath the lighthouse stairs."
KNOWN = "There is a lighthouse, and it has stairs."


@pytest.fixture
async def log() -> AsyncIterator[Log]:
    """6: Bob tells Cid. 7: Dot tells Ann of a lighthouse. 8: Ann says what she cannot know."""
    async with log_at(VolatilePlace()) as log:
        scene = Draft(EpisodeOpened("Rain.", ("Ann", "Bob", "Cid", "Dot")), NIGHT, 1)
        lines = [
            said("Bob", SECRET, "Cid", episode=1, turn=1),
            said("Dot", KNOWN, "Ann", episode=1, turn=2),
            said("Ann", AGAIN, "Dot", episode=1, turn=3),
        ]
        await log.append("w", [*opened("Ann", "Bob", "Cid", "Dot"), scene])
        await log.append("w", lines)
        yield log


def verdict(**fields: Any) -> str:
    one = {"known": 0, "quote": "forty silver spoons", "leak": True, "why": "Only Bob knew."}
    return json.dumps({**one, **fields})


LEAK, NONE = verdict(), verdict(leak=False, quote="", why="Anybody could guess.")


async def read(log: Log, *replies: str | Doing, after: str = LEAK) -> tuple[AuditReport, Server]:
    doings = [one if isinstance(one, Doing) else Doing(one) for one in replies]
    async with serving("openai", doings, after=Doing(after)) as server:
        server.url = f"{server.url}#scripted"
        return await audit(log, "w", model=server.url), server


async def of_kind(log: Log, kind: type) -> list[Event]:
    return [event async for event in log.read("w") if isinstance(event.body, kind)]


async def test_what_a_model_confirms_stays_a_leak_and_is_on_the_log_beside_the_story(
    log: Log,
) -> None:
    before = story_digest([event async for event in log.read("w")])
    report, _ = await read(log)
    (row,) = report.rows
    assert (row.confirmed, row.reason, report.leaks, report.denied) == (
        True,
        "Only Bob knew.",
        1,
        0,
    )
    (kept,), (call,) = await of_kind(log, LeakRead), await of_kind(log, Called)
    assert (kept.cause, call.cause, kept.witnesses) == (row.line.seq, row.line.seq, ())
    assert isinstance(kept.body, LeakRead) and kept.body.fact == row.fact.seq
    assert story_digest([event async for event in log.read("w")]) == before


async def test_what_it_denies_is_in_no_count_and_no_rate_and_shown_last(log: Log) -> None:
    report, _ = await read(log, NONE)
    assert (report.leaks, report.denied, report.total) == (0, 1, 1)
    assert [row.confirmed for row in report.rows] == [False]
    assert sum(rate.leaks for rate in report.characters) == 0


async def test_it_is_shown_the_line_the_event_and_what_the_speaker_knew_and_nothing_else(
    log: Log,
) -> None:
    await log.append("w", [said("Cid", "Barnaby has silver.", "Bob", episode=1, turn=4)])
    _, server = await read(log)
    (asked,) = server.asked
    text = asked["messages"][-1]["content"]
    assert all(one in text for one in (AGAIN, SECRET, KNOWN))
    assert "Barnaby has silver" not in text
    assert text.count(AGAIN) == 1, "the line is not what its speaker knew"


async def test_a_second_audit_asks_nothing(log: Log) -> None:
    async with serving("openai", after=Doing(LEAK)) as server:
        first = await audit(log, "w", model=f"{server.url}#m")
        head = (await log.lineage.find("w")).head
        again = await audit(log, "w", model=f"{server.url}#m")
        assert server.calls == 1
        assert again.rows == first.rows and again.reading and again.reading.kept == 1
        assert (await log.lineage.find("w")).head == head
        await audit(log, "w", model=f"{server.url}#another")
        assert server.calls == 2


@pytest.mark.parametrize(
    "wrong",
    [
        verdict(known=9),
        verdict(known=-1),
        verdict(known=1),
        verdict(quote="which she never said"),
        verdict(quote=" "),
        "It is a leak.",
        json.dumps({"leak": True}),
    ],
)
async def test_what_makes_no_sense_is_asked_again_and_then_told(log: Log, wrong: str) -> None:
    report, server = await read(log, wrong)
    assert report.leaks == 1 and server.calls == 2
    report, server = await read(log, after=wrong)  # another server, so another model
    assert report.reading is not None
    assert (report.reading.failed, server.calls, report.leaks) == (1, 3, 1), "it counts"
    failed = await of_kind(log, Failed)
    assert [one.cause for one in failed] == [report.rows[0].line.seq]


async def test_a_model_that_is_away_ends_it_and_the_same_again_goes_on(log: Log) -> None:
    report, _ = await read(log, Doing(status=401, text="no key"))
    assert report.reading is not None and report.reading.error
    assert report.leaks == 1 and report.rows[0].confirmed is None
    report, _ = await read(log)
    assert report.rows[0].confirmed is True


async def test_a_finding_that_a_model_refuses_for_good_fails_alone(log: Log) -> None:
    another = "eleven golden candlesticks behind the orchard wall"
    await log.append("w", [said("Bob", f"The vicar buried {another}.", "Cid")])
    await log.append("w", [said("Ann", f"They speak of {another}.", "Dot")])
    report, server = await read(log, Doing(status=400, text="policy"), after=NONE)
    assert report.reading is not None
    assert (report.reading.failed, report.reading.error, server.calls) == (1, None, 2)
    assert "policy" in (report.reading.why or "")
    report, _ = await read(log, *[Doing(status=404)] * 2)
    assert report.reading is not None and report.reading.error, "it answers nothing at all"


async def test_a_forecast_says_what_it_takes_and_asks_nothing(log: Log) -> None:
    async with serving("openai", after=Doing(LEAK)) as server:
        model = f"{server.url}#m"
        before = await forecast_audit(log, "w", model)
        assert (before.findings, before.kept, before.calls, before.most) == (1, 0, 1, 3)
        assert before.tokens > 300 and before.money is None and server.calls == 0
        await audit(log, "w", model=model)
        after = await forecast_audit(log, "w", model)
        assert (after.kept, after.calls, after.tokens) == (1, 0, 0)


async def test_an_answer_is_read_with_its_question(log: Log) -> None:
    kept = await log.append("w", [Draft(Probed("Dot", 7, "What is hidden?"))])
    await log.append("w", [Draft(Answered(AGAIN), actor="Dot", cause=kept.first)])
    _, server = await read(log)
    texts = [one["messages"][-1]["content"] for one in server.asked]
    assert sum("What is hidden?" in text for text in texts) == 1


async def test_the_offline_model_reads_by_words(log: Log) -> None:
    report = await audit(log, "w", model="offline:")
    (row,) = report.rows
    assert row.confirmed is True and "spoons" in row.reason


async def test_ended_while_a_call_is_in_flight_the_call_is_on_the_log(log: Log) -> None:
    async with serving("openai", after=Doing(LEAK)) as server:
        server.going.clear()
        reading = asyncio.ensure_future(audit(log, "w", model=f"{server.url}#m"))
        await server.until_asked(1)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        (call,) = await of_kind(log, Called)
        assert isinstance(call.body, Called) and call.body.reply is None
        server.going.set()
        assert (await audit(log, "w", model=f"{server.url}#m")).rows[0].confirmed is True
