"""Files that come to stand beside one another together: all of them, or none, whenever it is killed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from whoknew.engine.opening import check_new, check_place
from whoknew.eventlog.archive import BESIDE
from whoknew.eventlog.errors import BadAddress, unwritable
from whoknew.eventlog.stores.filelock import FileLock


@contextmanager
def new_files(last: Path) -> Iterator[Path]:
    """A folder to write files in, which then come to stand beside `last`. That one of them comes last:
    once it is there, all are. Whoever is killed before leaves the folder, and the next start takes away
    what had come of it so far, which is known by being the same file."""
    check_place(last)
    folder, lock = last.with_name(f"{last.name}.partial"), FileLock(last)
    lock.take()
    try:
        _take_back(folder, last)
        check_new(last)
        folder.mkdir()
        yield folder
        _put(folder, last)
    except OSError as error:
        raise unwritable(error, last) from error
    finally:
        _take_back(folder, last)
        lock.release()


def _put(folder: Path, last: Path) -> None:
    """What a log has beside it while it is open is no file to keep."""
    files = [one for one in sorted(folder.iterdir()) if one.is_file() and one.name != last.name]
    kept = [one for one in files if not one.name.endswith(BESIDE)]
    for file in (*kept, folder / last.name):
        target = last.with_name(file.name)
        try:
            os.link(file, target)
        except FileExistsError:
            raise BadAddress(f"{target} exists already: name a new file") from None


def _take_back(folder: Path, last: Path) -> None:
    """The folder, and what came of it where not all did."""
    whole = _is_same(folder / last.name, last)
    for file in folder.iterdir() if folder.is_dir() and not whole else ():
        if _is_same(file, target := last.with_name(file.name)):
            target.unlink()
    shutil.rmtree(folder, ignore_errors=True)


def _is_same(file: Path, other: Path) -> bool:
    with suppress(OSError):
        return file.is_file() and os.path.samefile(file, other)
    return False
