"""The plan of an exam to start from, written to a file: `whoknew exam new`."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from whoknew.engine.errors import WrongPlan
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


def new(kind: str, plan: Path, announce: Announce = quietly) -> NewExam:
    """Write a plan of a kind, and the files that it names. Nothing is written over."""
    admit(EXAMS, kind, plan.parent, announce)
    entry, name = EXAMS.entry(kind), plan.stem
    if not entry.template:
        some = [one for one in EXAMS.ours if EXAMS.entry(one).template]
        raise WrongPlan(
            f"the exam {kind!r} comes without a plan to start from: {nearest(kind, some)}"
        )
    if not is_name(name) or not name.isprintable() or '"' in name or "\\" in name:
        raise WrongPlan(f"{plan}: an exam cannot be called {name!r}: give the file another name")
    texts = {plan: entry.template}
    for file, text in entry.template_files.items():
        texts[plan.with_name(file.replace("NAME", name))] = text
    for file in texts:
        check_new(file)
    for file, text in texts.items():
        with becoming(file) as partial:
            partial.write_text(text.replace("NAME", name), "utf-8")
    first, *beside = map(str, texts)
    return NewExam(first, tuple(beside))
