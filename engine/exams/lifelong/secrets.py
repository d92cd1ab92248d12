"""When a private fact got out, and to whom: from the log alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from msgspec import Struct

from whoknew.engine.playing.past import untold
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, CharacterAdded, GoalGiven, MarkPlaced
from whoknew.eventlog.knowledge import Knowledge
from whoknew.eventlog.words import terms

OUT = 0.6
"""A fact is out when so much of its words was said at once."""

LEAST = 3
"""Of fewer words nothing can be said."""

NOTHING = frozenset[str]()

_MARK = "Secret: "

What = Literal["secret", "goal", "marked"]
By = Literal["reveals", "words"]


class SecretTold(Struct, frozen=True, kw_only=True):
    """A private fact that got out: whose it is, to whom, in which episode, at which event; because
    that event reveals the one that holds it, or because it says its words."""

    arm: str
    world: str
    what: What
    owner: str
    fact: str
    to: str
    episode: int
    seq: int
    by: By


class Fact(Struct, kw_only=True):
    """`told` says at which event each was told of the one that holds it."""

    what: What
    owner: str
    text: str
    seq: int
    episode: int
    words: frozenset[str]
    known: set[str]
    told: dict[str, int]


def secrets(events: Sequence[Event], knowledge: Knowledge, arm: str = "") -> list[SecretTold]:
    """Every private fact of a world that got out, in order; each once to each. A goal is one only as
    long as its episode lasts."""
    marked = {
        event.body.upto or event.seq
        for event in events
        if isinstance(event.body, MarkPlaced) and event.body.secret
    }
    named = frozenset(terms(" ".join(knowledge.characters)))
    facts: list[Fact] = []
    found: list[SecretTold] = []
    episode = 0
    for event in events:
        if event.episode and event.episode != episode:
            episode = event.episode
            facts = [one for one in facts if one.what != "goal" or one.episode == episode]
        facts += _facts(event, marked, named, knowledge)
        words = frozenset(terms(event.body.text)) if isinstance(event.body, Acted) else NOTHING
        for fact in facts:
            heard: dict[str, By] = {
                who: by
                for who in event.witnesses
                if who not in fact.known and (by := _how(fact, event, who, words))
            }
            fact.known.update(heard)
            found += [_told(arm, fact, event, who, by) for who, by in heard.items()]
    return found


def keepers(events: Sequence[Event]) -> set[str]:
    """The characters that have a secret."""
    bodies = (event.body for event in events)
    return {
        body.name
        for body in bodies
        if isinstance(body, CharacterAdded) and _MARK in body.description
    }


def kept(
    last: int, told: Sequence[SecretTold], holders: Collection[tuple[str, str]]
) -> tuple[float, ...]:
    """After each episode up to the last that all lives have played, the part of their secrets that
    nobody else knows; nothing where nobody has one. `holders` are those who do, each with its world."""
    first: dict[tuple[str, str], int] = {}
    for one in told:
        if one.what == "secret" and (one.world, one.owner) in holders:
            first.setdefault((one.world, one.owner), one.episode)
    return tuple(
        1 - sum(at <= number for at in first.values()) / len(holders)
        for number in range(1, last + 1 if holders else 1)
    )


def _facts(
    event: Event, marked: set[int], named: frozenset[str], knowledge: Knowledge
) -> list[Fact]:
    """The private facts that an event holds. Whom they name is no part of what there is to know; who
    is told of a telling is told of what it was about."""

    def fact(what: What, owner: str, text: str, known: set[str]) -> Fact:
        words = frozenset(terms(text)) - named
        cells = knowledge.row(event.seq, knowledge.characters)
        told = {one.character: one.at for one in cells if one.answer == "told" and one.at}
        return Fact(
            what=what,
            owner=owner,
            text=text,
            seq=event.seq,
            episode=event.episode,
            words=words,
            known=known,
            told=told,
        )

    match event.body:
        case CharacterAdded(name, description) if _MARK in description:
            return [fact("secret", name, description.split(_MARK, 1)[1], {name})]
        case GoalGiven(owner, goal) if goal:
            return [fact("goal", owner, untold(goal).strip(), {owner})]
    if event.seq in marked:
        owner = event.actor or ", ".join(event.witnesses)
        return [fact("marked", owner, event.body.words, set(event.witnesses))]
    return []


def _told(arm: str, fact: Fact, event: Event, who: str, by: By) -> SecretTold:
    return SecretTold(
        arm=arm,
        world=event.world,
        what=fact.what,
        owner=fact.owner,
        fact=fact.text,
        to=who,
        episode=event.episode,
        seq=event.seq,
        by=by,
    )


def _how(fact: Fact, event: Event, who: str, words: frozenset[str]) -> By | None:
    """How an event, or what is said in it, gives a fact away to somebody."""
    if fact.what == "goal" and event.episode != fact.episode:
        return None
    if fact.told.get(who) == event.seq:
        return "reveals"
    if event.actor in fact.known and len(fact.words) >= LEAST:
        said = fact.words & words
        if len(said) >= OUT * len(fact.words):
            return "words"
    return None
