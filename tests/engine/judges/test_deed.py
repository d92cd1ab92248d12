"""What a predicted action comes to beside what was done: by a model's grades, and by rule."""

from __future__ import annotations

import json
import random

import pytest
from answering_models import ByPurpose
from small_worlds import opened

from whoknew.agents.models.model import Sampling
from whoknew.engine.judges.deed import DeedJudge
from whoknew.engine.judges.deed_words import DeedWordsJudge
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Verdict
from whoknew.eventlog import open_log


async def case(answer: str = "Ann bars the door.", done: str = "Ann bars the door") -> AnswerCase:
    async with open_log(":memory:") as log:
        await log.append("w", opened("Ann"))
        view = await log.view("w", "Ann")
    return AnswerCase(
        character="Ann", question="And?", answer=answer, rests_on=(), view=view, reference=done
    )


def graded(name: str, grade: str) -> str:
    return json.dumps({name: {"reason": "So it is.", "grade": grade}})


async def verdict(*replies: str, reasks: int = 0) -> Verdict:
    judge = DeedJudge(ByPurpose(judge=list(replies)), Sampling(), reasks)
    (found,) = await judge.review(await case())
    return found


@pytest.mark.parametrize(
    ("same", "follows", "scores"),
    [("A", "A", (1.0, 1.0)), ("B", "B", (0.0, 0.5)), ("C", "C", (0.0, 0.0))],
)
async def test_a_near_action_is_another_and_a_neutral_one_half_right(
    same: str, follows: str, scores: tuple[float, float]
) -> None:
    found = await verdict(graded("same", same), graded("follows", follows))
    assert found.scores == dict(zip(("same", "follows"), scores, strict=True))
    assert f"{same}: So it is." in found.reason


def noisy(seed: int) -> str:
    """A reply with something wrong in it: cut off, two grades, another letter, a number, words."""
    draw, right = random.Random(seed), graded("same", "A")
    grade = draw.choice(["D", "a", "AB", "", "A or B", 1, None, ["A"], {"A": 1}, 100, "\u0410"])
    return draw.choice(
        [
            right[: draw.randrange(len(right) - 1)],
            json.dumps({"same": {"reason": "x", "grade": grade}}),
            json.dumps({draw.choice(["sam", "", "grade"]): {"reason": "x", "grade": "A"}}),
            f"{right}\n{graded('same', 'C')}",
            draw.choice(["A", "C", "A, 100", "Grade: A", "[]", "{}", "null", "\n", "5"]),
        ]
    )


@pytest.mark.parametrize("seed", range(200))
async def test_a_reply_that_gives_no_one_grade_is_a_failure_and_never_a_score(seed: int) -> None:
    """Law 7."""
    found = await verdict(noisy(seed), noisy(seed), reasks=1)
    assert found.scores is None and found.reason
    again = await verdict(noisy(seed), graded("same", "A"), graded("follows", "B"), reasks=1)
    assert again.scores == {"same": 1.0, "follows": 0.5}


@pytest.mark.parametrize(
    ("said", "same", "follows"),
    [
        ("Ann bars the door.", 1.0, 1.0),
        ("She bars the old door against Bo.", 1.0, 0.5),
        ("Ann leaves.", 0.0, 0.5),
        ("Ann does not bar the door.", 1.0, 0.0),
        ("", 0.0, 0.5),
    ],
)
async def test_by_rule_shared_words_tell(said: str, same: float, follows: float) -> None:
    (found,) = await DeedWordsJudge().review(await case(said))
    assert found.scores == {"same": same, "follows": follows}


@pytest.mark.parametrize(
    ("done", "said", "same", "follows"),
    [
        ("Ann: When?", "Ann: When?", 1.0, 1.0),
        ("Ann: When?", "Ann: When and where?", 1.0, 0.5),
        ("Ann: When?", "Ann bars the door.", 0.0, 0.5),
        ("Ann: When?", "…", 0.0, 0.5),
        ("Ann: And so do I.", "Ann: So do I.", 1.0, 1.0),
        ("Ann: …", "Ann: …!", 1.0, 1.0),
        ("Ann: …", "Ann bars the door.", 0.0, 0.5),
    ],
)
async def test_what_has_no_words_that_count_is_compared_by_all_it_has(
    done: str, said: str, same: float, follows: float
) -> None:
    (found,) = await DeedWordsJudge().review(await case(said, done))
    assert found.scores == {"same": same, "follows": follows}, found.reason
