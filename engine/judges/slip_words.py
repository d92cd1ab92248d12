"""The same as `slips.py` by rule, as far as words tell: six of the eight kinds. What somebody did to whom, and
what nobody ever heard of, only who understands an answer can tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from whoknew.engine.judges.moment import NO_LABEL, TEMPORAL
from whoknew.engine.judges.moment_words import AnswerWords, judged
from whoknew.engine.judges.slips import Slip, scored
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Judge, Judged, JudgeEntry, Needed, Verdict

BY_RULE: tuple[Slip, ...] = (
    "entity",
    "contradictory",
    "temporal",
    "spatial",
    "unclarified",
    "incomplete",
)

_NAMED = re.compile(r"(?:[^\W\d_a-z][\w'-]*)(?: (?:of |the |and )*[^\W\d_a-z][\w'-]*)*")
"""All of it is a name."""


class SlipWordsJudge(Judge[AnswerCase]):
    """It looks for slips by the labels of a question."""

    async def review(self, case: AnswerCase) -> list[Verdict]:
        if not isinstance(case.labels.get(TEMPORAL), str):
            return [Verdict(case.character, None, NO_LABEL)]
        found = slips(case.answer, case.labels, case.character)
        return [Verdict(case.character, scored(found, BY_RULE), ", ".join(sorted(found)) or "none")]


def slips(answer: str, labels: Mapping[str, Any], who: str = "") -> frozenset[Slip]:
    """Those that are there in an answer of `who`. What is right by `moment-words` has none."""
    scores, _ = judged(answer, labels, who)
    if all(scores.values()):
        return frozenset()
    found = _found(AnswerWords.of(answer, who), labels)
    return frozenset(found)


def _found(said: AnswerWords, labels: Mapping[str, Any]) -> Iterator[Slip]:
    key, false = str(labels.get("key", "")), str(labels.get("false", ""))
    match labels.get("type"):
        case "future":
            yield "temporal"
        case "past-absence":
            yield "spatial"
        case "past-presence":
            if said.away:
                yield "spatial"
            if said.away and said.holds(key):
                yield "contradictory"
            if not said.away:
                yield "incomplete"
        case _:
            yield from _of_fact(said, key, false)


def _of_fact(said: AnswerWords, key: str, false: str) -> Iterator[Slip]:
    """Who says that it does not know, and names what is right, says two things."""
    names = bool(key) and said.holds(key)
    if said.unknown:
        yield "contradictory" if names else "incomplete"
    elif false and not said.denied and (not key or said.holds(false)):
        yield "unclarified"
    elif _NAMED.fullmatch(key):
        yield "entity"
    else:
        yield "incomplete"


class SlipWordsEntry(JudgeEntry, frozen=True):
    """by rule, what is wrong with an answer: six kinds of slips"""

    version: ClassVar = 2
    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    needs: ClassVar[tuple[Needed, ...]] = ("labels",)
    faults: ClassVar = BY_RULE

    def make(self, bench: Bench) -> SlipWordsJudge:
        return SlipWordsJudge()
