"""The bank: what is like a proposal, what is near, and that it is the fold of its records."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from whoknew.agents.memories.bookmarks.bank import BookmarkBank
from whoknew.agents.memories.bookmarks.bookmark import (
    UNKNOWN,
    Bookmark,
    Fold,
    KeptAnswer,
    Proposal,
    overlap,
)
from whoknew.agents.memories.bookmarks.call_cost import NO_CALLS, CallCost
from whoknew.agents.memories.bookmarks.record import (
    BookmarkChange,
    Proposed,
    StepCosts,
    StepRecord,
    applied,
    difference,
    packed,
    unpacked,
)
from whoknew.agents.memories.bookmarks.step_taken import grounded

KIT = Proposal("Where is Kit now?", "state")
LAMP = Proposal("Who carries the lamp?", "concept")
TALKS = Proposal("How does Oda talk?", "behavioral", "Oda")


def step(at: int, *changes: BookmarkChange, who: str = "Oda") -> StepRecord:
    proposed = [Proposed(one.begun or KIT, one.number) for one in changes]
    return StepRecord(who=who, at=at, proposed=tuple(proposed), changes=changes)


def begun(number: int, asked: Proposal, answer: str = "Here.", parent: int = 0) -> BookmarkChange:
    return BookmarkChange(
        number=number, begun=asked, parent=parent, answer=KeptAnswer(answer, (1,)), hits=(1,)
    )


def bank(*records: StepRecord) -> BookmarkBank:
    found = BookmarkBank()
    for record in records:
        assert found.fits(record)
        found.take(record)
    return found


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("Where is Kit now?", "Where is Kit?", 1.0),
        ("What does Kit want of Oda?", "What does Bram want?", 0.5),
        ("Who carries the lamp?", "Who carried lamps, Kit?", 1.0),
        ("Where is he now?", "Who is it?", 0.0),
        ("Kit", "Bram", 0.0),
    ],
)
def test_questions_share_words_of_the_shorter_without_stop_words(
    one: str, other: str, share: float
) -> None:
    assert overlap(one, other) == overlap(other, one) == share


def test_candidates_are_of_a_kind_and_of_a_character_the_best_first_of_equal_ones_the_newest() -> (
    None
):
    asked = [
        Proposal("What does Kit want now?", "state"),
        KIT,
        Proposal("Where is Bram now?", "state"),
        LAMP,
        replace(TALKS, character="Bram"),
        TALKS,
    ]
    found = bank(step(3, *(begun(number, one) for number, one in enumerate(asked, start=1))))
    assert [one.number for one in found.candidates(KIT)] == [2, 1, 3]
    assert [one.number for one in found.candidates(TALKS)] == [6]
    many = [begun(number, KIT) for number in range(1, 9)]
    assert [one.number for one in bank(step(3, *many)).candidates(KIT)] == [8, 7, 6, 5, 4]


def test_near_is_what_was_brought_up_to_date_five_lines_ago_at_most_and_of_who_acts() -> None:
    found = bank(
        step(10, begun(1, KIT)),
        step(15, begun(2, LAMP), begun(3, TALKS)),
        step(18, begun(4, replace(TALKS, character="Bram")), who="Bram"),
    )
    assert [one.number for one in found.near(20, "Oda")] == [3, 2]
    assert [one.number for one in found.near(20, "Bram")] == [4, 2]
    assert [one.number for one in found.near(15, "Oda")][-1:] == [1]
    assert found.near(24, "Oda") == []


def test_what_is_grounded_on_comes_once_what_is_active_first_and_is_known() -> None:
    ones = [Bookmark(number=number, asked=KIT, answer=KeptAnswer("Here.")) for number in (1, 2, 3)]
    unknown = Bookmark(number=4, asked=LAMP)
    found = grounded([ones[2], unknown], [ones[0], ones[2], ones[1], unknown])
    assert [one.number for one in found] == [3, 1, 2]


def test_what_is_derived_begins_with_what_its_parent_has_at_that_moment() -> None:
    loud = replace(TALKS, question="How loud does Oda talk?")
    child = BookmarkChange(number=2, begun=loud, parent=1)
    found = bank(step(3, begun(1, TALKS)), step(6, BookmarkChange(number=1, hits=(4,)), child))
    assert found[2].hits == (1, 4) and found[2].answer.text == "Here."
    assert found[2].parent == 1 and found[2].asked == loud
    without = bank(step(3, begun(1, TALKS)), step(6, replace(child, drops=True, hits=(5,))))
    assert without[2].hits == (5,)


@pytest.mark.parametrize(
    "wrong",
    [
        step(2, BookmarkChange(number=1)),
        step(9, begun(1, KIT)),
        step(9, BookmarkChange(number=7)),
        step(9, begun(3, KIT)),
        step(9, begun(2, KIT, parent=9)),
        StepRecord(who="Oda", at=9, proposed=(Proposed(KIT, 4),)),
        step(9, replace(begun(2, KIT), answer=KeptAnswer("There.", (10,)))),
        step(9, replace(begun(2, KIT), answer=KeptAnswer("There.", (0,)))),
        step(9, replace(begun(2, KIT), answer=KeptAnswer("There.", (3, 3)))),
        step(9, replace(begun(2, KIT), hits=(5, 4))),
        step(9, replace(begun(2, KIT), hits=(10,))),
        step(9, BookmarkChange(number=1, hits=(3,))),
        step(9, BookmarkChange(number=1, parent=1)),
        step(9, BookmarkChange(number=1, folds=(Fold(64, KeptAnswer()),))),
        step(9, BookmarkChange(number=1, folds=(Fold(4, KeptAnswer("There.", (99,))),))),
        step(9, BookmarkChange(number=1, unseen=10)),
        step(9, begun(2, LAMP, parent=1)),
    ],
)
def test_a_record_that_does_not_go_on_from_the_bank_does_not_fit(wrong: StepRecord) -> None:
    assert not bank(step(3, begun(1, KIT))).fits(wrong)


def test_what_is_written_down_of_a_bookmark_brings_it_to_where_it_is() -> None:
    before = Bookmark(number=1, asked=LAMP, keyword="lamp", synced=3).hit([2])
    after = replace(before.hit([7]), answer=KeptAnswer("Kit.", (7,)), synced=9)
    change = difference(before, after, unseen=6, read=4)
    assert change.hits == (7,) and change.keyword == ""
    assert applied(change, {1: before}, 9) == after
    record = StepRecord(who="Oda", at=9, changes=(change,), proposed=(Proposed(LAMP, 1, "reused"),))
    assert unpacked(packed(record)) == record
    assert (record.unseen, record.read, record.scratch, record.active) == (6, 4, 9, (1,))


def test_a_record_from_before_calls_were_counted_is_read_and_says_nothing_of_them() -> None:
    asked = b'{"question":"Where is Kit now?","kind":"state"}'
    old = unpacked(
        b'{"who":"Oda","at":9,"proposed":[{"asked":%b,"number":1}],'
        b'"changes":[{"number":1,"begun":%b,"unseen":9,"read":9}]}' % (asked, asked)
    )
    assert old and old.costs is None and bank(old)[1].anew is None
    change = BookmarkChange(number=1, unseen=1, read=1, took=CallCost(2, 50))
    new = StepRecord(who="Oda", at=10, proposed=(Proposed(KIT, 1, "reused"),), changes=(change,))
    assert new.costs == StepCosts(NO_CALLS, NO_CALLS), "from the start it is not known"
    assert bank(old, new)[1].anew is None


def test_what_a_step_took_counts_parents_and_comparing_and_the_start_what_is_asked_alone() -> None:
    changes = (
        BookmarkChange(number=1, took=CallCost(1, 10), anew=CallCost(9, 90)),
        BookmarkChange(number=2, begun=LAMP, parent=1, took=CallCost(2, 20), anew=CallCost(5, 50)),
    )
    proposed = Proposed(LAMP, 2, "derived", CallCost(1, 7))
    record = StepRecord(who="Oda", at=9, proposed=(proposed,), changes=changes)
    assert record.costs == StepCosts(CallCost(4, 37), CallCost(5, 50))
    assert unpacked(packed(record)) == record


def test_what_is_not_known_from_the_start_counts_on_neither_side_nor_does_what_found_it() -> None:
    changes = (
        BookmarkChange(number=1, took=CallCost(1, 10), anew=CallCost(9, 90)),
        BookmarkChange(number=2, took=CallCost(2, 20)),
    )
    found = (
        Proposed(KIT, 1, "reused", CallCost(1, 7)),
        Proposed(TALKS, 2, "reused", CallCost(1, 8)),
    )
    record = StepRecord(who="Oda", at=9, proposed=found, changes=changes)
    assert record.costs == StepCosts(CallCost(2, 17), CallCost(9, 90))


@pytest.mark.parametrize(
    ("anew", "written"), [(CallCost(2**53 - 1, 2**53 - 1), NO_CALLS), (NO_CALLS, CallCost(9, 900))]
)
def test_a_cost_that_somebody_made_up_leaves_records_that_can_be_read(
    anew: CallCost, written: CallCost
) -> None:
    change = BookmarkChange(number=1, took=NO_CALLS, anew=anew - written + CallCost(1, 10))
    record = step(9, change)
    assert unpacked(packed(record)) == record


@pytest.mark.parametrize("data", [b"", b"{}", b"[" * 100_000, b'{"who":1}', b"\xff"])
def test_what_is_no_record_is_none(data: bytes) -> None:
    assert unpacked(data) is None


TOO_LONG = "q" * 5000


@pytest.mark.parametrize(
    "lie",
    [
        step(9, begun(1, Proposal(TOO_LONG, "state"))),
        step(9, begun(1, Proposal("How?", "behavioral", TOO_LONG))),
        step(9, begun(1, LAMP, TOO_LONG)),
        step(9, replace(begun(1, LAMP), keyword=TOO_LONG)),
        step(9, replace(begun(1, KIT), folds=(Fold(4, KeptAnswer(TOO_LONG)),))),
        step(9, replace(begun(1, KIT), folds=(Fold(4, KeptAnswer()),) * 65)),
        StepRecord(who="Oda", at=9, changes=(begun(1, LAMP),) * 41),
        StepRecord(who="Oda", at=9, proposed=(Proposed(LAMP, 1),) * 21),
        StepRecord(who=TOO_LONG, at=9),
    ],
)
def test_texts_and_numbers_that_no_step_of_ours_has_are_not_read(lie: StepRecord) -> None:
    """A log from elsewhere would have this process keep and compare them."""
    assert unpacked(packed(lie)) is None


def test_what_could_not_be_answered_is_fruitless_until_it_can_be_the_newest_last() -> None:
    unknown = [begun(1, KIT, UNKNOWN), begun(2, LAMP, UNKNOWN)]
    found = bank(step(3, *unknown))
    assert found.fruitless(5) == (KIT.question, LAMP.question)
    assert found.fruitless(1) == (LAMP.question,)
    found.take(step(4, BookmarkChange(number=2, answer=KeptAnswer("Oda does.", (4,)))))
    assert found.fruitless(5) == (KIT.question,)


def test_the_very_same_question_goes_before_newer_ones_that_share_all_its_words() -> None:
    newer = (Proposal(f"What does Kit do on day {day}?", "state") for day in range(2, 9))
    found = bank(step(3, *(begun(at, one) for at, one in enumerate([KIT, *newer], start=1))))
    assert [one.number for one in found.candidates(KIT)] == [1, 8, 7, 6, 5]
