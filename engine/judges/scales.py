"""The scales on which episodes are judged: Sotopia's seven dimensions, and believability."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum

DIMENSIONS: Mapping[str, tuple[int, int]] = {
    "believability": (0, 10),
    "goal": (0, 10),
    "knowledge": (0, 10),
    "secret": (-10, 0),
    "relationship": (-5, 5),
    "social_rules": (-10, 0),
    "financial_and_material_benefits": (-5, 5),
}
"""Each with the lowest and the highest score; called as Sotopia calls them, so that a world that a
judge called `sotopia` scored is exported with its rewards."""

OVERALL = "overall_score"

CHECKS: Mapping[str, str] = {
    "repeats": "repeats no sentence, nor its gist",
    "identity": "keeps to its own traits and mixes up nobody",
    "goals": "pursues its own goals",
    "leaving": "leaves once all is settled",
    "reciting": "does not recite its goal",
    "stalling": "does not stall or idle",
    "answering": "answers what the others say",
    "beginning": "begins as this scenario asks for",
}
"""The eight checks of believability: each is passed (1) or failed (0)."""

PENALTY = 5
"""So much believability each failed check costs."""

PASSED, FAILED = 1.0, 0.0


def overall(scores: Mapping[str, float]) -> float:
    """The plain mean of the seven, whatever their ranges: as the paper has it."""
    return fsum(scores[name] for name in DIMENSIONS) / len(DIMENSIONS)


def believable(initial: float, failed: int) -> float:
    """Believability when so many checks failed."""
    return max(initial - PENALTY * failed, 0.0)


def out_of_range(scores: Mapping[str, float]) -> str | None:
    """What is wrong with scores of the seven, in words; nothing where all are in range."""
    for name, (least, most) in DIMENSIONS.items():
        score = scores.get(name)
        if score is None:
            return f'"{name}" is missing'
        if not least <= score <= most:
            return f'"{name}" is {score:g}, but should be {least} to {most}'
    return None
