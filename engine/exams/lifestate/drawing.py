"""The questions about a world: some of each kind, for every role at the end of each of its episodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from random import Random

from whoknew.engine.exams.lifestate.askable import (
    FACT,
    KINDS,
    RELATION,
    SELF,
    Askable,
    of_facts,
    of_oneself,
    of_relations,
)
from whoknew.engine.exams.lifestate.roles import Lives, Role
from whoknew.eventlog import Event
from whoknew.eventlog.words import words
from whoknew.worlds.question import Question

LEAST = 4
"""So many questions of each kind a role is asked in all, if it can be: of few episodes more of each."""


def questions(
    world: str, events: Sequence[Event], *, each: int, speeches: int, seed: int
) -> Iterator[Question]:
    """`each` of every kind at the end of every episode, for those who spoke so many times at least.
    The same world gives the same questions, in the order of its episodes."""
    lives = Lives(world, events)
    roles = [one for one in lives.roles.values() if one.spoken >= speeches]
    asked = [one for role in roles for one in _of_role(lives, role, each, seed)]
    return (question for _, question in sorted(asked, key=lambda one: one[0]))


def _of_role(lives: Lives, role: Role, each: int, seed: int) -> Iterator[tuple[int, Question]]:
    """All questions of a role, each with the number of its episode."""
    lived = [one for one in role.episodes if one.speeches]
    earlier: dict[str, list[Askable]] = {kind: [] for kind in KINDS}
    number = {one.number: place for place, one in enumerate(lived)}
    most = max(each, ceil(LEAST / max(1, len(lived))))
    for place, episode in enumerate(lived):
        upto = lived[: place + 1]
        new = {
            SELF: of_oneself(lives, role, episode),
            FACT: of_facts(role, episode),
            RELATION: of_relations(lives, role, upto),
        }
        for kind, some in new.items():
            draw = Random(f"{seed}/{lives.world}/{role.name}/{episode.number}/{kind}")
            fresh = [one for one in some if _sound(lives, one)]
            present = [one for one in fresh if one.about != "where"]
            for one in _drawn(draw, present, earlier[kind], most):
                age = place - number.get(one.since, -1) if one.since else place + 1
                yield episode.number, _question(lives.world, role.name, episode.number, one, age)
            earlier[kind] += [one for one in fresh if one.later and one.since == episode.number]


def _drawn(
    draw: Random, present: Sequence[Askable], earlier: Sequence[Askable], most: int
) -> list[Askable]:
    """As many of the present as of earlier ones, where there are such, and of as many sorts as can be."""
    old = _mixed(draw, earlier)[: most // 2]
    return [*_mixed(draw, present)[: most - len(old)], *old]


def _mixed(draw: Random, some: Iterable[Askable]) -> list[Askable]:
    """In a random order, in which each sort has its turn."""
    sorts: dict[str, list[Askable]] = {}
    for one in some:
        sorts.setdefault(one.about, []).append(one)
    for of_sort in sorts.values():
        draw.shuffle(of_sort)
    order = sorted(sorts)
    draw.shuffle(order)
    turns = max(map(len, sorts.values()), default=0)
    return [sorts[sort][turn] for turn in range(turns) for sort in order if turn < len(sorts[sort])]


def _sound(lives: Lives, one: Askable) -> bool:
    """Whether what it quotes stands in one place, and its answer nowhere in it."""
    quote, answer = _quoted(one.question), _quoted(one.reference) or one.reference
    if quote and not lives.once(quote):
        return False
    return f" {' '.join(words(answer))} " not in f" {' '.join(words(one.question))} "


def _quoted(text: str) -> str:
    return text.partition('"')[2].rpartition('"')[0]


def _question(world: str, who: str, episode: int, one: Askable, age: int) -> Question:
    return Question(
        world=world,
        character=who,
        at=f"E{episode}",
        question=one.question,
        kind=one.kind,
        reference=one.reference,
        evidence=(one.evidence,),
        cluster=f"{who}, {world}",
        tags=(one.about, f"age {age}", f"episode {episode}"),
    )
