"""The questions about a life: from windows that slide over its years, so many of each kind and dimension."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.exams.clonemem.asked_life import KINDS, OLD, AskedLife, LifeIndex, LifeItem
from whoknew.engine.exams.clonemem.choosing import UNTOLD, SeenThrough, choices_of
from whoknew.engine.exams.clonemem.of_events import of_events
from whoknew.engine.exams.clonemem.of_states import of_states
from whoknew.engine.exams.naming import holds_name
from whoknew.engine.exams.origin import RULE, origin_tag
from whoknew.eventlog.words import terms
from whoknew.worlds.lives.ages import age_tag
from whoknew.worlds.lives.bank import DIMENSIONS
from whoknew.worlds.lives.life import LifeGraph
from whoknew.worlds.lives.weeks import WEEK
from whoknew.worlds.question import Question, cluster_of

STEP = 4
"""Weeks between two moments at which is asked."""

WINDOW = 16
"""Weeks that a window has: an arc that moved in it is asked about."""

UPDATES = 2
"""So many questions about what was updated there are for each of another kind: memories differ in them."""

Candidate = tuple[date, LifeItem, tuple[str, ...]]
"""When it is asked, what, and the choices."""


ItemKey = tuple[str, str, str]
"""Its kind, the question and the answer: what was updated can be asked on several days."""


class StruckItem(Struct, frozen=True):
    """What can be asked on no day, and why."""

    question: str
    why: str


class DrawnQuestions(Struct, frozen=True):
    questions: tuple[Question, ...]
    struck: tuple[StruckItem, ...]
    candidates: int = 0
    """So many there were to draw from, with what was struck."""


def drawn(life: LifeGraph, *, each: int, seed: int) -> DrawnQuestions:
    """`each` of every kind in every dimension, where there are so many, and more of what was updated; asked by
    the closest friend, or somebody else where it is about that one, on Mondays, when nothing has been
    written yet in that week. The same life gives the same questions."""
    draw, index = Random(f"{seed}/{life.name}"), LifeIndex(life)
    texts = {one.id: one.text for one in life.traces}
    struck: dict[ItemKey, StruckItem] = {}
    columns: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    sound: set[ItemKey] = set()
    for asked in _moments(index):
        for item in _items(asked):
            key = item.kind, item.question, item.answer
            if (key in sound or key in struck) and not item.older:
                continue
            choices = choices_of(_unmixed(asked, item, texts), draw, asked.told)
            if isinstance(choices, SeenThrough):
                struck.setdefault(key, StruckItem(item.question, choices.why))
            elif why := _unsound(asked, item, texts):
                struck.setdefault(key, StruckItem(item.question, why))
            else:
                sound.add(key)
                columns[item.kind, item.dimension].append((asked.until, item, choices))
    found: list[Question] = []
    for kind in KINDS:
        for dimension in DIMENSIONS:
            for until, item, choices in _sampled(draw, columns[kind, dimension], each):
                found.append(life_question(index.by(until), item, choices))
    never = [one for key, one in struck.items() if key not in sound]
    asked_in_order = sorted(found, key=lambda one: one.at)
    return DrawnQuestions(tuple(asked_in_order), tuple(never), len(sound) + len(never))


def _sampled(draw: Random, some: Sequence[Candidate], each: int) -> list[Candidate]:
    """So many; and beside them `UPDATES` times as many about what was updated, where there are such, each
    on one of the days on which it can be asked."""
    updated: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for one in some:
        if one[1].older:
            updated[one[1].question, one[1].answer].append(one)
    rest = [one for one in some if not one[1].older]
    changed = draw.sample(list(updated.values()), min(UPDATES * each, len(updated)))
    return draw.sample(rest, min(each, len(rest))) + [draw.choice(days) for days in changed]


def _moments(index: LifeIndex) -> Iterator[AskedLife]:
    day = index.life.begins + STEP * 2 * WEEK
    while day <= index.life.ends:
        yield index.by(day)
        day += STEP * WEEK


def _items(asked: AskedLife) -> Iterator[LifeItem]:
    since = asked.until - WINDOW * WEEK
    for arc in asked.life.arcs:
        if asked.changed(arc, since):
            yield from of_states(asked, arc)
    for item in of_events(asked, since):
        if item.scope[1] >= since:
            yield item


def _unmixed(asked: AskedLife, item: LifeItem, texts: Mapping[str, str]) -> LifeItem:
    """A detail without wrong answers that stand, as something else, in every trace that tells it."""
    if item.kind != "single-point" or item.tags:
        return item
    told = [texts[trace].casefold() for name in item.evidence for trace in asked.traces(name)]
    wrong = [one for one in item.wrong if not all(f" {one.casefold()} " in text for text in told)]
    return replace(item, wrong=tuple(wrong)) if told else item


def _unsound(asked: AskedLife, item: LifeItem, texts: Mapping[str, str]) -> str:
    """Why it cannot be asked; nothing, where it can. `texts` are those of the traces."""
    for name in item.evidence:
        if not asked.is_so(name):
            return "its evidence is not there yet"
        if not asked.traces(name):
            return "nothing that was written shows its evidence"
    if item.known and item.answer.casefold() in item.question.casefold():
        return "its answer stands in it"
    if item.kind == "single-point":
        told = {
            term
            for name in item.evidence
            for trace in asked.traces(name)
            for term in terms(texts[trace])
        }
        if not told.issuperset(terms(item.answer)):
            return "no trace of its evidence tells the answer"
    return ""


def life_question(
    asked: AskedLife, item: LifeItem, choices: Sequence[str], origin: str = RULE
) -> Question:
    """As it stands in a file."""
    life, right = asked.life, item.answer if item.known else UNTOLD
    shown: dict[str, list[str]] = defaultdict(list)
    for name in dict.fromkeys(item.evidence):
        shown[asked.claim(name)] += asked.traces(name)
    first, last = item.scope
    return Question(
        world=life.name,
        character=life.persona.name,
        at=f"@{asked.until.isoformat()}",
        question=item.question,
        kind=item.kind,
        reference=right,
        choices=tuple(choices),
        correct=right if choices else None,
        evidence=tuple(tuple(dict.fromkeys(some)) for some in shown.values()),
        labels={
            "dimension": item.dimension,
            "outline": item.outline,
            "from": first.isoformat(),
            "to": last.isoformat(),
            "points": list(shown),
            **({OLD: list(item.older)} if item.older else {}),
        },
        asked_by=_asker(life, (item.question, *choices)),
        cluster=cluster_of(item.topic, life.name),
        tags=(
            item.dimension,
            age_tag(asked.until, asked.newest(item.evidence)),
            *item.tags,
            origin_tag(origin),
        ),
    )


def _asker(life: LifeGraph, texts: Sequence[str]) -> str:
    """The closest friend; where that one is spoken of, somebody else who is not."""
    told = " ".join(texts)
    contacts = sorted(life.contacts, key=lambda one: one.role != "friend")
    others = (one for one in contacts if not holds_name(one.name.split()[0], told))
    return next(others, contacts[0]).name
