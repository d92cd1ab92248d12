"""What a character could be asked about what happened: who was there, where, who said what, what came next."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from whoknew.engine.exams.lifestate.askable import (
    FACT,
    Askable,
    name_for,
    neighbours,
    next_words,
)
from whoknew.engine.exams.naming import holds_name, listed
from whoknew.engine.exams.roles import Role, RoleEpisode, WholeSpeech, meant_for
from whoknew.eventlog.words import terms, words

MOST_OTHERS = 5
"""Of more people nobody can be expected to name all."""


def of_facts(role: Role, episode: RoleEpisode) -> Iterator[Askable]:
    """Who was there, where, who said what, what came next."""
    for speech in episode.speeches:
        if speech.ending:
            yield from _of_speech(role, episode, speech)
    for heard, said in neighbours(episode):
        if _is_alone(role, said) and not holds_name(said.who, f"{heard.who} {heard.ending}"):
            yield Askable(
                kind=FACT,
                about="when",
                question=f'Who spoke next, after {name_for(role, heard)} had said: "{heard.ending}"',
                reference=f"{said.who} spoke next.",
                evidence=(heard.seqs[-1], said.seqs[0]),
                since=episode.number,
            )
            yield next_words(FACT, "what", role, heard, said)
    yield from _company(role, episode)


def _of_speech(role: Role, episode: RoleEpisode, speech: WholeSpeech) -> Iterator[Askable]:
    """Who said it, where one was, to whom it was said."""
    who, quote, seq = speech.who, speech.ending, speech.seqs[-1]
    fact = partial(Askable, kind=FACT, since=episode.number)
    if _is_alone(role, speech) and not holds_name(who, quote):
        yield fact(
            about="who",
            question=f'Who said this in your hearing: "{quote}"',
            reference=f"{who} said it.",
            evidence=(seq,),
        )
    if episode.place and not _tells_of(episode.place, quote):
        yield fact(
            about="where",
            question=f'Where were you when {name_for(role, speech)} said: "{quote}"',
            reference=f"I was here: {episode.place}.",
            evidence=(episode.events[0].seq, seq),
        )
    if role.name not in speech.names and (to := _meant_for(role, speech)):
        yield fact(
            about="to whom",
            question=f'To whom did {who} say this: "{quote}"',
            reference=f"To {listed(to)}.",
            evidence=(seq,),
        )


def _is_alone(role: Role, speech: WholeSpeech) -> bool:
    """Whether one other alone said it."""
    return speech.names == (speech.who,) and speech.who != role.name


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
        if known.ending and not any(holds_name(one, f"{who} {known.ending}") for one in others):
            yield Askable(
                kind=FACT,
                about="who was there",
                question=(
                    f"Who else spoke in your hearing in the episode in which {who} said: "
                    f'"{known.ending}"'
                ),
                reference=f"{listed(others)} spoke.",
                evidence=tuple(sorted({known.seqs[-1], *(firsts[one].seqs[0] for one in others)})),
                since=episode.number,
            )


def _meant_for(role: Role, speech: WholeSpeech) -> list[str]:
    """For whom it was meant, where that is said; nobody where its words name one of them, or somebody
    else who hears them: "Good Gertrude, set some watch over your son"."""
    to = {one for event in speech.events for one in meant_for(event)} - {speech.who}
    if any(holds_name(one, f"{speech.who} {speech.ending}") for one in to):
        return []
    others = {one for event in speech.events for one in event.witnesses} - to - {speech.who}
    if to and not set(words(" ".join(speech.sentences))).isdisjoint(words(" ".join(others))):
        return []
    return ["me" if one == role.name else one for one in sorted(to)]


def _tells_of(place: str, text: str) -> bool:
    """Whether a text holds a word that says which place it is."""
    return not set(terms(place)).isdisjoint(terms(text))
