"""A codebook as the files of an artefact; its edits in words. Nothing of torch is needed to read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy
from msgspec import Meta, Struct

from whoknew.agents.errors import BadEdits
from whoknew.agents.weights.codebook import Codebook, CodebookEntry, Edit
from whoknew.agents.weights.key_matrix import Vector

CODEBOOK = "codebook.json"


class EditedRow(Struct, frozen=True, kw_only=True):
    """One edit in words: who is to answer what; in which episode that was learned, from the event at which
    `place` of the character's view, which happened `at` a time of the story."""

    number: int
    who: str
    asked: str
    reply: str
    episode: int
    place: int
    at: datetime


class HeldEdits(Struct, frozen=True):
    """An entry: its radius, and the numbers and labels of its edits, whose keys stand one after another."""

    radius: float
    edits: Annotated[tuple[tuple[int, int], ...], Meta(min_length=1)]


class WrittenCodebook(Struct, frozen=True):
    """What stands beside the vectors."""

    radius: float
    entries: tuple[HeldEdits, ...]


def is_codebook(path: Path) -> bool:
    """Whether a folder holds a codebook, and not an adapter."""
    return (path / CODEBOOK).exists()


def layer_of(path: Path) -> int:
    """At which layer of a model its codebook is."""
    with _reading(path):
        return int((path / "layer").read_text("utf-8"))


def written(codebook: Codebook, rows: Sequence[EditedRow], layer: int) -> dict[str, bytes]:
    """The files, the same to the byte for the same codebook."""
    entries = tuple(
        HeldEdits(one.radius, tuple((edit.number, edit.label) for edit in one.edits))
        for one in codebook
    )
    return {
        CODEBOOK: msgspec.json.encode(WrittenCodebook(codebook.radius, entries)),
        "keys.npy": _array([edit.key for edit in codebook.edits]),
        "values.npy": _array([one.value for one in codebook]),
        "edits.jsonl": b"".join(msgspec.json.encode(row) + b"\n" for row in rows),
        "layer": str(layer).encode(),
    }


def read(path: Path) -> tuple[Codebook, list[EditedRow]]:
    """The codebook of an artefact, and its edits in words; BadEdits where they are damaged."""
    with _reading(path):
        told = msgspec.json.decode((path / CODEBOOK).read_bytes(), type=WrittenCodebook)
        keys, values = _vectors(path / "keys.npy"), _vectors(path / "values.npy")
        if len(keys) != sum(len(one.edits) for one in told.entries):
            raise ValueError(f"there are {len(keys)} keys, and not one for each edit")
        if keys.shape[1] != values.shape[1]:
            raise ValueError(f"keys have {keys.shape[1]} numbers, and values {values.shape[1]}")
        lines = (path / "edits.jsonl").read_bytes().splitlines()
        rows = [msgspec.json.decode(line, type=EditedRow) for line in lines]
        if {n for one in told.entries for n, _ in one.edits} - {row.number for row in rows}:
            raise ValueError("there are edits without words")
        left = iter(keys)
        held = zip(told.entries, values, strict=True)
        return Codebook(told.radius, [_entry(one, left, value) for one, value in held]), rows


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, EOFError, MemoryError) as error:
        raise BadEdits(f"the edits in {path} cannot be read: {error}") from None


def _vectors(file: Path) -> Any:
    found = numpy.load(file, allow_pickle=False)
    if found.ndim != 2 or found.dtype != numpy.float64 or not numpy.isfinite(found).all():
        raise ValueError(f"{file.name} holds no vectors")
    return found


def _entry(held: HeldEdits, keys: Iterator[Vector], value: Vector) -> CodebookEntry:
    edits = tuple(Edit(number, label, next(keys)) for number, label in held.edits)
    return CodebookEntry(key=edits[0].key, value=value, radius=held.radius, edits=edits)


def _array(vectors: Sequence[Vector]) -> bytes:
    data: Any = BytesIO()
    numpy.save(data, numpy.stack(vectors) if vectors else numpy.zeros((0, 0)), allow_pickle=False)
    return bytes(data.getvalue())
