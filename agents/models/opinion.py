"""What the offline model says before an answer or of one: which passage a question is about, who was
there, what a hint asks of it, how good an answer is. Each by one plain rule, from its prompt alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from whoknew.agents.briefing import QUESTION
from whoknew.agents.methods.experts import ExpertHint
from whoknew.agents.sections import JudgedAnswer, JudgedMemory, Sections
from whoknew.eventlog.words import stems, terms, words

_PASSAGE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


def expert(purpose: str, messages: Sequence[str]) -> str:
    """The passage that shares most words with the question, if it is half of them; and whether
    the one who is named in the rules was there."""
    rules, told, *_ = messages
    passages, _, question = told.rpartition(QUESTION)
    asked = set(terms(question))
    found = [(number, *_attended(line)) for number, line in _PASSAGE.findall(passages)]
    shares = [(len(asked & set(terms(text))), number, there) for number, text, there in found]
    count, number, there = max(shares, key=lambda one: one[0], default=(0, "", ""))
    if not number or 2 * count < len(asked):
        return "It is about none of them.\n0"
    if purpose == "when":
        return f"It is about passage {number}.\n{number}"
    was = any(f"whether {name} was one of them" in rules for name in there.split(", "))
    return f"There were {there or 'nobody who is named'}.\n{'present' if was else 'absent'}"


def _attended(passage: str) -> tuple[str, str]:
    """What happens in a passage, and who was there, where that stands at its end."""
    text, mark, there = passage.rpartition(" (there: ")
    return (text, there.removesuffix(")")) if mark and there.endswith(")") else (passage, "")


def marked(messages: Sequence[str]) -> dict[str, Any]:
    """Marks of what was answered last: it gives nothing away if all its words stand in the prompt. How
    much of its speaker is in it cannot be told."""
    *given, said, _ = ["", *messages]
    with suppress(msgspec.DecodeError, AttributeError):
        answer = msgspec.json.decode(said)
        said = str(answer.get("answer", answer.get("text", "")))
    strange = set(terms(said)).difference(terms("\n".join(given)))
    advice = f"Do not speak of {', '.join(sorted(strange)[:5])}." if strange else ""
    return {"spatiotemporal": 0 if strange else 3, "personality": 2, "advice": advice}


FOLLOWED = {
    ExpertHint.FUTURE: "I do not know of that: it has not happened yet.",
    ExpertHint.ABSENT: "I was not there.",
}
"""How hints are followed."""


def hinted(question: str) -> tuple[str, ExpertHint | None]:
    """A question, and the hint that it ends with, if there is one."""
    for hint in FOLLOWED:
        if question.endswith(end := f" ({hint.value})"):
            return question.removesuffix(end), hint
    return question, None


_HEADED = re.compile(r"^# .*$", re.MULTILINE)


def gives_away(messages: Sequence[str]) -> dict[str, Any]:
    """Whether what was said shares words with an event that stand in nothing that its speaker knew: three,
    at least."""
    said, event, known = _HEADED.split(messages[1])[1:4]
    spoken, elsewhere = words(said), set(terms(known))
    new = set(terms(event)) - elsewhere
    shared = [word for word in spoken if new.intersection(stems([word]))]
    leak = len(set(stems(shared))) >= 3
    told = f"{', '.join(dict.fromkeys(shared))} stand in nothing that it knew." if shared else ""
    quote = shared[0] if leak else ""
    return {"known": 0, "quote": quote, "leak": leak, "why": told or "It shares no words."}


def judged(sections: Sections) -> str:
    """What a judge is told on the last line: by whether the words of an answer stand in what is known of its
    question."""
    one = sections.judged
    if isinstance(one, JudgedMemory):
        return _helped(one)
    assert isinstance(one, JudgedAnswer)
    numbered = one.answer.startswith("(1) ")  # sentence by sentence, as it is asked which follow
    if one.reference and not (one.kinds or numbered):
        return _agreeing(sections.question or "", one)
    known = {*terms(sections.question or ""), *terms(" ".join(map(str, one.labels.values())))}
    if one.reference and not one.labels:
        return _following(one.answer, known.union(terms(one.reference)))
    strange = sorted(set(terms(one.answer)).difference(known, terms(one.reference or "")))
    told = f"It speaks of {', '.join(strange[:5])}." if strange else "It tells nothing else."
    if one.kinds:
        return f"{told}\n{'invented' if strange else 'none'}"
    if one.scale != (0.0, 1.0):
        return (
            f"How much of its speaker is in it cannot be told by its words.\n{sum(one.scale) / 2:g}"
        )
    return f"{told}\n{0 if strange else 1}"


MARKS_OF_ANSWERS = (0.0, 3.0)
"""The scale on which it is judged how well an answer agrees."""


def _helped(one: JudgedMemory) -> str:
    """The points of which a line has two thirds of the words; all of them are enough."""
    lines = [set(terms(line)) for line in one.brought]
    points = [set(terms(point)) for point in one.points]
    held = [
        number
        for number, point in enumerate(points, start=1)
        if any(3 * len(point & line) >= 2 * len(point) > 0 for line in lines)
    ]
    told = f"{len(held)} of {len(points)} stand there in their words."
    if one.scale is None:
        return f"{told}\n{', '.join(map(str, held)) or 'none'}"
    return f"{told}\n{2 if len(held) == len(points) else min(1, len(held))}"


def _agreeing(question: str, one: JudgedAnswer) -> str:
    """Whether most words of an answer stand in what is known; and how many of the reference's it holds."""
    said, right = set(terms(one.answer)), set(terms(one.reference or ""))
    known = set(terms(" ".join([question, *map(str, one.labels.values()), *one.evidence])))
    strange = said - known - right
    if one.scale != MARKS_OF_ANSWERS:
        told = f"{len(strange)} of its {len(said)} words stand in nothing known."
        return f"{told}\n{int(2 * len(strange) <= len(said))}"
    share = len(said & right) / max(1, len(right))
    mark = 3 if share >= 0.8 else 2 if share >= 0.4 else 1 if said & right else 0
    return f"It holds {share:.0%} of the words that are right.\n{mark}"


def _following(answer: str, known: set[str]) -> str:
    """The numbers of the sentences that have all of their words there."""
    found = [
        number
        for number, one in _NUMBERED.findall(answer)
        if (said := set(terms(one))) and said <= known
    ]
    return f"These say nothing else.\n{', '.join(found) or 'none'}"


_NUMBERED = re.compile(r"\((\d+)\) (.*?)(?= \(\d+\) |$)", re.DOTALL)
