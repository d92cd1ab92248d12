"""What is written down of a step: what was proposed, what became of it, and what changed in the bank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from whoknew.agents.memories.bookmarks.bookmark import (
    Bookmark,
    Count,
    Fold,
    KeptAnswer,
    Proposal,
    Short,
)
from whoknew.agents.memories.bookmarks.call_cost import NO_CALLS, CallCost
from whoknew.agents.memories.bookmarks.grid import newest_cuts

Fate = Literal["reused", "derived", "new"]
"""What became of a proposal: the bank had that question; it had another, from which it was derived; or
neither."""


MOST = 20
"""So many questions are proposed at a step at most, and as many others changed from which some are derived.
There are no more in a record: who writes down another lies."""

FOLDS = 64
"""Of a bookmark no more are added at a step: some behind the last full chunk are all that is gone on from."""


class Proposed(Struct, frozen=True, omit_defaults=True):
    """A proposal, and the number of the bookmark that stands for it; and what it took to find that."""

    asked: Proposal
    number: int
    fate: Fate = "new"
    matched: CallCost = NO_CALLS

    @property
    def hit(self) -> bool:
        return self.fate != "new"


class BookmarkChange(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a bookmark was brought up to date. What is None stays as it was; `hits` and
    `folds` come to those that were there. One that is `begun` here is derived from its `parent`, or else new; without its parent's hits,
    where it `drops` them.

    It went through the `unseen` lines behind those of which it took account before, and put so many
    lines before an operator as it `read`. It `took` so many calls; from the start it would have been
    `anew`: the newest answer was `written` by so many of them. None: that is not known, of what was
    written down before it was counted."""

    number: int
    begun: Proposal | None = None
    parent: int = 0
    drops: bool = False
    answer: KeptAnswer | None = None
    folds: Annotated[tuple[Fold, ...], Meta(max_length=FOLDS)] = ()
    keyword: Short = ""
    hits: tuple[Count, ...] = ()
    unseen: Count = 0
    read: Count = 0
    took: CallCost | None = None
    anew: CallCost | None = None
    written: CallCost | None = None


class StepCosts(Struct, frozen=True):
    """What a step `took`, and what it would have taken to answer the same questions from the start."""

    took: CallCost
    anew: CallCost


class StepRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step that `who` took, when so many lines had happened. `read` and `unseen` are sums; to answer
    each active question anew, `scratch` lines would have had to be gone through."""

    who: Short
    at: Count
    proposed: Annotated[tuple[Proposed, ...], Meta(max_length=MOST)] = ()
    changes: Annotated[tuple[BookmarkChange, ...], Meta(max_length=2 * MOST)] = ()

    @property
    def active(self) -> tuple[int, ...]:
        """The numbers of the bookmarks that it is about, each once, as they were proposed."""
        return tuple(dict.fromkeys(one.number for one in self.proposed))

    @property
    def unseen(self) -> int:
        return sum(change.unseen for change in self.changes)

    @property
    def read(self) -> int:
        return sum(change.read for change in self.changes)

    @property
    def costs(self) -> StepCosts | None:
        """In calls, those that compare questions among them, and not that which proposes. None where they
        were not counted. What cannot be said of a bookmark counts on neither side."""
        if any(one.took is None for one in self.changes):
            return None
        known = [one for one in self.changes if one.anew is not None]
        numbers = {one.number for one in known}
        matched = [one.matched for one in self.proposed if one.number in numbers]
        took = [one.took for one in known if one.took] + matched
        active = frozenset(self.active)
        anew = [one.anew for one in known if one.anew and one.number in active]
        return StepCosts(sum(took, NO_CALLS), sum(anew, NO_CALLS))

    @property
    def scratch(self) -> int:
        return self.at * len(self.active)


_encode = msgspec.json.Encoder(order="deterministic").encode
_decoder = msgspec.json.Decoder(StepRecord)


def packed(record: StepRecord) -> bytes:
    return _encode(record)


def unpacked(data: bytes) -> StepRecord | None:
    """None where this is no record of a step: somebody else wrote it."""
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def difference(
    before: Bookmark, after: Bookmark, *, unseen: int, read: int, took: CallCost = NO_CALLS
) -> BookmarkChange:
    """What brings a bookmark from what it was to what it is."""
    return BookmarkChange(
        number=after.number,
        answer=after.answer if after.answer != before.answer else None,
        folds=tuple(one for one in after.folds if one not in before.folds),
        keyword=after.keyword if after.keyword != before.keyword else "",
        hits=_new_hits(before, after),
        unseen=unseen,
        read=read,
        took=took,
        anew=after.anew,
        written=after.written if after.written != before.written else None,
    )


def _new_hits(before: Bookmark, after: Bookmark) -> tuple[int, ...]:
    """What is derived may find more in what lies before; all others only behind what they had."""
    had = before.hits
    if not had or after.hits[len(had) - 1] == had[-1]:
        return after.hits[len(had) :]
    known = frozenset(had)
    return tuple(one for one in after.hits if one not in known)


def applied(change: BookmarkChange, known: Mapping[int, Bookmark], at: int) -> Bookmark:
    """A bookmark as it is by a change, at the position of its step."""
    before = _before(change, known).hit(change.hits)
    return replace(
        before,
        answer=change.answer or before.answer,
        synced=at,
        folds=kept_folds((*before.folds, *change.folds), at),
        keyword=change.keyword or before.keyword,
        anew=change.anew,
        written=change.written or before.written,
    )


def is_sound(change: BookmarkChange, known: Mapping[int, Bookmark], at: int) -> bool:
    """Whether a change can be that of a bookmark which is known, or its parent: what it names are lines that
    had happened, in their order, and hits are new. A log from elsewhere may say what it likes."""
    if change.parent and not (change.begun and change.parent in known):
        return False
    if change.begun is None and change.number not in known:
        return False
    before = _before(change, known)
    answers = [one.answer for one in change.folds] + ([change.answer] if change.answer else [])
    return (
        (not change.parent or known[change.parent].kind == before.asked.kind)
        and _rise(change.hits, _looked_behind(before, change), at)
        and _rise([one.upto for one in change.folds], 0, at)
        and all(_rise(one.rests, 0, at) for one in answers)
        and change.unseen <= at
    )


def _looked_behind(before: Bookmark, change: BookmarkChange) -> int:
    """Behind which position hits may be found. A concept that is derived has a keyword of its own, and is
    looked up from the start."""
    return 0 if change.parent and before.kind == "concept" else before.synced


def _rise(positions: Sequence[int], after: int, upto: int) -> bool:
    """Whether positions rise, from one behind a position up to another at most."""
    return all(a < b for a, b in pairwise((after, *positions, upto + 1)))


def kept_folds(some: Iterable[Fold], at: int) -> tuple[Fold, ...]:
    """Those that are gone on from at a position or a later one: that of the last full chunk, and those
    behind it on the way."""
    ends = frozenset(newest_cuts(at))
    return tuple(one for one in some if one.upto in ends)


def _before(change: BookmarkChange, known: Mapping[int, Bookmark]) -> Bookmark:
    if change.begun is None:
        return known[change.number]
    if change.parent:
        parent = known[change.parent]
        return parent.child(change.number, change.begun, hits=not change.drops)
    return Bookmark(number=change.number, asked=change.begun)
