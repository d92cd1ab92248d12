"""How well the witnesses of a play agree with a reference of who is on stage at each speech."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, Entered, EpisodeOpened, Left

LEAST = 10
"""Speeches that make somebody worth comparing: the silent and groups are incomplete there."""


class Spoken(NamedTuple):
    speakers: tuple[str, ...]
    begins: str
    there: frozenset[str]


def witnessed(drafts: Sequence[Draft]) -> Iterator[Spoken]:
    """Each speech, by its first words, with those who hear it."""
    for draft in _speeches(drafts):
        assert isinstance(draft.body, Acted)
        speakers = (draft.actor or "", *draft.body.also)
        yield Spoken(speakers, _begins(draft.body.text), frozenset(draft.witnesses))


def present(drafts: Sequence[Draft]) -> Iterator[Spoken]:
    """Each speech with those on stage, the dead and sleeping too, as comings and goings tell."""
    there: set[str] = set()
    last = None
    for draft in drafts:
        match draft.body:
            case EpisodeOpened(cast=cast):
                there = set(cast)
            case Entered() if draft.actor:
                there.add(draft.actor)
            case Left(how="") if draft.actor:
                there.discard(draft.actor)
            case Acted(act="speak", text=text, also=also):
                if (draft.episode, draft.turn) != last:
                    last = draft.episode, draft.turn
                    speakers = (draft.actor or "", *also)
                    yield Spoken(speakers, _begins(text), frozenset({*there, *speakers}))


def agreement(ours: Sequence[Spoken], reference: Path) -> float:
    """The mean F1 over the speeches that both have, of those who are named and speak often."""
    rows: list[dict[str, Any]] = [
        json.loads(line) for line in reference.read_text("utf-8").splitlines()
    ]
    begins = [" ".join(row["first"].split()[:3]) for row in rows]
    pairs = list(_aligned([one.begins for one in ours], begins))
    often = Counter(row["speaker"][0] for row in rows if row["speaker"])
    named = {
        name for name, count in often.items() if count >= LEAST and not re.search("[_,]", name)
    }
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for mine, row in ((ours[i], rows[j]) for i, j in pairs):
        if len(mine.speakers) == 1 and len(row["speaker"]) == 1:
            votes[mine.speakers[0]][row["speaker"][0]] += 1
    theirs = {name: count.most_common(1)[0][0] for name, count in votes.items()}
    scores = []
    for mine, row in ((ours[i], rows[j]) for i, j in pairs):
        found = {theirs.get(name, name) for name in mine.there} & named
        wanted = set(row["onstage"]) & named
        if row["speaker_entered"] and (found or wanted):
            scores.append(2 * len(found & wanted) / (len(found) + len(wanted)))
    assert len(scores) > 0.75 * len(rows)
    return sum(scores) / len(scores)


def _speeches(drafts: Sequence[Draft]) -> Iterator[Draft]:
    last = None
    for draft in drafts:
        if isinstance(draft.body, Acted) and (draft.episode, draft.turn) != last:
            last = draft.episode, draft.turn
            yield draft


def _begins(text: str) -> str:
    return " ".join(re.sub("[^a-z ]", "", text.casefold().replace("\n", " ")).split()[:3])


def _aligned(ours: list[str], theirs: list[str]) -> Iterator[tuple[int, int]]:
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "equal" or (tag == "replace" and a2 - a1 == b2 - b1):
            yield from zip(range(a1, a2), range(b1, b2), strict=True)
