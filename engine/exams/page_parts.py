"""What a kind of exam shows of its material on the page of a report."""

from __future__ import annotations

from msgspec import Struct

from whoknew.engine.exams.page import Html


class MaterialShown(Struct, frozen=True):
    """Parts of the page, and the units whose evidence stands in them, at `evidence_place`."""

    parts: tuple[Html, ...] = ()
    units: frozenset[str] = frozenset()


def evidence_place(unit: str) -> str:
    """Where on the page the evidence of a unit stands."""
    return f"evidence-{unit}"


NOTHING_SHOWN = MaterialShown()
