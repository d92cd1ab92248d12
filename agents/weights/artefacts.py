"""What was trained, in a folder: each artefact under its digest, whole or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from tempfile import mkdtemp

from whoknew.agents.errors import Rejected

PARTIAL = "partial-"
"""What a folder is called that is being written."""


class Artefacts:
    """A folder of them, which is made when the first one is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, files: Mapping[str, bytes]) -> str:
        """Write an artefact; its digest. One that is there is left as it is."""
        digest = digest_of(files)
        if (self.folder / digest).exists():
            return digest
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = Path(mkdtemp(prefix=PARTIAL, dir=self.folder))
        for name, data in files.items():
            (partial / name).write_bytes(data)
        try:
            os.rename(partial, self.folder / digest)
        except OSError:  # somebody else was faster
            shutil.rmtree(partial)
        return digest

    def path(self, digest: str) -> Path:
        """Where an artefact lies; Rejected where it is missing, or no longer what it was."""
        path = self.folder / digest
        if not path.is_dir():
            raise Rejected(
                f"what was trained lies no longer in {path}: put it back, or begin another log"
            )
        if digest_of({file.name: file.read_bytes() for file in path.iterdir()}) != digest:
            raise Rejected(f"{path} is not what was trained: a file in it was changed. Remove it")
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
            shutil.rmtree(path)
        return sorted(path.name for path in gone if not path.name.startswith(PARTIAL))

    def size(self, name: str) -> int:
        """Of a folder of them, in bytes."""
        return sum(file.stat().st_size for file in (self.folder / name).iterdir())

    def _all(self) -> Iterator[Path]:
        if self.folder.is_dir():
            yield from (path for path in self.folder.iterdir() if path.is_dir())


def digest_of(files: Mapping[str, bytes]) -> str:
    """Of all files of an artefact, by their names."""
    whole = hashlib.sha256()
    for name in sorted(files):
        whole.update(name.encode() + b"\0" + hashlib.sha256(files[name]).digest())
    return whole.hexdigest()[:32]
