"""The files of Sotopia, read: what kind of record each holds, in its database or its JSONL form.

Nothing is guessed in silence: what is strange, or has no place, is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.records import is_folder, json_of, lines_of, text_of

RecordKind = Literal[
    "character",
    "scenario",
    "relationship",
    "combination",
    "episode",
    "light episode",
    "game log",
    "game config",
]


class SotopiaRecord(Struct, frozen=True):
    """One record: its fields as the file has them, and in which form."""

    kind: RecordKind
    id: str
    fields: dict[str, Any]
    form: Literal["database", "jsonl"]
    source: str


@contextmanager
def as_written(record: SotopiaRecord) -> Iterator[None]:
    """For whatever reads a record: a BadSource says where it is not as Sotopia writes it."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise BadSource(
            f"{record.source}: {record.id}: is no {record.kind} as Sotopia writes it "
            f"({type(error).__name__}: {error})"
        ) from None


class SotopiaRecords(Struct, frozen=True):
    """All that was found at a path."""

    records: tuple[SotopiaRecord, ...]
    remarks: tuple[Remark, ...]

    def of(self, kind: RecordKind) -> list[SotopiaRecord]:
        return [one for one in self.records if one.kind == kind]


SIGNS: tuple[tuple[RecordKind, Callable[[dict[str, Any]], bool]], ...] = (
    ("game log", lambda one: "turns" in one and "model_mapping" in one),
    ("game config", lambda one: "agents" in one and ("state_properties" in one or _is_config(one))),
    ("episode", lambda one: "messages" in one or "raw_messages" in one),
    ("light episode", lambda one: "social_interactions" in one),
    ("character", lambda one: "first_name" in one and "public_info" in one),
    ("scenario", lambda one: "agent_goals" in one and "scenario" in one),
    ("relationship", lambda one: "background_story" in one and "relationship" in one),
    ("combination", lambda one: "env_id" in one and "agent_ids" in one),
)
"""By which fields a record is known for what it is."""

IDS = ("pk", "episode_id", "agent_id", "relationship_id", "combo_id", "env_id")


def read(path: Path) -> SotopiaRecords:
    """Read a file, or every file of a folder and of those in it."""
    files = [path]
    if is_folder(path):
        files = sorted(one for one in path.rglob("*.json*") if one.is_file())
    if not files:
        raise BadSource(f"{path} holds no .json or .jsonl file")
    records: list[SotopiaRecord] = []
    remarks: list[Remark] = []
    for file in files:
        for fields, place in _objects(file):
            kind = _kind(fields)
            if kind is None:
                fields_there = ", ".join(list(fields)[:6])
                what = f"is no record of Sotopia's (it has {fields_there}): left out"
                remarks.append(Remark(file.name, place, what))
            else:
                records.append(_record(kind, fields, file.name, place))
    return SotopiaRecords(tuple(records), tuple(remarks))


def _kind(fields: dict[str, Any]) -> RecordKind | None:
    for kind, is_one in SIGNS:
        if is_one(fields):
            return kind
    return None


def _record(kind: RecordKind, fields: dict[str, Any], source: str, place: str) -> SotopiaRecord:
    """One without an id is called by its file, and by where it stands in that."""
    ids = [fields[name] for name in IDS if isinstance(fields.get(name), str)]
    stem = Path(source).stem
    ids += [place if place == stem else f"{stem} {place}"]
    return SotopiaRecord(kind, ids[0], fields, "database" if "pk" in fields else "jsonl", source)


def _objects(file: Path) -> Iterator[tuple[dict[str, Any], str]]:
    """The objects of a file, each with where it stands: JSON lines, one object, or a dump."""
    text = text_of(file)
    if file.suffix == ".jsonl":
        for number, line in lines_of(text):
            yield _object(line, f"{file}, line {number}"), f"line {number}"
        return
    whole = _object(text, str(file))
    if whole and all(isinstance(one, dict) for one in whole.values()) and ":" in next(iter(whole)):
        yield from ((one, key) for key, one in whole.items())
    else:
        yield whole, file.stem


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        found = json_of(text)
    except ValueError as error:
        raise BadSource(f"{where} is no record of Sotopia's: {error}") from None
    if not isinstance(found, dict):
        raise BadSource(f"{where} holds a {type(found).__name__}, but should hold an object")
    return found


def _is_config(one: dict[str, Any]) -> bool:
    agents = one["agents"]
    return isinstance(agents, list) and bool(agents) and isinstance(agents[0], dict)
