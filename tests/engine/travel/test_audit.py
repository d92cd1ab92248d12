"""An audit of a world: which lines hold what whoever spoke them could not know, and whose they are."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from small_worlds import NIGHT, opened, said
from store_places import VolatilePlace, log_at

from whoknew.engine.travel.audit import AuditRate, audit
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Answered, Called, Entered, EpisodeOpened, Probed, TellingFound

SECRET = "Barnaby hid forty silver spoons beneath the lighthouse stairs."
AGAIN = "They say forty silver spoons lie hidden beneath the lighthouse stairs."


def episode(number: int, *cast: str, order: str = "round-robin") -> Draft:
    body = EpisodeOpened("Rain.", cast, order)
    return Draft(body, NIGHT, number, witnesses=cast)


def called(who: str, number: int, turn: int, model: str) -> Draft:
    return Draft(Called("act", model, "d", "{}"), episode=number, turn=turn, actor=who)


@pytest.fixture
async def log() -> AsyncIterator[Log]:
    async with log_at(VolatilePlace()) as log:
        yield log


async def played(log: Log, order: str = "round-robin", *more: Draft) -> None:
    """What Bob tells Cid at #7, Ann, who was not there, says at #10."""
    await log.append("w", opened("Ann", "Bob", "Cid", "Dot"))
    await log.append(
        "w",
        [
            episode(1, "Bob", "Cid", order=order),
            said("Bob", SECRET, "Cid", episode=1, turn=1),
            episode(2, "Ann", "Dot", order=order),
            called("Ann", 2, 1, "openai:m"),
            said("Ann", AGAIN, "Dot", episode=2, turn=1),
            called("Ann", 2, 2, "openai:m"),
            said("Ann", "It rains again today.", "Dot", episode=2, turn=2),
            *more,
        ],
    )


async def test_a_leak_is_told_with_what_it_gives_away_and_whose_it_is(log: Log) -> None:
    await played(log)
    found = await audit(log, "w")
    (row,) = found.rows
    assert (row.line.seq, row.who, row.fact.seq) == (10, "Ann", 7)
    assert (row.later, row.news, row.model) == (False, False, "openai:m")
    assert "#7" in row.why and '"beneath the lighthouse stairs"' in row.why
    assert (found.lines, found.leaks, found.news, found.answers) == (3, 1, 0, 0)
    assert found.characters == (AuditRate("Ann", 2, 1, 0), AuditRate("Bob", 1, 0, 0))
    assert found.models == (AuditRate("openai:m", 2, 1, 0),)


async def test_before_it_was_said_there_is_no_leak(log: Log) -> None:
    await played(log)
    found = await audit(log, "w", "E1")
    assert (found.lines, found.leaks, found.rows) == (1, 0, ())


async def test_what_one_was_told_is_no_leak(log: Log) -> None:
    """By a telling that was found; one that is taken back does not count."""
    await played(log)
    await log.append("w", [Draft(TellingFound(7, "Cid", ("Ann",), 0.9), cause=8)])
    assert (await audit(log, "w")).leaks == 0
    await log.append("w", [Draft(TellingFound(7, "Cid", ("Ann",), 0.0), cause=8)])
    assert (await audit(log, "w")).leaks == 1


async def test_in_a_play_that_was_brought_in_it_may_be_news_from_off_the_stage(log: Log) -> None:
    await played(log, "as-written")
    found = await audit(log, "w")
    assert (found.leaks, found.news, [row.news for row in found.rows]) == (0, 1, [True])


async def test_who_was_on_the_stage_all_the_while_has_no_news(log: Log) -> None:
    cast = ("Ann", "Bob", "Cid", "Dot")
    await log.append("w", opened(*cast))
    aside = said("Bob", SECRET, episode=1, turn=1)
    told = said("Ann", AGAIN, "Cid", episode=1, turn=2)
    await log.append("w", [episode(1, *cast, order="as-written"), aside, told])
    assert (await audit(log, "w")).leaks == 1
    came = Draft(Entered(), episode=1, actor="Dot", witnesses=cast)
    again = said("Dot", AGAIN, "Bob", episode=1, turn=3)
    await log.append("w", [came, again])
    found = await audit(log, "w")
    assert [(row.line.seq, row.news) for row in found.rows] == [(8, False), (10, True)]


async def test_an_answer_is_held_against_the_moment_at_which_it_was_asked(log: Log) -> None:
    await played(log)
    answer = "Forty silver spoons, beneath the lighthouse stairs."
    for upto in (6, 7):
        kept = await log.append("w", [Draft(Probed("Cid", upto, "What is hidden?"))])
        calls = Draft(Called("answer", "gemini:g", "d", "{}"), actor="Cid", cause=kept.first)
        await log.append("w", [calls, Draft(Answered(answer), actor="Cid", cause=kept.first)])
    found = await audit(log, "w")
    (row,) = [one for one in found.rows if one.who == "Cid"]
    assert (row.upto, row.later, row.model, found.answers) == (6, True, "gemini:g", 2)


async def test_nothing_is_written(log: Log) -> None:
    await played(log)
    before = (await log.lineage.find("w")).head
    await audit(log, "w")
    assert (await log.lineage.find("w")).head == before


async def test_what_was_given_away_once_is_known_from_then_on(log: Log) -> None:
    """To whoever gave it away, and to those who heard it."""
    again = "Well, so: forty silver spoons lie hidden beneath the lighthouse stairs!"
    more = [said(who, again, episode=2, turn=3) for who in ("Ann", "Dot")]
    await played(log, "round-robin", *more)
    assert [row.who for row in (await audit(log, "w")).rows] == ["Ann"]


async def test_findings_come_page_by_page_the_surest_first(log: Log) -> None:
    others = [
        f"{name} buried seven {what} near the {where} last winter."
        for name, what, where in (
            ("Tobias", "candlesticks", "orchard"),
            ("Salome", "umbrellas", "brewery"),
        )
    ]
    unheard = [said("Bob", text, "Cid", episode=1, turn=2) for text in others]
    leaks = [said("Ann", f"So {text}", "Dot", episode=2, turn=4) for text in others]
    await played(log, "round-robin", *unheard, *leaks)
    whole = await audit(log, "w")
    assert whole.total == whole.leaks == 3
    scores = [row.score for row in whole.rows]
    assert scores == sorted(scores, reverse=True)
    page = await audit(log, "w", limit=2, skip=1)
    assert page.rows == whole.rows[1:3] and page.total == 3
    assert (await audit(log, "w", sure=1.0)).total == 0
