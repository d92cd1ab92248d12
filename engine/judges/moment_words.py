"""The same as `moment.py` by rule: from words by which an answer says that it does not know, was not
there, or that something was not so, and from what a right one names. It reads words, not sense."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from whoknew.engine.judges.moment import NO_LABEL, RIGHT, SPATIAL, TEMPORAL
from whoknew.engine.judges.reference import counted
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict

_NOT = r"(?:not|never)"

_UNKNOWN = re.compile(
    rf"\b(?:(?:do|does|did|can|could) {_NOT}|cannot|(?:do|does|did|ca|could)n't) (?:yet )?"
    r"(?:know|say|tell|remember)\b|\bknow (?:nothing|of no)\b|\bno idea\b"
    rf"|\b(?:(?:has|had) {_NOT}|(?:has|had)n't) (?:yet )?happened\b",
    re.IGNORECASE,
)
"""So says who does not know."""

_AWAY = re.compile(
    rf"\b(?:(?:was|were) {_NOT}|wasn't|weren't) (?:there|present|around)\b",
    re.IGNORECASE,
)
"""So says who was elsewhere."""

_DENIED = re.compile(rf"\b(?:{_NOT}|no|nobody|nothing|(?:was|were|did|is)n't)\b", re.IGNORECASE)
"""What takes something back."""


_QUOTED = re.compile(r'"[^"]*"')
"""What somebody else says, who may deny what he likes."""


class MomentWordsJudge(Judge[AnswerCase]):
    """Scores an answer by its labels."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        if not isinstance(case.labels.get(TEMPORAL), str):
            return [Verdict(case.character, None, NO_LABEL)]
        scores, reason = judged(case.answer, case.labels)
        product = 1.0
        for score in scores.values():
            product *= score
        return [Verdict(case.character, {RIGHT: product, **scores}, reason)]


def judged(answer: str, labels: Mapping[str, Any]) -> tuple[dict[str, float], str]:
    """The scores of an answer, and why."""
    own = _QUOTED.sub(" ", answer)
    unknown, away = bool(_UNKNOWN.search(own)), bool(_AWAY.search(own))
    key, false = str(labels.get("key", "")), str(labels.get("false", ""))
    match labels.get("type"):
        case "future":
            right = unknown and not away
            return {TEMPORAL: float(right)}, _told(right, "says that it does not know")
        case "past-absence":
            right = unknown or away
            return {SPATIAL: float(right), TEMPORAL: 1.0}, _told(
                right, "does not speak as one there"
            )
        case "past-presence":
            names = _holds(answer, key)
            scores = {SPATIAL: float(not away), TEMPORAL: float(names)}
            return (
                scores,
                f"{_told(not away, 'says to have been there')}, {_told(names, 'tells of it')}",
            )
        case _:
            names = not unknown and (not key or _holds(answer, key))
            if not false:
                return {TEMPORAL: float(names)}, _told(names, f"names {key!r}")
            denied = bool(_DENIED.search(own)) or (bool(key) and not _holds(answer, false))
            right = names and denied
            return {TEMPORAL: float(right)}, _told(right, f"does not take {false!r} for true")


def _holds(answer: str, key: str) -> bool:
    """Whether half of the words that count are there."""
    wanted, said = set(counted(key)), set(counted(answer))
    return 2 * len(wanted & said) >= len(wanted)


def _told(right: bool, what: str) -> str:
    return what if right else f"not so: {what}"


class MomentWordsEntry(JudgeEntry, frozen=True):
    """by rule, whether an answer keeps to its moment and its place: 0 or 1"""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("labels",)

    def make(self, bench: Bench) -> MomentWordsJudge:
        return MomentWordsJudge()
