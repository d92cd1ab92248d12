"""Rubrics of one's own, in files beside the plan of an exam."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
from msgspec.structs import replace

from whoknew.engine.exams.plan import ExamPlan
from whoknew.engine.judges.rubric import FILE, RubricText
from whoknew.engine.plan.plan import Judging
from whoknew.worlds import shelf
from whoknew.worlds.errors import BadDocument, Mistake

RUBRIC = "rubric"


def with_rubrics(plan: ExamPlan, beside: Path) -> ExamPlan:
    """The plan with the rubrics of its judges in it: so that they are known by what they say, and not
    by the name of a file. BadDocument where one cannot be had."""
    judges = {name: _with_rubric(one, beside) for name, one in plan.judges.items()}
    return replace(plan, judges=judges)


def _with_rubric(judging: Judging, beside: Path) -> Judging:
    file = judging.settings.get(RUBRIC)
    if judging.by != RUBRIC or not isinstance(file, str) or not file.endswith(FILE):
        return judging
    written = msgspec.to_builtins(_read(beside / file))
    return replace(judging, settings={**judging.settings, RUBRIC: written})


def _read(path: Path) -> RubricText:
    text = shelf.text_of(path)
    try:
        return msgspec.convert(tomllib.loads(text), RubricText)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, ValueError) as error:
        raise BadDocument([Mistake(str(path), None, "", f"is no rubric: {error}")]) from None
