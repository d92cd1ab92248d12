"""What was trained, in a folder: each artefact under its digest, whole or not at all."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from tempfile import mkdtemp

from whoknew.agents.errors import Rejected

PARTIAL = "partial-"
"""What a folder is called that is being written."""

BASE = "base"
"""The file of an artefact that says by its digest which model it was trained on."""


_DIGEST = re.compile(r"[0-9a-f]{32}")


class Artefacts:
    """A folder of them, which is made when the first one is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, files: Mapping[str, bytes]) -> str:
        """Write an artefact; its digest. One that is there is left as it is."""
        digest = digest_of(files)
        if (self.folder / digest).exists():
            return digest
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            put(self.folder / digest, files)
        except OSError as error:
            raise Rejected(
                f"what was trained could not be written to {self.folder}: {error.strerror}. Make room, "
                "or let it be written there, and train it again"
            ) from None
        return digest

    def path(self, digest: str) -> Path:
        """Where an artefact lies; Rejected where it is missing, or no longer what it was."""
        path = self.folder / digest
        if not is_digest(digest) or not path.is_dir():
            raise Rejected(
                f"what was trained lies no longer in {path}: put it back, or begin another log"
            )
        if digest_of(files_of(path)) != digest:
            raise Rejected(
                f"{path} is not what was trained: a file in it was changed. Put back what was there, "
                "or begin another log"
            )
        return path

    def digests(self) -> list[str]:
        """Of all that are kept."""
        return sorted(path.name for path in self._all() if not path.name.startswith(PARTIAL))

    def unfinished(self) -> list[str]:
        """The folders of those that were never finished."""
        return sorted(path.name for path in self._all() if path.name.startswith(PARTIAL))

    def prune(self, needed: Collection[str]) -> list[str]:
        """Remove all but these, and what was never finished; the digests of those removed."""
        gone = [path for path in self._all() if path.name not in needed]
        for path in gone:
            path.unlink() if path.is_symlink() else shutil.rmtree(path)
        return sorted(path.name for path in gone if not path.name.startswith(PARTIAL))

    def size(self, name: str) -> int:
        """Of a folder of them, in bytes."""
        return sum(file.lstat().st_size for file in (self.folder / name).iterdir())

    def _all(self) -> Iterator[Path]:
        """Those that are called so: what else somebody put there is not ours."""
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if path.is_dir() and (is_digest(path.name) or path.name.startswith(PARTIAL)):
                    yield path


def is_digest(name: str) -> bool:
    """Whether a folder is called as artefacts are."""
    return bool(_DIGEST.fullmatch(name))


def put(path: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder: it is there as a whole, on the disk, or not at all. One that is there stays."""
    partial = Path(mkdtemp(prefix=PARTIAL, dir=path.parent))
    try:
        for name, data in files.items():
            with (partial / name).open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        try:
            os.rename(partial, path)
        except OSError:
            if not path.is_dir():  # else somebody was faster
                raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def base_of(path: Path) -> str:
    """Which model an artefact was trained on; nothing where it does not say: it comes from elsewhere."""
    file = path / BASE
    return file.read_text("utf-8", errors="replace") if file.is_file() else ""


def files_of(path: Path) -> dict[str, bytes]:
    """The files of an artefact, by their names."""
    return {file.name: file.read_bytes() for file in path.iterdir() if file.is_file()}


def digest_of(files: Mapping[str, bytes]) -> str:
    """Of all files of an artefact, by their names."""
    whole = hashlib.sha256()
    for name in sorted(files):
        whole.update(name.encode() + b"\0" + hashlib.sha256(files[name]).digest())
    return whole.hexdigest()[:32]
