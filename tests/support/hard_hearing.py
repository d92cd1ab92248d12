"""Who hears what in a play, held against what scholars read in hard cases."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, Doubted
from whoknew.worlds.importers.play import world_of


class Judged(NamedTuple):
    """A case: why it is hard, and whether it came out right, wrong or doubtful."""

    speech: str
    who: str
    kind: str
    came: str


def judged(play: Path, gold: Path) -> Iterator[Judged]:
    spoken, doubted = _speeches(play)
    for line in gold.read_text("utf-8").splitlines():
        case = json.loads(line)
        speech, who = case["speech"], case["who"]
        if (speech, who) in doubted:
            came = "doubtful"
        else:
            came = "right" if _is_right(case, spoken[speech]) else "wrong"
        yield Judged(speech, who, case["kind"], came)


def _speeches(play: Path) -> tuple[dict[str, list[Draft]], set[tuple[str, str]]]:
    """The pieces of each speech, and which are open for whom."""
    found = defaultdict(list)
    doubted = set()
    for draft in world_of(play).drafts:
        if isinstance(draft.body, Acted):
            found[draft.source or ""].append(draft)
        elif isinstance(draft.body, Doubted):
            doubted.update((draft.source or "", name) for name in draft.body.names)
    return found, doubted


def _is_right(case: dict[str, Any], drafts: list[Draft]) -> bool:
    """Whether all pieces of a speech, or the one with the words that are meant, are heard so."""
    meant = [one for one in drafts if _plain(case.get("part", "")) in _plain(one.body.words)]
    heard = [(case["who"] in one.witnesses) == case["hears"] for one in meant or drafts]
    return bool(heard) and all(heard)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()
