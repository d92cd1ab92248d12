"""Tellings that are found in a world that is there: by rule, once; or said by a person."""

import asyncio

import pytest
from small_worlds import opened, said

from whoknew.engine.errors import BadQuestion
from whoknew.engine.finding.records import RULE
from whoknew.engine.travel import tellings as finding
from whoknew.engine.travel.fork import Changes, fork
from whoknew.engine.travel.tellings import say, tellings
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Acted, TellingFound, TellingsSought
from whoknew.eventlog.story import story_digest

SECRET = "The smuggler Corvin buried forty silver candlesticks beneath the chapel of Saint Brannoc."
RETOLD = "Listen: Corvin buried forty silver candlesticks beneath the chapel of Saint Brannoc!"
SMALL = ("rain again", "pass the salt", "it is late", "good soup tonight", "mind the step")
FACT = 4 + 1 + 20


async def world(log: Log) -> int:
    """Much small talk; Ann says the secret to Bob; small talk; Bob tells Cid. The seq of that."""
    await log.append("w", opened("Ann", "Bob", "Cid"))
    talk = [said("Cid", SMALL[number % 5], "Ann", "Bob") for number in range(20)]
    await log.append("w", [*talk, said("Ann", SECRET, "Bob"), *talk])
    return (await log.append("w", [said("Bob", RETOLD, "Cid")])).last


async def test_what_somebody_tells_again_is_found_and_counts(log: Log) -> None:
    speech = await world(log)
    before = story_digest([event async for event in log.read("w")])
    report = await tellings(log, "w")
    assert (report.found, report.looked, report.finder) == (1, speech, RULE)
    [row] = report.rows
    assert (row.speech.seq, row.fact.seq, row.hearers, row.news) == (speech, FACT, ("Cid",), False)
    knowledge = await log.knowledge("w", f"#{speech}", sure=row.score)
    assert knowledge.of(FACT, "Cid").at == speech
    assert knowledge.sought == speech
    assert story_digest([event async for event in log.read("w")]) == before


async def test_who_reads_a_letter_is_told_by_whoever_wrote_it(log: Log) -> None:
    """Bob writes to Cid, who reads it aloud to Dan."""
    await log.append("w", opened("Ann", "Bob", "Cid", "Dan"))
    talk = [said("Cid", SMALL[number % 5], "Ann", "Bob") for number in range(20)]
    fact = (await log.append("w", [*talk, said("Ann", SECRET, "Bob")])).last
    letter = Acted(RETOLD, writer="Bob")
    speech = Draft(letter, actor="Cid", witnesses=("Cid", "Dan"))
    read = (await log.append("w", [*talk, speech])).last
    [row] = (await tellings(log, "w")).rows
    assert (row.teller, row.hearers, row.news) == ("Bob", ("Cid", "Dan"), False)
    knowledge = await log.knowledge("w")
    for who in ("Cid", "Dan"):
        chain = [(one.character, one.answer, one.at) for one in knowledge.trace(fact, who)]
        assert chain == [(who, "told", read), ("Bob", "present", fact)]
    by_hand = await say(log, "w", read, fact)
    assert (by_hand.teller, by_hand.hearers) == ("Bob", ("Cid", "Dan"))


async def test_nothing_is_done_twice(log: Log) -> None:
    speech = await world(log)
    await tellings(log, "w")
    head = (await log.head("w")).seq
    again = await tellings(log, "w")
    assert (again.looked, again.found, again.total) == (0, 0, 1)
    assert (await log.head("w")).seq == head
    await log.append("w", [said("Ann", "good night", "Cid")])
    assert (await tellings(log, "w")).looked == 1
    assert speech < head


async def test_what_is_less_sure_than_knows_counts_is_counted_and_not_shown(log: Log) -> None:
    await world(log)
    [row] = (await tellings(log, "w", sure=0)).rows
    report = await tellings(log, "w", sure=row.score + 0.001)
    assert (report.rows, report.total, report.less_sure) == ((), 0, 1)


async def test_looked_for_by_several_at_once_while_it_is_written_nothing_stands_twice(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "PAGE", 10)
    speech = await world(log)

    async def plays() -> None:
        for number in range(10):
            await log.append("w", [said("Ann", SMALL[number % 5], "Cid")])

    await asyncio.gather(*(tellings(log, "w") for _ in range(3)), plays())
    await tellings(log, "w")
    events = [event async for event in log.read("w")]
    found = [(one.cause, one.body.fact) for one in events if isinstance(one.body, TellingFound)]
    sought = [one.body.upto for one in events if isinstance(one.body, TellingsSought)]
    assert found == [(speech, FACT)]
    assert sought == sorted(set(sought))


@pytest.mark.parametrize("stop", [1, 3])
async def test_ended_in_the_middle_it_goes_on_and_finds_the_same(
    log: Log, monkeypatch: pytest.MonkeyPatch, stop: int
) -> None:
    speech = await world(log)
    monkeypatch.setattr(finding, "PAGE", 10)

    def end(done: int, head: int) -> None:
        if done >= 10 * stop:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await tellings(log, "w", watch=end)
    assert (await log.knowledge("w")).sought == 10 * stop
    report = await tellings(log, "w")
    assert (report.looked, report.found) == (speech - 10 * stop, 1)
    found = [event async for event in log.read("w") if isinstance(event.body, TellingFound)]
    assert [(event.cause, event.body.fact) for event in found] == [(speech, FACT)]  # type: ignore[attr-defined]


async def test_what_a_person_says_stands_for_what_was_found(log: Log) -> None:
    speech = await world(log)
    await tellings(log, "w")
    await say(log, "w", speech, FACT, told=False, why="he jokes")
    assert (await log.knowledge("w", sure=0)).of(FACT, "Cid").answer == "absent"
    await log.append("w", [said("Ann", "good night", "Cid")])
    assert (await tellings(log, "w")).total == 0
    row = await say(log, "w", speech, FACT)
    assert (row.origin, row.hearers) == ("person", ("Cid",))
    assert (await log.knowledge("w")).of(FACT, "Cid").how == "person"


async def test_what_an_earlier_version_found_and_this_one_does_not_is_taken_back(log: Log) -> None:
    speech = await world(log)
    old = TellingFound(6, "Bob", ("Cid",), score=0.9, why="as it was")
    await log.append("w", [Draft(old, cause=speech)])
    report = await tellings(log, "w")
    assert (report.found, report.taken_back, report.total) == (1, 1, 1)


async def test_a_person_can_only_say_what_can_be(log: Log) -> None:
    speech = await world(log)
    with pytest.raises(BadQuestion, match=f"#{FACT} of 'w' cannot tell of #{speech}"):
        await say(log, "w", FACT, speech)
    await log.append("w", [said("Ann", "to myself")])
    with pytest.raises(BadQuestion, match="nobody heard"):
        await say(log, "w", (await log.head("w")).seq, FACT)


async def test_in_a_fork_with_other_words_what_the_old_ones_told_is_not_told(log: Log) -> None:
    speech = await world(log)
    await log.append("w", [said("Cid", "good night", "Ann")])
    await tellings(log, "w")
    await say(log, "w", speech + 1, FACT)
    changes = Changes(replace=(speech, "Nothing at all."))
    forked = await fork(log, "w", "end", name="f", changes=changes)
    knowledge = await log.knowledge(forked.world)
    assert knowledge.of(FACT, "Cid").answer == "absent"
    assert knowledge.of(FACT, "Ann").answer == "present"
    standing = [event async for event in log.read("f") if isinstance(event.body, TellingFound)]
    assert knowledge.sought == speech - 1
    [event] = standing
    [told] = await log.lineage.pick("f", [event.cause or 0])
    assert (told.actor, told.witnesses) == ("Cid", ("Cid", "Ann"))
