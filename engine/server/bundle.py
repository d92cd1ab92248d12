"""A world as files to send: its page, and all that this shows, without a server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from whoknew.engine.logs.anonymise import Kept
from whoknew.engine.logs.digest_mask import DigestMask
from whoknew.engine.opening import check_new, reading
from whoknew.engine.server.bundle_files import becoming_folder, read_part, write_page, write_part
from whoknew.engine.server.bundle_names import named_texts, renamed
from whoknew.engine.server.bundle_parts import own_parts, world_parts
from whoknew.engine.server.bundle_scan import check_told
from whoknew.engine.server.bundle_stories import drawn, poster, story_parts, told_by
from whoknew.engine.server.errors import NoBundle
from whoknew.eventlog import Log
from whoknew.eventlog.archive import becoming
from whoknew.worlds.anonymiser import Anonymiser

POSTER = "story.svg"
"""The file of the story as one picture."""


class Bundled(Struct, frozen=True, kw_only=True):
    """What was written: so many events in so many files, with the prompts of `turns`; those of so many
    earlier turns were `left` out. The names of so many `people` were taken out."""

    folder: str
    world: str
    character: str | None
    events: int
    files: int
    size: int
    turns: int
    left: int
    people: int


class BundleOptions(Struct, frozen=True, kw_only=True):
    """Whose view it is, if not all; whether prompts are in it; and where the key goes that turns names
    back, if they are to be taken out."""

    who: str | None = None
    prompts: bool = True
    key: Path | None = None


async def bundle(address: str, world: str, folder: Path, options: BundleOptions) -> Bundled:
    """Write the page of a world and all that it shows into a new folder. What was written is read again,
    and is not left there if it tells its reader more than it should."""
    _check_places(folder, options.key)
    async with reading(address) as log:
        with becoming_folder(folder) as partial:
            data = partial / "data"
            data.mkdir()
            facts = await _write(log, world, data, options)
            parts = sorted(data.iterdir())
            await _draw(log, world, partial, facts, options)
            if options.who is not None:
                await check_told(log, world, options.who, sorted(data.iterdir()))
            people = 0
            if options.key is not None:
                anonymiser = await _take_names_out(log, world, parts, options.key)
                people = anonymiser.key.people
                await _draw(log, world, partial, facts, options, anonymiser=anonymiser)
            write_page(partial)
            files = [one for one in partial.rglob("*") if one.is_file()]
            size = sum(one.stat().st_size for one in files)
    return Bundled(
        folder=str(folder),
        world=world,
        character=options.who,
        events=facts["events"],
        files=len(files),
        size=size,
        turns=len(facts["turns"]),
        left=facts["left"],
        people=people,
    )


def _check_places(folder: Path, key: Path | None) -> None:
    check_new(folder)
    if key is not None:
        if folder.absolute() in (key.absolute(), *key.absolute().parents):
            raise NoBundle(f"{key} would be sent with the bundle: keep the key elsewhere")
        check_new(key)


async def _write(log: Log, world: str, data: Path, options: BundleOptions) -> dict[str, Any]:
    """Write each part as it comes: the facts of them all come last, and are returned."""
    if options.who is None:
        parts = world_parts(log, world, prompts=options.prompts)
    else:
        parts = own_parts(log, world, options.who)
    facts: dict[str, Any] = {}
    async for name, value in parts:
        if name == "facts":
            shown = value["world"]
            stories = drawn(len(shown.episodes), len(getattr(shown, "characters", ())))
            facts = value = value | {"anonymous": options.key is not None, "stories": stories}
        write_part(data, name, value)
    return facts


async def _draw(
    log: Log,
    world: str,
    folder: Path,
    facts: dict[str, Any],
    options: BundleOptions,
    *,
    anonymiser: Anonymiser | None = None,
) -> None:
    """Write its pictures; those that were written with names are written over."""
    hide = anonymiser.hide if anonymiser else str
    (folder / POSTER).write_text(await poster(log, world, options.who, hide), "utf-8")
    async for name, value in story_parts(log, world, options.who, facts, hide):
        write_part(folder / "data", name, value)
        if anonymiser:
            _check_hidden(anonymiser, told_by(value), name)


async def _take_names_out(log: Log, world: str, parts: Sequence[Path], key: Path) -> Anonymiser:
    """Of all parts but pictures; and what takes them out, which its key turns back."""
    names = (await log.knowledge(world)).characters
    texts = (text for part in parts for text in named_texts(read_part(part)))
    anonymiser = Anonymiser(names, texts)
    hide = DigestMask(anonymiser.hide).hide
    for part in parts:
        write_part(part.parent, part.stem, renamed(read_part(part), hide))
        _check_hidden(anonymiser, named_texts(read_part(part)), part.name)
    with becoming(key) as partial:
        kept = msgspec.json.encode(Kept(anonymiser.key.aliases))
        partial.write_bytes(msgspec.json.format(kept))
    return anonymiser


def _check_hidden(anonymiser: Anonymiser, texts: Iterable[str], where: str) -> None:
    for text in texts:
        if left := anonymiser.residue(text):
            raise NoBundle(f"the name {left[0]!r} is left in {where}: nothing was written")
