"""What was found of tellings: it counts from the speech on, wherever it stands, and changes no view."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_worlds import opened, said

from whoknew.eventlog import Draft, Known, Log, exactly, open_log, verify
from whoknew.eventlog.archive import export_log, import_log
from whoknew.eventlog.errors import Conflict, NoSuchMoment, Refused, UnknownWitness
from whoknew.eventlog.kinds import MarkPlaced, TellingFound, TellingsSought
from whoknew.eventlog.story import story_digest

NAMES = ("A", "B", "C", "D")
FACT, SPEECH, RETOLD = 6, 7, 8


def found(speech: int, fact: int, teller: str | None = "A", **fields: Any) -> Draft:
    return Draft(TellingFound(fact, teller, **fields), cause=speech)


def sought_up_to(upto: int) -> Draft:
    return Draft(TellingsSought(upto, "rule 1"))


async def hearsay(log: Log) -> None:
    """6: A sees it alone. 7: A speaks to B. 8: B speaks to C, D listens."""
    await log.append("w", opened(*NAMES))
    words = [said("A", "it"), said("A", "of it", "B"), said("B", "A saw it", "C", "D")]
    await log.append("w", words)


async def cell(log: Log, who: str, at: str = "end", **how: Any) -> Known:
    return (await log.knowledge("w", at, **how)).of(FACT, who)


async def test_a_telling_that_is_recorded_later_counts_from_the_speech_on(log: Log) -> None:
    await hearsay(log)
    assert (await cell(log, "B")).answer == "absent"
    await log.append("w", [found(SPEECH, FACT, hearers=("B",), score=0.82)])
    at = [(await cell(log, "B", f"#{seq}")).answer for seq in (5, 6, 7, 8)]
    assert at == ["future", "absent", "told", "told"]
    told = await cell(log, "B", f"#{SPEECH}")
    assert (told.by, told.at, told.how) == ("A", SPEECH, "rule .82")


async def test_it_is_found_on_a_log_that_is_opened_anew(log: Log, tmp_path: Any) -> None:
    await hearsay(log)
    await log.append("w", [found(SPEECH, FACT), sought_up_to(8)])
    await export_log(log, tmp_path / "w.jsonl")
    async with open_log(tmp_path / "again.db") as again:
        await import_log(again, tmp_path / "w.jsonl")
        knowledge = await again.knowledge("w", f"#{SPEECH}")
        assert knowledge.of(FACT, "B").answer == "told"
        assert knowledge.sought == SPEECH
        assert (await again.knowledge("w")).sought == 8
        assert (await verify(again)).faults == ()


async def test_a_telling_is_known_as_surely_as_its_weakest_link(log: Log) -> None:
    await hearsay(log)
    await log.append("w", [found(SPEECH, FACT, score=0.9, origin="model")])
    await log.append("w", [found(RETOLD, SPEECH, "B", score=0.6)])
    assert (await cell(log, "B")).how == "model .9"
    assert (await cell(log, "C")).how == "rule .6"
    assert (await cell(log, "C", sure=0.6)).answer == "told"
    assert (await cell(log, "C", sure=0.61)).answer == "absent"
    await log.append("w", [found(RETOLD, SPEECH, "B", origin="person")])
    assert (await cell(log, "C")).how == "model .9"
    await log.append("w", [found(RETOLD, FACT, "B", origin="person")])
    assert (await cell(log, "C")).how == "person"  # the surest of the ways to it


async def test_whoever_overhears_a_telling_is_told_and_nobody_else(log: Log) -> None:
    await hearsay(log)
    await log.append("w", [found(RETOLD, FACT, "B", hearers=("C",))])
    answers = {name: (await cell(log, name)).answer for name in NAMES}
    assert answers == {"A": "present", "B": "absent", "C": "told", "D": "told"}


async def test_who_brings_news_did_not_know_it(log: Log) -> None:
    """B was neither there nor told: the chain ends with it."""
    await hearsay(log)
    await log.append("w", [found(RETOLD, FACT, "B")])
    chain = (await log.knowledge("w")).trace(FACT, "C")
    assert [known.answer for known in chain] == ["told", "absent"]


async def test_a_later_record_stands_for_an_earlier_one_and_one_of_0_takes_it_back(
    log: Log,
) -> None:
    await hearsay(log)
    await log.append("w", [found(SPEECH, FACT, score=0.9)])
    await log.append("w", [found(SPEECH, FACT, score=0.0, origin="person")])
    assert (await cell(log, "B")).answer == "absent"
    assert (await cell(log, "B", recorded_at="#9")).how == "rule .9"
    await log.append("w", [found(SPEECH, FACT, origin="person")])
    assert (await cell(log, "B")).how == "person"
    assert (await cell(log, "B", recorded_at="#10")).answer == "absent"


async def test_knowledge_as_it_was_on_record_holds_nothing_that_came_later(log: Log) -> None:
    await hearsay(log)
    await log.append("w", [said("A", "again", "C", about=[FACT])])
    knowledge = await log.knowledge("w", recorded_at="#7")
    assert knowledge.of(FACT, "C").answer == "absent"
    assert knowledge.of(8, "C").answer == "future"


async def test_before_a_world_was_begun_nothing_of_it_was_on_record(log: Log) -> None:
    await hearsay(log)
    with pytest.raises(NoSuchMoment, match="nothing of 'w' was on record yet at recorded:1999"):
        await log.knowledge("w", recorded_at="recorded:1999-01-01T00:00")


async def test_a_false_report_is_no_telling_and_says_both(log: Log) -> None:
    await hearsay(log)
    await log.append("w", [found(SPEECH, FACT, otherwise="there was nothing", score=0.7)])
    told = await cell(log, "B")
    assert told.answer == "absent"
    assert told.otherwise is not None
    assert (told.otherwise.text, told.otherwise.at) == ("there was nothing", SPEECH)
    await log.append("w", [found(RETOLD, FACT, "B", otherwise="it was a dog")])
    assert (await cell(log, "A")).otherwise is None
    assert (await cell(log, "C")).otherwise is not None


async def test_what_is_declared_is_known_as_declared(log: Log) -> None:
    await log.append("w", opened(*NAMES))
    await log.append("w", [said("A", "it"), said("A", "of it", "B", about=[FACT])])
    await log.append("w", [found(SPEECH, FACT, score=0.3)])
    assert (await cell(log, "B")).how == "declared"
    assert (await cell(log, "B", sure=1)).answer == "told"


async def test_what_cannot_have_been_told_is_refused(log: Log) -> None:
    await hearsay(log)
    for draft, why in [
        (found(6, 6), "#6 cannot tell of #6"),
        (found(6, 7), "#6 cannot tell of #7"),
        (found(7, 0), "#7 cannot tell of #0"),
        (found(99, 6), "refers to #99"),
        (Draft(TellingFound(6)), "no speech cannot tell of #6"),
        (found(7, 6, hearers=("C",)), "#7 cannot have told 'C' of #6: it was witnessed by A, B"),
        (found(7, 6, score=1.2), "a score from 0 to 1, not 1.2"),
        (Draft(TellingFound(6), cause=7, witnesses=("A",)), "witnessed by nobody"),
        (Draft(TellingsSought(12, "rule 1")), "up to #12, which has not happened yet"),
    ]:
        with pytest.raises(Refused, match=why):
            await log.append("w", [draft])
    with pytest.raises(UnknownWitness, match="'Nobody'"):
        await log.append("w", [found(7, 6, "Nobody")])
    with pytest.raises(Refused, match="no number"):
        found(7, 6, score=float("nan"))
    assert (await log.head("w")).seq == RETOLD


async def test_a_telling_in_one_batch_with_its_speech_is_checked_too(log: Log) -> None:
    await hearsay(log)
    batch = [said("A", "of it", "B"), found(9, FACT, hearers=("C",))]
    with pytest.raises(Refused, match="cannot have told 'C'"):
        await log.append("w", batch)
    await log.append("w", [batch[0], found(9, FACT, hearers=("B",))])
    assert (await cell(log, "B")).at == 9


async def test_a_batch_with_a_telling_that_expects_another_head_loses_as_any_does(log: Log) -> None:
    """By the head that it expects it names its own speech: what stands there is another's."""
    await hearsay(log)
    head = (await log.head("w")).seq
    batch = [said("A", "Again.", "B"), found(head + 1, FACT, hearers=("B",))]
    await log.append("w", [Draft(MarkPlaced("first"))])
    with pytest.raises(Conflict):
        await log.append("w", batch, expect=exactly(head))


async def test_hearers_are_those_of_the_speech_that_it_comes_to(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where another speaks while that is looked up."""
    await hearsay(log)
    await log.append("w", [said("A", "of it", "B")])
    check, left = log._writer._check_hearers, [said("A", "of nothing", "C")]

    async def meanwhile(*checked: Any) -> None:
        await check(*checked)
        if left:
            await log.append("w", [left.pop()])

    monkeypatch.setattr(log._writer, "_check_hearers", meanwhile)
    with pytest.raises(Refused, match="#10 cannot have told 'B' of #6"):
        await log.append("w", lambda first: [found(first - 1, FACT, hearers=("B",))])


async def test_a_fork_takes_along_what_was_found_later_in_what_it_shares(log: Log) -> None:
    await hearsay(log)
    await log.append("w", [found(RETOLD, FACT, "B"), found(SPEECH, FACT, score=0.9)])
    await log.append("w", [sought_up_to(10), found(SPEECH, FACT, score=0.8)])
    await log.fork("w", "f", f"#{SPEECH}")
    knowledge = await log.knowledge("f")
    assert knowledge.of(FACT, "B").how == "rule .8"
    assert knowledge.sought == SPEECH
    assert [event.cause async for event in log.read("f", f"#{SPEECH}")] == [None, SPEECH, None]
    await log.fork("f", "g", f"#{SPEECH}")  # which is made where that happened, from "w"
    assert (await log.knowledge("g")).of(FACT, "B").how == "rule .8"
    await log.fork("w", "h", f"#{FACT}")
    assert (await log.knowledge("h")).sought == FACT
    assert (await verify(log)).faults == ()


async def test_a_fork_takes_along_that_something_was_taken_back(log: Log) -> None:
    await hearsay(log)
    await log.append("w", [found(SPEECH, FACT), said("A", "no")])
    await log.append("w", [found(SPEECH, FACT, score=0.0)])
    await log.fork("w", "f", "#10")
    assert (await log.knowledge("f")).of(FACT, "B").answer == "absent"


async def test_what_was_found_is_no_part_of_the_story(log: Log) -> None:
    await hearsay(log)
    before = story_digest([event async for event in log.read("w")])
    await log.append("w", [found(SPEECH, FACT), sought_up_to(8)])
    assert story_digest([event async for event in log.read("w")]) == before


records = st.lists(
    st.tuples(
        st.integers(6, 8),
        st.integers(6, 8),
        st.sampled_from([0.0, 0.3, 0.5, 0.8, 1.0]),
        st.sampled_from(["rule", "model", "person"]),
    ).filter(lambda one: one[0] > one[1]),
    max_size=8,
)


@settings(deadline=None, max_examples=40)
@given(records)
async def test_nothing_that_is_found_changes_what_anybody_sees(
    given_records: list[tuple[int, int, float, Any]],
) -> None:
    async with open_log(":memory:") as log:
        await hearsay(log)
        before = {name: await seen(log, name) for name in NAMES}
        for speech, fact, score, origin in given_records:
            teller = "B" if speech == RETOLD else "A"
            await log.append("w", [found(speech, fact, teller, score=score, origin=origin)])
        for name in NAMES:
            assert await seen(log, name) == before[name]


@settings(deadline=None, max_examples=40)
@given(records, st.sampled_from([0.0, 0.3, 0.5, 0.8]))
async def test_found_anew_from_the_log_or_as_it_grows_is_the_same(
    given_records: list[tuple[int, int, float, Any]], sure: float
) -> None:
    async with open_log(":memory:") as log, open_log(":memory:", keep_events=1) as other:
        for one in (log, other):
            await hearsay(one)
            await one.knowledge("w")
            for speech, fact, score, origin in given_records:
                teller = "B" if speech == RETOLD else "A"
                await one.append("w", [found(speech, fact, teller, score=score, origin=origin)])
        other._lives._worlds.clear()
        for at in ("#6", "#7", "#8", "end"):
            warm = await log.knowledge("w", at, sure=sure)
            cold = await other.knowledge("w", at, sure=sure)
            events = range(1, warm.cursor.seq + 1)
            assert warm.matrix(events) == cold.matrix(events)
            for name in NAMES:
                told = {
                    c.event: c for c in (warm.of(e, name) for e in events) if c.answer == "told"
                }
                assert warm.told(name) == told


async def seen(log: Log, name: str) -> Any:
    view = await log.view("w", name)
    return await view.events(), await view.recall("it", 5)


async def test_a_fork_knows_how_far_its_parent_was_looked_through(log: Log) -> None:
    """In whatever order that was put on record."""
    await hearsay(log)
    await log.append("w", [sought_up_to(8), sought_up_to(7)])
    await log.fork("w", "child", "#8")
    for world in ("w", "child"):
        assert (await log.knowledge(world, "#8")).sought == 8
