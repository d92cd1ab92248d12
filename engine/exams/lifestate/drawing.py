"""The questions about a world: some of each kind, for every role at the end of each of its episodes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from math import ceil
from random import Random

from whoknew.engine.exams.lifestate.askable import FACT, KINDS, RELATION, SELF, Askable
from whoknew.engine.exams.lifestate.facts import of_facts
from whoknew.engine.exams.lifestate.oneself import of_cards, of_oneself
from whoknew.engine.exams.lifestate.relations import Acquainted, of_relations
from whoknew.engine.exams.origin import RULE, origin_tag
from whoknew.engine.exams.roles import Lives, Role
from whoknew.eventlog import Event
from whoknew.eventlog.stores.store import is_name
from whoknew.eventlog.words import words
from whoknew.worlds.json_lines import unfit
from whoknew.worlds.question import Question, cluster_of

Sorts = dict[str, list[Askable]]
"""What could be asked, by its sort."""

LEAST = 4
"""So many questions of each kind a role is asked in all, if it can be: of few episodes more of each."""


def questions(
    world: str, events: Sequence[Event], *, each: int, speeches: int, seed: int
) -> Iterator[Question]:
    """`each` of every kind at the end of every episode, for those who spoke so many times at least,
    and whose name a question can have. The same world gives the same questions, in the order of its
    episodes."""
    lives = Lives(world, events)
    roles = [one for one in lives.roles.values() if one.spoken >= speeches and is_name(one.name)]
    asked = [one for role in roles for one in _of_role(lives, role, each, seed)]
    return (question for _, question in sorted(asked, key=lambda one: one[0]))


def _of_role(lives: Lives, role: Role, each: int, seed: int) -> Iterator[tuple[int, Question]]:
    """All questions of a role, each with the number of its episode."""
    most = max(each, ceil(LEAST / max(1, sum(bool(one.speeches) for one in role.episodes))))
    known, outside = Acquainted(), deque(role.outside)
    cards: list[Askable] = []
    earlier: dict[str, Sorts] = {kind: {} for kind in KINDS}
    places: dict[int, int] = {0: -1}
    """The place of each episode among those in which the role heard something."""
    place, before = -1, 0
    for episode in role.episodes:
        if role.name in lives.shared:
            known, earlier = Acquainted(), {kind: {} for kind in KINDS}
        since_then = list(_upto(episode.events[-1].seq, outside))
        cards += [one for one in of_cards(lives, role, since_then) if _sound(lives, one)]
        known.learn(role, since_then, before)
        known.learn(role, episode.events, episode.number)
        place, before = place + bool(episode.speeches), episode.number
        places[episode.number] = place
        if not episode.speeches:
            continue
        new = {
            SELF: (*cards, *of_oneself(role, episode)),
            FACT: of_facts(role, episode),
            RELATION: of_relations(lives, role, known, episode),
        }
        for kind, some in new.items():
            draw = Random(f"{seed}/{lives.world}/{role.name}/{episode.number}/{kind}")
            fresh = [one for one in some if _sound(lives, one)]
            present = _sorts(one for one in fresh if one.about != "where")
            for one in _drawn(draw, present, earlier[kind], most):
                age = place - places[one.since]
                yield episode.number, _question(lives.world, role.name, episode.number, one, age)
            _sorts(
                (one for one in fresh if one.later and one.since == episode.number), earlier[kind]
            )
        known.heard.update(name for one in episode.speeches for name in one.names)
        known.unsure |= episode.unsure


def _upto(seq: int, outside: deque[Event]) -> Iterator[Event]:
    """Takes what happened up to there off its left."""
    while outside and outside[0].seq <= seq:
        yield outside.popleft()


def _drawn(draw: Random, present: Sorts, earlier: Sorts, most: int) -> list[Askable]:
    """As many of the present as of earlier ones, where there are such, and of as many sorts as can be."""
    old = _mixed(draw, earlier, most // 2)
    return [*_mixed(draw, present, most - len(old)), *old]


def _sorts(some: Iterable[Askable], into: Sorts | None = None) -> Sorts:
    """Each to those of its sort."""
    sorts = {} if into is None else into
    for one in some:
        sorts.setdefault(one.about, []).append(one)
    return sorts


def _mixed(draw: Random, sorts: Sorts, most: int) -> list[Askable]:
    """So many in a random order, in which each sort has its turn. It takes no longer where there are
    more to draw from."""
    order = sorted(sorts)
    draw.shuffle(order)
    columns = [draw.sample(sorts[sort], min(most, len(sorts[sort]))) for sort in order]
    turns = zip_longest(*columns)
    return [one for turn in turns for one in turn if one is not None][:most]


def _sound(lives: Lives, one: Askable) -> bool:
    """Whether a question can hold it, what it quotes stands in one place, and its answer nowhere in
    it."""
    if any(unfit([one.question, one.reference])):
        return False
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
        cluster=cluster_of(who, world),
        tags=(one.about, f"age {age}", f"episode {episode}", origin_tag(RULE)),
    )
