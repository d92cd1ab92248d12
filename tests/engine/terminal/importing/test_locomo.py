"""`whoknew import locomo`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_runner import refused, run
from small_imports import LOCOMO, imported


def test_what_was_said_can_be_asked_of_who_heard_it(tmp_path: Path) -> None:
    world, log = imported("locomo", tmp_path), tmp_path / "log.db"
    assert "Bo: So I said 2." in run("replay", world, "--as", "Ana", "--log", log).stdout
    again = run("import", "locomo", tmp_path / "locomo.json", "--log", log).stdout
    assert "left as it was" in again


def written(folder: Path, **otherwise: Any) -> Path:
    """A conversation in a file, but for what is otherwise in it; what is None is not there."""
    file = folder / "locomo.json"
    talk = {**LOCOMO[0]["conversation"], **otherwise}
    kept = {key: value for key, value in talk.items() if value is not None}
    file.write_text(json.dumps([{"sample_id": "c-1", "conversation": kept}]))
    return file


def turn(**keys: Any) -> list[dict[str, Any]]:
    return [{"speaker": "Ana", "dia_id": "D1:7", "text": "So.", **keys}]


@pytest.mark.parametrize(
    ("otherwise", "what"),
    [
        (
            {"session_1_date_time": "yesterday"},
            "its session_1_date_time is 'yesterday': give when it was, as '1:56 pm on 8 May, 2023'",
        ),
        (
            {"session_1_date_time": "11:59 pm on 31 December, 9999"},
            "D1 is of the last year that there is: correct its date",
        ),
        ({"session_1_date_time": None}, "has no session_1_date_time: give when it was"),
        ({"speaker_a": None}, "has no speaker_a: give the name of one who speaks"),
        ({"speaker_a": "Bo"}, "speaker_a and speaker_b are both 'Bo'"),
        ({"session_1": "Hello"}, "its session_1 is 'Hello', but should be a list of turns"),
        ({"session_1": ["Hello"]}, "session_1, turn 1: is 'Hello', but should be an object"),
        (
            {"session_1": turn(speaker="Leah")},
            "session_1, turn 1 (D1:7): 'Leah' speaks, who is neither speaker_a ('Ana') nor speaker_b",
        ),
        ({"session_1": turn(text=5)}, "session_1, turn 1 (D1:7): its text is 5, but should be"),
        (
            {"session_1": [{"speaker": "Ana"}]},
            "session_1, turn 1 (without dia_id): its dia_id is missing",
        ),
    ],
)
def test_what_is_no_conversation_is_told_by_session_and_turn(
    tmp_path: Path, otherwise: dict[str, Any], what: str
) -> None:
    file, log = written(tmp_path, **otherwise), tmp_path / "log.db"
    assert f"{file}: c-1: {what}" in refused("import", "locomo", file, "--log", log)
    assert not log.exists()


def test_what_is_left_out_is_told_where_it_was_there(tmp_path: Path) -> None:
    log = tmp_path / "log.db"
    told = run("import", "locomo", written(tmp_path), "--log", log).stdout
    assert "left out" not in told and "strange" not in told
    file = written(tmp_path, session_1=[*turn(img_url=["a.jpg"]), *turn(text="", dia_id="D1:8")])
    told = run("import", "locomo", file, "--log", tmp_path / "other.db").stdout
    assert "c-1: pictures are no part of the story: left out" in told
    assert "c-1 D1:8: has no text: nothing is said in this turn" in told


def test_amendments_that_are_not_there_are_told(tmp_path: Path) -> None:
    amend = tmp_path / "nofile.toml"
    message = refused("import", "locomo", written(tmp_path), "--amend", amend)
    assert message == f"whoknew: {amend} is not there\n"
