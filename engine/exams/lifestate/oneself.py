"""What a character could be asked about itself: who it is, what it is to others, what it wanted and said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from whoknew.agents.models.direction import DIRECTION
from whoknew.engine.exams.lifestate.askable import SELF, Askable, neighbours, next_words
from whoknew.engine.exams.roles import Lives, Role, RoleEpisode
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import CharacterAdded, GoalGiven
from whoknew.eventlog.words import words

_CROWD = re.compile(r";|(?:, (?:and )?[A-Z].*){2}")
"""In a card: a list of people."""

_BY_ANOTHER = re.compile(r"(?:his|her|their|its)\b", re.IGNORECASE)
"""What a card begins with that does not say whose its character is: "his sons"."""

_CLAUSE = re.compile(r",? and |, ")

_STANDS = re.compile(r"^(?P<what>[a-z][a-z ]*?) to (?P<whom>[A-Z][\w' -]*)$")
"""What a card says of its character's kin: "daughter to Polonius"."""

_IS = re.compile(r" is (?P<what>an? |the )")
"""What stands between a name and who that is: "Ann is a district attorney"."""


def of_cards(lives: Lives, role: Role, events: Iterable[Event]) -> Iterator[Askable]:
    """Who one was at first, and what to others, by one's card."""
    for event in events:
        if isinstance(event.body, CharacterAdded) and event.body.name == role.name:
            yield from _card(lives, role, event, event.body.description)


def of_oneself(role: Role, episode: RoleEpisode) -> Iterator[Askable]:
    """What one wanted, where that was one thing, and what one said oneself."""
    wanted = {
        goal: event.seq
        for event in episode.events
        if isinstance(event.body, GoalGiven) and (goal := _goal(event.body.goal))
    }
    if len(wanted) == 1:
        for goal, seq in wanted.items():
            yield Askable(
                kind=SELF,
                about="want",
                question="What did you want in the episode that has just ended?",
                reference=f'This is what I wanted: "{goal}"',
                evidence=(seq,),
                since=episode.number,
                later=False,
            )
    for heard, said in neighbours(episode):
        if said.who == role.name:
            yield next_words(SELF, "own words", role, heard, said)


def _card(lives: Lives, role: Role, card: Event, description: str) -> Iterator[Askable]:
    """Who one was at first, and what to others, by one's card: what became of that it does not tell.
    That of a crowd tells of nobody, nor does one that has to be read beside another."""
    told = " ".join(description.split())
    if not told or _CROWD.search(told) or _BY_ANOTHER.match(told):
        return
    several = lives.cards[description] > 1
    told = f"{role.name}, one of several: {told}" if several else _as_told(role.name, told)
    yield Askable(
        kind=SELF,
        about="identity",
        question="Who were you when your story began?",
        reference=f"I was {told}",
        evidence=(card.seq,),
        since=0,
    )
    kin = _kin(lives, description) if lives.cards[description] == 1 else {}
    for whom, what in kin.items():
        if kin.keys().isdisjoint(_kin(lives, lives.card_of.get(whom, ""))):
            yield Askable(
                kind=SELF,
                about="to others",
                question=f"What were you to {whom} when your story began?",
                reference=f"I was {what} to {whom}.",
                evidence=(card.seq,),
                since=0,
            )


def _kin(lives: Lives, description: str) -> dict[str, str]:
    """What a card says that its character is, and to whom. Two who stand to the same third one may be
    more to each other than that: a friend, who is a cousin."""
    stands = [found for one in _CLAUSE.split(description) if (found := _STANDS.match(one))]
    return {whom: one["what"] for one in stands if (whom := _called(one["whom"], lives))}


def _as_told(name: str, card: str) -> str:
    """A card behind "I was", where it begins with the name and where it does not; what is told in whole
    sentences is told as it stands."""
    rest = card.removeprefix(name)
    another = rest == card or rest[:1].isalnum()
    if another and not (card[0].isupper() and card.endswith(".")):
        return f"{name}, {card}"
    if article := _IS.match(rest):
        return f"{name}, {rest[article.start('what') :]}"
    if not another and rest[:1] in ("", *",.;:"):
        return card
    return f"{name}. I was described so: {card}"


def _called(name: str, lives: Lives) -> str | None:
    """The character that is meant by a name, where that is one alone."""
    known = {one.casefold(): one for one in lives.roles}
    if exact := known.get(name.casefold()):
        return exact
    some = [one for one in lives.roles if set(words(name)) <= set(words(one))]
    return some[0] if len(some) == 1 else None


def _goal(goal: str) -> str:
    """What a goal says, without what it tells the offline player to perform."""
    return " ".join(DIRECTION.sub("", goal).split())
