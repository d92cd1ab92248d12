"""What a character could be asked: by rule, from what it witnessed, each with its key and its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct, field

from whoknew.agents.models.direction import DIRECTION
from whoknew.engine.exams.lifestate.roles import (
    ROW,
    Lives,
    Role,
    RoleEpisode,
    WholeSpeech,
    meant_for,
)
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import CharacterAdded, GoalGiven, Left, RelationSet
from whoknew.eventlog.words import terms, words

SELF, FACT, RELATION = "self", "fact", "relation"
KINDS = (SELF, FACT, RELATION)

MOST_OTHERS = 5
"""Of more people nobody can be expected to name all."""

_CROWD = re.compile(r";|(?:, (?:and )?[A-Z].*){2}")
"""In a card: a list of people."""

_CLAUSE = re.compile(r",? and |, ")

_STANDS = re.compile(r"^(?P<what>[a-z][a-z ]*?) to (?P<whom>[A-Z][\w' -]*)$")
"""What a card says of its character's kin: "daughter to Polonius"."""

_TITLE = (
    "lord|lady|mother|father|son|daughter|brother|sister|cousin|friend|liege|master|mistress|wife"
    "|husband|love|uncle|aunt|nephew|niece|sir|madam|nurse|boy|girl|child"
)
_ADDRESS = re.compile(
    r"(?:^|(?<=[,;:!?] ))(?:my |good |dear |sweet |noble |gentle |old |young |honest )*"
    rf"(?:{_TITLE})(?=[,;:.!?]|$)",
    re.IGNORECASE,
)
"""What people call one another."""

_TITLES = re.compile(rf"\b(?:{_TITLE})\b", re.IGNORECASE)

BLANK = "___"


class Askable(Struct, frozen=True, kw_only=True):
    """A question that can be asked at the end of an episode: `since` is the episode of its evidence.
    `later`: at the end of later ones, too."""

    kind: str
    about: str
    question: str
    reference: str
    evidence: tuple[int, ...]
    since: int
    later: bool = True


class Acquainted(Struct):
    """What a role knows of the people of its story, up to one of its episodes: whom it has `heard`, of
    whom it may have heard less or more (`unsure`), and how it stands to each, all of it from the start,
    with the number of the episode that it is since."""

    heard: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)
    standing: dict[str, list[tuple[Event, int]]] = field(default_factory=dict)

    def learn(self, role: Role, events: Iterable[Event], since: int) -> None:
        for event in events:
            if isinstance(event.body, RelationSet) and event.body.of == role.name:
                self.standing.setdefault(event.body.to, []).append((event, since))


def of_cards(lives: Lives, role: Role, events: Iterable[Event]) -> Iterator[Askable]:
    """Who one is, and what one is to others, by one's card."""
    for event in events:
        if isinstance(event.body, CharacterAdded) and event.body.name == role.name:
            yield from _card(lives, role, event, event.body.description)


def of_oneself(role: Role, episode: RoleEpisode) -> Iterator[Askable]:
    """What one wanted, and what one said oneself."""
    for event in episode.events:
        if isinstance(event.body, GoalGiven) and (goal := _goal(event.body.goal)):
            yield Askable(
                kind=SELF,
                about="want",
                question="What did you want in the episode that has just ended?",
                reference=f"This is what I wanted: {goal}",
                evidence=(event.seq,),
                since=episode.number,
                later=False,
            )
    for heard, said in _neighbours(episode):
        if said.who == role.name:
            yield _answer(SELF, "own words", role, heard, said)


def of_facts(role: Role, episode: RoleEpisode) -> Iterator[Askable]:
    """Who was there, where, who said what, what came next."""
    for speech in episode.speeches:
        alone = speech.names == (speech.who,) and speech.who != role.name
        if speech.ending and alone and not _names(speech.who, speech.ending):
            yield Askable(
                kind=FACT,
                about="who",
                question=f'Who said this in your hearing: "{speech.ending}"',
                reference=f"{speech.who} said it.",
                evidence=speech.seqs[-1:],
                since=episode.number,
            )
        if episode.place and speech.ending and not _tells_of(episode.place, speech.ending):
            yield _where(role, episode, speech)
        if speech.ending and role.name not in speech.names and (to := _meant_for(role, speech)):
            yield Askable(
                kind=FACT,
                about="to whom",
                question=f'To whom did {speech.who} say this: "{speech.ending}"',
                reference=f"To {_listed(to)}.",
                evidence=speech.seqs[-1:],
                since=episode.number,
            )
    for heard, said in _neighbours(episode):
        alone = said.names == (said.who,) and said.who != role.name
        if alone and not _names(said.who, f"{heard.who} {heard.ending}"):
            yield Askable(
                kind=FACT,
                about="when",
                question=f'Who spoke next, after {_name(role, heard)} had said: "{heard.ending}"',
                reference=f"{said.who} spoke next.",
                evidence=(heard.seqs[-1], said.seqs[0]),
                since=episode.number,
            )
            yield _answer(FACT, "what", role, heard, said)
    yield from _company(role, episode)


def of_relations(
    lives: Lives, role: Role, known: Acquainted, episode: RoleEpisode
) -> Iterator[Askable]:
    """How one stands to others, how that began, and what of it changed in an episode. `known` is what
    one knew before it, of how one stands to others what one knows after it."""
    firsts = _firsts(episode)
    yield from _standing(role, known, firsts)
    strangers = firsts.keys() - known.heard - known.unsure - episode.unsure - {role.name}
    for who, speech in firsts.items():
        if who in strangers:
            yield Askable(
                kind=RELATION,
                about="beginning",
                question=f"What is the first thing that you heard {who} say?",
                reference=f'{who} said: "{speech.beginning}"',
                evidence=speech.seqs[:1],
                since=episode.number,
            )
    yield from _named(lives, role, episode)
    yield from _addressed(role, episode)
    for event in episode.events:
        body, gone = event.body, event.actor
        dies = isinstance(body, Left) and body.how == "dies"
        if dies and gone and gone != role.name and event.seq not in role.doubtful:
            yield Askable(
                kind=RELATION,
                about="end",
                question=f"What became of {gone} before your eyes?",
                reference=f"{gone} died.",
                evidence=(event.seq,),
                since=episode.number,
            )


def _card(lives: Lives, role: Role, card: Event, description: str) -> Iterator[Askable]:
    """Who one is, and what to others, by one's card. That of a crowd tells of nobody."""
    told = " ".join(description.split())
    if not told or _CROWD.search(told):
        return
    if lives.cards[description] > 1:
        told = f"{role.name}, one of several: {told}"
    elif not told.startswith(role.name):
        told = f"{role.name}, {told}"
    yield Askable(
        kind=SELF,
        about="identity",
        question="Who are you?",
        reference=f"I am {told}",
        evidence=(card.seq,),
        since=0,
    )
    for clause in _CLAUSE.split(description) if lives.cards[description] == 1 else ():
        found = _STANDS.match(clause)
        if found and (whom := _called(found["whom"], lives)):
            yield Askable(
                kind=SELF,
                about="to others",
                question=f"What are you to {whom}?",
                reference=f"I am {found['what']} to {whom}.",
                evidence=(card.seq,),
                since=0,
            )


def _called(name: str, lives: Lives) -> str | None:
    """The character that is meant by a name, where that is one alone."""
    known = {one.casefold(): one for one in lives.roles}
    if exact := known.get(name.casefold()):
        return exact
    some = [one for one in lives.roles if set(words(name)) <= set(words(one))]
    return some[0] if len(some) == 1 else None


def _standing(
    role: Role, known: Acquainted, firsts: Mapping[str, WholeSpeech]
) -> Iterator[Askable]:
    """How one stands to those whom one has heard, and how it was before that changed."""
    for who, steps in known.standing.items():
        if who == role.name or not (who in known.heard or who in firsts):
            continue
        (event, since), was = steps[-1], steps[:-1]
        now = _relation(event)
        yield Askable(
            kind=RELATION,
            about="standing",
            question=f"How do you stand to {who}?",
            reference=f"{who} to me: {now}.",
            evidence=(event.seq,),
            since=since,
        )
        if was and _relation(was[-1][0]) != now:
            yield Askable(
                kind=RELATION,
                about="change",
                question=f"What has changed in how you stand to {who}?",
                reference=f"{who} to me was: {_relation(was[-1][0])}. Now: {now}.",
                evidence=(was[-1][0].seq, event.seq),
                since=since,
            )


def _relation(event: Event) -> str:
    return event.body.relation if isinstance(event.body, RelationSet) else ""


def _named(lives: Lives, role: Role, episode: RoleEpisode) -> Iterator[Askable]:
    """Whoever called one by name in an episode, once."""
    calls: dict[str, list[tuple[WholeSpeech, str]]] = {}
    for speech in episode.speeches if role.name in lives.called else ():
        if role.name not in speech.names:
            found = [
                (speech, one) for one in speech.sentences if lives.called[role.name].search(one)
            ]
            calls.setdefault(speech.who, []).extend(found)
    for who, some in calls.items():
        if len(some) == 1 and who not in episode.unsure:
            speech, sentence = some[0]
            yield Askable(
                kind=RELATION,
                about="by name",
                question=f"In the episode that has just ended {who} named you once. What did {who} say?",
                reference=f'{who} said: "{sentence}"',
                evidence=speech.seqs,
                since=episode.number,
                later=False,
            )


def _addressed(role: Role, episode: RoleEpisode) -> Iterator[Askable]:
    """What one was called by somebody who had nobody else to speak to. Where several such words stand
    in a sentence, one that stands apart may be part of a list: "father, mother, all are dead"."""
    for speech in episode.speeches:
        alone = all(set(one.witnesses) == {speech.who, role.name} for one in speech.events)
        for sentence in speech.sentences if alone and speech.who != role.name else ():
            called = _ADDRESS.findall(sentence)
            left = _ADDRESS.sub(BLANK, sentence)
            if (
                len(called) == len(_TITLES.findall(sentence)) == 1
                and len(words(left)) > ROW
                and not _names(called[0], left)
            ):
                yield Askable(
                    kind=RELATION,
                    about="address",
                    question=(
                        f"What did {speech.who} call you, where the gap is, in saying to you alone: "
                        f'"{left}"'
                    ),
                    reference=f"{speech.who} called me {called[0]}.",
                    evidence=speech.seqs,
                    since=episode.number,
                )


def _company(role: Role, episode: RoleEpisode) -> Iterator[Askable]:
    """Who else spoke in one's hearing: asked of an episode in which that is beyond doubt."""
    if episode.unsure:
        return
    firsts = {name: one for one in reversed(episode.speeches) for name in one.names}
    firsts.pop(role.name, None)
    if not 2 <= len(firsts) <= MOST_OTHERS + 1:
        return
    for who, known in firsts.items():
        others = sorted(firsts.keys() - {who})
        if known.ending and not any(_names(one, f"{who} {known.ending}") for one in others):
            yield Askable(
                kind=FACT,
                about="who was there",
                question=(
                    f"Who else spoke in your hearing in the episode in which {who} said: "
                    f'"{known.ending}"'
                ),
                reference=f"{_listed(others)} spoke.",
                evidence=tuple(sorted({firsts[one].seqs[0] for one in others})),
                since=episode.number,
            )


def _where(role: Role, episode: RoleEpisode, speech: WholeSpeech) -> Askable:
    return Askable(
        kind=FACT,
        about="where",
        question=f'Where were you when {_name(role, speech)} said: "{speech.ending}"',
        reference=f"I was here: {episode.place}.",
        evidence=(episode.events[0].seq, speech.seqs[-1]),
        since=episode.number,
    )


def _answer(kind: str, about: str, role: Role, heard: WholeSpeech, said: WholeSpeech) -> Askable:
    """What somebody said next."""
    who = "you" if said.who == role.name else said.who
    me = "I" if said.who == role.name else said.who
    return Askable(
        kind=kind,
        about=about,
        question=f'What did {who} say next, after {_name(role, heard)} had said: "{heard.ending}"',
        reference=f'{me} said: "{said.beginning}"',
        evidence=(heard.seqs[-1], said.seqs[0]),
        since=heard.events[0].episode,
    )


def _meant_for(role: Role, speech: WholeSpeech) -> list[str]:
    """For whom it was meant, where that is said; nobody where its words name one of them."""
    to = {one for event in speech.events for one in meant_for(event)} - {speech.who}
    if any(_names(one, f"{speech.who} {speech.ending}") for one in to):
        return []
    return ["me" if one == role.name else one for one in sorted(to)]


def _neighbours(episode: RoleEpisode) -> Iterator[tuple[WholeSpeech, WholeSpeech]]:
    """Each two speeches between which nobody said anything, heard by this one or not."""
    for one, other in pairwise(episode.speeches):
        if other.at == one.at + 1 and one.ending:
            yield one, other


def _firsts(episode: RoleEpisode) -> dict[str, WholeSpeech]:
    """The first that each said."""
    return {one.who: one for one in reversed(episode.speeches)}


def _name(role: Role, speech: WholeSpeech) -> str:
    return "you" if speech.who == role.name else speech.who


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _names(name: str, text: str) -> bool:
    """Whether a text holds a word of a name."""
    return not set(words(name)).isdisjoint(words(text))


def _tells_of(place: str, text: str) -> bool:
    """Whether a text holds a word that says which place it is."""
    return not set(terms(place)).isdisjoint(terms(text))


def _goal(goal: str) -> str:
    """What a goal says, without what it tells the offline player to perform."""
    return " ".join(DIRECTION.sub("", goal).split())
