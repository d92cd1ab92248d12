"""What `offline:` writes of a scene: a sentence that quotes what was said in it, who said that, the same
with one thing in it otherwise, and the answer that it is given. It comes from its prompt alone, and asks
for nothing but names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from whoknew.agents.lines import Line
from whoknew.agents.sections import JudgedAnswer, Sections
from whoknew.eventlog.words import sentences, words

PURPOSES = frozenset({"sentence", "fact", "fake", "gold"})

LEAST, MOST = 5, 30
"""Words of what is quoted."""

_SAID = re.compile(r'^(.+?) (?:says|whispers)(?P<to> to [^:"]+)?: "')
_TOLD = re.compile(r'^(?P<who>.+?) said(?P<to> to .+?)?, "(?P<quote>.*)\."$')
_UNKNOWN = "I do not know of that: it has not happened yet."


def written(purpose: str, sections: Sections, before: Sequence[str]) -> dict[str, Any]:
    """Nothing that it wrote `before`, if there is anything else."""
    match purpose:
        case "sentence":
            return _sentence(sections.here or (), before)
        case "fact":
            return _fact(sections.question or "")
        case "fake":
            return _fake(sections)
        case _:
            return {"answer": _gold(sections.judged)}


def _sentence(here: Sequence[Line], before: Sequence[str]) -> dict[str, Any]:
    found: list[tuple[int, dict[str, Any]]] = []
    there: list[str] = []
    for line in here:
        if not line.place:
            there = line.text.split(", ")
            continue
        said = _SAID.match(line.unnumbered) if line.act == "speak" else None
        quotes = (
            one.replace('"', "'").strip(" .,;:!?-")
            for one in sentences(" ".join(line.text.split()))
        )
        quote = max(quotes, key=lambda one: len(words(one)), default="")
        count = len(words(quote))
        if said is None or not LEAST <= count <= MOST or any(quote in one for one in before):
            continue
        told = f'{line.who} said{said["to"] or ""}, "{quote}."'
        found.append((count, {"sentence": told, "evidence": [line.place], "people": there}))
    nothing = {"sentence": "Nothing was said.", "evidence": [], "people": []}
    return max(found, key=lambda pair: pair[0], default=(0, nothing))[1]


def _fact(sentence: str) -> dict[str, Any]:
    found = _TOLD.match(sentence)
    who, to, quote = (found["who"], found["to"] or "", found["quote"]) if found else ("", "", "")
    return {
        "word": "who",
        "question": f'Who said{to}, "{quote}"?',
        "answer": f"It was {who}.",
        "key": who,
    }


def _fake(sections: Sections) -> dict[str, Any]:
    sentence, (strategy, *_) = sections.question or "", [*sections.wanted, ""]
    found = _TOLD.match(sentence)
    if found is None:
        return {"sentence": sentence, "true": "", "false": "", "question": "", "answer": ""}
    true, false = _change(strategy, found, [one.name for one in sections.others])
    if true:
        told = re.sub(rf"\b{re.escape(true)}\b", lambda _: false, sentence, count=1)
    else:
        told = f"{found['who']}, {false}, {sentence.removeprefix(found['who']).lstrip()}"
    so = f"it was {true}" if true else "nothing of the kind was so"
    return {
        "sentence": told,
        "true": true,
        "false": false,
        "question": f'What do you make of it that {told.removesuffix(chr(34)).rstrip(".")}"?',
        "answer": f"No, that is not how it was: {so}.",
    }


def _change(strategy: str, found: re.Match[str], people: Sequence[str]) -> tuple[str, str]:
    """What is so, and what stands in its place."""
    others = [one for one in people if one not in found[0]]
    longest = max(words(found["quote"]), key=len)
    thing = re.search(rf"\b{longest}\b", found["quote"], re.IGNORECASE)
    changes: Mapping[str, Callable[[], tuple[str, str]]] = {
        "another character": lambda: (found["who"], others[0] if others else "Quillon Brede"),
        "another action": lambda: ("said", "wrote"),
        "somebody who is not there": lambda: ("", "beside a tame heron"),
        "what it did not know": lambda: ("", "who had heard by then of the brass sextant"),
    }
    other = changes.get(strategy, lambda: (thing[0] if thing else longest, "sextant"))
    return other()


def _gold(judged: object) -> str:
    if not isinstance(judged, JudgedAnswer) or judged.labels.get("type") == "future":
        return _UNKNOWN
    return judged.reference or _UNKNOWN
