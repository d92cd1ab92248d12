"""How much of a reference an answer holds, by its words."""

from __future__ import annotations

from datetime import datetime

import pytest
from store_places import VolatilePlace, log_at

from whoknew.engine.judges.reference import OVERLAP, ReferenceJudge
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Verdict
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import CharacterAdded, WorldOpened


async def verdict(answer: str, reference: str | None) -> Verdict:
    async with log_at(VolatilePlace()) as log:
        await log.append(
            "w",
            [
                Draft(WorldOpened("w"), datetime(2001, 1, 1)),
                Draft(CharacterAdded("Ann"), witnesses=("Ann",)),
            ],
        )
        case = AnswerCase(
            character="Ann",
            question="Who?",
            answer=answer,
            rests_on=(),
            view=await log.view("w", "Ann"),
            reference=reference,
        )
        (found,) = await ReferenceJudge().review(case)
    return found


@pytest.mark.parametrize(
    ("answer", "reference", "overlap", "missed"),
    [
        ("Dorte cannot taste.", "It is Dorte who cannot taste.", 1.0, ""),
        ("She tasted nothing.", "Dorte cannot taste.", 1 / 3, "dorte, cannot"),
        ("There are 9 jars.", "Nine jars.", 1.0, ""),
        ("Twelve hundred, or 1200.", "1,200 crowns", 0.5, "crowns"),
        ("10 jars", "9 jars", 0.5, "9"),
        ("Somebody else.", "It was I, with Will.", 0.0, "will"),
        ("No.", "No, not you.", 1 / 3, "not, you"),
        ("", "salt salt lemon", 0.0, "salt, lemon"),
        ("她在厨房", "她在厨房里", 0.8, "里"),
    ],
)
async def test_content_words_numbers_and_names_are_looked_for(
    answer: str, reference: str, overlap: float, missed: str
) -> None:
    found = await verdict(answer, reference)
    assert found.character == "Ann" and found.scores == {OVERLAP: pytest.approx(overlap)}
    assert found.reason.partition("; missed: ")[2] == missed


@pytest.mark.parametrize("reference", [None, "", "...", "?!"])
async def test_without_a_word_to_compare_with_it_fails(reference: str | None) -> None:
    found = await verdict("Anything.", reference)
    assert found.scores is None and "no words" in found.reason
