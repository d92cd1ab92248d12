"""Worlds from elsewhere into a log, and out of it: `whoknew import`, `whoknew export`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import BrokenPart
from whoknew.engine.opening import check_new, reading, writing
from whoknew.engine.registry import IMPORTERS
from whoknew.eventlog import ABSENT, Log
from whoknew.eventlog.archive import becoming
from whoknew.eventlog.counted import counted
from whoknew.eventlog.errors import Conflict
from whoknew.eventlog.shown_address import without_password
from whoknew.worlds import question
from whoknew.worlds.document import sift
from whoknew.worlds.errors import BadDocument, BadSource, Mistake
from whoknew.worlds.file_names import as_file_name
from whoknew.worlds.importers import sotopia
from whoknew.worlds.importers.amendments import amended
from whoknew.worlds.importers.imported import ImportedWorld, ImporterEntry, Remark
from whoknew.worlds.importers.sotopia import Form, SotopiaRecords
from whoknew.worlds.json_lines import unfit
from whoknew.worlds.question import Question
from whoknew.worlds.toml_data import toml_data
from whoknew.worlds.toml_text import toml_of


class ImportedWorlds(Struct, frozen=True):
    """What an import came to. Worlds that were on the log already were left as they are. `questions`
    is how many the source has, which are in `questions_file` where one was asked for."""

    log: str
    worlds: tuple[str, ...]
    there: tuple[str, ...]
    settings: tuple[str, ...]
    remarks: tuple[Remark, ...]
    questions: int = 0
    questions_file: str | None = None
    amended: tuple[Remark, ...] = ()


class ExportedEpisodes(Struct, frozen=True):
    """What an export came to."""

    file: str
    episodes: int
    remarks: tuple[Remark, ...]


async def import_worlds(
    name: str,
    path: str,
    address: str,
    settings: Sequence[str] = (),
    questions: Path | None = None,
    amend: Path | None = None,
    asked: bool = True,
) -> ImportedWorlds:
    """Bring the worlds of a file, or of all such files in a folder, into a log, and the questions on
    them into a new file, where one is named: it must have some where they are `asked` for. `settings`
    are those of the importer, each as `key=value`. In `amend` stands who heard what otherwise than they
    say."""
    if questions is not None:
        check_new(questions)
    found = list(_read(name, importer(name, settings), Path(path)))
    remarks = [one for one in found if isinstance(one, Remark)]
    worlds_found = (one for one in found if isinstance(one, ImportedWorld))
    brought = list(_of_different_names(path, worlds_found, remarks))
    changed: dict[str, list[Remark]] = {}
    if amend is not None:
        brought, changed = amended(brought, amend)
    remarks += [remark for world in brought for remark in world.remarks]
    sound = _sound_questions(brought, remarks)
    if questions is not None and asked and not sound:
        raise BadSource(f"{path} has no {_unsound(brought, remarks)}: leave --questions out")
    async with writing(address) as log:
        worlds, there = await _append(log, brought)
    remarks += [_unmade(str(amend), one, len(changed[one])) for one in there if changed.get(one)]
    if questions is not None and sound:
        await asyncio.to_thread(question.write, questions, sound)
    return ImportedWorlds(
        log=without_password(address),
        worlds=tuple(worlds),
        there=tuple(there),
        settings=(),
        remarks=tuple(remarks),
        questions=len(sound),
        questions_file=str(questions) if questions is not None and sound else None,
        amended=tuple(one for world in worlds for one in changed.get(world, ())),
    )


def _unmade(amend: str, world: str, count: int) -> Remark:
    """What was to be changed in a world that was left as it is."""
    what = (
        f"{counted(count, 'amendment')} not made, as it was there already: make them in a fork "
        "(whoknew fork), or bring it into another log"
    )
    return Remark(amend, world, what)


def _of_different_names(
    path: object, found: Iterable[ImportedWorld], remarks: list[Remark]
) -> Iterator[ImportedWorld]:
    """Without those that are called as one before them: a log could hold but one of both."""
    known: set[str] = set()
    for one in found:
        if one.name in known:
            what = (
                "left out: another world of this import is called so: bring it into another log, or "
                "give its file or record another name"
            )
            remarks.append(Remark(str(path), one.name, what))
        else:
            known.add(one.name)
            yield one


def _unsound(worlds: Iterable[ImportedWorld], remarks: Sequence[Remark]) -> str:
    """What a source lacks that has no sound question; and why of the first one, where it has any."""
    asked = sum(len(one.questions) for one in worlds)
    return f"sound question, of {asked:,} ({remarks[-asked].what})" if asked else "questions"


def _sound_questions(worlds: Iterable[ImportedWorld], remarks: list[Remark]) -> list[Question]:
    """The questions that can be read again; what is wrong with the others is a remark."""
    found: dict[str, Question] = {}
    for world in worlds:
        for one in world.questions:
            wrong = [*unfit(msgspec.to_builtins(one)), *question.faults(one)]
            if wrong:
                key, what = wrong[0]
                remarks.append(Remark(world.name, repr(one.question), f"left out: {key} {what}"))
            elif one.id in found:
                what = "left out: is asked twice"
                remarks.append(Remark(world.name, repr(one.question), what))
            else:
                found[one.id] = one
    return list(found.values())


def importer(name: str, settings: Sequence[str]) -> ImporterEntry:
    """The importer of a name, with its settings; a BadDocument lists all that is wrong with them."""
    kind: type[ImporterEntry] = IMPORTERS.entry(name)
    entry, mistakes = sift("\n".join(map(_as_toml, settings)), "--set", kind)
    if mistakes or entry is None:
        raise BadDocument([replace(mistake, line=None) for mistake in mistakes])
    return entry


def settings_of(**settings: object) -> list[str]:
    """Settings of an importer as they are given in words, each in quotes: those that are there."""
    return [f"{key}={json.dumps(str(a))}" for key, a in settings.items() if a is not None]


def _as_toml(setting: str) -> str:
    """A setting as a line of TOML. What is no value of TOML is a text without its quotes."""
    key, sign, value = setting.partition("=")
    if not sign:
        raise BadDocument([Mistake("--set", None, setting, "has no value: give it as key=value")])
    try:
        if toml_data(f"value = {value}").keys() != {"value"}:
            value = json.dumps(value)
    except ValueError:
        value = json.dumps(value)
    return f"{json.dumps(key.strip())} = {value}"


def _read(name: str, entry: ImporterEntry, path: Path) -> Iterator[ImportedWorld | Remark]:
    for one in entry.read(path):
        if not isinstance(one, ImportedWorld | Remark):
            raise BrokenPart(
                f"the importer {name!r} gives a {type(one).__name__}, where each should be an "
                "ImportedWorld or a Remark"
            )
        yield one


async def import_sotopia(path: Path, address: str, settings: Path | None = None) -> ImportedWorlds:
    """Bring the episodes and games of Sotopia's files into a log, each as a world; and, where a
    folder is named, write what there is to play into it."""
    found = sotopia.read(path)
    remarks = list(found.remarks)
    played = list(_of_different_names(path, sotopia.worlds_of(found), remarks))
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
        file = folder / f"{as_file_name(setting.name)}.toml"
        if file.exists():
            remarks.append(Remark(str(folder), file.name, "is there already: left as it is"))
            continue
        with becoming(file) as whole:
            whole.write_text(toml_of(setting), "utf-8")
        written.append(str(file))
    return written


async def export_sotopia(address: str, world: str, file: Path, form: Form) -> ExportedEpisodes:
    """Write the episodes of a world as Sotopia's episode logs: JSON lines, or a database dump."""
    check_new(file)
    async with reading(address) as log:
        events = await (await log.director(world)).events()
    logs, remarks = sotopia.episodes_of(world, events, form)
    if form == "jsonl":
        text = "".join(f"{json.dumps(one)}\n" for one in logs)
    else:
        prefix = ":sotopia.database.logs.EpisodeLog:"
        text = json.dumps({f"{prefix}{one['pk']}": one for one in logs})
    with becoming(file) as partial:
        partial.write_text(text, "utf-8")
    return ExportedEpisodes(str(file), len(logs), tuple(remarks))
