"""What the form of LIFESTATE-BENCH tells, as a world: all who take part in an episode hear all of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import MAXYEAR, datetime, timedelta

import msgspec

from whoknew.eventlog import Draft, Kind
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    Imported,
    Narrated,
    RelationSet,
    WorldOpened,
)
from whoknew.worlds.importers.lifestate.form import (
    FORMAT,
    LifestateForm,
    PlayedEpisode,
    PlayedLine,
    RoleCard,
    line_id,
)
from whoknew.worlds.question import Question, cluster_of

BEGINS = datetime(2000, 1, 1, 12)
WORDS_A_SECOND = 2.5
GAP = timedelta(hours=1)

CARDS, TIMES, TITLE = "cards", "times", "headline"
"""What the events cannot say as the form does stands beside the story."""

ID = "id"
"""The label of a question's id in its episode."""


def drafts_of(form: LifestateForm, source: str) -> list[Draft]:
    """All that happened, and who everybody is."""
    title = form.title or source
    people = dict.fromkeys(
        [*form.roles, *(one for e in form.episodes.values() for one in e.participants)]
    )
    drafts = [Draft(WorldOpened(title, planned=len(form.episodes)), BEGINS)]
    for name in people:
        card = form.roles.get(name, RoleCard())
        drafts.append(Draft(CharacterAdded(name, _description(card)), witnesses=(name,)))
        drafts += [
            Draft(RelationSet(name, other, told), witnesses=(name,))
            for other, told in _relations(card, people).items()
        ]
    now = BEGINS
    for number, (key, episode) in enumerate(form.episodes.items(), start=1):
        drafts += _episode(number, key, episode, now)
        now = (drafts[-1].at or now) + GAP
    rest = {
        TITLE: form.title,
        CARDS: [[name, *_card(card)] for name, card in form.roles.items()],
        TIMES: [[key, one.time] for key, one in form.episodes.items() if one.time],
    }
    drafts.append(Draft(Imported(FORMAT, source, rest)))
    return drafts


def questions_of(form: LifestateForm, world: str) -> Iterator[Question]:
    """Each at the end of its episode; without evidence, where none is given."""
    numbers = {key: number for number, key in enumerate(form.episodes, start=1)}
    for key, some in form.questions.items():
        for name, one in some.items():
            yield Question(
                world=world,
                character=one.role,
                at=f"E{numbers[key]}",
                question=one.question,
                kind=one.kind,
                reference=one.answer,
                evidence=one.evidence,
                labels={ID: name},
                cluster=cluster_of(one.role, world),
                tags=(f"episode {numbers[key]}",),
            )


def opening(episode: PlayedEpisode) -> str:
    """What all are told as an episode begins: when it is, and its narration."""
    time = f"Time: {episode.time}" if episode.time and clock(episode.time) is None else ""
    return "\n".join(filter(None, (time, episode.narration)))


def clock(text: str) -> datetime | None:
    """The time that a text is, where it is one to the minute, and more can happen after it."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    if found.tzinfo or len(text) < len("2000-01-01 12:00") or found.year == MAXYEAR:
        return None
    return found


def _episode(number: int, key: str, episode: PlayedEpisode, now: datetime) -> Iterator[Draft]:
    at = max(now, clock(episode.time) or now)
    there, place = episode.participants, episode.location or None

    def draft(
        body: Kind, turn: int, source: str, actor: str | None = None, heard: tuple[str, ...] = there
    ) -> Draft:
        return Draft(
            body,
            at=at,
            episode=number,
            turn=turn,
            actor=actor,
            place=place,
            witnesses=heard,
            source=source,
        )

    body = EpisodeOpened(opening(episode), there, "as-written", name=episode.title, key=key)
    yield draft(body, 0, key)
    for turn, line in enumerate(episode.dialogues, start=1):
        told = line.text or line.action
        at += timedelta(seconds=max(1, round(len(told.split()) / WORDS_A_SECOND)))
        actor, *also = line.speakers or (None,)
        body_of = _done(line, tuple(one for one in also if one))
        heard = (
            there
            if line.heard_by is None
            else tuple(dict.fromkeys((*line.speakers, *line.heard_by)))
        )
        yield draft(body_of, turn, line_id(key, turn), actor, heard)
    yield draft(EpisodeClosed("the episode ends"), len(episode.dialogues), key)


def _done(line: PlayedLine, also: tuple[str, ...]) -> Kind:
    if not line.speakers:
        return Narrated(line.action)
    return Acted(line.text, also=also) if line.text else Acted(line.action, "action", also=also)


def _description(card: RoleCard) -> str:
    """A card in words; what it says of relations by name stands in events of their own."""
    personality = f"Personality: {card.personality}" if card.personality else ""
    relations = card.relationships if isinstance(card.relationships, str) else ""
    told = f"Relationships: {relations}" if relations else ""
    return "\n".join(filter(None, (card.background, personality, told)))


def _relations(card: RoleCard, people: Mapping[str, object]) -> dict[str, str]:
    if isinstance(card.relationships, str):
        return {}
    return {other: told for other, told in card.relationships.items() if other in people and told}


def _card(card: RoleCard) -> list[object]:
    return [card.background, card.personality, msgspec.to_builtins(card.relationships)]
