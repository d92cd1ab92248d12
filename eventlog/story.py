"""The digest of a story: over everything but wall-clock facts (law 9).

When something was recorded, how long a call took, how often it had to be sent and what that cost
are facts of the day, and so is the order in which calls made at once were answered: calls are
taken in an order of their own, and events numbered as if no call stood between them.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

import msgspec

from whoknew.eventlog.event import Event
from whoknew.eventlog.kinds import Called

_encode = msgspec.json.Encoder(order="deterministic").encode

REFERENCES = ("about", "cause", "sources", "rests_on", "upto")
"""The fields, of an event or of its body, that name seqs."""

OF_THE_DAY = ("seconds", "attempts", "money", "prompt")
"""What of a call is not the same when it is made again."""


def story_digest(events: Iterable[Event]) -> str:
    """The digest of a world's events, given whole and in order."""
    story: list[Event] = []
    calls: list[bytes] = []
    for event in events:
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


def _placed(value: Any, seqs: list[int]) -> Any:
    if isinstance(value, int):
        return bisect_right(seqs, value)
    return [bisect_right(seqs, one) for one in value]
