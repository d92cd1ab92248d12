"""A damaged file, looked at with the commands that people have for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random

from command_runner import Done, ended
from msgspec import Struct
from small_worlds import elsinore, said

from whoknew.eventlog import Event, export_log, open_log


class Sound(Struct, frozen=True):
    """A log as it was written: its bytes, its events, and its export."""

    data: bytes
    events: dict[str, list[Event]]
    archive: Path


COMMANDS: Sequence[Sequence[str]] = (
    ("log", "info", "LOG"),
    ("log", "head", "LOG"),
    ("log", "export", "LOG", "OUT"),
    ("log", "export", "LOG", "OUT", "--anyway"),
    ("log", "export", "LOG", "OUT", "--world", "what-if"),
    ("log", "backup", "LOG", "OUT"),
    ("log", "backup", "LOG", "OUT", "--anyway"),
    ("log", "anonymise", "LOG", "OUT", "KEY"),
    ("log", "import", "LOG", "ARCHIVE"),
    ("ls", "--log", "LOG"),
    ("show", "elsinore", "--log", "LOG"),
    ("replay", "what-if", "--at", "E1", "--log", "LOG"),
    ("replay", "elsinore", "--as", "Horatio", "--at", "@1599-06-01T21:30", "--log", "LOG"),
    ("knows", "elsinore", "--about", "ghost", "--trace", "--log", "LOG"),
    ("recall", "elsinore", "Horatio", "the ghost", "--log", "LOG"),
    ("ask", "elsinore", "Horatio", "Who saw a ghost?", "--log", "LOG"),
    ("diff", "what-if", "--log", "LOG"),
    ("fork", "elsinore", "--at", "E1", "--name", "another", "--log", "LOG"),
    ("mark", "elsinore", "here", "--at", "E1", "--log", "LOG"),
)


def sound(folder: Path) -> Sound:
    file, archive = folder / "sound.db", folder / "sound.jsonl"

    async def write() -> dict[str, list[Event]]:
        async with open_log(file) as log:
            await elsinore(log)
            await log.fork("elsinore", "what-if", "E1")
            await log.append("what-if", [said("Horatio", "What if?")], key="k")
            await log.append("elsinore", [said("Horatio", "A long speech. " * 2000)])
            await export_log(log, archive)
        return await contents(file)

    events = asyncio.run(write())
    return Sound(file.read_bytes(), events, archive)


async def contents(file: Path) -> dict[str, list[Event]]:
    async with open_log(file, read_only=True) as log:
        return {
            world.name: [event async for event in log.read(world.name)]
            for world in await log.worlds()
        }


def examine(file: Path, sound: Sound, chance: Random) -> None:
    """It is never called sound unless it is; each command ends, with an error that is told."""
    if _tell(["log", "verify", str(file)])[0] == 0:
        assert asyncio.run(contents(file)) == sound.events, "called clean, and it is not"
    for number, command in enumerate(chance.sample(COMMANDS, 3)):
        out = file.with_name(f"out{number}.{chance.choice(('jsonl', 'jsonl.gz'))}")
        places = {"LOG": file, "OUT": out, "KEY": f"{out}.key", "ARCHIVE": sound.archive}
        code, _ = _tell([str(places.get(word, word)) for word in command])
        if code == 0 and "OUT" in command and "--anyway" not in command:
            assert out.exists()


def _tell(command: Sequence[str]) -> tuple[int, Done]:
    try:
        code, done = ended(*command)
    except Exception as error:
        raise AssertionError(f"a traceback of `whoknew {' '.join(command)}`: {error!r}") from error
    told = f"`whoknew {' '.join(command)}`: {code}, {done}"
    assert code in (0, 1), told
    assert "Traceback" not in done.stderr, told
    said = done.stderr.startswith("whoknew: ") or "fault" in done.stdout or "lost: " in done.stdout
    assert code == 0 or said, told
    return code, done
