"""Bookmarks: answers to questions worth asking, kept up to date where the story moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from whoknew.agents.agent import Note
from whoknew.agents.lines import Line, quoted
from whoknew.agents.memories.bookmarks.asking import PROMPTS, ModelOperators
from whoknew.agents.memories.bookmarks.bank import BookmarkBank
from whoknew.agents.memories.bookmarks.bookmark import Bookmark
from whoknew.agents.memories.bookmarks.grid import CHUNK, LEFT
from whoknew.agents.memories.bookmarks.kept_bank import STRATEGY, KeptBank
from whoknew.agents.memories.bookmarks.record import MOST
from whoknew.agents.memories.bookmarks.step import Stepping, StepWays
from whoknew.agents.memories.bookmarks.step_taken import StepTaken
from whoknew.agents.memories.life_extent import LifeExtent
from whoknew.agents.memories.memory import (
    Memory,
    MemoryEntry,
    Occasion,
    Piece,
    Recollection,
    recollection,
)
from whoknew.agents.memories.profile import ProfileEntry, newest_portrait
from whoknew.agents.memories.writing import written
from whoknew.agents.methods.predict import NEXT_ACTION
from whoknew.agents.parts import Owner

PROFILE = ProfileEntry()
"""The profile that is put before bookmarks."""


class BookmarksEntry(MemoryEntry, frozen=True):
    """answers to questions worth asking, kept up to date where the story moved"""

    before_turns: ClassVar[bool] = True
    keeps: ClassVar[str] = STRATEGY
    recalls: ClassVar[tuple[str, ...]] = ("near",)
    profile: bool = False
    """Whether a portrait of itself is kept beside them, as the memory `profile` writes it: it stands
    before them, and before the questions that are proposed."""
    most: Annotated[int, Meta(ge=1, le=MOST)] = 5
    """So many questions are proposed before each turn."""
    small: str = ""  # type: ignore[misc]
    """The address of a model that looks over what is new, line by line; the one that proposes and
    writes, where there is none."""
    derives: bool = True
    """Whether a new question may begin with the answer of another."""
    reuses: bool = True
    """Whether a question is taken up again that has an answer."""
    near: bool = True
    """Whether what was brought up to date shortly before comes to mind, too."""
    verified: bool = True
    """Whether how it behaves is written from all that was found to show it; else from what was written
    before and what was done since."""
    first_fits: bool = False
    """As the authors' code does: the first question that fits in any way is taken, not the one that is
    the same."""
    stale: bool = False
    """As the authors' code does: what is derived begins where the other stood before this turn."""
    forgets: bool = False
    """As the authors' code does: how it behaves is derived without what showed that."""

    @property
    def calls_a_turn(self) -> int:  # type: ignore[override]
        """About as many: one proposes, each proposal is compared, and what it leads to brought up to
        date."""
        return 1 + 3 * self.most

    @property
    def looks_a_turn(self) -> int:  # type: ignore[override]
        return 2 * self.most

    def most_before_turn(self, life: LifeExtent) -> int:
        return self._most_of_step(life)

    def most_calls(self, life: LifeExtent) -> int:
        """Where a question is asked, or the step before this turn came to nothing, one passes."""
        return self._most_of_step(life)

    def _most_of_step(self, life: LifeExtent) -> int:
        """Each bookmark is new and reads all that was before it; or is derived, has its parent read all, and
        is written itself."""
        looked_at = life.acts if self.verified else -(-life.acts // CHUNK)
        stretches = min(life.events, life.events // CHUNK + LEFT) + LEFT * self.derives
        each = max(looked_at + 1 + self.derives, 2 * stretches, 2 + self.derives)
        return 1 + self.profile + self.most * (int(self.reuses or self.derives) + each)

    @property
    def prompts(self) -> tuple[str, ...]:  # type: ignore[override]
        return (*PROMPTS, *(PROFILE.prompts if self.profile else ()))

    def deciding(self) -> dict[str, Any]:
        found = super().deciding()
        if found.pop("profile"):
            found["profile"] = {"version": PROFILE.version, **PROFILE.deciding()}
        return found

    @property
    def ways(self) -> StepWays:
        return StepWays(
            most=self.most,
            derives=self.derives,
            reuses=self.reuses,
            near=self.near,
            verified=self.verified,
            first_fits=self.first_fits,
            stale=self.stale,
            forgets=self.forgets,
        )

    def make(self, owner: Owner) -> Bookmarks:
        return Bookmarks(self, owner)


class Bookmarks(Memory):
    """The bank is a fold of the view; a step is written down before each turn, and nowhere else. So is,
    where there is one, the portrait before it, when it is due."""

    def __init__(self, settings: BookmarksEntry, owner: Owner) -> None:
        self._ways, self._reasks = settings.ways, owner.reasks
        self._kept = KeptBank()
        self._profile = PROFILE.make(owner) if settings.profile else None

    async def before_turn(self, now: Occasion) -> tuple[Note, ...]:
        await self._kept.catch_up(now.view)
        if not len(self._kept.happened):
            return ()
        notes, portrait = await self._portrait(now)
        taken = await self._step(now, portrait)
        return (*notes, self._kept.note(taken.record))

    async def recollect(self, now: Occasion) -> Recollection:
        """What the step before this turn is about. Where a question is asked, or no step was taken
        since something happened, one is taken that passes: nothing of it is kept. Of more than there
        is room for, what is only near is left out first; the portrait goes before all."""
        portrait, taken = await self.stepped(now)
        pieces = [
            piece(now.life.who, one, self.places(one), -rank)
            for rank, one in enumerate(taken.grounds if taken else ())
        ]
        first = [Piece(portrait, (portrait.place,), 1)] if portrait else []
        return recollection([*first, *pieces], now.budget)

    async def stepped(self, now: Occasion) -> tuple[Line | None, StepTaken | None]:
        """The portrait, where there is one, and the step by which bookmarks come to mind; None where
        nothing has happened yet."""
        await self._kept.catch_up(now.view)
        bank, at, who = self._kept.bank, len(self._kept.happened), now.life.who
        if not at:
            return None, None
        last = bank.last(near=self._ways.near)
        if last and (last.record.at, last.record.who) == (at, who) and not _asked(now):
            return newest_portrait(now) if self._profile else None, last
        _, portrait = await self._portrait(now)
        return portrait, await self._step(now, portrait)

    @property
    def bank(self) -> BookmarkBank:
        """As it was after the last step up to where something came to mind."""
        return self._kept.bank

    def places(self, bookmark: Bookmark) -> tuple[int, ...]:
        """Where in the view that stands which the answer rests on."""
        return self._kept.places([bookmark])

    async def _portrait(self, now: Occasion) -> tuple[tuple[Note, ...], Line | None]:
        return await self._profile.up_to_date(now) if self._profile else ((), None)

    async def _step(self, now: Occasion, portrait: Line | None) -> StepTaken:
        stepping = Stepping(
            bank=self._kept.bank,
            happened=self._kept.happened,
            view=now.view,
            operators=ModelOperators(now.model, self._reasks),
            ways=self._ways,
        )
        told = portrait.text if portrait else ""
        myself = "\n".join(filter(None, (now.life.myself, told)))
        return await stepping.step(now.life.who, myself, _asked(now))


def piece(who: str, bookmark: Bookmark, places: Sequence[int], rank: int) -> Piece:
    """A bookmark as it stands in a prompt, resting on these places of a view."""
    text, place = bookmark.answer.text, places[-1] if places else 0
    told = written(f"To {quoted(bookmark.question)}", who, place, text)
    noted = f"[{place}] {quoted(text)}" if place else quoted(text)  # as `offline:` reads it
    return Piece(Line(told, place, who, noted, written=True), places, rank)


def _asked(now: Occasion) -> str:
    """The question that is asked. What one does next is none: it is as good as having to act."""
    return "" if now.question == NEXT_ACTION else now.question
