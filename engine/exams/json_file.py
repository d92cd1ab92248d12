"""A JSON file that people read, too."""

from __future__ import annotations

from pathlib import Path

import msgspec

from whoknew.eventlog.archive import becoming


def write(file: Path, form: object) -> None:
    """A new file: whole, or not there at all. To be called on a thread."""
    with becoming(file) as partial:
        partial.write_bytes(msgspec.json.format(msgspec.json.encode(form), indent=2) + b"\n")
