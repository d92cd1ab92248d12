"""Edits of GRACE by hand: listed in words, those of two folders merged, one of them taken back.

A folder of edits is what `memory = "grace"` leaves beside a log, or what was made of such folders here.
No model is needed for any of this, nor torch; nothing is changed in place.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.errors import BadEdits
from whoknew.agents.weights.artefacts import BASE, Artefacts, base_of, is_digest, put
from whoknew.agents.weights.codebook import Codebook
from whoknew.agents.weights.codebook_files import EditedRow, is_codebook, layer_of, read, written

Edits = tuple[Codebook, list[EditedRow]]


class EditsOf(Struct, frozen=True):
    """The edits in a folder, in the order in which they were made."""

    folder: str
    edits: tuple[EditedRow, ...]

    def whose(self) -> list[tuple[str, int]]:
        """Of whom they are, and up to which episode."""
        who = sorted({row.who for row in self.edits})
        return [(one, max(row.episode for row in self.edits if row.who == one)) for one in who]


def edits_in(folder: Path) -> list[EditsOf]:
    """Those of a folder of edits, or of all such folders that lie in it: life by life, as they came."""
    if not folder.is_dir():
        raise BadEdits(f"there is no folder {folder}")
    inner = [path for path in sorted(folder.iterdir()) if is_codebook(path)]
    if not inner or is_codebook(folder):
        return [_of(folder)]
    return sorted(map(_of, inner), key=EditsOf.whose)


def take_back(folder: Path, number: int, into: Path) -> EditsOf:
    """Write the edits of a folder without one of them into a new folder, and give those that are left."""
    codebook, rows = _read(folder)
    left = [row for row in rows if row.number != number]
    if len(left) == len(rows):
        raise BadEdits(f"{folder} has no edit {number}: {_numbers(rows)}")
    codebook.take_back(number)
    return _put(into, codebook, left, folder)


def merge(folder: Path, other: Path, into: Path) -> EditsOf:
    """Write the edits of a folder, and then those of another, into a new one, and give all that hold now.
    Of two of the very same prompt that of the other holds."""
    (codebook, rows), (book, others) = _read(folder), _read(other)
    _check_alike(folder, other)
    beyond = max((row.number for row in rows), default=0)
    asked = {(row.who, row.asked) for row in others}
    for row in rows:
        if (row.who, row.asked) in asked:
            codebook.take_back(row.number)
    kept = [row for row in rows if (row.who, row.asked) not in asked]
    both = [*kept, *(replace(row, number=row.number + beyond) for row in others)]
    return _put(into, codebook.merged(book, beyond), both, folder)


def _of(folder: Path) -> EditsOf:
    return EditsOf(str(folder), tuple(_read(folder)[1]))


def _read(folder: Path) -> Edits:
    if not is_codebook(folder):
        raise BadEdits(f'{folder} holds no edits: name a folder that memory = "grace" left')
    if is_digest(folder.name):
        folder = Artefacts(folder.parent).path(folder.name)
    return read(folder)


def _check_alike(folder: Path, other: Path) -> None:
    for what, found in (("model", base_of), ("layer", layer_of)):
        if found(folder) != found(other):
            raise BadEdits(
                f"{folder} and {other} cannot be merged: they are of another {what} "
                f"({found(folder)}, {found(other)})"
            )


def _put(into: Path, codebook: Codebook, rows: list[EditedRow], like: Path) -> EditsOf:
    if into.exists():
        raise BadEdits(f"{into} exists already: name a new folder")
    if not into.absolute().parent.is_dir():
        raise BadEdits(f"{into}: there is no folder {into.absolute().parent}")
    put(into, {**written(codebook, rows, layer_of(like)), BASE: base_of(like).encode()})
    return EditsOf(str(into), tuple(rows))


def _numbers(rows: list[EditedRow]) -> str:
    if not rows:
        return "it has none"
    return f"they are numbered {rows[0].number} to {rows[-1].number}"
