"""The digest of a story: over everything but wall-clock facts (law 9).

When something was recorded, how long a call took, how often it had to be sent and what that cost
are facts of the day, and so is the order in which calls made at once were answered: calls are
taken in an order of their own, and events numbered as if no call stood between them. What was
asked of a world, how it was marked, where it was forked, and by which plan it was played is no part
of its story.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from whoknew.eventlog.event import Draft, Event
from whoknew.eventlog.kinds import (
    Called,
    Failed,
    Kind,
    Reviewed,
)

_encode = msgspec.json.Encoder(order="deterministic").encode

REFERENCES = ("about", "cause", "sources", "rests_on", "upto", "fact")
"""The fields, of an event or of its body, that name seqs."""

OF_THE_DAY = (
    "seconds",
    "attempts",
    "money",
    "prompt",
    "left_out",
    "occasion",
    "leaks",
    "answered_by",
)
"""What of a call is not the same when it is made again, or when an earlier version made it."""


def is_outside_story(event: Event | Draft) -> bool:
    """Whether an event stands beside the story: whatever it says, the story goes on the same."""
    kind = type(event.body)
    if kind is Called or kind is Failed:  # with a cause it is a probe's
        return event.cause is not None
    if kind is Reviewed:  # in no episode it is of an answer
        return event.episode == 0
    return kind.outside_story


def of_story(event: Event | Draft) -> bool:
    """Whether an event happened in the story: no call, and nothing beside it."""
    return type(event.body) is not Called and not is_outside_story(event)


def told(events: Iterable[Event]) -> list[Event]:
    """The events of the story, in order, with their places in it for their seqs and for all that
    they refer to; who, what and when, but nothing of the day. Two stories are the same if and only
    if these are equal."""
    story = [event for event in events if of_story(event)]
    seqs = [event.seq for event in story]
    return [_placed_event(event, place, seqs) for place, event in enumerate(story, start=1)]


def story_digest(events: Iterable[Event]) -> str:
    """The digest of a world's events, given whole and in order."""
    story: list[Event] = []
    calls: list[bytes] = []
    for event in events:
        if is_outside_story(event):
            continue
        if isinstance(event.body, Called):
            if event.body.reply is not None:
                calls.append(_encode(_call(event)))
        else:
            story.append(event)
    digest = hashlib.sha256()
    seqs = [event.seq for event in story]
    for place, event in enumerate(story, start=1):
        digest.update(_encode(_told(event, place, seqs)) + b"\n")
    for call in sorted(calls):
        digest.update(call + b"\n")
    return digest.hexdigest()


def _call(event: Event) -> dict[str, Any]:
    body: dict[str, Any] = msgspec.to_builtins(event.body)
    for field in OF_THE_DAY:
        body.pop(field, None)
    return {"episode": event.episode, "turn": event.turn, "actor": event.actor, "body": body}


def _told(event: Event, place: int, seqs: list[int]) -> dict[str, Any]:
    """The event with its place in the story for its seq, and so for all that it refers to."""
    told: dict[str, Any] = msgspec.to_builtins(event)
    for name in ("world", "recorded", "key"):
        told.pop(name, None)
    told["seq"] = place
    for part in (told, told["body"]):
        for field in REFERENCES:
            if field in part:
                part[field] = _placed(part[field], seqs)
    return told


def _placed_event(event: Event, place: int, seqs: list[int]) -> Event:
    draft = renumbered(event.draft, partial(bisect_right, seqs))
    return Event(
        "",
        place,
        event.at,
        event.at,
        draft.body,
        event.episode,
        event.turn,
        event.actor,
        event.place,
        event.witnesses,
        draft.about,
        draft.cause,
        None,
        event.source,
    )


def renumbered(draft: Draft, number: Callable[[int], int]) -> Draft:
    """The same draft where every seq that it names has another number."""
    body, cause = draft.body, draft.cause
    if type(body) in _REFERRING:
        named = {
            field: getattr(body, field) for field in REFERENCES if field in body.__struct_fields__
        }
        body = replace(body, **{field: _numbered(value, number) for field, value in named.items()})
    elif not draft.about and cause is None:
        return draft
    about = tuple(map(number, draft.about))
    return replace(draft, body=body, about=about, cause=None if cause is None else number(cause))


def _numbered(value: Any, number: Callable[[int], int]) -> Any:
    if isinstance(value, tuple):
        return tuple(map(number, value))
    return value if value is None else number(value)


_REFERRING = {
    kind for kind in Kind.__subclasses__() if set(REFERENCES) & set(kind.__struct_fields__)
}


def _placed(value: Any, seqs: list[int]) -> Any:
    if isinstance(value, int):
        return bisect_right(seqs, value)
    return [bisect_right(seqs, one) for one in value]
