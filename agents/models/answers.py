"""How `offline:` answers a question: from the one line of its prompt that the question is about, or from
the line beside that. What a question takes for granted it takes for granted, too, as many models do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from whoknew.agents.lines import Line
from whoknew.agents.methods.experts import ExpertHint
from whoknew.agents.methods.predict import NEXT_ACTION
from whoknew.agents.models import opinion
from whoknew.agents.models.preferring import preferred
from whoknew.agents.models.statement import Statement, statements
from whoknew.agents.sections import Sections
from whoknew.eventlog.words import QUOTED, sentences, terms, words

UNKNOWN = "I do not know."

_WHO = re.compile(r"\bwho was it\b", re.IGNORECASE)
_TO_WHOM = re.compile(r"\bto whom\b", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:right|just) after wh(?:ich|at) words\b", re.IGNORECASE)
_NEXT = re.compile(r"\b(?:say|said) next\b", re.IGNORECASE)
_TAKEN = re.compile(r"\b(?:make|think|say) of it that (?P<what>.+)", re.IGNORECASE | re.DOTALL)
_ADDRESSED = re.compile(r" (?:says|whispers) to (.+): $")


def answered(sections: Sections) -> dict[str, Any]:
    """Of the lines that one remembers, the one that matches the question best, the later first, or what
    of it was asked for; or what one knows of oneself and others; of choices the one that a line holds.
    A hint of experts is followed: who was not there can still say what it knows of it."""
    if sections.question == NEXT_ACTION:
        return _next(sections)
    question, hint = opinion.hinted(sections.question or "")
    if hint is ExpertHint.FUTURE:
        return {"answer": opinion.FOLLOWED[hint]}
    found = _found(sections, question)
    if hint is None:
        return found
    plain = QUOTED.sub("", question)
    if found["answer"] == UNKNOWN or not any(
        form.search(plain) for form in (_WHO, _TO_WHOM, _BEFORE, _NEXT)
    ):
        return {"answer": opinion.FOLLOWED[hint]}
    return {**found, "answer": f"{opinion.FOLLOWED[hint]} {found['answer']}"}


def _next(sections: Sections) -> dict[str, Any]:
    """Of what one said and did, what matches best the line before one's turn, the later first."""
    told = [*statements(sections.memory), *statements(sections.here or ())]
    before = next((one for one in reversed(told) if one.who != sections.who), None)
    heard = set(terms(before.text)) if before else set()
    own = [one for one in told if one.who == sections.who and one.text]
    best = max(own, key=lambda one: (len(heard & set(terms(one.text))), one.place), default=None)
    if best is None:
        return {"answer": UNKNOWN}
    return {"answer": best.text, "rests_on": [best.place] if best.place else []}


def _found(sections: Sections, question: str) -> dict[str, Any]:
    told = [*statements(sections.memory), *statements(sections.here or ())]
    if sections.choices:
        return preferred(question, sections.choices, told)
    asked, quoted = set(terms(question)), set(terms(" ".join(QUOTED.findall(question))))
    fitting = [
        (len(asked & set(terms(f"{one.who} {one.text}"))), one.place, number)
        for number, one in enumerate(told)
    ]
    count, place, number = max(fitting, default=(0, 0, 0))
    enough = max(1, (len(asked) + 1) // 2)
    if count >= enough or (count and _is_quoted(quoted, told[number])):
        text = _of_line(sections, told, number, question)
        return {"answer": text, "rests_on": [place] if place else []}
    portraits = [f"{one.name} ({one.relation}): {one.text}" for one in sections.others]
    said = [one for part in (sections.myself, *portraits) for one in sentences(part)]
    best = max(said, key=lambda one: len(asked & set(terms(one))), default="")
    known_of = len(asked & set(terms(best))) > enough
    return {"answer": best.strip() if known_of else UNKNOWN}


def _is_quoted(quoted: AbstractSet[str], line: Statement) -> bool:
    """Whether it is known by what is quoted of it, be the question's other words never so many: by two
    thirds of that."""
    return len(quoted) > 1 and 3 * len(quoted & set(terms(line.text))) >= 2 * len(quoted)


def _of_line(sections: Sections, told: Sequence[Statement], number: int, question: str) -> str:
    """What a question asks for of the line that it is about: by its words, without what it quotes."""
    line, plain = told[number], QUOTED.sub("", question)
    if taken := _TAKEN.search(question):
        return _taken(sections.who, line, taken["what"].rstrip("?"))
    if _BEFORE.search(plain):
        line = _beside(told, number, -1) or line
    elif _NEXT.search(plain):
        line = _beside(told, number, 1) or line
    elif _TO_WHOM.search(plain) and (whom := _addressed(sections, line)):
        return f"It was to {whom}."
    return _worded(line)


def _worded(line: Statement) -> str:
    return f"{line.who}: {line.text}" if line.who else line.text


def _taken(who: str, line: Statement, what: str) -> str:
    """What is taken for granted is taken so; but that another did it than is said there is noticed."""
    named = {*words(what), *(words(who) if _mentions_you(what) else ())}
    if line.who and named.isdisjoint(words(line.who)):
        return f"No, that was {_worded(line)}"
    return f"Yes, {what}."


def _mentions_you(what: str) -> bool:
    return "you" in words(QUOTED.sub("", what))


def _beside(told: Sequence[Statement], number: int, step: int) -> Statement | None:
    """What was said just before a line, or just after it: nothing where something lies between that one
    does not remember."""
    place, away = number + step, 1
    while 0 <= place < len(told) and not told[place].who:
        place, away = place + step, away + 1
    if not 0 <= place < len(told):
        return None
    near, far = told[number].place, told[place].place
    return told[place] if not (near and far) or abs(far - near) <= away else None


def _addressed(sections: Sections, line: Statement) -> str:
    """To whom a line was said, where that stands in it."""
    for one in (*sections.memory, *(sections.here or ())):
        if isinstance(one, Line) and (one.place, one.text) == (line.place, line.text):
            found = _ADDRESSED.search(one.partition('"')[0])
            return found[1] if found else ""
    return ""


def plainly(messages: Sequence[str]) -> str:
    """Of all that stands in the prompt, the sentence that matches the question best."""
    question, text = messages[-1], messages[1] if len(messages) > 1 else ""
    asked = set(terms(question))
    lines = [line for line in text.splitlines() if not line.startswith("# ")]
    told = [one for line in lines for one in sentences(line) if one not in question]
    best = max(told, key=lambda one: len(asked & set(terms(one))), default="")
    return best if asked & set(terms(best)) else UNKNOWN
