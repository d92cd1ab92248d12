"""Logs that differ in nothing that somebody witnessed."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from msgspec.structs import replace

from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import Acted, Called, CharacterAdded, Kind, Remembered


def unseen_altered(events: list[Event], who: str, chance: Random) -> list[Draft]:
    """The events without some that `who` did not witness, and with others that it did not either;
    what refers to seqs is left out, since they are others now; but notes rest on the same events."""
    drafts: list[Draft] = []
    seqs: dict[int, int] = {}
    for event in events:
        needed = who in event.witnesses or isinstance(event.body, CharacterAdded) or event.seq == 1
        if needed or chance.random() < 0.5:
            seqs[event.seq] = len(drafts) + 1
            drafts.append(
                Draft(
                    _resting(event.body, seqs),
                    at=event.at,
                    episode=event.episode,
                    turn=event.turn,
                    actor=event.actor,
                    place=event.place,
                    witnesses=event.witnesses,
                )
            )
        if event.episode and chance.random() < 0.3:
            drafts.append(Draft(Called("act", "m", "x", reply="unseen"), None, event.episode))
            drafts.append(Draft(Acted("unseen"), None, event.episode))
    return drafts


def _resting(body: Kind, seqs: Mapping[int, int]) -> Kind:
    if not isinstance(body, Remembered):
        return body
    return replace(body, sources=tuple(seqs[seq] for seq in body.sources if seq in seqs))
