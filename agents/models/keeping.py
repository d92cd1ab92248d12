"""What `offline:` keeps when it is asked to remember: lines that it was given, each with its number. Each
function is a part that can be asked for, by its name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from whoknew.agents.models.dated_line import undated
from whoknew.agents.models.overtaken import SAYING_SO, replaced, turning, turns
from whoknew.agents.models.statement import Statement, noted, statements
from whoknew.agents.sections import Sections
from whoknew.eventlog.words import STOP_WORDS, terms, words

_OF_ONESELF = re.compile(r"\b(?:I|me|my|mine)\b", re.IGNORECASE)

WHOLE = 4
"""A sentence with so many words of its own says by itself what it is about."""

MOST = 12
"""So many lines stand in a part of a summary, and so many things in a list."""


def kept(sections: Sections, asked: Sequence[str]) -> dict[str, Any]:
    """What is asked for, part by part: of a part that it does not know, what happened."""
    return {part: PARTS.get(part, overview)(sections) for part in asked}


def overview(sections: Sections) -> str:
    """Of what happened the lines that say most."""
    return _digested(_told(sections))


def summary(sections: Sections) -> str:
    """The same of what it wrote down before, too; before it, what says that something is otherwise now: the
    newest first, and of what is said of the same that alone."""
    told = [*statements(sections.memory), *_told(sections)]
    newest = _newest(told)[: 2 * MOST]
    if not newest:
        return _digested(told)
    rest = [line for line in told if not list(turning(line.text))]
    return "\n".join([*map(noted, newest), *_best(rest)])


def negotiation(sections: Sections) -> str:
    """The offers, and what was said to them."""
    offered = {line.place for line in sections.here or () if line.offer or line.agrees}
    return _digested([line for line in _here(sections) if line.place in offered])


def knowledge(sections: Sections) -> str:
    """What others said of themselves."""
    told = _told(sections)
    others = [line for line in told if line.who not in ("", sections.who)]
    return _digested([line for line in others if _OF_ONESELF.search(line.text)])


def portrait(sections: Sections) -> str:
    """What it wrote down of itself before, and of what it did since the lines that say most."""
    mine = [line for line in _told(sections) if line.who == sections.who]
    return _digested([*statements(sections.memory), *mine])


def facts(sections: Sections) -> list[str]:
    """What happened, line by line; first of all the sentences that say that something is otherwise now."""
    told = _told(sections)
    changes = [one for line in told for one in _changes(line)][-MOST:]
    rest = [line for line in told if not list(turning(line.text))]
    return [*map(noted, changes), *_best(rest, MOST - len(changes))]


def phrases(sections: Sections) -> list[str]:
    """The words that stand there most often."""
    told = _told(sections)
    spoken = Counter(one for line in told for one in words(line.text) if one not in STOP_WORDS)
    return [one for one, _ in spoken.most_common(MOST)]


def _here(sections: Sections) -> list[Statement]:
    return list(statements(sections.here or ()))


def _told(sections: Sections) -> list[Statement]:
    return [line for line in _here(sections) if len(terms(line.text)) > 2]


def _digested(told: Sequence[Statement]) -> str:
    return "\n".join(_best(told)) or "Nothing."


def _changes(line: Statement) -> list[Statement]:
    """The sentences of a line that say that something is otherwise now, each with its day; a short one
    with the sentence before it, for it leans on that."""
    rest = undated(line.text)
    day = line.text.removesuffix(rest)
    found = []
    for before, one in turns(rest):
        own = len({*terms(one)} - SAYING_SO)
        if own > 1:
            told = f"{before} {one}" if before and own < WHOLE else one
            found.append(line._replace(text=f"{day}{told}"))
    return found


def _newest(told: Sequence[Statement]) -> list[Statement]:
    """Those of all lines, the newest first; of what is said of the same only that."""
    found: list[tuple[Statement, set[str]]] = []
    in_order = sorted(told, key=lambda line: line.place)
    for one in reversed([change for line in in_order for change in _changes(line)]):
        mine = set(terms(undated(one.text))) - SAYING_SO
        if not any(_same(mine, theirs) for _, theirs in found):
            found.append((one, mine))
    return [one for one, _ in found]


def _same(mine: set[str], theirs: set[str]) -> bool:
    """Whether two are about the same: by half of the words of the shorter, and by two at least."""
    return len(mine & theirs) >= max(2, SAME * min(len(mine), len(theirs)))


def _best(told: Sequence[Statement], most: int = MOST) -> list[str]:
    best = sorted(told, key=lambda line: -len(set(terms(line.text))))[:most]
    return list(map(noted, sorted(best, key=lambda line: line.place)))


SAME = 0.5
"""Two facts of one speaker are about the same when they share this part of the words of the shorter."""

_NO_LONGER = re.compile(r"\b(?:no longer|not any ?more|any ?more|never again)\b", re.IGNORECASE)


class _Pair(NamedTuple):
    """A new fact, and the old one that it is about: by their numbers."""

    fact: int
    old: int
    text: str
    known: bool
    undone: bool


def _pairs(sections: Sections) -> list[_Pair]:
    """New facts beside the old ones of which they tell: what changes one is the last that does, and the
    others are new."""
    olds = [(number, *_fact(line)) for number, line in enumerate(sections.memory)]
    pairs = []
    for number, line in enumerate(sections.here or ()):
        who, mine = _fact(line)
        shares = [
            (len(mine & theirs) / min(len(mine), len(theirs)), old, mine == theirs)
            for old, whose, theirs in olds
            if whose == who and mine and theirs
        ]
        share, old, known = max(shares, default=(0.0, 0, False))
        if share >= SAME:
            undone = bool(_NO_LONGER.search(line.text)) and not replaced(_said(line))
            pairs.append(_Pair(number, old, line.text, known, undone))
    latest = {one.old: one for one in pairs if not one.known}
    return [one for one in pairs if one.known or latest[one.old] is one]


def _fact(line: str) -> tuple[str, set[str]]:
    """Who said it, and the words of it."""
    told = list(statements([line]))
    return told[0].who if told else "", set(terms(_said(line)))


def _said(line: str) -> str:
    """What it says, without its day."""
    told = list(statements([line])) or [Statement(0, "", getattr(line, "text", line))]
    return " ".join(undated(one.text) for one in told)


def update(sections: Sections) -> list[dict[str, Any]]:
    """Old facts that a new one of the same speaker says otherwise: as the new one says it."""
    pairs = [one for one in _pairs(sections) if not (one.known or one.undone)]
    return [{"fact": one.fact, "old": one.old, "text": one.text} for one in pairs]


def delete(sections: Sections) -> list[dict[str, int]]:
    """Old facts of which a new one of the same speaker says that they no longer hold."""
    pairs = [one for one in _pairs(sections) if one.undone and not one.known]
    return [{"fact": one.fact, "old": one.old} for one in pairs]


def none(sections: Sections) -> list[int]:
    """New facts in the words of an old one."""
    return [one.fact for one in _pairs(sections) if one.known]


def notes(sections: Sections) -> list[dict[str, Any]]:
    """On each line its words, and who said it."""
    return [
        {
            "line": number,
            "keywords": _words(line.text)[:MOST],
            "context": f"{line.who or 'Somebody'} spoke of it.",
            "tags": [line.who] if line.who else [],
        }
        for number, line in enumerate(_here(sections))
    ]


def links(sections: Sections) -> list[dict[str, int]]:
    """Old notes, and new ones that share many of their words."""
    return [{"note": new, "other": old} for new, old, _ in _alike(sections)]


def changed(sections: Sections) -> list[dict[str, Any]]:
    """Of an old note that such a new one belongs to, the context is what that says."""
    return [
        {"note": old, "context": said, "tags": sorted(_words(said))[:MOST]}
        for _, old, said in _alike(sections)
    ]


EACH = 200
"""So many words of a scene, and of what was done in it, are put beside each other, each beside each."""

_IF = re.compile(r'If somebody says "(\w+)": say "(\w+)"$')


def habits(sections: Sections) -> list[dict[str, str]]:
    """What is said behind one word much oftener than otherwise: words that go together."""
    deeds = _deeds(sections)
    before = Counter(one for scene, _ in deeds for one in scene)
    after = Counter(one for _, done in deeds for one in done)
    both = Counter((one, other) for scene, done in deeds for one in scene for other in done)
    found = [
        (before[one] * after[other] - count * len(deeds), one, other)
        for (one, other), count in both.items()
        if count > 1 and f'"{one}": say' not in (sections.question or "")
    ]
    return [
        {"when": f'somebody says "{one}"', "does": f'say "{other}"'}
        for _, one, other in sorted(found)[:3]
    ]


def applies(sections: Sections) -> list[int]:
    """The actions before which the word of a statement was said."""
    stated = _IF.search(sections.question or "")
    deeds = enumerate(_deeds(sections)) if stated else ()
    return [number for number, (scene, _) in deeds if stated and stated[1] in scene]


def holds(sections: Sections) -> list[int]:
    """Those of them in which the other is said."""
    stated, deeds = _IF.search(sections.question or ""), _deeds(sections)
    return [number for number in applies(sections) if stated and stated[2] in deeds[number][1]]


def _deeds(sections: Sections) -> list[tuple[list[str], list[str]]]:
    """Of each action the first words before it, and the first of its own."""
    return [
        (_words(str(one).partition(" => ")[0])[:EACH], _words(one.text)[:EACH])
        for one in sections.here or ()
    ]


def _alike(sections: Sections) -> list[tuple[int, int, str]]:
    """Pairs of a new note and an old one that are about the same, with what the new one says."""
    contents = [
        getattr(note, "text", note).partition("\n")[0]
        for note in (*sections.memory, *(sections.here or ()))
    ]
    said = [set(terms(content)) for content in contents]
    olds = range(len(sections.memory))
    return [
        (new, old, contents[new])
        for new in range(len(olds), len(contents))
        for old in olds
        if said[new] and said[old]
        if len(said[new] & said[old]) / min(len(said[new]), len(said[old])) >= SAME
    ]


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(one for one in words(text) if one not in STOP_WORDS))


PARTS: Mapping[str, Callable[[Sections], Any]] = {
    part.__name__: part
    for part in (
        *(overview, summary, negotiation, knowledge, portrait),
        *(facts, phrases, update, delete, none),
        *(notes, links, changed),
        *(habits, applies, holds),
    )
}
"""By the name of the field that asks for it."""
