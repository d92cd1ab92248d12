"""Whether answers keep to their moment and their place: judged by a model, and by rule."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest
from answering_models import ByPurpose
from small_worlds import opened

from whoknew.agents.methods.method import LONGEST
from whoknew.agents.models.model import Sampling
from whoknew.engine.judges.moment import KNOWING, MomentJudge
from whoknew.engine.judges.moment_words import AnswerWords, MomentWordsJudge, judged
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Verdict
from whoknew.eventlog import open_log

TEMPORAL = {"type": "past-only", "temporal": "It has rained."}
BOTH = {**TEMPORAL, "spatial": "Ann was there."}


async def case(labels: dict[str, Any], answer: str = "It rained.") -> AnswerCase:
    async with open_log(":memory:") as log:
        await log.append("w", opened("Ann"))
        view = await log.view("w", "Ann")
    return AnswerCase(
        character="Ann", question="And?", answer=answer, rests_on=(), view=view, labels=labels
    )


async def verdict(model: ByPurpose, labels: dict[str, Any], reasks: int = 0) -> Verdict:
    (found,) = await MomentJudge(model, Sampling(), reasks).review(await case(labels))
    return found


@pytest.mark.parametrize(
    ("replies", "scores"),
    [
        (["So it was.\n1", "It was.\n1"], {"right": 1.0, "spatial": 1.0, "temporal": 1.0}),
        (["So it was.\n1", "No.\n0"], {"right": 0.0, "spatial": 1.0, "temporal": 0.0}),
        (["She was.\n0"], {"right": 0.0, "spatial": 0.0}),
    ],
)
async def test_the_place_is_judged_first_and_what_is_wrong_there_is_wrong(
    replies: list[str], scores: dict[str, float]
) -> None:
    model = ByPurpose(judge=replies)
    assert (await verdict(model, BOTH)).scores == scores
    assert len(model.asked) == len(replies)


async def test_without_a_place_only_the_moment_is_judged() -> None:
    model = ByPurpose(judge="It fits.\n\n1\n")
    assert (await verdict(model, TEMPORAL)).scores == {"right": 1.0, "temporal": 1.0}
    assert '"It has rained."' in model.asked[0].messages[1].text


@pytest.mark.parametrize(
    "reply",
    [
        *(
            "",
            "1 or 0",
            "It is 1.",
            "Score: 1",
            "1\nbecause it rained",
            "2",
            "-1",
            "0.5",
            "1.0",
            "yes",
        ),
        *("1\n0\nboth", "one", "1/1", "[1]", "**1**", "1, 1", "1 0", "Reason.\nScore 1", "\u0661"),
    ],
)
async def test_a_last_line_that_is_no_score_is_asked_again_and_then_a_failure(reply: str) -> None:
    """Law 7: never a score that nobody gave."""
    model = ByPurpose(judge=reply)
    found = await verdict(model, TEMPORAL, reasks=1)
    assert found.scores is None and found.reason.startswith("temporal: ")
    assert len(model.asked) == 2
    again = ByPurpose(judge=[reply, "Now then.\n0"])
    assert (await verdict(again, TEMPORAL, reasks=1)).scores == {"right": 0.0, "temporal": 0.0}


async def test_without_labels_neither_judges() -> None:
    for judge in (MomentJudge(ByPurpose(), Sampling(), 0), MomentWordsJudge()):
        (found,) = await judge.review(await case({"type": "future"}))
        assert found.scores is None and "temporal" in found.reason


RAIN = "There will be rain on Friday"
FALSE = {"type": "past-only", "key": "the lamp room", "false": "the quay"}


@pytest.mark.parametrize(
    ("labels", "answer", "scores"),
    [
        ({"type": "future"}, "I do not know of that.", {"temporal": 1}),
        ({"type": "future"}, "That has not happened yet.", {"temporal": 1}),
        ({"type": "future"}, "I was glad when she said it.", {"temporal": 0}),
        ({"type": "future"}, "I do not know: I was not there.", {"temporal": 0}),
        ({"type": "past-absence"}, "I wasn't there.", {"spatial": 1, "temporal": 1}),
        ({"type": "past-absence"}, "I can't say.", {"spatial": 1, "temporal": 1}),
        ({"type": "past-absence"}, "Yes, and it was cold.", {"spatial": 0, "temporal": 1}),
        (
            {"type": "past-presence", "key": RAIN},
            "I heard her: rain on Friday.",
            {"spatial": 1, "temporal": 1},
        ),
        (
            {"type": "past-presence", "key": RAIN},
            f"I was not there when she said, {RAIN}.",
            {"spatial": 0, "temporal": 1},
        ),
        ({"type": "past-presence", "key": RAIN}, "Who knows?", {"spatial": 1, "temporal": 0}),
        ({"type": "past-only", "key": "Barnaby"}, "It was Barnaby.", {"temporal": 1}),
        ({"type": "past-only", "key": "Barnaby"}, "I do not know Barnaby.", {"temporal": 0}),
        (FALSE, "It was in the lamp room.", {"temporal": 1}),
        (FALSE, "Not on the quay: in the lamp room.", {"temporal": 1}),
        (FALSE, "In the lamp room, or on the quay.", {"temporal": 0}),
        (FALSE, "On the quay, where else?", {"temporal": 0}),
        ({**FALSE, "key": ""}, "Nobody was on the quay.", {"temporal": 1}),
        ({**FALSE, "key": ""}, 'He said, "There is nobody."', {"temporal": 0}),
    ],
)
def test_by_rule(labels: dict[str, str], answer: str, scores: dict[str, float]) -> None:
    assert judged(answer, labels)[0] == scores


@pytest.mark.parametrize(
    ("answer", "unknown", "away"),
    [
        ("I do not know.", True, False),
        ("I really cannot say.", True, False),
        ("Cannot say.", True, False),
        ("No idea.", True, False),
        ("I had no idea of it.", True, False),
        ("I was not there, and cannot tell.", True, True),
        ("What was said at the weir I cannot tell.", True, False),
        ("Ann does not know of it.", True, False),
        ("That has not happened yet.", True, False),
        ("Petra did not know that the rent was paid.", False, False),
        ("He said that he could not remember her.", False, False),
        ("They had no idea; she knew nothing.", False, False),
        ("I was there, but Petra was not there.", False, False),
        ("I heard it from Petra, who did not know why.", False, False),
        ('Petra said, "I do not know."', False, False),
    ],
)
def test_only_what_is_said_of_who_answers_says_that_it_does_not_know(
    answer: str, unknown: bool, away: bool
) -> None:
    said = AnswerWords.of(answer, "Ann")
    assert (said.unknown, said.away) == (unknown, away)


@pytest.mark.parametrize("again", ["Petra cannot say and ", "!", ".\n?"])
def test_the_longest_answer_is_judged_in_time_that_grows_with_its_length(again: str) -> None:
    """A reader that is quadratic takes minutes of a processor for it."""
    begun = process_time()
    assert not AnswerWords.of(again * (LONGEST // len(again)), "Ann").unknown
    assert process_time() - begun < 15


def test_a_fact_that_somebody_did_not_know_is_told_and_right() -> None:
    labels = {**TEMPORAL, "key": "rent paid"}
    assert judged("Petra did not know that the rent was paid.", labels, "Ann")[0] == {"temporal": 1}


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("I did not know that then.", 1.0),
        ("I knew nothing of it when I spoke.", 1.0),
        ("Nobody had told me.", 1.0),
        ("I do not know.", 0.0),
        ("It was a fine evening.", 0.0),
        ("Yes, I knew it well.", 0.0),
    ],
)
def test_who_is_said_to_have_known_something_denies_it_by_not_having_known(
    answer: str, right: float
) -> None:
    labels = {**TEMPORAL, "key": "", "false": "Ann knew by then that it rained"}
    labels["strategy"] = KNOWING
    assert judged(answer, labels, "Ann")[0] == {"temporal": right}
