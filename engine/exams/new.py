"""The plan of an exam to start from, written to a file: `whoknew exam new`."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.kind import ExamKind
from whoknew.engine.opening import check_new
from whoknew.engine.plan.settings import Announce, admit, quietly
from whoknew.engine.registry import EXAMS
from whoknew.eventlog.archive import becoming
from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.stores.store import is_name


class NewExam(Struct, frozen=True):
    """The files of a new exam: its plan, and what stands beside it."""

    plan: str
    beside: tuple[str, ...]


async def new(
    kind: str,
    plan: Path,
    announce: Announce = quietly,
    *,
    source: str | None = None,
    anonymised: bool = False,
) -> NewExam:
    """Write a plan of a kind, and the files that it names: as it comes, or of a `source`, for the exam to
    be about. Nothing is written over."""
    admit(EXAMS, kind, plan.parent, announce)
    entry, name = EXAMS.entry(kind), plan.stem
    if not entry.template:
        some = [one for one in EXAMS.ours if EXAMS.entry(one).template]
        raise WrongPlan(
            f"the exam {kind!r} comes without a plan to start from: {nearest(kind, some)}"
        )
    if not is_name(name) or not name.isprintable() or '"' in name or "\\" in name:
        raise WrongPlan(f"{plan}: an exam cannot be called {name!r}: give the file another name")
    check_new(plan)
    if source is not None:
        return await _of_source(entry, plan, source, anonymised=anonymised)
    if anonymised:
        raise WrongPlan("--anonymised takes names out of a text: say which, by --from")
    texts = {plan: entry.template}
    for file, text in entry.template_files.items():
        texts[plan.with_name(file.replace("NAME", name))] = text
    for file in texts:
        check_new(file)
    for file, text in texts.items():
        _write(file, text.replace("NAME", name))
    first, *beside = map(str, texts)
    return NewExam(first, tuple(beside))


IMPORTED = re.compile(r"^#   whoknew import .*\n", re.MULTILINE)
"""How a template says to get what it is about, which a source is already."""


async def _of_source(
    entry: type[ExamKind], plan: Path, source: str, *, anonymised: bool
) -> NewExam:
    begun = await entry.begun(plan, source, anonymised=anonymised)
    text = IMPORTED.sub("", entry.template.replace("NAME", plan.stem))
    for key, value in begun.keys.items():
        line = msgspec.toml.encode({key: value}).decode().rstrip()
        text = re.sub(
            rf"^(?:# )?{key} = .*$", line.replace("\\", r"\\"), text, count=1, flags=re.MULTILINE
        )
    _write(plan, text + begun.tables)
    return NewExam(str(plan), begun.files)


def _write(file: Path, text: str) -> None:
    with becoming(file) as partial:
        partial.write_text(text, "utf-8")
