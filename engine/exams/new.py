"""The plan of an exam to start from, written to a file: `whoknew exam new`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.kind import BegunExam, ExamKind, ExamSource, WritableKind
from whoknew.engine.exams.new_files import new_files
from whoknew.engine.exams.writing.writer import WritingSettings
from whoknew.engine.plan.settings import Announce, admit, quietly
from whoknew.engine.registry import EXAMS, JUDGES
from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.stores.store import is_name
from whoknew.worlds import question
from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.question import Question


class NewSource(Struct, frozen=True, kw_only=True):
    """What a new exam is to be: its kind, the file of its plan, and what it is about, which an importer
    may have `settings` for; as it comes, without a source."""

    kind: str
    plan: Path
    source: str | None = None
    anonymised: bool = False
    settings: tuple[str, ...] = ()


class NewExam(Struct, frozen=True):
    """The files of a new exam: its plan, and what stands beside it."""

    plan: str
    beside: tuple[str, ...]
    remarks: tuple[Remark, ...] = ()
    """What of its source could not be kept, or is strange."""


async def new(
    wanted: NewSource,
    announce: Announce = quietly,
    *,
    tables: str = "",
    writing: WritingSettings | None = None,
) -> NewExam:
    """Write the plan that is wanted, and the files that it names. `tables` stand at its end. `writing`: by
    whom more of it is to be written. All of it is written, or nothing; and nothing is written over."""
    kind, plan, name = wanted.kind, wanted.plan, wanted.plan.stem
    admit(EXAMS, kind, plan.parent, announce)
    entry = EXAMS.entry(kind)
    if not entry.template:
        some = [one for one in EXAMS.ours if EXAMS.entry(one).template]
        raise WrongPlan(
            f"the exam {kind!r} comes without a plan to start from: {nearest(kind, some)}"
        )
    if not is_name(name) or not name.isprintable() or '"' in name or "\\" in name:
        raise WrongPlan(f"{plan}: an exam cannot be called {name!r}: give the file another name")
    source = wanted.source or entry.source
    if wanted.anonymised and not source:
        raise WrongPlan("--anonymised takes names out of a text: say which, by --from")
    if wanted.settings and not source:
        raise WrongPlan("a text and examples go with a file of TimeChara: say which, by --from")
    with new_files(plan) as folder:
        if source:
            of = ExamSource(
                plan=plan,
                folder=folder,
                source=source,
                anonymised=wanted.anonymised,
                settings=wanted.settings,
            )
            try:
                if writing is not None and issubclass(entry, WritableKind):
                    begun = await entry.to_write(of, writing)
                else:
                    begun = await entry.begun(of)
                return _of_source(entry, plan, folder, begun, tables)
            except BadDocument as error:
                raise BadDocument([_of(source, folder, one) for one in error.mistakes]) from None
        texts = {plan.name: entry.template}
        for file, text in entry.template_files.items():
            texts[file.replace("NAME", name)] = text
        for file, text in texts.items():
            (folder / file).write_text(text.replace("NAME", name), "utf-8")
        first, *beside = (str(plan.with_name(file)) for file in texts)
        return NewExam(first, tuple(beside))


def _of(source: str, folder: Path, mistake: Mistake) -> Mistake:
    """A mistake in a file that is only being made, and is gone when it is told: one of its source."""
    if not Path(mistake.source).is_relative_to(folder):
        return mistake
    place = f"question {mistake.line}" if mistake.line else ""
    key = ", ".join(filter(None, (place, mistake.key)))
    return replace(mistake, source=source, line=None, key=key)


def _of_source(
    entry: type[ExamKind], plan: Path, folder: Path, begun: BegunExam, tables: str
) -> NewExam:
    text = entry.template.replace("NAME", plan.stem)
    for key, value in begun.keys.items():
        line = msgspec.toml.encode({key: value or ""}).decode().rstrip()
        line = line.replace("\\", r"\\") if value is not None else r"# \g<0>"
        text = re.sub(rf"^(?:# )?{key} = .*$", line, text, count=1, flags=re.MULTILINE)
    if file := begun.keys.get("questions"):
        text = _with_fitting_judges(text, question.read(folder / file).questions)
    (folder / plan.name).write_text(text + begun.tables + tables, "utf-8")
    return NewExam(
        str(plan), tuple(str(plan.with_name(name)) for name in begun.files), begun.remarks
    )


def _with_fitting_judges(text: str, asked: Sequence[Question]) -> str:
    """A plan with those judges alone that some question has what they need for: the others stand behind
    a #."""
    for name, judging in tomllib.loads(text).get("judges", {}).items():
        needs = JUDGES.made(judging["by"], {}).needed()
        if not all(any(getattr(one, need) for one in asked) for need in needs):
            table = rf"^\[judges\.{re.escape(name)}\].*?(?=^\s*$|\Z)"
            found = re.search(table, text, re.MULTILINE | re.DOTALL)
            assert found is not None, f"the judge {name} of a template is no table of its own"
            text = text.replace(found[0], re.sub(r"(?m)^", "# ", found[0].rstrip()) + "\n")
    return text
