"""A prompt that tells what its character has not witnessed is found; one that sets down side by side
what it has witnessed is not, whoever else did the same."""

from __future__ import annotations

import pytest
from small_worlds import NIGHT

from whoknew.agents.models.model import Message, Request
from whoknew.engine.finding.prompt_scan import PromptScan
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, Kind, Remembered

BOTH = ("Ann", "Bob")
WAITING = "I have been passing since ten."
WHISTLE = "The steamer's whistle goes for the first time."


def scanned(prompt: str, *happened: tuple[Kind, tuple[str, ...]]) -> list[str]:
    """The words of others' events that a prompt tells Ann."""
    scan = PromptScan()
    scan.read(
        Event("w", seq, NIGHT, NIGHT, body, actor=None, witnesses=witnesses)  # type: ignore[arg-type]
        for seq, (body, witnesses) in enumerate(happened, start=1)
    )
    found = scan.scan("Ann", len(happened), Request("answer", (Message("user", prompt),)), ())
    return [one.words for one in found]


def noted(text: str) -> tuple[Kind, tuple[str, ...]]:
    return Remembered("Bob", "summary", text), ("Bob",)


@pytest.mark.parametrize(
    ("note", "prompt"),
    [
        (f"[3] {WAITING} [4] {WHISTLE}", f"[7] {WAITING} [4] {WHISTLE}"),
        (f"[93] Tobias: {WAITING} [94] {WHISTLE}", f"What happened: {WAITING} [94] {WHISTLE}"),
        (f"{WAITING} {WHISTLE}", f"{WAITING} {WHISTLE}"),
        (f"{WAITING} King Claudius: {WHISTLE}", f"[7] {WAITING} [8] King Claudius: {WHISTLE}"),
    ],
)
def test_what_another_noted_of_the_same_is_told_to_nobody(note: str, prompt: str) -> None:
    heard = [(Acted(WAITING), BOTH), (Acted(WHISTLE), BOTH)]
    assert scanned(prompt, *heard, noted(note)) == []


def test_what_another_noted_besides_is() -> None:
    besides = "Tobias hid forty silver spoons beneath the stairs of the old lighthouse."
    heard = [(Acted(WAITING), BOTH), (Acted(WHISTLE), BOTH)]
    told = scanned(f"{WAITING} {besides} {WHISTLE}", *heard, noted(f"{besides} {WHISTLE}"))
    assert told and told[0].startswith("tobias hid forty silver spoons beneath")


def test_a_short_line_is_found_as_a_whole() -> None:
    short = "Barnaby hid forty spoons beneath."
    assert scanned(f"Someone said: {short}", (Acted(short), ("Bob",))) == [
        "barnaby hid forty spoons beneath"
    ]
