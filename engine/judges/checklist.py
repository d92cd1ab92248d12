"""The eight checks of believability, as a model answers them, with its reasons."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from whoknew.engine.judges.model_judge import ModelJudgeEntry, Read, Rubric, answer
from whoknew.engine.judges.scales import CHECKS, FAILED, PASSED


class Check(Struct, frozen=True):
    reason: str
    passed: bool


Checks = answer("Checks", dict.fromkeys(CHECKS, Check))


def checked(found: Any) -> Read:
    """1 where a check is passed, 0 where it is failed: for all eight alike."""
    given: dict[str, Check] = {name: getattr(found, name) for name in CHECKS}
    scores = {name: PASSED if one.passed else FAILED for name, one in given.items()}
    return scores, {name: one.reason for name, one in given.items()}


EIGHT = Rubric("judge.checklist", Checks, checked)


class ChecklistEntry(ModelJudgeEntry, frozen=True):
    """a model, eight checks of believability"""

    rubric: ClassVar[Rubric] = EIGHT
