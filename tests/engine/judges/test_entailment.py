"""How much of an answer follows from the reference, sentence by sentence."""

from __future__ import annotations

import pytest
from answering_models import ByPurpose
from small_worlds import opened

from whoknew.agents.models.model import Model, Sampling
from whoknew.agents.models.offline import Offline
from whoknew.engine.judges.entailment import EntailmentJudge
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Verdict
from whoknew.eventlog import open_log

RIGHT = "It rained on Friday. The roof leaked."


async def verdict(
    model: Model, answer: str, reference: str | None = RIGHT, reasks: int = 0
) -> Verdict:
    async with open_log(":memory:") as log:
        await log.append("w", opened("Ann"))
        view = await log.view("w", "Ann")
    case = AnswerCase(
        character="Ann",
        question="And?",
        answer=answer,
        rests_on=(),
        view=view,
        reference=reference,
    )
    (found,) = await EntailmentJudge(model, Sampling(), reasks).review(case)
    return found


@pytest.mark.parametrize(
    ("last", "share"), [("1, 3", 2 / 3), ("2", 1 / 3), ("1,2, 3", 1.0), ("none", 0.0)]
)
async def test_it_is_the_share_of_the_sentences_that_follow(last: str, share: float) -> None:
    model = ByPurpose(judge=f"One after the other.\n{last}")
    found = await verdict(model, "It rained. I was glad! The roof leaked.")
    assert found.scores == {"entailed": pytest.approx(share)}
    asked = model.asked[0].messages[1].text
    assert "(1) It rained. (2) I was glad! (3) The roof leaked." in asked and RIGHT in asked


@pytest.mark.parametrize(
    "last",
    ["", "4", "0", "1, 1", "1 2", "1; 2", "all", "(1)", "1.", "1 to 2", "none, 1", "1,,2", "-1"],
)
async def test_a_last_line_that_is_no_verdict_is_asked_again_and_then_a_failure(last: str) -> None:
    """Law 7."""
    model = ByPurpose(judge=f"So.\n{last}")
    found = await verdict(model, "It rained. I was glad! The roof leaked.", reasks=1)
    assert found.scores is None and found.reason and len(model.asked) == 2


async def test_who_says_nothing_says_nothing_that_follows() -> None:
    model = ByPurpose()
    assert (await verdict(model, "  \n ")).scores == {"entailed": 0.0}
    assert model.asked == []


async def test_without_a_reference_it_does_not_judge() -> None:
    found = await verdict(ByPurpose(), "It rained.", reference=None)
    assert found.scores is None and "reference" in found.reason


async def test_the_offline_model_goes_by_words() -> None:
    found = await verdict(Offline(), "It rained on Friday. I was glad of my umbrella.")
    assert found.scores == {"entailed": 0.5}
    assert (await verdict(Offline(), "Nobody knows of elephants.")).scores == {"entailed": 0.0}
