"""A draft as the event that it becomes, for rules that look at it before it is written, or as it is."""

from __future__ import annotations

from datetime import UTC, datetime

from whoknew.eventlog import Draft, Event

BEGINNING = datetime(1, 1, 1)
"""The time of an event that is looked at before the log gives it one: rules do not go by it."""


def event_of(world: str, seq: int, draft: Draft) -> Event:
    at = draft.at or BEGINNING
    return Event(
        world=world,
        seq=seq,
        at=at,
        recorded=at.replace(tzinfo=UTC),
        body=draft.body,
        episode=draft.episode,
        turn=draft.turn,
        actor=draft.actor,
        place=draft.place,
        witnesses=draft.witnesses,
        about=draft.about,
        cause=draft.cause,
        source=draft.source,
    )
