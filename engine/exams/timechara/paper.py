"""The figures of the paper TimeChara, to stand beside ours: marked as the paper's, never mixed with them.

Percent by type and over all 600 questions of its sample, with the standard errors that it prints where
they are known to us.
"""

from __future__ import annotations

from whoknew.engine.exams.kind import Published
from whoknew.engine.exams.timechara.labels import ABSENCE, FUTURE, ONLY, PRESENCE

NAMES = (*(f"{kind} %" for kind in (FUTURE, ABSENCE, PRESENCE, ONLY)), "average %")

_ROWS = {
    "GPT-4o, zero-shot": (46.0, 74.0, 90.0, 65.5, 64.5),
    "GPT-4o, RAG-cutoff": (51.0, 74.0, 92.0, 74.5, 69.5),
    "GPT-4o, experts": (94.5, 84.0, 83.0, 68.5, 82.2),
    "GPT-4o, experts, RAG-cutoff": (95.5, 89.0, 86.0, 79.5, 87.5),
    "GPT-4 Turbo, zero-shot": (46.5, 75.0, 90.0, 59.0, 62.7),
    "GPT-4 Turbo, stepwise": (48.5, 75.0, 92.0, 61.0, 64.3),
    "GPT-4 Turbo, few-shot": (47.0, 76.0, 88.0, 67.0, 65.3),
    "GPT-4 Turbo, self-refine": (48.0, 75.0, 94.0, 65.0, 65.8),
    "GPT-4 Turbo, RAG": (33.5, 81.0, 91.0, 72.0, 63.8),
    "GPT-4 Turbo, RAG-cutoff": (50.0, 79.0, 92.0, 72.0, 69.2),
    "GPT-4 Turbo, experts": (92.5, 90.0, 90.0, 67.5, 83.3),
    "GPT-4 Turbo, experts, RAG-cutoff": (93.0, 89.0, 88.0, 74.5, 85.3),
}

_LATER = {"o1-2024-12-17, zero-shot": (80.5, 81.0, 93.0, 78.0, 81.8)}
"""On the authors' table of later models."""

PAPER: dict[str, Published] = {
    f"the {whose}: {arm}": {name: (value, None) for name, value in zip(NAMES, row, strict=True)}
    for whose, rows in (("paper's", _ROWS), ("authors' later", _LATER))
    for arm, row in rows.items()
}
"""Its rows, each figure without a deviation."""
