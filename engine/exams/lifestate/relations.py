"""What a character could be asked about others: how it stands to them, how that began, what changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

from msgspec import Struct, field

from whoknew.engine.exams.lifestate.askable import RELATION, Askable
from whoknew.engine.exams.naming import holds_name
from whoknew.engine.exams.roles import ROW, Lives, Role, RoleEpisode, WholeSpeech
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Left, RelationSet
from whoknew.eventlog.words import words

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

_QUOTES = re.compile(r"""(?<!\w)["'\u2018\u201c](?=\w)""")
"""Where the words of somebody else may begin."""

BLANK = "___"

_LISTED = re.compile(rf"{BLANK},? (?:and|or)\b", re.IGNORECASE)
"""What may be the last but one of a list."""


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
        gone = event.actor
        if _dies(event) and gone and gone != role.name and event.seq not in role.doubtful:
            yield Askable(
                kind=RELATION,
                about="end",
                question=f"What became of {gone} before your eyes?",
                reference=f"{gone} died.",
                evidence=(event.seq,),
                since=episode.number,
            )


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
            reference=f"{who} to me: {_ended(now)}",
            evidence=(event.seq,),
            since=since,
        )
        if was and _relation(was[-1][0]) != now:
            yield Askable(
                kind=RELATION,
                about="change",
                question=f"What has changed in how you stand to {who}?",
                reference=f"{who} to me was: {_ended(_relation(was[-1][0]))} Now: {_ended(now)}",
                evidence=(was[-1][0].seq, event.seq),
                since=since,
            )


def _relation(event: Event) -> str:
    return event.body.relation if isinstance(event.body, RelationSet) else ""


def _ended(told: str) -> str:
    """A relation as the end of a sentence: one may be told in sentences of its own."""
    return told if told.endswith((".", "!", "?")) else f"{told}."


def _named(lives: Lives, role: Role, episode: RoleEpisode) -> Iterator[Askable]:
    """Whoever called one by name in an episode, once."""
    calls: dict[str, list[tuple[WholeSpeech, int]]] = {}
    for speech in episode.speeches if role.name in lives.called else ():
        if role.name not in speech.names:
            found = [
                (speech, place)
                for place, one in enumerate(speech.sentences)
                if lives.may_name(role.name, one)
            ]
            calls.setdefault(speech.who, []).extend(found)
    for who, some in calls.items():
        if len(some) != 1 or who in episode.unsure:
            continue
        speech, place = some[0]
        if lives.called[role.name].search(speech.sentences[place]):
            yield Askable(
                kind=RELATION,
                about="by name",
                question=(
                    f"In the episode that has just ended {who} named you once in your hearing. "
                    f"What did {who} say?"
                ),
                reference=f'{who} said: "{speech.told_from(place)}"',
                evidence=speech.seqs,
                since=episode.number,
                later=False,
            )


def _addressed(role: Role, episode: RoleEpisode) -> Iterator[Askable]:
    """What one was called by somebody who had nobody else to speak to, not even a dead one, in no words
    of another. Where several such words stand in a sentence, one that stands apart may be part of a
    list: "father, mother, all are dead"."""
    died = [one.seq for one in episode.events if _dies(one)]
    for speech in episode.speeches:
        alone = all(set(one.witnesses) == {speech.who, role.name} for one in speech.events)
        alone = alone and not any(seq < speech.seqs[-1] for seq in died)
        for sentence in _own_words(speech) if alone and speech.who != role.name else ():
            called = _ADDRESS.findall(sentence)
            left = _ADDRESS.sub(BLANK, sentence)
            if (
                len(called) == len(_TITLES.findall(sentence)) == 1
                and len(words(left)) > ROW
                and not _LISTED.search(left)
                and not holds_name(called[0], left)
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


def _own_words(speech: WholeSpeech) -> Iterator[str]:
    """The sentences of a speech before the first that may tell words of somebody else."""
    return takewhile(lambda sentence: not _QUOTES.search(sentence), speech.sentences)


def _dies(event: Event) -> bool:
    return isinstance(event.body, Left) and event.body.how == "dies"


def _firsts(episode: RoleEpisode) -> dict[str, WholeSpeech]:
    """The first that each said."""
    return {one.who: one for one in reversed(episode.speeches)}
