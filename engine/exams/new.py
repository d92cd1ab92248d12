"""The plan of an exam to start from, written to a file: `whoknew exam new`."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.kind import BegunExam, ExamKind
from whoknew.engine.exams.new_files import new_files
from whoknew.engine.plan.settings import Announce, admit, quietly
from whoknew.engine.registry import EXAMS
from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.stores.store import is_name
from whoknew.worlds.importers.imported import Remark


class NewExam(Struct, frozen=True):
    """The files of a new exam: its plan, and what stands beside it."""

    plan: str
    beside: tuple[str, ...]
    remarks: tuple[Remark, ...] = ()
    """What of its source could not be kept, or is strange."""


async def new(
    kind: str,
    plan: Path,
    announce: Announce = quietly,
    *,
    source: str | None = None,
    anonymised: bool = False,
    tables: str = "",
) -> NewExam:
    """Write a plan of a kind, and the files that it names: as it comes, or of a `source`, for the exam to
    be about. `tables` stand at its end. All of it is written, or nothing; and nothing is written over."""
    admit(EXAMS, kind, plan.parent, announce)
    entry, name = EXAMS.entry(kind), plan.stem
    if not entry.template:
        some = [one for one in EXAMS.ours if EXAMS.entry(one).template]
        raise WrongPlan(
            f"the exam {kind!r} comes without a plan to start from: {nearest(kind, some)}"
        )
    if not is_name(name) or not name.isprintable() or '"' in name or "\\" in name:
        raise WrongPlan(f"{plan}: an exam cannot be called {name!r}: give the file another name")
    source = source or entry.source
    if anonymised and not source:
        raise WrongPlan("--anonymised takes names out of a text: say which, by --from")
    with new_files(plan) as folder:
        if source:
            begun = await entry.begun(plan, folder, source, anonymised=anonymised)
            return _of_source(entry, plan, folder, begun, tables)
        texts = {plan.name: entry.template}
        for file, text in entry.template_files.items():
            texts[file.replace("NAME", name)] = text
        for file, text in texts.items():
            (folder / file).write_text(text.replace("NAME", name), "utf-8")
        first, *beside = (str(plan.with_name(file)) for file in texts)
        return NewExam(first, tuple(beside))


def _of_source(
    entry: type[ExamKind], plan: Path, folder: Path, begun: BegunExam, tables: str
) -> NewExam:
    text = entry.template.replace("NAME", plan.stem)
    for key, value in begun.keys.items():
        line = msgspec.toml.encode({key: value}).decode().rstrip()
        text = re.sub(
            rf"^(?:# )?{key} = .*$", line.replace("\\", r"\\"), text, count=1, flags=re.MULTILINE
        )
    (folder / plan.name).write_text(text + begun.tables + tables, "utf-8")
    return NewExam(
        str(plan), tuple(str(plan.with_name(name)) for name in begun.files), begun.remarks
    )
