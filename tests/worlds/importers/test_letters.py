"""Letters that are read aloud in plays, in scenes of our own making: who wrote them. ANA, BO and CY are
there as each begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from play_scripts import imported

from whoknew.eventlog.kinds import Acted

LETTERS = {
    "signed": ("ANA. [Reads] 'Sir, all is lost. Yours, DAN.'", "DAN"),
    "signed on a line of its own": ("ANA. [Reads] 'Come to me at dawn. Thine ever, EVE.' What means she?", "EVE"),
    "signed without quotation marks": ("ANA. [Reads the letter] Come at dawn. Your servant, EVE.", "EVE"),
    "from whom it is": ("BO. Here are letters, madam, from Dan.\nANA. [Reads] 'All is lost.'", "DAN"),
    "whose it is": ("ANA. This is Eve's hand. [Reads] 'All is lost.'", "EVE"),
    "who wrote it": ("BO. Thus Dan hath writ to you.\nANA. [Reading] 'All is lost.'", "DAN"),
    "who sent it": ("BO. Eve sends you this.\nANA. [Reads] 'All is lost.'", "EVE"),
    "asked afterwards": ("ANA. [Reads] 'All is lost.'\nBO. Came this from Dan?", "DAN"),
    "thanked for it": (
        "[Exeunt BO and CY]\n[Enter DAN with a paper]\nANA. [Reads] 'All is lost.'\n[Enter EVE]\nANA. Thy letters frighted me.\nEVE. Why so?",
        "EVE",
    ),
    "one comes in reading": (
        "[Exeunt]\n[Enter EVE, reading a letter]\nEVE. 'They met me by the mill. DAN.' So, so.",
        "DAN",
    ),
    "the nearest": (
        "BO. Letters from Eve came yesterday.\nCY. And this is a letter from Dan.\nANA. [Reads] 'All is lost.'",
        "DAN",
    ),
    # nobody knows
    "not said": ("ANA. [Reads] 'All is lost.'\nBO. Heavens!", None),
    "addressed": ("BO. Well?\nANA. [Reads] 'All is lost. Farewell, Eve.'", None),
    "one's own": ("BO. Read your letter, Ana.\nANA. [Reads] 'All is lost. ANA.'", None),
    "sent to somebody": ("BO. I sent Dan away.\nANA. [Reads] 'All is lost.'", None),
    "sent for somebody": ("BO. Eve hath sent for you.\nANA. [Reads] 'All is lost.'", None),
    "a book": ("[Enter EVE, reading on a book]\nEVE. 'All is lost. DAN.'", None),
    "no letter": ("BO. Letters from Dan.\nANA. [Reads] Well, well.", None),
    "silently": ("BO. Letters from Dan.\nANA. [Reads to herself] 'So.'", None),
    "another speaks": ("BO. A letter from Dan. [ANA reads]\nBO. What says he?", None),
}  # fmt: skip


@pytest.mark.parametrize("case", LETTERS)
def test_who_wrote_a_letter_that_is_read_aloud(tmp_path: Path, case: str) -> None:
    script, writer = LETTERS[case]
    drafts = imported(tmp_path, script).drafts
    acted = [draft.body for draft in drafts if isinstance(draft.body, Acted)]
    assert {one.writer for one in acted} - {None} == {writer} - {None}
