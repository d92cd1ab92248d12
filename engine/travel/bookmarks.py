"""The bookmarks of a character at any moment: a fold of what stands in its view."""

from __future__ import annotations

from msgspec import Struct

from whoknew.agents.memories.bookmarks.bookmark import Bookmark, BookmarkKind
from whoknew.agents.memories.bookmarks.kept_bank import KeptBank
from whoknew.eventlog import Log, View
from whoknew.eventlog.cursor import When


class BookmarkShown(Struct, frozen=True, kw_only=True):
    """One bookmark. It takes account of so many lines of what happened as it is `synced` to; its answer
    rests on these events. It is `active` where the newest step was about it; `derived_from` is the
    number of another, 0 where it began as unknown."""

    number: int
    question: str
    kind: BookmarkKind
    answer: str
    synced: int
    rests_on: tuple[int, ...]
    derived_from: int
    active: bool


class BankShown(Struct, frozen=True, kw_only=True):
    """A bank after the last of its `steps` up to a cursor, which was taken when so many lines had happened
    as it was `at`, of as many as `lines` by now. The newest bookmarks come first. `hits` of its
    `proposals` were there already; of what reading all anew would have taken it `saved` this part."""

    world: str
    character: str
    cursor: int
    lines: int
    steps: int
    at: int
    proposals: int
    hits: int
    saved: float | None
    bookmarks: tuple[BookmarkShown, ...]


async def bookmarks(log: Log, world: str, character: str, at: When = "end") -> BankShown:
    """What a character's bookmarks say at a cursor."""
    view, kept = await log.view(world, character, at), KeptBank()
    await kept.catch_up(view)
    bank = kept.bank
    return BankShown(
        world=world,
        character=character,
        cursor=view.cursor.seq,
        lines=len(kept.happened),
        steps=bank.tally.steps,
        at=bank.at,
        proposals=bank.tally.asked,
        hits=bank.tally.hits,
        saved=bank.tally.saved,
        bookmarks=tuple(_shown(one, kept, view) for one in sorted(bank, key=_newest)),
    )


def _newest(bookmark: Bookmark) -> tuple[int, int]:
    return -bookmark.synced, -bookmark.number


def _shown(one: Bookmark, kept: KeptBank, view: View) -> BookmarkShown:
    return BookmarkShown(
        number=one.number,
        question=one.question,
        kind=one.kind,
        answer=one.answer.text,
        synced=one.synced,
        rests_on=tuple(map(view.seq, kept.places([one]))),
        derived_from=one.parent,
        active=one.number in kept.bank.active,
    )
