"""What is wrong with an answer, by eight kinds of slips: by a model, and six of them by rule."""

from __future__ import annotations

from typing import Any

import pytest
from answering_models import ByPurpose
from small_worlds import opened

from whoknew.agents.models.model import Model, Sampling
from whoknew.agents.models.offline import Offline
from whoknew.agents.prompts.text import prompt
from whoknew.engine.judges.slip_words import BY_RULE, SlipWordsJudge, slips
from whoknew.engine.judges.slips import SLIPS, SlipsJudge
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Verdict
from whoknew.eventlog import open_log

LABELS = {"type": "past-presence", "temporal": "It has rained.", "spatial": "Ann was there."}


async def case(labels: dict[str, Any], answer: str = "It rained.") -> AnswerCase:
    async with open_log(":memory:") as log:
        await log.append("w", opened("Ann"))
        view = await log.view("w", "Ann")
    return AnswerCase(
        character="Ann", question="And?", answer=answer, rests_on=(), view=view, labels=labels
    )


async def verdict(model: Model, reasks: int = 0) -> Verdict:
    (found,) = await SlipsJudge(model, Sampling(), reasks).review(await case(LABELS))
    return found


def test_there_are_eight_and_a_model_is_told_what_each_is() -> None:
    assert len(set(SLIPS)) == 8
    told = prompt("judge.slips")
    assert [told.index(f"\n- {one}: ") for one in SLIPS] == sorted(
        told.index(f"\n- {one}: ") for one in SLIPS
    )


@pytest.mark.parametrize("slip", SLIPS)
async def test_each_can_be_named(slip: str) -> None:
    scores = (await verdict(ByPurpose(judge=f"It is so.\n{slip}"))).scores or {}
    assert {name for name, score in scores.items() if score} == {slip}
    assert set(scores) == {"clean", *SLIPS}


async def test_several_can_be_named_and_none() -> None:
    scores = (await verdict(ByPurpose(judge="Bad.\ntemporal, entity"))).scores or {}
    assert {name for name, score in scores.items() if score} == {"temporal", "entity"}
    scores = (await verdict(ByPurpose(judge="All is well.\nnone"))).scores or {}
    assert {name for name, score in scores.items() if score} == {"clean"}


@pytest.mark.parametrize(
    "last",
    [
        "",
        "wrong",
        "temporal and spatial",
        "temporal,spatial",
        "none, temporal",
        "Temporal",
        "temporal.",
        "1",
        "temporal, temporal",
    ],
)
async def test_a_last_line_that_names_none_of_them_is_asked_again_and_then_a_failure(
    last: str,
) -> None:
    """Law 7."""
    model = ByPurpose(judge=f"So.\n{last}")
    found = await verdict(model, reasks=1)
    assert found.scores is None and found.reason and len(model.asked) == 2


async def test_without_labels_nobody_can_say() -> None:
    for judge in (SlipsJudge(ByPurpose(), Sampling(), 0), SlipWordsJudge()):
        (found,) = await judge.review(await case({"type": "future"}))
        assert found.scores is None and "temporal" in found.reason


async def test_the_offline_model_takes_other_words_for_invented() -> None:
    for answer, slip in (("It has rained.", "clean"), ("An elephant came.", "invented")):
        (found,) = await SlipsJudge(Offline(), Sampling(), 0).review(await case(LABELS, answer))
        assert {name for name, score in (found.scores or {}).items() if score} == {slip}


RAIN = "There will be rain on Friday"
PRESENT = {"type": "past-presence", "key": RAIN}
FACT = {"type": "past-only", "key": "Barnaby Quill"}
FAKE = {"type": "past-only", "key": "the lamp room", "false": "the quay"}


@pytest.mark.parametrize(
    ("labels", "answer", "found"),
    [
        ({"type": "future"}, "That has not happened yet.", set()),
        ({"type": "future"}, "I was glad when she said it.", {"temporal"}),
        ({"type": "past-absence"}, "I was not there.", set()),
        ({"type": "past-absence"}, "Yes, and it was cold.", {"spatial"}),
        (PRESENT, "I heard her: rain on Friday.", set()),
        (PRESENT, "I was not there.", {"spatial"}),
        (PRESENT, f"I was not there when she said, {RAIN}.", {"spatial", "contradictory"}),
        (PRESENT, "I do not remember.", {"incomplete"}),
        (FACT, "It was Barnaby Quill.", set()),
        (FACT, "It was Wren.", {"entity"}),
        (FACT, "I do not know.", {"incomplete"}),
        (FACT, "I do not know, but Barnaby Quill was there.", {"contradictory"}),
        ({**FACT, "key": "the third crate behind the door"}, "It stood.", {"incomplete"}),
        (FAKE, "Not on the quay: in the lamp room.", set()),
        (FAKE, "On the quay, where else?", {"unclarified"}),
        (FAKE, "I do not know.", {"incomplete"}),
        ({**FAKE, "key": ""}, "On the quay.", {"unclarified"}),
    ],
)
def test_by_rule(labels: dict[str, str], answer: str, found: set[str]) -> None:
    assert slips(answer, labels) == found
    assert found <= set(BY_RULE)


async def test_by_rule_only_those_are_scored_that_words_can_tell() -> None:
    (found,) = await SlipWordsJudge().review(await case(LABELS, "I was not there."))
    assert set(found.scores or {}) == {"clean", *BY_RULE} and len(BY_RULE) == 6
