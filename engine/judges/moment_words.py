"""The same as `moment.py` by rule: from words by which an answer says that it does not know, was not
there, or that something was not so, and from what a right one names. It reads words, not sense."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Mapping
from typing import Any, ClassVar

from msgspec import Struct

from whoknew.engine.judges.moment import KNOWING, NO_LABEL, RIGHT, SPATIAL, TEMPORAL
from whoknew.engine.judges.reference import counted
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict
from whoknew.eventlog.words import QUOTED

_NOT = r"(?:not|never)"

_UNKNOWN = re.compile(
    rf"\b(?:(?:do|does|did|can|could) {_NOT}|cannot|(?:do|does|did|ca|could)n't) (?:yet )?"
    r"(?:know|say|tell|remember)\b|\bkn(?:ow|ows|ew) (?:nothing|of no)\b"
    r"|\b(?:(?:have|has|had) )?no idea\b",
    re.IGNORECASE,
)
"""So says who does not know, or somebody of whom it is told."""

_ONCE_UNKNOWN = re.compile(
    r"\b(?:did not|didn't) (?:yet )?know\b|\bknew (?:nothing|of no)\b|\bhad no idea\b",
    re.IGNORECASE,
)
"""So says who did not know of something back then."""

_AHEAD = re.compile(rf"\b(?:(?:has|had) {_NOT}|(?:has|had)n't) (?:yet )?happened\b", re.IGNORECASE)
"""So it is said of what lies ahead, whoever says it."""

_AWAY = re.compile(
    rf"\b(?:(?:was|were) {_NOT}|wasn't|weren't) (?:there|present|around)\b",
    re.IGNORECASE,
)
"""So says who was elsewhere, or of somebody who was."""

_SENTENCE = re.compile(r"(?<![.!?;:\n])[.!?;:\n]+\s")

_SELF = re.compile(r"\b(?:I|we)\b")
"""Who answers."""

_LINKS = frozenset(["and", "but", "nor", "or", "so", "yet"])
"""Behind these a verb may have no subject of its own."""

_ADVERBS = frozenset(
    [
        "also",
        "certainly",
        "even",
        "frankly",
        "honestly",
        "just",
        "really",
        "simply",
        "still",
        "truly",
    ]
)
"""What may stand between somebody and a verb."""

_BETWEEN = _LINKS | _ADVERBS

_SPOKEN = re.compile(r"[\w']+")

_DENIED = re.compile(rf"\b(?:{_NOT}|no|nobody|nothing|(?:was|were|did|is)n't)\b", re.IGNORECASE)
"""What takes something back."""


class MomentWordsJudge(Judge[AnswerCase]):
    """Scores an answer by its labels."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        if not isinstance(case.labels.get(TEMPORAL), str):
            return [Verdict(case.character, None, NO_LABEL)]
        scores, reason = judged(case.answer, case.labels, case.character)
        product = 1.0
        for score in scores.values():
            product *= score
        return [Verdict(case.character, {RIGHT: product, **scores}, reason)]


class AnswerWords(Struct, frozen=True):
    """What an answer says, word for word: that its speaker does not know, was elsewhere, denies something;
    what others say in it counts for nothing of that."""

    answer: str
    unknown: bool
    away: bool
    denied: bool

    @classmethod
    def of(cls, answer: str, who: str = "") -> AnswerWords:
        """Those of `who`, who may also speak of itself by its name."""
        own = _own(answer)
        unknown = bool(_AHEAD.search(own)) or _of_oneself(_UNKNOWN, own, who)
        return cls(answer, unknown, _of_oneself(_AWAY, own, who), bool(_DENIED.search(own)))

    def holds(self, key: str) -> bool:
        """Whether half of the words that count are there."""
        wanted, said = set(counted(key)), set(counted(self.answer))
        return 2 * len(wanted & said) >= len(wanted)


def _own(answer: str) -> str:
    """Without what others say, who may deny what they like."""
    return QUOTED.sub(" ", answer)


def _of_oneself(what: re.Pattern[str], answer: str, who: str) -> bool:
    """Whether something is said of who answers. "I did not know" is, and "cannot say"; "Petra did not
    know" is so of nobody but Petra."""
    names = {word.casefold() for word in who.split()}
    return any(_by_oneself(what, sentence, names) for sentence in _SENTENCE.split(answer))


def _by_oneself(what: re.Pattern[str], sentence: str, names: Container[str]) -> bool:
    """Whether such a verb has who answers as its subject, by what stands before it in its sentence."""
    spoken = list(_SPOKEN.finditer(sentence))
    begins, oneself = [word.start() for word in spoken], _SELF.search(sentence)
    for verb in what.finditer(sentence):
        left = bisect_left(begins, verb.start())
        ends = spoken[left - 1].end() if left else 0
        linked = sentence[ends : verb.start()].rstrip().endswith(",")
        while left and (word := spoken[left - 1].group().casefold()) in _BETWEEN:
            linked |= word in _LINKS
            left -= 1
        subject = spoken[left - 1].group() if left else ""
        if not subject or _SELF.fullmatch(subject) or subject.casefold() in names:
            return True
        if linked and oneself is not None and oneself.start() < verb.start():
            return True
    return False


def judged(answer: str, labels: Mapping[str, Any], who: str = "") -> tuple[dict[str, float], str]:
    """The scores of an answer of `who`, and why."""
    said = AnswerWords.of(answer, who)
    unknown, away = said.unknown, said.away
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
            names = said.holds(key)
            scores = {SPATIAL: float(not away), TEMPORAL: float(names)}
            return (
                scores,
                f"{_told(not away, 'says to have been there')}, {_told(names, 'tells of it')}",
            )
        case _:
            if labels.get("strategy") == KNOWING and _of_oneself(_ONCE_UNKNOWN, _own(answer), who):
                unknown = False
            names = not unknown and (not key or said.holds(key))
            if not false:
                return {TEMPORAL: float(names)}, _told(names, f"names {key!r}")
            denied = said.denied or (bool(key) and not said.holds(false))
            right = names and denied
            return {TEMPORAL: float(right)}, _told(right, f"does not take {false!r} for true")


def _told(right: bool, what: str) -> str:
    return what if right else f"not so: {what}"


class MomentWordsEntry(JudgeEntry, frozen=True):
    """by rule, whether an answer keeps to its moment and its place: 0 or 1"""

    version: ClassVar = 3
    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("labels",)

    def make(self, bench: Bench) -> MomentWordsJudge:
        return MomentWordsJudge()
