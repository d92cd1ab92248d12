"""What a character could be asked: by rule, from what it witnessed, each with its key and its evidence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from whoknew.engine.exams.roles import Role, RoleEpisode, WholeSpeech

SELF, FACT, RELATION = "self", "fact", "relation"
KINDS = (SELF, FACT, RELATION)


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


def neighbours(episode: RoleEpisode) -> Iterator[tuple[WholeSpeech, WholeSpeech]]:
    """Each two speeches between which nobody said anything, heard by this one or not: each of one
    person alone."""
    for one, other in pairwise(episode.speeches):
        alone = len(one.names) == len(other.names) == 1
        if alone and other.at == one.at + 1 and one.ending:
            yield one, other


def next_words(kind: str, about: str, role: Role, heard: WholeSpeech, said: WholeSpeech) -> Askable:
    """What somebody said next."""
    who = "you" if said.who == role.name else said.who
    me = "I" if said.who == role.name else said.who
    return Askable(
        kind=kind,
        about=about,
        question=f'What did {who} say next, after {name_for(role, heard)} had said: "{heard.ending}"',
        reference=f'{me} said: "{said.beginning}"',
        evidence=(heard.seqs[-1], said.seqs[0]),
        since=heard.events[0].episode,
    )


def name_for(role: Role, speech: WholeSpeech) -> str:
    return "you" if speech.who == role.name else speech.who
