"""Packages that bring parts, as `pip` leaves them in a folder: for as long as a test wants them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from whoknew.engine.registry import KINDS


@contextmanager
def installed(
    folder: Path, package: str, code: str, points: Mapping[str, Mapping[str, str]]
) -> Iterator[Path]:
    """A package of one module of the same name, with its entry points by their groups. The file
    that is yielded is there once the module was loaded."""
    loaded = folder / f"{package}.loaded"
    head = f"import pathlib; pathlib.Path({str(loaded)!r}).touch()\n"
    (folder / f"{package}.py").write_text(head + code)
    written = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in named.items())
        for group, named in points.items()
    )
    write_metadata(folder, package, written)
    with pytest.MonkeyPatch.context() as patch:
        for kind in KINDS:
            patch.setattr(kind, "outside", {})
            patch.setattr(kind, "_broken", {})
            patch.setitem(kind.__dict__, "installed", {})
            del kind.__dict__["installed"]
        patch.syspath_prepend(folder)
        try:
            yield loaded
        finally:
            sys.modules.pop(package, None)


def write_metadata(folder: Path, package: str, entry_points: str) -> None:
    """What is written of an installed package."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)
