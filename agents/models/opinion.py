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
from whoknew.agents.sections import JudgedAnswer, Sections
from whoknew.eventlog.words import terms

_PASSAGE = re.compile(r"^\[(\d+)\] (.*?)(?: \(there: (.*)\))?$", re.MULTILINE)


def expert(purpose: str, messages: Sequence[str]) -> str:
    """The passage that shares most words with the question, if it is half of them; and whether
    the one who is named in the rules was there."""
    rules, told, *_ = messages
    passages, _, question = told.rpartition(QUESTION)
    asked = set(terms(question))
    found = [(len(asked & set(terms(one[2]))), one) for one in _PASSAGE.finditer(passages)]
    count, best = max(found, key=lambda pair: pair[0], default=(0, None))
    if best is None or 2 * count < len(asked):
        return "It is about none of them.\n0"
    if purpose == "when":
        return f"It is about passage {best[1]}.\n{best[1]}"
    there = (best[3] or "").split(", ")
    was = any(f"whether {name} was one of them" in rules for name in there)
    return f"There were {best[3]}.\n{'present' if was else 'absent'}"


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


_FOLLOWED = {
    ExpertHint.FUTURE: "I do not know of that: it has not happened yet.",
    ExpertHint.ABSENT: "I was not there.",
}


def hinted(question: str) -> str:
    """The answer to a question that ends with a hint; nothing where it does not."""
    for hint, answer in _FOLLOWED.items():
        if question.endswith(f"({hint.value})"):
            return answer
    return ""


def agrees(sections: Sections) -> str:
    """Whether all words of an answer stand in what is known of its question: a score on the last line."""
    judged = sections.judged
    assert isinstance(judged, JudgedAnswer)
    known = terms(" ".join([sections.question or "", *map(str, judged.labels.values())]))
    strange = sorted(set(terms(judged.answer)).difference(known))
    told = f"It speaks of {', '.join(strange[:5])}." if strange else "It tells nothing else."
    return f"{told}\n{0 if strange else 1}"
