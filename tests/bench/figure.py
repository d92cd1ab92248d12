"""A figure: what was measured, run by run, beside its limit and what it has to reach."""

from __future__ import annotations

from statistics import median
from typing import Literal

from msgspec import Struct

EXPONENT = "exponent"
"""The unit of how something grows: what compares is how far two lie apart, not their quotient."""


class Missing(Exception):
    """A figure cannot be measured here; the reason stands in its row."""


class Reach(Struct, frozen=True):
    """What a figure has to come to: a share of its limit, a multiple of a peer, a most, a least."""

    bound: float
    of: Literal["share", "times", "most", "least"]

    def met(self, figure: Figure) -> bool | None:
        judged = self._judged(figure)
        if judged is None:
            return None
        return judged <= self.bound if self.of == "most" else judged >= self.bound

    def share(self, figure: Figure) -> float | None:
        """How far the figure comes: 1 is just there, more is better, whichever way it is better."""
        judged = self._judged(figure)
        if not judged or not self.bound or figure.unit == EXPONENT:
            return None
        return self.bound / judged if self.of == "most" else judged / self.bound

    def _judged(self, figure: Figure) -> float | None:
        return figure.median if self.of in ("most", "least") else figure.ratio

    def __str__(self) -> str:
        match self.of:
            case "share":
                return f"≥ {self.bound:.0%}"
            case "times":
                return f"≥ {self.bound:g} x"
            case "most":
                return f"≤ {self.bound:g}"
            case "least":
                return f"≥ {self.bound:,g}"


class Figure(Struct, frozen=True):
    """`ours` and `limit` hold one value a run: the runs were interleaved, so each has its pair.

    `beside` says what the limit is. Without runs, `missing` says why there are none. Of what grows,
    `curve` holds how much for each size.
    """

    name: str
    unit: str = "ev/s"
    ours: list[float] = []
    limit: list[float] = []
    beside: str = ""
    reach: Reach | None = None
    notes: dict[str, str] = {}
    missing: str = ""
    curve: list[tuple[float, float]] = []

    @property
    def median(self) -> float | None:
        return median(self.ours) if self.ours else None

    @property
    def ratios(self) -> list[float]:
        return [ours / limit for ours, limit in zip(self.ours, self.limit, strict=False) if limit]

    @property
    def ratio(self) -> float | None:
        return median(self.ratios) if self.ratios else None

    @property
    def spread(self) -> float | None:
        """How far the runs of what is judged lie apart, as a share of their median; of exponents,
        as it is. One run cannot tell."""
        runs = self.ratios or self.ours
        middle = 1.0 if self.unit == EXPONENT else median(runs or [0])
        return (max(runs) - min(runs)) / abs(middle) if middle and len(runs) > 1 else None

    @property
    def met(self) -> bool | None:
        return self.reach.met(self) if self.reach else None

    def summary(self) -> dict[str, object]:
        """All of it, as it is saved."""
        return {
            "name": self.name,
            "unit": self.unit,
            "ours": self.median,
            "limit": median(self.limit) if self.limit else None,
            "beside": self.beside,
            "ratio": self.ratio,
            "spread": self.spread,
            "reach": str(self.reach) if self.reach else None,
            "met": self.met,
            "share": self.reach.share(self) if self.reach else None,
            "runs": {"ours": self.ours, "limit": self.limit},
            "notes": self.notes,
            "missing": self.missing,
            "curve": self.curve,
        }


def percentile(values: list[float], share: float) -> float:
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(len(ranked) * share))]
