"""Why a telling was found, in plain words, for a person."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from whoknew.eventlog.words import STOP_WORDS, stems

if TYPE_CHECKING:
    from whoknew.engine.finding.candidates import Candidate

FEW = 5
"""So many words of each kind are told."""


def reason(candidate: Candidate) -> str:
    """What speaks for it, the strongest first."""
    happening, sentence = candidate.happening, candidate.overlap.clause.sentence
    parts = []
    if phrase := _phrase(candidate):
        parts.append(f'says again "{phrase}"')
    if shared := [
        word for word in _spoken(sentence.words) if happening.holds.intersection(stems([word]))
    ]:
        parts.append(f"shares the words {', '.join(shared[:FEW])}")
    if candidate.overlap.by_named:
        parts.append(f"speaks of {happening.actor}")
    if both := sorted(sentence.concepts & happening.holds):
        parts.append(f"both are of {', '.join(concept[1:] for concept in both[:FEW])}")
    delivery = candidate.delivery
    if sources := [name for name in delivery.sources if happening.known_to(name)]:
        parts.append(f"says to have it from {sources[0]}")
    if delivery.answers:
        parts.append("answers a question")
    if not happening.known_to(delivery.teller):
        parts.append("though whoever tells it was not there")
    return "; ".join(parts) or "what was just spoken of"


def _spoken(spoken: list[str]) -> list[str]:
    return [word for word in dict.fromkeys(spoken) if word not in STOP_WORDS]


def _phrase(candidate: Candidate) -> str:
    """The longest run of words that stands in both, if it is of three words or more."""
    spoken = candidate.overlap.clause.sentence.words
    pairs = set(itertools.pairwise(candidate.happening.words))
    best: list[str] = []
    run: list[str] = []
    for first, second in itertools.pairwise(spoken):
        run = [*(run or [first]), second] if (first, second) in pairs else []
        if len(run) > len(best):
            best = run
    return " ".join(best) if len(best) > 2 else ""
