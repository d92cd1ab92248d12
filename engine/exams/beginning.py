"""An exam made of a text: its world in a log, its questions in a file, both without names where that is
wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.kind import BegunExam, ExamSource, FirstQuestions, reasons
from whoknew.engine.logs.anonymise import Kept, anonymise
from whoknew.engine.logs.exchange import import_worlds
from whoknew.engine.logs.importing import read_export
from whoknew.engine.opening import check_new, reading
from whoknew.engine.plan.plan import Plan
from whoknew.engine.running.run import play
from whoknew.engine.running.stop import is_same_log
from whoknew.eventlog import Log
from whoknew.eventlog.nearest import nearest
from whoknew.worlds import question, shelf
from whoknew.worlds.anonymiser import Key, hider
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.play import bundled as plays
from whoknew.worlds.question import Question

LOG = frozenset({".db", ".sqlite", ".sqlite3"})
"""What the name of a log ends with."""

ALL = "bundled"
"""All worlds that come with Whoknew."""

Ask = Callable[[Log, str], Awaitable[FirstQuestions]]
"""Makes questions about the worlds of a log, which stands for the text that is named."""


async def begin(of: ExamSource, ask: Ask, *, form: str) -> BegunExam:
    """Of a log that is there, of a world that comes with Whoknew, or of all of them, which the offline
    model plays, of a play, or of a JSON file in a `form` that an importer of that name reads, whose own
    questions are asked where it has some. Others are made before names are taken out of them."""
    plan, folder, source = of.plan, of.folder, of.source
    material, file = plan.with_suffix(".worlds.db"), plan.with_suffix(".jsonl")
    key = plan.with_suffix(".names.json")
    is_log = "://" in source or Path(source).suffix in LOG
    if of.settings and (is_log or _form(source) != "records"):
        raise WrongPlan(f"{source}: {ONLY_RECORDS}")
    if is_log and _kept_in(plan, source):
        raise WrongPlan(
            f"{plan}: its exam would be written into {source}: give the plan another name"
        )
    written = [file, *([material] if of.anonymised or not is_log else []), *([key] * of.anonymised)]
    for one in written:
        check_new(one)
    whole, names, brought = source, dict[str, str](), Brought()
    if not is_log:
        whole = str(_aside(folder) / "whole.db" if of.anonymised else folder / material.name)
        records = RecordsForm(form, of.settings)
        brought = await _brought(source, whole, _aside(folder) / "questions.jsonl", records)
    asked = list(brought.questions)
    if not asked:
        async with reading(whole) as log:
            first = await ask(log, source)
        if not first.asked:
            raise BadSource(f"{source}: nothing in it can be asked about{reasons(first.unasked)}")
        asked = list(first.asked)
        brought = replace(brought, remarks=(*brought.remarks, *_unasked(source, first)))
    if of.anonymised:
        new, texts = folder / material.name, [one for some in asked for one in _texts(some)]
        names = await _without_names(whole, new, folder / key.name, texts)
        hide = hider(Key(names))
        asked = [_hidden(one, hide) for one in asked]
        brought = replace(brought, remarks=(*brought.remarks, *_named(plan, hide)))
    await asyncio.to_thread(question.write, folder / file.name, asked)
    return BegunExam(
        keys={
            "material": str(material) if material in written else source,
            "questions": file.name,
        },
        tables=_restored(names) if names else "",
        files=tuple(one.name for one in written),
        remarks=brought.remarks,
    )


def _unasked(source: str, first: FirstQuestions) -> Iterator[Remark]:
    for world, why in first.unasked.items():
        yield Remark(source, world, f"nothing is asked about it: {why}")


ONLY_RECORDS = "no text and no examples can be added to it: they go with a JSON file of TimeChara"


class RecordsForm(Struct, frozen=True):
    """Which importer reads a JSON file, and its settings."""

    importer: str
    settings: tuple[str, ...]


class Brought(Struct, frozen=True):
    """What came with the worlds of a source: questions on them, and what could not be kept."""

    questions: tuple[Question, ...] = ()
    remarks: tuple[Remark, ...] = ()


def _aside(folder: Path) -> Path:
    """Where what is not kept is written."""
    aside = folder / "aside"
    aside.mkdir(exist_ok=True)
    return aside


async def _brought(source: str, address: str, questions: Path, records: RecordsForm) -> Brought:
    """The worlds of a source, in a log of their own."""
    form = _form(source)
    if form == "world":
        for world in shelf.bundled() if source == ALL else [source]:
            await play(Plan(world), address)
        return Brought()
    if form == "play":
        await import_worlds("play", source, address)
        return Brought()
    found = await import_worlds(
        records.importer, source, address, records.settings, questions=questions, asked=False
    )
    if not found.questions:
        return Brought(remarks=found.remarks)
    file = await asyncio.to_thread(question.read, questions)
    return Brought(file.questions, found.remarks)


def _form(source: str) -> Literal["world", "play", "records"]:
    """What a source is that is no log: a world that comes with Whoknew by its name, or a file."""
    path = Path(source)
    if path.suffix in (".json", ".jsonl") or (path.is_dir() and any(path.glob("*.json"))):
        return "records"
    if path.suffix or path.exists() or source in plays():
        return "play"
    if source in (worlds := [ALL, *shelf.bundled()]):
        return "world"
    near = nearest(source, [*worlds, *plays()])
    raise BadSource(f"{source}: no file and nothing that comes with Whoknew is called so: {near}")


def _kept_in(plan: Path, source: str) -> bool:
    """Whether an exam that says nothing else is kept in this log: one of its name, where one works."""
    return is_same_log(source, f"{plan.stem}.db")


async def _without_names(
    whole: str, material: Path, key: Path, texts: Sequence[str]
) -> dict[str, str]:
    """A log without names beside one with names; and what stands for each, also where it is spelt so in
    these texts alone."""
    export = _aside(material.parent) / "hidden.jsonl"
    await anonymise(whole, export, key, beside=texts)
    await read_export(str(material), export)
    written = await asyncio.to_thread(key.read_bytes)
    return msgspec.json.decode(written, type=Kept).aliases


def _named(plan: Path, hide: Callable[[str], str]) -> Iterator[Remark]:
    """What aliases cannot be put into: what the exam itself is called."""
    if hide(plan.stem) != plan.stem:
        what = "is a name of its people, and stands in the exam's log: call the plan otherwise"
        yield Remark(str(plan), plan.stem, what)


def _texts(one: Question) -> list[str]:
    """Whatever of a question a name may stand in: all of its texts."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    _hidden(one, note)
    return found


def _hidden(one: Question, hide: Callable[[str], str]) -> Question:
    """A question with all of its texts hidden, but for its kind."""
    hidden = msgspec.convert(_each_text(msgspec.to_builtins(one), hide), Question)
    return replace(hidden, kind=one.kind)


def _each_text(value: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, dict):
        return {key: _each_text(inner, hide) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_each_text(inner, hide) for inner in value]
    return value


def _restored(names: dict[str, str]) -> str:
    """One more arm: the question alone again, with the real names in it."""
    table = {
        "arms": {"named": {"memory": "none", "method": "unaided", "unaided": {"names": names}}}
    }
    return f"\n{msgspec.toml.encode(table).decode()}"
