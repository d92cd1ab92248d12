"""How much of its speaker is in an answer: by a text that is given, or by what the world says; else not at
all."""

from __future__ import annotations

import pytest
from answering_models import ByPurpose
from small_worlds import NIGHT

from whoknew.agents.errors import BadPart
from whoknew.agents.models.model import Sampling
from whoknew.agents.models.offline import Offline
from whoknew.engine.judges.personality import PersonalityEntry, PersonalityJudge
from whoknew.engine.playing.case import AnswerCase
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import CharacterAdded, WorldOpened

GRUFF = "Gruff, and afraid of nobody."


async def case(description: str = "") -> AnswerCase:
    async with open_log(":memory:") as log:
        added = CharacterAdded("Ann Lee", description)
        await log.append(
            "w", [Draft(WorldOpened("w"), NIGHT), Draft(added, witnesses=("Ann Lee",))]
        )
        view = await log.view("w", "Ann Lee")
    return AnswerCase(
        character="Ann Lee", question="And?", answer="Who asks?", rests_on=(), view=view
    )


def judge(model: ByPurpose, texts: dict[str, str], reasks: int = 0) -> PersonalityJudge:
    return PersonalityJudge(model, Sampling(), reasks, texts)


@pytest.mark.parametrize("mark", range(1, 8))
async def test_the_mark_is_the_last_line(mark: int) -> None:
    model = ByPurpose(judge=f"She is curt, as she should be.\n{mark}")
    (found,) = await judge(model, {"Ann Lee": GRUFF}).review(await case())
    assert found.scores == {"personality": float(mark)}
    assert found.reason == "She is curt, as she should be."
    assert GRUFF in model.asked[0].messages[1].text


@pytest.mark.parametrize("name", ["ann_lee", "ANN LEE", "Ann  Lee"])
async def test_a_text_is_found_under_the_name_of_a_file_too(name: str) -> None:
    assert await judge(ByPurpose(judge="1"), {name: GRUFF}).review(await case())


async def test_without_a_text_it_is_what_the_world_says_of_whoever_answers() -> None:
    model = ByPurpose(judge="6")
    assert await judge(model, {"Bob": "Meek."}).review(await case(GRUFF))
    assert (
        GRUFF in model.asked[0].messages[1].text and "Meek" not in model.asked[0].messages[1].text
    )


async def test_who_has_neither_is_not_judged() -> None:
    """Which is no score, and no failure either."""
    model = ByPurpose(judge="6")
    assert await judge(model, {"Bob": "Meek."}).review(await case()) == []
    assert model.asked == []


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "0",
        "8",
        "10",
        "6.5",
        "6/7",
        "Score: 6",
        "**6**",
        "6 7",
        "6\nor so",
        "six",
        "-1",
        "\u0666",
    ],
)
async def test_a_last_line_that_is_no_mark_is_asked_again_and_then_a_failure(reply: str) -> None:
    """Law 7."""
    model = ByPurpose(judge=reply)
    (found,) = await judge(model, {"Ann Lee": GRUFF}, reasks=1).review(await case())
    assert found.scores is None and found.reason and len(model.asked) == 2
    again = ByPurpose(judge=[reply, "Well then.\n2"])
    (found,) = await judge(again, {"Ann Lee": GRUFF}, reasks=1).review(await case())
    assert found.scores == {"personality": 2.0}


async def test_the_offline_model_cannot_tell() -> None:
    found = PersonalityJudge(Offline(), Sampling(), 0, {"Ann Lee": GRUFF})
    (one,) = await found.review(await case())
    assert one.scores == {"personality": 4.0}


def test_a_folder_is_read_by_the_plan_of_an_exam_alone() -> None:
    with pytest.raises(BadPart, match="only the plan of an exam"):
        PersonalityEntry(texts="personality").make(None)  # type: ignore[arg-type]
