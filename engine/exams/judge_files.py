"""What judges go by that stands in files beside the plan of an exam: rubrics of one's own, texts of
personalities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.exams.plan import ExamPlan
from whoknew.engine.judges.rubric import FILE, RubricText
from whoknew.engine.plan.plan import Judging
from whoknew.eventlog.nearest import closest, guess
from whoknew.worlds import document, shelf
from whoknew.worlds.document import Fault, joined
from whoknew.worlds.errors import BadDocument, Mistake

TEXT = "*.txt"

OF_THEIRS = "_personality"
"""What the authors of TimeChara put behind the name of a character."""


class JudgeFile(Struct, frozen=True):
    """The setting of a judge that can name a file, or a folder: how that is `read`, and what others there
    are beside it."""

    setting: str
    names: Callable[[str], bool]
    read: Callable[[Path], Any]
    others: Callable[[Path], list[Path]]


def with_files(plan: ExamPlan, beside: Path) -> tuple[ExamPlan, dict[str, list[Mistake]]]:
    """The plan with what stands in the files of its judges in it: so that they are known by what they go
    by, and not by the name of a file. With it, by judge, what is wrong with files that are there."""
    judges, wrong = dict(plan.judges), dict[str, list[Mistake]]()
    for name, judging in plan.judges.items():
        file, path = FILES.get(judging.by), _file(judging)
        if file is None or path is None or not (beside / path).exists():
            continue
        try:
            read = file.read(beside / path)
        except BadDocument as error:
            wrong[name] = list(error.mistakes)
        else:
            settings = {**judging.settings, file.setting: read}
            judges[name] = replace(judging, settings=settings)
    return replace(plan, judges=judges), wrong


def missing(plan: ExamPlan, beside: Path) -> Iterator[Fault]:
    """The files that judges name, and that are not there."""
    for name, judging in plan.judges.items():
        path = _file(judging)
        if path is not None and not (beside / path).exists():
            file = FILES[judging.by]
            there = [one.name for one in file.others(beside)]
            what = f"there is no such file: {path}; {guess(closest(path, there))}"
            yield f"{joined('judges', name)}.{file.setting}", what.rstrip("; ")


def _file(judging: Judging) -> str | None:
    """What a judge goes by that stands in a file, if it has such."""
    file = FILES.get(judging.by)
    named = judging.settings.get(file.setting) if file else None
    return named if file and isinstance(named, str) and file.names(named) else None


def _rubric(path: Path) -> Any:
    return msgspec.to_builtins(document.read(shelf.text_of(path), str(path), RubricText))


def _personalities(folder: Path) -> dict[str, str]:
    """The texts of a folder, by the names of their characters."""
    files = sorted(folder.glob(TEXT))
    if not files:
        what = "holds no text of a personality: give each the name of its character, NAME.txt"
        raise BadDocument([Mistake(str(folder), None, "", what)])
    return {one.stem.removesuffix(OF_THEIRS): shelf.text_of(one).strip() for one in files}


FILES: Mapping[str, JudgeFile] = {
    "rubric": JudgeFile(
        "rubric",
        lambda name: name.endswith(FILE),
        _rubric,
        lambda beside: list(beside.glob(f"*{FILE}")),
    ),
    "personality": JudgeFile(
        "texts",
        bool,
        _personalities,
        lambda beside: [one for one in beside.iterdir() if one.is_dir()],
    ),
}
"""By the judges that have such."""
