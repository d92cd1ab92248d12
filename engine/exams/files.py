"""A report as files: each is written whole or not at all, and none can do harm where it is opened."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from whoknew.engine.logs.csv_cell import harmless
from whoknew.eventlog.errors import BadAddress, unwritable


def write_files(
    folder: Path, files: Mapping[str, bytes], stale: Iterable[str] = ()
) -> tuple[str, ...]:
    """Write files into a folder, which is made where there is none; their names. Whatever goes wrong,
    what stood there before stands there still. Of what is `stale`, all goes that is not written now:
    it would be of another report."""
    if folder.exists() and not folder.is_dir():
        raise BadAddress(f"{folder} is a file: name a folder, or a place for a new one")
    if not folder.exists() and (like := _files_like(folder, files)):
        what = f"a report is {len(files)} files in a folder, among them {', '.join(like)}"
        raise BadAddress(f"{folder}: {what}: name a folder")
    for name in files:
        if (folder / name).is_dir():
            what = "is a folder, and a file of the report is called so"
            raise BadAddress(f"{folder / name} {what}: move it away, or name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".partial-", dir=folder) as partial:
            for name, content in files.items():
                (Path(partial) / name).write_bytes(content)
            for name in files:
                (Path(partial) / name).replace(folder / name)
        for name in set(stale) - set(files):
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(error, folder) from error
    return tuple(str(folder / name) for name in sorted(files))


def _files_like(folder: Path, files: Iterable[str]) -> list[str]:
    """The files that end as a folder's name does: whoever names it so means one of them."""
    return sorted(name for name in files if Path(name).suffix == folder.suffix.lower() != "")


def csv_of(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A table. A text that a spreadsheet would take for a formula has a quote before it."""
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([harmless(head) for head in heads])
    writer.writerows([harmless(value) for value in row] for row in rows)
    return text.getvalue().encode()
