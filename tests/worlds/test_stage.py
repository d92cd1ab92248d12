"""Who witnesses what."""

from __future__ import annotations

import pytest

from whoknew.worlds import Stage
from whoknew.worlds.errors import OffStage


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
