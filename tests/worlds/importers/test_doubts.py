"""What a play leaves open of who hears: noted beside the story, and no change of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import pytest
from play_scripts import imported

from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Acted, Doubted
from whoknew.eventlog.story import story_digest
from whoknew.worlds.importers.play.changes import Change
from whoknew.worlds.importers.play.staging import Staging

LONG = " ".join(["He is a man of whom the world may say what none will ever dare to his face"] * 2)
FEAST = (
    "[A banquet is brought in]\nANA. Sit, all.\nBO. Thanks.\nANA. Eat.\nBO. Ay.\nANA. More.\n"
    "BO. Enough.\nANA. Why so pale?\nBO. I saw Dan.\nANA. Hush.\nBO. Ay.\nANA. No more.\nBO. Well.\n"
)
BESIDE = (
    "[Enter DAN and EVE. A banquet is brought in]\nANA. She shines.\nBO. Ay.\nANA. So fair.\nBO. Ay.\n"
    "ANA. I am struck.\nDAN. Whose voice is this?\nEVE. Why so hot?\nDAN. It is he.\n"
    "EVE. Let him be.\nDAN. Well."
)


@pytest.mark.parametrize(
    ("script", "words", "doubted"),
    [
        (FEAST, "I saw Dan.", {"CY": "several talk at once"}),
        (BESIDE, "Whose voice is this?", dict.fromkeys(("ANA", "BO", "CY"), "several talk at once")),
        (BESIDE, "It is he.", dict.fromkeys(("ANA", "BO", "CY"), "several talk at once")),
        (
            f"[Enter DAN and EVE]\nANA. {LONG}\nDAN. Well met.",
            LONG,
            {"EVE": "it may be said to oneself"},
        ),
        ("ANA. A word in your ear, Bo.\nBO. What?", "A word in your ear, Bo.", {"CY": "it is said in an ear"}),
        ("[CY retires]\nCY. A fool.\nANA. Well.", "A fool.", dict.fromkeys(("ANA", "BO"), "it is said by one who stands apart")),
        ("[Enter DAN, and others]\nANA. So.\nEVE. Aye.", "So.", {"EVE": "no direction says when"}),
        ("[Enter DAN, EVE]\n[Exeunt ANA and DAN]\nBO. I'll follow you. [Exit BO]\nEVE. Why do they go?", "I'll follow you.", dict.fromkeys(("CY", "EVE"), "it is said to those who have just gone")),
        ("ANA. See where he comes! [Enter DAN] He looks pale.\nDAN. Well met.", "He looks pale.", {"DAN": "some have just come in"}),
        ("ANA. See where he comes! [Enter DAN] Welcome, Dan.\nDAN. Well met.", "Welcome, Dan.", {}),
        ("[Enter DAN and EVE]\nDAN. A light.\nEVE. The hall.\nANA. Is that Dan?", "A light.", dict.fromkeys(("ANA", "BO", "CY"), "some have just come in")),
        ("ANA. A word, Bo.\nBO. Well?\nCY. What?", "Well?", {"CY": "it may be a word apart"}),
        ("ANA. Farewell.\nCY. What says she?", "Farewell.", {"CY": "it is asked after"}),
        ("ANA. [To BO] Hit. [To CY] Miss.", "Hit.", {"CY": "it is said to one of two in turn"}),
        ("ANA. Yond Cy is lean.\nBO. Ay.", "Yond Cy is lean.", {"CY": "they are spoken of"}),
        ("[CY hides]\nANA. Now he is hid.\nBO. Ay.", "Now he is hid.", {"CY": "they are spoken of"}),
        ("[CY retires]\nCY. A fool.\nANA. Well.\n[CY comes forward]\nBO. So.", "A fool.", {}),
        ("ANA. [Aside] Fool. [Weeps] Alas.\nBO. Well.", "Alas.", dict.fromkeys(("BO", "CY"), "it goes on after an aside")),
        ("ANA. [Aside to BO] Well?\nBO. No.\nANA. Good.\nCY. So.", "Good.", dict.fromkeys(("BO", "CY"), "it goes on after an aside")),
        ("[Enter DAN]\nDAN. O brave Eve! [Exit]\nANA. So.", "O brave Eve!", dict.fromkeys(("ANA", "BO", "CY"), "it is said to one who is not there")),
        ("ANA. So.\nBO. Well.", "So.", {}),
        ("CY. [Aside] He lies.\nANA. Well.", "He lies.", {}),
    ],
)  # fmt: skip
def test_what_is_left_open_is_noted_beside_the_speech(
    tmp_path: Path, script: str, words: str, doubted: dict[str, str]
) -> None:
    drafts = imported(tmp_path, script).drafts
    found = {}
    for draft in drafts:
        if isinstance(draft.body, Doubted) and draft.cause is not None:
            speech = drafts[draft.cause - 1].body
            assert isinstance(speech, Acted)
            assert not draft.witnesses
            if speech.text == words:
                found |= dict.fromkeys(draft.body.names, draft.body.reason)
    assert found == doubted


def test_a_crowd_of_whom_no_direction_tells_takes_an_event_a_speech_and_two_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not one for each two of them, which of 1,000 are half a million."""
    taken: list[int] = []
    heard = Staging._heard

    def counted(*given: Any) -> Iterator[Change]:
        taken.append(1)
        return heard(*given)

    monkeypatch.setattr(Staging, "_heard", counted)
    names = [f"P{one}{other}" for one in ascii_uppercase[:6] for other in ascii_uppercase]
    drafts = imported(tmp_path, "\n".join(f"{name}. I am here." for name in names)).drafts
    doubts = [draft.body for draft in drafts if isinstance(draft.body, Doubted)]
    silent = [set(names[place:]) for place in range(len(names))]
    assert [set(one.names) for one in doubts] == [*[silent[0]] * 3, *silent[1:]]
    assert len(taken) < 4 * len(names)


async def test_a_doubt_changes_no_view_and_no_story(tmp_path: Path) -> None:
    drafts = imported(tmp_path, FEAST).drafts
    certain = [draft for draft in drafts if not isinstance(draft.body, Doubted)]
    assert len(certain) < len(drafts)
    async with open_log(":memory:") as log:
        await log.append("doubted", drafts)
        await log.append("certain", certain)
        digests = [
            story_digest(await (await log.director(world)).events())
            for world in ("doubted", "certain")
        ]
        assert digests[0] == digests[1]
        for name in ("ANA", "BO", "CY"):
            told = [
                [event.text for event in await (await log.view(world, name)).events()]
                for world in ("doubted", "certain")
            ]
            assert told[0] == told[1]


async def test_knowledge_tells_of_a_doubt_from_when_it_is_noted(tmp_path: Path) -> None:
    world = imported(tmp_path, FEAST)
    async with open_log(":memory:") as log:
        await log.append("w", world.drafts)
        knowledge = await log.knowledge("w")
        first = knowledge.doubtful()[0]
        assert knowledge.of(first, "CY").doubt == "several talk at once"
        assert knowledge.of(first, "CY").answer == "present"
        assert not knowledge.of(first, "ANA").doubt
        assert not (await log.knowledge("w", f"#{first}")).doubts(first)
