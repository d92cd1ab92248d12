"""An exam made of a text: its world in a log, its questions in a file, both without names where that is
wanted."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.kind import BegunExam
from whoknew.engine.exams.lifestate.lifestate_exam import LifestateExam, drawn
from whoknew.engine.logs.anonymise import Kept, anonymise
from whoknew.engine.logs.exchange import import_worlds
from whoknew.engine.logs.importing import read_export
from whoknew.engine.opening import check_new, reading
from whoknew.eventlog import Log
from whoknew.worlds import question
from whoknew.worlds.anonymiser import Key, hider
from whoknew.worlds.errors import BadSource
from whoknew.worlds.question import Question

LOG = frozenset({".db", ".sqlite", ".sqlite3"})
"""What the name of a log ends with: anything else is a play."""


SPEECHES = (20, 5)
"""Who says something so often is asked; in a short text, in which too few do, whoever does less."""

FEW = 4
"""Of fewer roles little could be said."""


async def begin(plan: Path, source: str, *, anonymised: bool) -> BegunExam:
    """Of a play, which is brought into a log of its own, or of a log that is there. All that is written
    stands beside the plan, once there are questions: they are made before names are taken out of them."""
    material, file = plan.with_suffix(".worlds.db"), plan.with_suffix(".jsonl")
    key = plan.with_suffix(".names.json")
    is_log = "://" in source or Path(source).suffix in LOG
    if is_log and _kept_in(plan, source):
        raise WrongPlan(
            f"{plan}: its exam would be written into {source}: give the plan another name"
        )
    written = [file, *([material] if anonymised or not is_log else []), *([key] * anonymised)]
    for one in written:
        check_new(one)
    names: dict[str, str] = {}
    with tempfile.TemporaryDirectory(dir=plan.parent) as folder:
        whole = source
        if not is_log:
            whole = str(Path(folder) / "whole.db")
            await import_worlds("play", source, whole)
        async with reading(whole) as log:
            asked = await _enough(log, whole)
        if anonymised:
            names = await _without_names(whole, material, key, Path(folder))
            hide = hider(Key(names))
            asked = [_hidden(one, hide) for one in asked]
        elif not is_log:
            await import_worlds("play", source, str(material))
    await asyncio.to_thread(question.write, file, asked)
    return BegunExam(
        keys={
            "material": str(material) if material in written else source,
            "questions": file.name,
        },
        tables=_restored(names) if names else "",
        files=tuple(map(str, written)),
    )


def _kept_in(plan: Path, source: str) -> bool:
    """Whether an exam that says nothing else is kept in this log: one of its name, where one works."""
    return Path(source).resolve() == Path(f"{plan.stem}.db").resolve()


async def _enough(log: Log, name: str) -> list[Question]:
    asked: list[Question] = []
    for speeches in SPEECHES:
        asked = await drawn(log, LifestateExam(material=name, speeches=speeches))
        if len({one.cluster for one in asked}) >= FEW:
            break
    if not asked:
        raise BadSource(f"{name}: nobody in it says anything that could be asked about")
    return asked


async def _without_names(whole: str, material: Path, key: Path, folder: Path) -> dict[str, str]:
    """A log without names beside one with names; and what stands for each."""
    export = folder / "hidden.jsonl"
    await anonymise(whole, export, key)
    await read_export(str(material), export)
    written = await asyncio.to_thread(key.read_bytes)
    return msgspec.json.decode(written, type=Kept).aliases


def _hidden(one: Question, hide: Callable[[str], str]) -> Question:
    return msgspec.structs.replace(
        one,
        world=hide(one.world),
        character=hide(one.character),
        question=hide(one.question),
        reference=None if one.reference is None else hide(one.reference),
        cluster=None if one.cluster is None else hide(one.cluster),
    )


def _restored(names: dict[str, str]) -> str:
    """One more arm: the question alone again, with the real names in it."""
    table = {
        "arms": {"named": {"memory": "none", "method": "unaided", "unaided": {"names": names}}}
    }
    return f"\n{msgspec.toml.encode(table).decode()}"
