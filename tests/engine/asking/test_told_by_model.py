"""A model says what speeches tell of: its replies are checked, its calls and failures written down."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from model_servers import Doing, Server, serving
from small_worlds import opened, said

from whoknew.engine.asking.told_by_model import ModelReport, read_tellings
from whoknew.engine.errors import BadQuestion
from whoknew.engine.plan.plan import ModelSettings
from whoknew.engine.playing.ledger import DROPPED
from whoknew.engine.running.journal import IN_A_ROW
from whoknew.engine.travel.tellings import say
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import Called, Failed, TellingFound
from whoknew.eventlog.story import story_digest

FACT, SPEECH = 5, 6


async def world(log: Log) -> None:
    """5: Ann tells Bob. 6: Bob hints at it before Cid. 7: Cid says good night to Ann."""
    await log.append("w", opened("Ann", "Bob", "Cid"))
    words = [
        said("Ann", "The mill is mine.", "Bob"),
        said("Bob", "Some here will grind for themselves.", "Cid"),
        said("Cid", "Good night.", "Ann"),
    ]
    await log.append("w", words)


def claim(**fields: Any) -> str:
    one = {"event": 1, "hearers": ["Cid"], "quote": "grind for themselves", "sure": 0.7}
    return json.dumps({"told": [{**one, **fields}]})


NONE = json.dumps({"told": []})


async def read(log: Log, *replies: str | Doing, after: str = NONE) -> tuple[ModelReport, Server]:
    doings = [one if isinstance(one, Doing) else Doing(one) for one in replies]
    async with serving("openai", doings, after=Doing(after)) as server:
        settings = ModelSettings(attempts=1)
        return await read_tellings(log, "w", f"{server.url}#scripted", settings=settings), server


async def of_kind(log: Log, kind: type) -> list[Event]:
    return [event async for event in log.read("w") if isinstance(event.body, kind)]


async def test_what_a_model_finds_counts_with_its_score(log: Log) -> None:
    await world(log)
    before = story_digest([event async for event in log.read("w")])
    report, _ = await read(log, claim())
    assert (report.speeches, report.found, report.unread, report.error) == (2, 1, {}, None)
    cell = (await log.knowledge("w")).of(FACT, "Cid")
    assert (cell.at, cell.how) == (SPEECH, "model .7")
    calls = await of_kind(log, Called)
    assert [call.cause for call in calls] == [SPEECH, 7]
    assert all(not call.witnesses for call in calls)
    assert story_digest([event async for event in log.read("w")]) == before


async def test_stopped_while_a_model_reads_its_calls_are_on_the_log(log: Log) -> None:
    await world(log)
    async with serving("openai", [Doing("What?")], after=Doing(NONE)) as server:
        server.held_from = 2
        reading = asyncio.create_task(read_tellings(log, "w", f"{server.url}#scripted"))
        await server.until_asked(2)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        server.going.set()
    first, second = [call.body for call in await of_kind(log, Called)]
    assert (first.reply, second.error) == ("What?", DROPPED)


async def test_nothing_is_asked_twice(log: Log) -> None:
    await world(log)
    async with serving("openai", after=Doing(NONE)) as server:
        first = await read_tellings(log, "w", f"{server.url}#scripted")
        again = await read_tellings(log, "w", f"{server.url}#scripted")
    assert (first.speeches, again.speeches, len(server.asked)) == (2, 0, 2)


@pytest.mark.parametrize(
    "wrong",
    [
        claim(event=2),
        claim(hearers=["Ann"]),
        claim(hearers=[]),
        claim(quote="which he never said"),
        claim(sure=3),
        "I cannot say.",
    ],
)
async def test_a_reply_that_cannot_be_is_asked_anew_and_told_why(log: Log, wrong: str) -> None:
    await world(log)
    report, server = await read(log, wrong, claim())
    assert (report.found, report.unread, len(server.asked)) == (1, {}, 3)


async def test_a_model_that_never_makes_sense_leaves_a_failure_and_no_telling(log: Log) -> None:
    await world(log)
    report, _ = await read(log, after=claim(quote="which he never said"))
    assert (report.found, list(report.unread)) == (0, [SPEECH, 7])
    failures = await of_kind(log, Failed)
    assert [event.cause for event in failures] == [SPEECH, 7]
    assert not await of_kind(log, TellingFound)


async def test_a_model_that_is_away_is_told_and_gone_on_with(log: Log) -> None:
    await world(log)
    report, _ = await read(log, Doing(status=401))
    assert report.error is not None
    assert report.speeches == 0
    assert len(await of_kind(log, Failed)) == 1
    again, _ = await read(log, claim())
    assert (again.speeches, again.found, again.error) == (2, 1, None)


POLICY = Doing(status=400, text="this goes against our usage policies")


async def test_a_speech_that_a_model_refuses_for_good_is_a_failure_and_the_others_are_read(
    log: Log,
) -> None:
    await world(log)
    report, server = await read(log, POLICY, NONE)
    assert (report.speeches, list(report.unread), report.error) == (2, [SPEECH], None)
    assert "this goes against our usage policies" in report.unread[SPEECH]
    assert [event.cause for event in await of_kind(log, Failed)] == [SPEECH]
    again, server = await read(log)
    assert (again.speeches, len(server.asked)) == (2, 2), "another server, so another model"


async def test_what_was_refused_is_not_asked_again_with_every_start(log: Log) -> None:
    await world(log)
    async with serving("openai", [Doing(NONE), POLICY], after=Doing(NONE)) as server:
        model = f"{server.url}#scripted"
        report = await read_tellings(log, "w", model)
        assert (list(report.unread), report.error) == ([7], None)
        assert (await read_tellings(log, "w", model)).speeches == 0
        assert len(server.asked) == 2


async def test_a_model_that_refuses_all_that_it_is_asked_is_away(log: Log) -> None:
    await world(log)
    async with serving("openai", [POLICY] * 2, after=Doing(NONE)) as server:
        model = f"{server.url}#scripted"
        report = await read_tellings(log, "w", model)
        assert report.error and list(report.unread) == [SPEECH, 7]
        again = await read_tellings(log, "w", model)
        assert (again.speeches, again.unread, again.error) == (2, {}, None)


async def test_after_many_refusals_one_after_the_other_no_more_is_asked(log: Log) -> None:
    await world(log)
    await log.append(
        "w", [said("Bob", f"They grind for themselves, {n}.", "Cid") for n in range(30)]
    )
    doings = [Doing(NONE), *[POLICY] * IN_A_ROW]
    async with serving("openai", doings, after=Doing(NONE)) as server:
        report = await read_tellings(log, "w", f"{server.url}#scripted")
        assert report.error and len(server.asked) == len(doings)
        again = await read_tellings(log, "w", f"{server.url}#scripted")
        assert again.speeches == 31 and again.error is None


async def test_the_offline_model_is_refused_with_what_to_do(log: Log) -> None:
    await world(log)
    head = (await log.lineage.find("w")).head
    with pytest.raises(BadQuestion, match="without a model, tellings are found by rule"):
        await read_tellings(log, "w", "offline:")
    assert (await log.lineage.find("w")).head == head


async def test_what_a_person_has_said_stands(log: Log) -> None:
    await world(log)
    await say(log, "w", SPEECH, FACT, told=False)
    report, _ = await read(log, claim())
    assert report.found == 0
    assert (await log.knowledge("w", sure=0)).of(FACT, "Cid").answer == "absent"


async def test_a_false_report_is_told_with_what_was_said(log: Log) -> None:
    await world(log)
    await read(log, claim(otherwise="the mill is Bob's"))
    cell = (await log.knowledge("w")).of(FACT, "Cid")
    assert cell.answer == "absent"
    assert cell.otherwise is not None and cell.otherwise.text == "the mill is Bob's"
