"""What moved since an earlier result, and by how much more than the noise of both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from figure import EXPONENT
from msgspec import Struct
from result import Measured, Result
from rich.table import Table
from table import console


class Move(Struct, frozen=True):
    """A figure then and now. Where it has a limit, what is compared is its ratio to that: so that a
    faster machine is no faster program. `noise` is how far the runs of either lay apart; of single
    runs nobody knows."""

    name: str
    unit: str
    before: float
    now: float
    noise: float | None

    @property
    def by(self) -> float:
        """By which share of what it was; of exponents, and from nothing, by how much."""
        apart = self.now - self.before
        return apart / abs(self.before) if self.before and self.unit != EXPONENT else apart

    @property
    def beyond(self) -> bool:
        return abs(self.by) > (self.noise or 0.0)

    @property
    def times(self) -> str:
        """By how many times its noise it moved."""
        if self.noise is None:
            return "one run"
        return f"{abs(self.by) / self.noise:.1f} x" if self.noise else "exact"


def moves(now: Result, before: Result) -> list[Move]:
    """Every figure that both have, of parts that were measured at the same size."""
    return [
        move
        for part, measured in now.items()
        if part in before and before[part].size == measured.size
        for move in _moves(part, measured, before[part])
    ]


def _moves(part: str, now: Measured, before: Measured) -> Iterator[Move]:
    earlier = {one["name"]: one for one in before.figures}
    for one in now.figures:
        was = earlier.get(one["name"])
        if was is None or (was["ratio"] is None) != (one["ratio"] is None):
            continue
        value, old = _compared(one), _compared(was)
        if value is not None and old is not None:
            noises = [each["spread"] for each in (one, was)]
            noise = None if None in noises else max(noises)
            yield Move(f"{part}: {one['name']}", one["unit"], old, value, noise)


def _compared(one: dict[str, Any]) -> float | None:
    return one["ours"] if one["ratio"] is None else one["ratio"]


def show_moves(found: list[Move], name: str) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column(f"moved since {name}", ratio=1)
    for title in ("then", "now", "by", "of its noise"):
        table.add_column(title, justify="right", no_wrap=True)
    for one in sorted(found, key=lambda one: -abs(one.by)):
        if one.beyond:
            cells = (f"{one.before:.3g}", f"{one.now:.3g}", f"{one.by:+.0%}", one.times)
            table.add_row(one.name, *cells)
    still = sum(not one.beyond for one in found)
    if still < len(found):
        console.print(table)
    console.print(f"[dim]{still} of {len(found)} figures moved no further than their noise[/]")
