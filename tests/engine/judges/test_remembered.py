"""What a memory brought: which points of a right answer, and how much that helps; by a model, and by rule."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from answering_models import ByPurpose
from small_worlds import opened, said

from whoknew.agents.lines import line
from whoknew.agents.models.model import Model, Sampling
from whoknew.agents.models.offline import Offline
from whoknew.engine.judges.remembered import MOST, RememberedJudge
from whoknew.engine.judges.remembered_words import RememberedWordsJudge
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Judge, Verdict
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Acted

SAID = ("The van comes on the third.", "The ferry to Elba is booked.", "Soup again, with leek.")
POINTS = ["Ann moves house on the third.", "Ann had booked a ferry to Elba."]


async def verdicts(
    judge: Judge[Any], brought: Sequence[int] | Sequence[str] | None, labels: dict[str, Any]
) -> list[Verdict]:
    """What is said of what came to mind: the lines of some of the things said, or others."""
    async with open_log(":memory:") as log:
        await log.append("w", [*opened("Ann"), *(said("Ann", text) for text in SAID)])
        view = await log.view("w", "Ann")
        events = [event for event in await view.events() if event.body.words in SAID]
    lines = {number: line(number, event) for number, event in enumerate(events)}
    shown = None if brought is None else tuple(lines.get(one, one) for one in brought)  # type: ignore[call-overload]
    case = AnswerCase(
        character="Ann",
        question="When do you move, and where do you go then?",
        answer="On the third.",
        rests_on=(),
        view=view,
        evidence=((events[0].seq,), (events[1].seq,)),
        labels=labels,
        brought=partial(_given, shown),
    )
    return await judge.review(case)


async def _given(lines: Any) -> Any:
    return lines


def model_judge(model: Model, reasks: int = 0) -> RememberedJudge:
    return RememberedJudge(model, Sampling(), reasks)


@pytest.mark.parametrize(
    ("brought", "points", "helpful"),
    [
        ((0, 1, 2), 1.0, 1.0),
        ((1, 2), 0.5, 0.5),
        ((2,), 0.0, 0.0),
        ((), 0.0, 0.0),
        (("Fact: she had booked the Elba ferry",), 0.5, 0.5),
        (("Something of a ferry",), 0.0, 0.0),
        (("on the third the van comes, rain or not",), 0.5, 0.5),
    ],
)
async def test_by_rule_a_point_is_covered_by_what_shows_it_or_says_it(
    brought: Sequence[Any], points: float, helpful: float
) -> None:
    (found,) = await verdicts(RememberedWordsJudge(), brought, {"points": POINTS})
    assert found.scores == {"points": points, "helpful": helpful}


async def test_what_happened_without_a_word_is_not_held_by_every_memory() -> None:
    async with open_log(":memory:") as log:
        nodded = Draft(Acted(act="none"), actor="Ann", witnesses=("Ann",))
        done = await log.append("w", [*opened("Ann"), nodded])
        case = AnswerCase(
            character="Ann",
            question="Where do you go?",
            answer="To Elba.",
            rests_on=(),
            view=await log.view("w", "Ann"),
            evidence=((done.last,),),
            labels={"points": POINTS[1:]},
            brought=partial(_given, ("Soup again.",)),
        )
        (found,) = await RememberedWordsJudge().review(case)
    assert found.scores == {"points": 0.0, "helpful": 0.0}


async def test_without_points_in_words_the_evidence_itself_is_looked_for() -> None:
    (found,) = await verdicts(RememberedWordsJudge(), (0,), {})
    assert found.scores == {"points": 0.5, "helpful": 0.5}


@pytest.mark.parametrize("judge", [RememberedWordsJudge(), model_judge(ByPurpose())])
async def test_of_a_memory_that_asks_a_model_nothing_is_said(judge: Judge[Any]) -> None:
    assert await verdicts(judge, None, {}) == []


async def test_a_model_is_shown_all_that_came_and_asked_twice() -> None:
    model = ByPurpose(judge=["The van.\n1", "Half of it.\n1"])
    (found,) = await verdicts(model_judge(model), (0, 2), {"points": POINTS})
    assert found.scores == {"points": 0.5, "helpful": 0.5}
    for request in model.asked:
        told = request.messages[1].text
        assert SAID[0] in told and SAID[2] in told and SAID[1] not in told
        assert f'(1) "{POINTS[0]}"' in told and f'(2) "{POINTS[1]}"' in told
        assert "# The answer" not in told


@pytest.mark.parametrize(
    "last", [["", "1"], ["3", "1"], ["1", "3"], ["1", "-1"], ["1", ""], ["1 2", "1"], ["all", "2"]]
)
async def test_what_is_no_verdict_is_a_failure_and_no_score(last: list[str]) -> None:
    """Law 7."""
    model = ByPurpose(judge=[f"So.\n{one}" for one in last])
    (found,) = await verdicts(model_judge(model), (0,), {"points": POINTS})
    assert found.scores is None and found.reason


async def test_a_model_is_not_shown_a_whole_life() -> None:
    model = ByPurpose()
    assert await verdicts(model_judge(model), ("word " * 4 * MOST,), {}) == []
    assert model.asked == []


async def test_the_offline_model_goes_by_words() -> None:
    (found,) = await verdicts(
        model_judge(Offline()), ("Ann moves house on the third",), {"points": POINTS}
    )
    assert found.scores == {"points": 0.5, "helpful": 0.5}
