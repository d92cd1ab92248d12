"""Where settings, banks and people are found: by the name of one that comes with Whoknew, or in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from whoknew.eventlog.nearest import closest, guess, nearest
from whoknew.worlds import bank as banks
from whoknew.worlds import people as folk
from whoknew.worlds.bank import Bank
from whoknew.worlds.document import Fault, sift
from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.faults import faults
from whoknew.worlds.people import People
from whoknew.worlds.setting import Setting
from whoknew.worlds.whole_file import whole_text

T = TypeVar("T", bound=Struct)

PEOPLE = "people"

LOG_BEGINS = b"SQLite format 3\0"


def bundled() -> list[str]:
    """The names of the settings that come with Whoknew."""
    found = [one for one in _library().iterdir() if one.name.endswith(".toml")]
    return sorted(
        one.name.removesuffix(".toml") for one in found if "[[scenarios]]" in one.read_text("utf-8")
    )


def find(name: str, beside: Path | None = None) -> Setting:
    """The setting of a name or of a path, which counts from the folder of whoever names it."""
    found, mistakes = look(name, beside)
    if mistakes or found is None:
        raise BadDocument(mistakes)
    return found


def look(name: str, beside: Path | None = None) -> tuple[Setting | None, list[Mistake]]:
    """As much of a setting as can be had, and all that is wrong with it."""
    if name.endswith(".toml") or "/" in name:
        path = (beside or Path()) / name
        try:
            return sift(text_of(path), str(path), Setting, faults)
        except BadDocument as error:
            return None, list(error.mistakes)
    if name not in bundled():
        meant = nearest_world(name, beside)
        what = f"no file and no world that comes with Whoknew has this name: {meant}"
        return None, [Mistake(name, None, "", what)]
    return sift(_library().joinpath(f"{name}.toml").read_text("utf-8"), name, Setting, faults)


def nearest_world(name: str, beside: Path | None, others: Iterable[str] = ()) -> str:
    """Which file, world of ours or of `others` may have been meant by a name, or which worlds there are."""
    worlds = [*bundled(), *others]
    files = _beside(beside or Path(), ".toml")
    return guess(closest(name, [*worlds, *files])) or nearest(name, worlds)


def load(path: Path) -> Setting:
    return parse(text_of(path), str(path))


def bundled_banks() -> list[str]:
    """The names of the banks that come with Whoknew."""
    return sorted(one.stem for one in (_library() / "banks").glob("*.toml"))


def find_bank(name: str, beside: Path | None = None) -> Bank:
    """The bank of a name or of a path, which counts from the folder of whoever names it."""
    if name.endswith(".toml") or "/" in name:
        path = (beside or Path()) / name
        return parse_bank(text_of(path), str(path))
    if name not in bundled_banks():
        what = f"no file and no bank that comes with Whoknew has this name: {nearest(name, bundled_banks())}"
        raise BadDocument([Mistake(name, None, "", what)])
    return parse_bank((_library() / "banks" / f"{name}.toml").read_text("utf-8"), name)


def find_people(name: str, beside: Path | None = None) -> People:
    """The people of a path, which counts from the folder of whoever names it; or ours."""
    if name.endswith(".toml") or "/" in name:
        path = (beside or Path()) / name
        return _sound(text_of(path), str(path), People, folk.faults)
    if name != PEOPLE:
        what = f"no file has this name, nor have the people that come with Whoknew: {nearest(name, [PEOPLE])}"
        raise BadDocument([Mistake(name, None, "", what)])
    text = (_library() / f"{PEOPLE}.toml").read_text("utf-8")
    return _sound(text, PEOPLE, People, folk.faults)


def events_of(world: str) -> Path | None:
    """The file of the events that come with a world or a play of ours, each told in a sentence."""
    return next((one for one in _library().glob("events/*.jsonl") if one.stem == world), None)


def parse(text: str, source: str) -> Setting:
    """The setting in a text, sound in all its parts; else a BadDocument lists what is not."""
    return _sound(text, source, Setting, faults)


def parse_bank(text: str, source: str) -> Bank:
    """The bank in a text, sound in all its parts; else a BadDocument lists what is not."""
    return _sound(text, source, Bank, banks.faults)


def _sound(text: str, source: str, kind: type[T], faults: Callable[[T], Iterator[Fault]]) -> T:
    found, mistakes = sift(text, source, kind, faults)
    if mistakes or found is None:
        raise BadDocument(mistakes)
    return found


def _beside(folder: Path, suffix: str) -> list[str]:
    """The names of the files in a folder that end so."""
    return sorted(one.name for one in folder.glob("*") if one.suffix == suffix and one.is_file())


def text_of(path: Path) -> str:
    try:
        return whole_text(path)
    except FileNotFoundError:
        meant = guess(closest(path.name, _beside(path.parent, path.suffix)))
        what = f"there is no such file: {meant}" if meant else "there is no such file"
        raise BadDocument([Mistake(str(path), None, "", what)]) from None
    except IsADirectoryError:
        raise BadDocument([Mistake(str(path), None, "", "is a folder: name a file")]) from None
    except UnicodeDecodeError as error:
        raise BadDocument([Mistake(str(path), None, "", _no_text(error))]) from None
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise BadDocument([Mistake(str(path), None, "", what)]) from None


def _no_text(error: UnicodeDecodeError) -> str:
    if error.object.startswith(LOG_BEGINS):
        return (
            "is a log, and no text: name a file in TOML, and the log with --log; `whoknew ls` lists what "
            "is in it"
        )
    return f"is no text in UTF-8: at byte {error.start + 1} {error.reason}"


def _library() -> Path:
    return Path(str(files("whoknew.worlds.library")))
