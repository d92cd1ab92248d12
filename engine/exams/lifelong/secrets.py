"""When a private fact got out, and to whom: from the log alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from whoknew.engine.exams.lifelong.tally import Tally
from whoknew.engine.judges.rules import untold
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import Acted, CharacterAdded, GoalGiven, MarkPlaced
from whoknew.eventlog.words import terms

OUT = 0.6
"""A fact is out when so much of its words was said at once."""

LEAST = 3
"""Of fewer words nothing can be said."""

_MARK = "Secret: "


class Told(Struct, frozen=True):
    """A private fact that got out: whose it is, to whom, in which episode, at which event; because
    that event reveals the one that holds it, or because it says its words."""

    arm: str
    world: str
    what: Literal["secret", "goal", "marked"]
    owner: str
    fact: str
    to: str
    episode: int
    seq: int
    by: Literal["reveals", "words"]


class Fact(Struct):
    what: Literal["secret", "goal", "marked"]
    owner: str
    text: str
    seq: int
    episode: int
    words: frozenset[str]
    known: set[str]


async def secrets(log: Log, world: str, arm: str = "") -> list[Told]:
    """Every private fact of a world that got out, in order; each once to each."""
    events = await (await log.director(world)).events()
    marked = {
        event.body.upto or event.seq
        for event in events
        if isinstance(event.body, MarkPlaced) and event.body.secret
    }
    facts: list[Fact] = []
    found: list[Told] = []
    for event in events:
        facts += _facts(event, marked)
        if isinstance(event.body, Acted):
            found += [
                Told(
                    arm, world, fact.what, fact.owner, fact.text, who, event.episode, event.seq, by
                )
                for fact in facts
                if (by := _how(fact, event, event.body)) is not None
                for who in event.witnesses
                if who not in fact.known and not fact.known.add(who)  # type: ignore[func-returns-value]
            ]
    return found


def kept(arm: str, tallies: Sequence[Tally], told: Sequence[Told]) -> tuple[float, ...]:
    """After each episode, the part of the secrets of an arm's characters that nobody else knows."""
    mine = [one for one in tallies if one.arm == arm and one.closed]
    holders = {(one.world, seen.character) for one in mine for seen in one.seen}
    first: dict[tuple[str, str], int] = {}
    for one in told:
        if one.what == "secret" and (one.world, one.owner) in holders:
            first.setdefault((one.world, one.owner), one.episode)
    last = min((one.closed for one in mine), default=0)
    return tuple(
        1 - sum(at <= number for at in first.values()) / len(holders)
        for number in range(1, last + 1)
    )


def _facts(event: Event, marked: set[int]) -> list[Fact]:
    match event.body:
        case CharacterAdded(name, description) if _MARK in description:
            text = description.split(_MARK, 1)[1]
            return [_fact("secret", name, text, event, {name})]
        case GoalGiven(owner, goal) if goal:
            return [_fact("goal", owner, untold(goal).strip(), event, {owner})]
    if event.seq in marked:
        owner = event.actor or ", ".join(event.witnesses)
        return [_fact("marked", owner, event.body.words, event, set(event.witnesses))]
    return []


def _fact(
    what: Literal["secret", "goal", "marked"], owner: str, text: str, event: Event, known: set[str]
) -> Fact:
    return Fact(what, owner, text, event.seq, event.episode, frozenset(terms(text)), known)


def _how(fact: Fact, event: Event, acted: Acted) -> Literal["reveals", "words"] | None:
    """How an event gives a fact away; a goal is one only as long as its episode lasts."""
    if fact.what == "goal" and event.episode != fact.episode:
        return None
    if fact.seq in event.about:
        return "reveals"
    if event.actor in fact.known and len(fact.words) >= LEAST:
        said = fact.words.intersection(terms(acted.text))
        if len(said) >= OUT * len(fact.words):
            return "words"
    return None
