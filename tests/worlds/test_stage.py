"""Who witnesses what."""

from __future__ import annotations

import pytest

from whoknew.eventlog.kinds import State
from whoknew.worlds import Stage
from whoknew.worlds.errors import OffStage
from whoknew.worlds.reach import Reach


def test_speech_is_witnessed_by_those_present() -> None:
    assert Stage(["Oda", "Bram"]).speech("Oda") == ("Oda", "Bram")


def test_a_whisper_is_witnessed_by_sender_and_recipients() -> None:
    assert Stage(["Oda", "Bram", "Ines"]).whisper("Oda", ["Ines"]) == ("Oda", "Ines")


def test_one_who_comes_in_hidden_is_the_only_witness_of_it() -> None:
    assert Stage(["Oda"]).enter("Kit", hidden=True) == ("Kit",)


def test_the_hidden_perceive_and_are_not_perceived() -> None:
    stage = Stage(["Oda", "Bram"])
    stage.enter("Kit", hidden=True)
    assert stage.speech("Oda") == ("Oda", "Bram", "Kit")
    assert stage.deed("Kit") == ("Kit",)
    assert stage.seen == ("Oda", "Bram")


def test_stepping_out_of_hiding_is_witnessed_by_all() -> None:
    stage = Stage(["Oda"])
    stage.enter("Kit", hidden=True)
    assert stage.enter("Kit") == ("Oda", "Kit")
    assert stage.speech("Kit") == ("Oda", "Kit")


def test_the_hidden_go_unseen() -> None:
    stage = Stage(["Oda"])
    stage.enter("Kit", hidden=True)
    assert stage.leave("Kit") == ("Kit",)
    assert stage.present == ("Oda",)


def test_going_is_witnessed_by_whoever_goes_and_nothing_after_it_is() -> None:
    stage = Stage(["Oda", "Bram"])
    assert stage.leave("Bram") == ("Oda", "Bram")
    assert stage.narration() == ("Oda",)


def test_a_thought_and_a_letter_need_no_room() -> None:
    stage = Stage(["Oda"])
    assert stage.thought("Nell") == stage.writing("Nell") == ("Nell",)
    assert stage.reading("Ines") == ("Ines",)


def test_one_who_is_not_there_cannot_speak() -> None:
    with pytest.raises(OffStage, match=r"Bram is not here \(here: Oda\): come in first"):
        Stage(["Oda"]).speech("Bram")


def test_one_who_is_hidden_cannot_speak_nor_be_whispered_to() -> None:
    stage = Stage(["Oda"])
    stage.enter("Kit", hidden=True)
    with pytest.raises(OffStage, match="Kit is hidden"):
        stage.speech("Kit")
    with pytest.raises(OffStage, match="cannot whisper to Kit, who is hidden"):
        stage.whisper("Oda", ["Kit"])


def test_one_who_is_here_cannot_come_in() -> None:
    with pytest.raises(OffStage, match="Oda is here already"):
        Stage(["Oda"]).enter("Oda")


SQUARE = Reach(sees={"tower": ("square",)})


def square(**conditions: State) -> Stage:
    """Oda and Bram in the square, Kit on the tower that looks upon it."""
    stage = Stage(["Oda", "Bram"], "square", SQUARE)
    stage.enter("Kit", "tower")
    for who, state in conditions.items():
        stage.conditions.become(who, state)
    return stage


def test_who_sees_a_place_sees_what_is_done_there_and_hears_no_word() -> None:
    stage = square()
    assert stage.deed("Oda") == ("Oda", "Bram", "Kit")
    assert stage.leave("Bram") == ("Oda", "Bram", "Kit")
    assert stage.speech("Oda") == ("Oda",)
    assert stage.speech_seen("Oda", ("Oda",)) == ("Kit",)
    assert stage.in_sight("Kit") == {"square": ("Oda",)}


def test_the_deaf_hear_no_words_and_see_them_spoken() -> None:
    stage = square(Bram="deaf")
    heard = stage.speech("Oda")
    assert heard == ("Oda",)
    assert stage.speech_seen("Oda", heard) == ("Bram", "Kit")
    assert stage.deed("Oda") == ("Oda", "Bram", "Kit")
    assert stage.whisper("Oda", ["Bram"]) == ("Oda",)
    assert stage.whisper_seen("Oda", ["Bram"]) == ("Bram",)


def test_the_blind_hear_and_see_no_deed() -> None:
    stage = square(Bram="blind", Kit="blind")
    assert stage.speech("Oda") == ("Oda", "Bram")
    assert stage.deed("Oda") == ("Oda",)
    assert stage.passing("Oda") == ("Oda", "Bram")
    assert stage.in_sight("Kit") == {}


def test_the_sleeping_witness_nothing_and_do_nothing() -> None:
    stage = square(Bram="asleep")
    assert stage.speech("Oda") == stage.speech_seen("Oda", ())[:1] == ("Oda",)
    assert "Bram" not in (*stage.deed("Oda"), *stage.passing("Oda"), *stage.narration())
    with pytest.raises(OffStage, match="Bram is asleep, and does nothing before it wakes"):
        stage.speech("Bram")


def test_nobody_learns_of_the_invisible_before_they_speak() -> None:
    stage = square(Bram="invisible")
    assert stage.perceived("Oda") == ()
    assert stage.deed("Bram") == stage.passing("Bram") == ("Bram",)
    assert stage.seers("Bram") == ()
    assert stage.speech("Oda") == ("Oda", "Bram")
    assert stage.speech("Bram") == ("Oda", "Bram")
    assert stage.speech_seen("Bram", ("Oda", "Bram")) == ()
    with pytest.raises(OffStage, match="whom nobody sees"):
        stage.whisper("Oda", ["Bram"])
