"""The power by which something grows: the line that fits best where both are taken as logarithms."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from statistics import fmean

from msgspec import Struct


class Power(Struct, frozen=True):
    """`factor` times the size to the power of `exponent`: 1 is in proportion, 0 not at all."""

    factor: float
    exponent: float

    def at(self, size: float) -> float:
        return self.factor * size**self.exponent


def fit(sizes: Sequence[float], values: Sequence[float]) -> Power:
    xs, ys = [log(size) for size in sizes], [log(max(value, 1e-9)) for value in values]
    middle, height = fmean(xs), fmean(ys)
    spread = sum((x - middle) ** 2 for x in xs)
    tilt = sum((x - middle) * (y - height) for x, y in zip(xs, ys, strict=True))
    exponent = tilt / spread if spread else 0.0
    return Power(exp(height - exponent * middle), exponent)
