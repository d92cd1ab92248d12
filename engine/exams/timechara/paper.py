"""The figures of the paper TimeChara, to stand beside ours: marked as the paper's, never mixed with them.

Percent by type and over all 600 questions of its sample, and the mark for personality. What experts were
right about it gives by what was so (200 of its questions are of the future, 100 each of presence and of
absence); here that is put together as ours is.
"""

from __future__ import annotations

from collections.abc import Mapping

from whoknew.engine.exams.kind import Published
from whoknew.engine.exams.timechara.figures import (
    AVERAGE,
    FACTS,
    FAKES,
    MARK,
    SPATIAL,
    TEMPORAL,
)
from whoknew.engine.exams.timechara.labels import ABSENCE, FUTURE, ONLY, PRESENCE

NAMES = (*(f"{kind} %" for kind in (FUTURE, ABSENCE, PRESENCE, ONLY)), AVERAGE)

_ROWS = {
    "GPT-4o, zero-shot": (46.0, 74.0, 90.0, 65.5, 64.5, 6.26),
    "GPT-4o, RAG-cutoff": (51.0, 74.0, 92.0, 74.5, 69.5, 6.28),
    "GPT-4o, experts": (94.5, 84.0, 83.0, 68.5, 82.2, 6.02),
    "GPT-4o, experts, RAG-cutoff": (95.5, 89.0, 86.0, 79.5, 87.5, 6.05),
    "GPT-4 Turbo, zero-shot": (46.5, 75.0, 90.0, 59.0, 62.7, 6.44),
    "GPT-4 Turbo, stepwise": (48.5, 75.0, 92.0, 61.0, 64.3, 6.51),
    "GPT-4 Turbo, few-shot": (47.0, 76.0, 88.0, 67.0, 65.3, 6.35),
    "GPT-4 Turbo, self-refine": (48.0, 75.0, 94.0, 65.0, 65.8, 6.44),
    "GPT-4 Turbo, RAG": (33.5, 81.0, 91.0, 72.0, 63.8, 6.55),
    "GPT-4 Turbo, RAG-cutoff": (50.0, 79.0, 92.0, 72.0, 69.2, 6.47),
    "GPT-4 Turbo, experts": (92.5, 90.0, 90.0, 67.5, 83.3, 6.27),
    "GPT-4 Turbo, experts, RAG-cutoff": (93.0, 89.0, 88.0, 74.5, 85.3, 6.30),
}

_FURTHER = {
    "GPT-4 Turbo, zero-shot": {FACTS: 74.0, FAKES: 44.0},
    "GPT-4 Turbo, experts": {
        TEMPORAL: (83.5 * 200 + 94.5 * 400) / 600,
        SPATIAL: (76.0 + 98.0) / 2,
    },
    "GPT-4 Turbo, experts, RAG-cutoff": {
        TEMPORAL: (85.0 * 200 + 94.3 * 400) / 600,
        SPATIAL: (84.0 + 96.0) / 2,
    },
}

_LATER = {
    "o1-2024-12-17, zero-shot": dict(zip(NAMES, (80.5, 81.0, 93.0, 78.0, 81.8), strict=True)),
    "o1-preview, zero-shot": {AVERAGE: 80.5},
}
"""On the authors' table of later models."""


def _published(scores: Mapping[str, float]) -> Published:
    """Each figure without a deviation."""
    return {name: (value, None) for name, value in scores.items()}


PAPER: dict[str, Published] = {
    **{
        f"the paper's: {arm}": _published(
            {**dict(zip((*NAMES, MARK), row, strict=True)), **_FURTHER.get(arm, {})}
        )
        for arm, row in _ROWS.items()
    },
    **{f"the authors' later: {arm}": _published(scores) for arm, scores in _LATER.items()},
}
"""Its rows."""

TEXTS_KEPT: Mapping[str, float] = {
    "sentence": 100 * 1643 / 1957,
    "people": 97.45,
    "fact": 100 * 1379 / 1595,
    "fake": 100 * 1248 / 1595,
    "gold": 98.04,
}
"""How many of a hundred generated texts its authors kept, looking at each; of right answers, how many
fitted at first."""
