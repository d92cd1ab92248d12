"""What `whoknew doctor` finds."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Finding(Struct, frozen=True):
    """`fine`, a `note` that is worth knowing, or a `fault` that something will fail on."""

    state: Literal["fine", "note", "fault"]
    what: str
    found: str
    do: str = ""
