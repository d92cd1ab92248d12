"""How `offline:` writes questions: it cuts a line in two, and asks how it went on. They come from the
lines alone, and ask for nothing but words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from whoknew.agents.lines import Line
from whoknew.agents.sections import Sections
from whoknew.eventlog.words import sentences, terms, words

LEAST, MOST = 4, 25
"""Words of each half."""

LONGEST = 1000
"""Letters. So few words are not as long: a longer sentence is not cut."""

_BREAK = re.compile(r"(?<=[,;:])\s+|(?<!\s)\s++(?=(?:and|but|for|that|when|which|who|if|as) )")
_FORMS: Mapping[str, tuple[str, str]] = {
    "self": ('How did you go on yourself, after: "{first}"', 'I went on: "{rest}"'),
    "fact": (
        'In what words did you hear {who} go on, after: "{first}"',
        'I heard {who} go on: "{rest}"',
    ),
    "relation": (
        'Speaking to you, how did {who} go on after: "{first}"',
        '{who} said to me: "{rest}"',
    ),
}
"""What it asks in each kind that it knows, and the answer."""


def written(sections: Sections, before: Sequence[str]) -> list[dict[str, object]]:
    """So many of each kind as are wanted, of the newest lines that can be cut: none that it wrote
    `before`."""
    told = [one for one in reversed(sections.here or ()) if one.act == "speak"]
    used: set[int] = set()
    found: list[dict[str, object]] = []
    for kind, count in sections.wanted.items():
        fresh = (
            (line, one)
            for line, one in _of_kind(kind, sections.who, told)
            if line.place not in used and not any(str(one["question"]) in text for text in before)
        )
        for line, one in (pair for pair, _ in zip(fresh, range(count), strict=False)):
            used.add(line.place)
            found.append(one)
    return found


def _of_kind(kind: str, who: str, told: Sequence[Line]) -> Iterator[tuple[Line, dict[str, object]]]:
    for line in told:
        mine, to_me = line.who == who, f" to {who}:" in line.split('"')[0]
        fits = {"self": mine, "fact": not mine, "relation": to_me and not mine}.get(kind, False)
        halves = _halves(line.text) if fits else None
        if halves is not None:
            first, rest = halves
            question, answer = (
                one.format(who=line.who, first=first, rest=rest) for one in _FORMS[kind]
            )
            yield (
                line,
                {"kind": kind, "question": question, "answer": answer, "evidence": [line.place]},
            )


def _halves(text: str) -> tuple[str, str] | None:
    """The first sentence that can be cut into two parts that say something, cut nearest to its middle."""
    for sentence in sentences(text.replace('"', "'")):
        if len(sentence) > LONGEST:
            continue
        cuts = [
            (
                abs(len(sentence) - 2 * found.start()),
                sentence[: found.start()],
                sentence[found.end() :],
            )
            for found in _BREAK.finditer(sentence)
        ]
        for _, first, rest in sorted(cuts):
            if all(LEAST <= len(words(half)) <= MOST for half in (first, rest)) and terms(rest):
                return first.strip(), rest.strip()
    return None
