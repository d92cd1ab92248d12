"""What a speech tells its hearers of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from whoknew.engine.finding.finder import KEPT, Finder, Found
from whoknew.engine.finding.sentences import MANY, sentences
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, CharacterAdded
from whoknew.eventlog.words import words

NOON = datetime(1600, 1, 1, 12)

Line = tuple[str, str, tuple[str, ...]]
"""Who says what, and who hears it."""

MET = ("Ann", "The lantern broke beneath the old aqueduct.", ("Ann", "Bob"))
TOLD = ("Bob", "Ann said that the lantern broke beneath the old aqueduct.", ("Bob", "Cid"))
CAST = ("Ann", "Bob", "Cid", "Dot")

WORDS = st.lists(
    st.sampled_from(
        [
            "lantern",
            "broke",
            "old",
            "aqueduct",
            "Ann",
            "Bob",
            "he",
            "told",
            "saw",
            "river",
            "?",
            ".",
            "money",
            "letter",
        ]
    ),
    max_size=12,
).map(" ".join)
LINES = st.lists(
    st.tuples(st.sampled_from(CAST), WORDS, st.sets(st.sampled_from(CAST)).map(sorted).map(tuple)),
    max_size=30,
)


def events(*lines: Line) -> list[Event]:
    cast = [
        Event("w", seq, NOON, NOON, CharacterAdded(name), witnesses=(name,))
        for seq, name in enumerate(CAST, start=1)
    ]
    return cast + [
        Event("w", seq, NOON, NOON, Acted(text), actor=actor, witnesses=witnesses)
        for seq, (actor, text, witnesses) in enumerate(lines, start=len(CAST) + 1)
    ]


def found(*lines: Line) -> list[Found]:
    return heard(events(*lines))


def heard(story: Sequence[Event]) -> list[Found]:
    finder = Finder()
    return [one for event in story for one in finder.hear(event)]


def test_who_was_not_there_is_told_by_one_who_was() -> None:
    one, *_ = found(MET, TOLD)
    assert (one.speech, one.of, one.by, one.hearers, one.knew) == (6, 5, "Bob", ("Cid",), True)
    assert one.score > 0.5
    assert "the lantern broke beneath the old aqueduct" in one.why


def test_who_was_there_is_told_nothing() -> None:
    assert found(MET, ("Bob", TOLD[1], ("Ann", "Bob"))) == []


def test_one_who_overhears_a_telling_is_told_and_one_who_does_not_is_not() -> None:
    one, *_ = found(MET, ("Bob", TOLD[1], ("Bob", "Cid", "Dot")))
    assert one.hearers == ("Cid", "Dot")
    other, *_ = found(MET, TOLD)
    assert other.hearers == ("Cid",)


def test_who_was_told_is_not_told_again_and_can_tell() -> None:
    again = ("Cid", TOLD[1], ("Bob", "Cid", "Dot"))
    told = {(one.of, one.hearers, one.knew) for one in found(MET, TOLD, again) if one.speech == 7}
    assert (6, ("Dot",), True) in told


def test_who_brings_news_of_what_it_has_not_seen_is_told_apart() -> None:
    one, *_ = found(MET, ("Dot", TOLD[1], ("Dot", "Cid")))
    assert (one.by, one.knew) == ("Dot", False)
    assert "was not there" in one.why


FRAMES = """
    Bob told me that | Bob told us | As Bob said, | as Bob himself has said | Bob himself swore that
    | I have it from Bob: | I had this from Bob | I heard from Bob that | From Bob: | Bob writes that
"""


@pytest.mark.parametrize("frame", [" ".join(one.split()) for one in FRAMES.split("|")])
def test_who_says_from_whom_it_has_it_tells_what_that_one_knew(frame: str) -> None:
    what = "the lantern broke beneath the old aqueduct."
    one, *_ = found(MET, ("Dot", f"{frame} {what}", ("Dot", "Cid")))
    assert (one.of, one.by, one.hearers, one.knew) == (5, "Dot", ("Cid",), False)
    assert "says to have it from Bob" in one.why


@pytest.mark.parametrize("other", ["Has Bob said that", "Who told Bob that", "Away from Bob"])
def test_who_only_names_somebody_does_not_say_from_whom_it_has_it(other: str) -> None:
    what = "the lantern broke beneath the old aqueduct?"
    said = found(MET, ("Dot", f"{other} {what}", ("Dot", "Cid")))
    assert not any("have it from" in one.why for one in said)


def test_of_a_letter_that_is_read_aloud_the_writer_tells_and_the_reader_is_told() -> None:
    story = events(MET, ("Cid", TOLD[1], ("Cid", "Dot")))
    letter = replace(story[5], body=Acted(TOLD[1], writer="Bob"))
    one, *_ = heard([*story[:5], letter])
    assert (one.of, one.by, one.hearers, one.knew) == (5, "Bob", ("Cid", "Dot"), True)
    alone = replace(letter, witnesses=("Cid",))
    assert heard([*story[:5], alone])[0].hearers == ("Cid",)


def test_a_letter_of_one_who_was_not_there_brings_news() -> None:
    story = events(MET, ("Cid", TOLD[1], ("Cid", "Bob")))
    letter = replace(story[5], body=Acted(TOLD[1], writer="Dot"))
    one, *_ = heard([*story[:5], letter])
    assert (one.by, one.hearers, one.knew) == ("Dot", ("Cid",), False)


def test_who_was_told_by_declaration_knows() -> None:
    story = events(MET, ("Bob", "Hm.", ("Bob", "Dot")), ("Dot", TOLD[1], ("Dot", "Cid")))
    story[5] = Event(
        "w", 6, NOON, NOON, Acted("Hm."), actor="Bob", witnesses=("Bob", "Dot"), about=(5,)
    )
    (one,) = [one for one in heard(story) if one.speech == 7 and one.of == 5]
    assert one.knew


@given(LINES, LINES)
def test_what_is_found_hangs_on_nothing_that_comes_after(
    first: list[Line], more: list[Line]
) -> None:
    upto = len(CAST) + len(first)
    assert [one for one in found(*first, *more) if one.speech <= upto] == found(*first)


@given(LINES)
def test_hearers_are_witnesses_who_missed_it(lines: list[Line]) -> None:
    story = {event.seq: event for event in events(*lines)}
    for one in found(*lines):
        speech, of = story[one.speech], story[one.of]
        assert one.of < one.speech
        assert 0 < one.score < 1
        assert set(one.hearers) <= {*speech.witnesses} - {*of.witnesses} - {one.by}
        assert one.hearers


def test_names_are_only_names() -> None:
    told = [one.score for one in found(MET, TOLD)]
    names = {"Ann": "Zoe", "Bob": "Xan", "Cid": "Una", "Dot": "Yve"}
    lines = [
        (names[actor], text.replace("Ann", "Zoe"), tuple(names[one] for one in witnesses))
        for actor, text, witnesses in (MET, TOLD)
    ]
    other = [
        Event("w", seq, NOON, NOON, CharacterAdded(name)) for seq, name in enumerate(names.values())
    ] + events(*lines)[len(CAST) :]
    assert [one.score for one in heard(other)] == told


def test_what_is_kept_is_bounded() -> None:
    finder = Finder()
    for event in events(*[("Ann", f"word{n} goes", ("Ann", "Bob")) for n in range(KEPT + 100)]):
        finder.hear(event)
    assert finder._bygones is not None
    assert len(finder._bygones.happenings) == KEPT
    assert len(finder._bygones.happenings._holding) <= KEPT + 10


def test_a_long_word_and_many_short_pieces_are_read_in_one_go() -> None:
    """Each took minutes where it took the square of its length."""
    assert len(sentences("a" * 1_000_000)) == 1
    assert len(sentences("a. " * 300_000)) <= MANY


@given(WORDS)
def test_no_word_of_a_speech_is_left_out(text: str) -> None:
    spoken = [word for sentence in sentences(text) for word in sentence.words]
    assert spoken == words(text)
