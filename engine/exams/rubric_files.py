"""Rubrics of one's own, in files beside the plan of an exam."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from whoknew.engine.exams.plan import ExamPlan
from whoknew.engine.judges.rubric import FILE, RubricText
from whoknew.engine.plan.plan import Judging
from whoknew.eventlog.nearest import closest, guess
from whoknew.worlds import document, shelf
from whoknew.worlds.document import Fault
from whoknew.worlds.errors import BadDocument, Mistake

RUBRIC = "rubric"


def with_rubrics(plan: ExamPlan, beside: Path) -> tuple[ExamPlan, dict[str, list[Mistake]]]:
    """The plan with the rubrics of its judges in it: so that they are known by what they say, and not
    by the name of a file. With it, by judge, what is wrong with files that are there."""
    judges, wrong = dict(plan.judges), dict[str, list[Mistake]]()
    for name, judging in plan.judges.items():
        file = _file(judging)
        if file is None or not (beside / file).exists():
            continue
        try:
            written = msgspec.to_builtins(_read(beside / file))
        except BadDocument as error:
            wrong[name] = list(error.mistakes)
        else:
            settings = {**judging.settings, RUBRIC: written}
            judges[name] = replace(judging, settings=settings)
    return replace(plan, judges=judges), wrong


def missing(plan: ExamPlan, beside: Path) -> Iterator[Fault]:
    """The rubrics that judges name, and that are not there."""
    for name, judging in plan.judges.items():
        file = _file(judging)
        if file is not None and not (beside / file).exists():
            there = [one.name for one in beside.glob(f"*{FILE}")]
            what = f"there is no such file: {file}; {guess(closest(file, there))}"
            yield f"judges.{name}.{RUBRIC}", what.rstrip("; ")


def _file(judging: Judging) -> str | None:
    """The file of the rubric that a judge goes by, if it has one of its own."""
    file = judging.settings.get(RUBRIC)
    own = judging.by == RUBRIC and isinstance(file, str) and file.endswith(FILE)
    return str(file) if own else None


def _read(path: Path) -> RubricText:
    return document.read(shelf.text_of(path), str(path), RubricText)
