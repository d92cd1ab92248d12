"""Worlds from elsewhere into a log, and out of it: `whoknew import`, `whoknew export`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from whoknew.engine.opening import reading, writing
from whoknew.eventlog import ABSENT, Log
from whoknew.eventlog.errors import Conflict
from whoknew.worlds.importers import bigtom, locomo, play, sotopia, storyline
from whoknew.worlds.importers.imported import ImportedWorld, Remark
from whoknew.worlds.importers.sotopia import Form, SotopiaRecords
from whoknew.worlds.setting import Setting


class ImportedWorlds(Struct, frozen=True):
    """What an import came to. Worlds that were on the log already were left as they are."""

    log: str
    worlds: tuple[str, ...]
    there: tuple[str, ...]
    settings: tuple[str, ...]
    remarks: tuple[Remark, ...]


class ExportedEpisodes(Struct, frozen=True):
    """What an export came to."""

    file: str
    episodes: int
    remarks: tuple[Remark, ...]


SOURCES: Mapping[str, Callable[[Path], Iterable[ImportedWorld]]] = {
    "play": play.worlds_of,
    "storyline": storyline.worlds_of,
    "locomo": locomo.worlds_of,
    "bigtom": bigtom.worlds_of,
}


async def import_worlds(kind: str, path: str, address: str) -> ImportedWorlds:
    """Bring the worlds of a file, or of all such files in a folder, into a log."""
    found = list(SOURCES[kind](Path(path)))
    async with writing(address) as log:
        worlds, there = await _append(log, found)
    remarks = tuple(remark for world in found for remark in world.remarks)
    return ImportedWorlds(address, tuple(worlds), tuple(there), (), remarks)


async def import_sotopia(path: Path, address: str, settings: Path | None = None) -> ImportedWorlds:
    """Bring the episodes and games of Sotopia's files into a log, each as a world; and, where a
    folder is named, write what there is to play into it."""
    found = sotopia.read(path)
    remarks = list(found.remarks)
    played = list(sotopia.worlds_of(found))
    remarks += [remark for world in played for remark in world.remarks]
    async with writing(address) as log:
        worlds, there = await _append(log, played)
    written = _written(found, settings, remarks) if settings is not None else []
    return ImportedWorlds(address, tuple(worlds), tuple(there), tuple(written), tuple(remarks))


async def _append(log: Log, found: Iterable[ImportedWorld]) -> tuple[list[str], list[str]]:
    """Each as a world of its own; those that were there already are left as they are."""
    worlds: list[str] = []
    there: list[str] = []
    for world in found:
        try:
            await log.append(world.name, world.drafts, expect=ABSENT)
        except Conflict:
            there.append(world.name)
        else:
            worlds.append(world.name)
    return worlds, there


def _written(found: SotopiaRecords, folder: Path, remarks: list[Remark]) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    written: list[str] = []
    for setting, told in sotopia.settings_of(found, "sotopia"):
        remarks += told
        file = folder / f"{setting.name}.toml"
        file.write_text(toml(setting), "utf-8")
        written.append(str(file))
    return written


async def export_sotopia(address: str, world: str, file: Path, form: Form) -> ExportedEpisodes:
    """Write the episodes of a world as Sotopia's episode logs: JSON lines, or a database dump."""
    async with reading(address) as log:
        events = await (await log.director(world)).events()
    logs, remarks = sotopia.episodes_of(world, events, form)
    if form == "jsonl":
        text = "".join(f"{json.dumps(one)}\n" for one in logs)
    else:
        prefix = ":sotopia.database.logs.EpisodeLog:"
        text = json.dumps({f"{prefix}{one['pk']}": one for one in logs})
    with file.open("x", encoding="utf-8") as out:
        out.write(text)
    return ExportedEpisodes(str(file), len(logs), tuple(remarks))


def toml(setting: Setting) -> str:
    """A setting as a file of its own."""
    fields = asdict(setting)
    tables = {key: value for key, value in fields.items() if isinstance(value, tuple)}
    lines = [f"{key} = {_value(value)}" for key, value in fields.items() if key not in tables]
    for key, parts in tables.items():
        for part in parts:
            lines += ["", f"[[{key}]]"]
            lines += [
                f"{name} = {_value(value)}"
                for name, value in asdict(part).items()
                if value not in (None, "", (), {})
            ]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case str():
            # A TOML text is a JSON text, but for the sign of deletion.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case dict():
            pairs = (f"{_value(key)} = {_value(inner)}" for key, inner in value.items())
            return "{ " + ", ".join(pairs) + " }"
        case list() | tuple():
            return "[" + ", ".join(map(_value, value)) + "]"
        case Struct():
            return _value({key: one for key, one in asdict(value).items() if one is not None})
        case _:
            return str(value.isoformat())
