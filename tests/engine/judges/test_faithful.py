"""Whether an answer makes something up, and how well it agrees: by a model, and by rule."""

from __future__ import annotations

from typing import Any

import pytest
from answering_models import ByPurpose
from small_worlds import opened, said

from whoknew.agents.models.model import Model, Sampling
from whoknew.agents.models.offline import Offline
from whoknew.engine.judges.faithful import FaithfulJudge, marked
from whoknew.engine.judges.faithful_words import FaithfulWordsJudge
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Judge, Verdict
from whoknew.eventlog import open_log

SHOWN = "The ferry to Elba leaves at six, and the tickets lie in the blue drawer."
RIGHT = "You booked a ferry to Elba."
UNTOLD = "I do not know"


async def verdict(judge: Judge[Any], answer: str, reference: str = RIGHT) -> Verdict:
    async with open_log(":memory:") as log:
        await log.append("w", [*opened("Ann"), said("Ann", SHOWN)])
        view = await log.view("w", "Ann")
        (event,) = [event for event in await view.events() if event.body.words == SHOWN]
    known = reference == RIGHT
    case = AnswerCase(
        character="Ann",
        question="What did you book?",
        answer=answer,
        rests_on=(),
        view=view,
        reference=reference,
        evidence=((event.seq,),) if known else (),
        labels={"points": ["Ann booked a ferry to Elba."] if known else []},
    )
    (found,) = await judge.review(case)
    return found


def model_judge(model: Model, reasks: int = 0) -> FaithfulJudge:
    return FaithfulJudge(model, Sampling(), reasks)


def scores(grounded: float, mark: int) -> dict[str, float]:
    return {"grounded": grounded, "consistent": mark / 3, "perfect": float(mark == 3)}


@pytest.mark.parametrize(
    ("answer", "grounded", "mark"),
    [
        ("A ferry to Elba, I booked it.", 1, 3),
        ("The ferry leaves at six, and the tickets to Elba lie in the blue drawer.", 1, 3),
        ("A ferry.", 1, 1),
        ("Something for Elba.", 1, 1),
        ("A horse, three elephants and the moon over Elba.", 0, 0),
        ("I do not know.", 1, 0),
        ("It was never said.", 1, 0),
    ],
)
async def test_by_rule_of_what_can_be_known(answer: str, grounded: float, mark: int) -> None:
    assert (await verdict(FaithfulWordsJudge(), answer)).scores == scores(grounded, mark)


@pytest.mark.parametrize(
    ("answer", "grounded", "mark"),
    [
        ("I do not know.", 1, 3),
        ("That cannot be determined.", 1, 3),
        ("A ferry to Elba.", 0, 0),
    ],
)
async def test_by_rule_of_what_cannot_be_known(answer: str, grounded: float, mark: int) -> None:
    assert (await verdict(FaithfulWordsJudge(), answer, UNTOLD)).scores == scores(grounded, mark)


@pytest.mark.parametrize("mark", [0, 1, 2, 3])
async def test_a_model_is_asked_for_both(mark: int) -> None:
    model = ByPurpose(judge=["All of it stands there.\n1", f"So it is.\n{mark}"])
    assert (await verdict(model_judge(model), "A ferry.")).scores == scores(1, mark)
    for request in model.asked:
        told = request.messages[1].text
        assert SHOWN in told and RIGHT in told and "Ann booked a ferry to Elba." in told


async def test_what_is_made_up_agrees_with_nothing_and_no_more_is_asked() -> None:
    model = ByPurpose(judge="There was no horse.\n0")
    assert (await verdict(model_judge(model), "A horse.")).scores == scores(0, 0)
    assert len(model.asked) == 1
    assert marked(0, 3) == scores(0, 0)


@pytest.mark.parametrize(
    "told", [["", "3"], ["2", "3"], ["1", "4"], ["1", "3 of 3"], ["1", "-1"], ["1", "2.5"]]
)
async def test_what_is_no_verdict_is_a_failure_and_no_score(told: list[str]) -> None:
    """Law 7."""
    model = ByPurpose(judge=[f"So.\n{one}" for one in told])
    found = await verdict(model_judge(model), "A ferry.")
    assert found.scores is None and found.reason


async def test_the_offline_model_goes_by_words() -> None:
    judge = model_judge(Offline())
    assert (await verdict(judge, "A ferry to Elba, I booked it.")).scores == scores(1, 3)
    assert (await verdict(judge, "Elephants danced upon my violin.")).scores == scores(0, 0)
    assert (await verdict(judge, "I do not know.", UNTOLD)).scores == scores(1, 3)
