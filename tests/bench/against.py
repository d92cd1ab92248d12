"""What moved since an earlier result, and by how much more than the noise of both."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from figure import EXPONENT
from msgspec import Struct
from rich.table import Table
from table import console


class Move(Struct, frozen=True):
    """A figure then and now. Where it has a limit, what is compared is its ratio to that: so that a
    faster machine is no faster program. `noise` is how far the runs of either lay apart."""

    name: str
    unit: str
    before: float
    now: float
    noise: float

    @property
    def by(self) -> float:
        """By which share of what it was; of exponents, and from nothing, by how much."""
        apart = self.now - self.before
        return apart / abs(self.before) if self.before and self.unit != EXPONENT else apart

    @property
    def beyond(self) -> bool:
        return abs(self.by) > self.noise


def moves(result: dict[str, Any], earlier: Path) -> list[Move]:
    """Every figure that both have."""
    try:
        before = _figures(msgspec.json.decode(earlier.read_bytes()))
    except (OSError, msgspec.MsgspecError, KeyError, TypeError) as error:
        sys.exit(f"{earlier} is no result of make bench: {error}")
    now = _figures(result)
    return [
        Move(name, unit, was, value, max(noise, other))
        for name, (unit, value, noise) in now.items()
        if name in before
        for _, was, other in (before[name],)
    ]


def show_moves(found: list[Move], earlier: Path) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column(f"moved since {earlier.name}", ratio=1)
    for title in ("then", "now", "by", "noise"):
        table.add_column(title, justify="right", no_wrap=True)
    for one in sorted(found, key=lambda one: -abs(one.by)):
        if one.beyond:
            cells = (f"{one.before:.3g}", f"{one.now:.3g}", f"{one.by:+.0%}", f"{one.noise:.0%}")
            table.add_row(one.name, *cells)
    still = sum(not one.beyond for one in found)
    if still < len(found):
        console.print(table)
    console.print(f"[dim]{still} of {len(found)} figures moved no further than their noise[/]")


def _figures(result: dict[str, Any]) -> dict[str, tuple[str, float, float]]:
    """By part and name: the unit, what is compared, and how far its runs lie apart."""
    return dict(_each(result))


def _each(result: dict[str, Any]) -> Iterator[tuple[str, tuple[str, float, float]]]:
    for part, figures in result["figures"].items():
        for one in figures:
            value = one["ratio"] if one["ratio"] is not None else one["ours"]
            if value is not None:
                yield f"{part}: {one['name']}", (one["unit"], value, one["spread"])
