"""Bookmarks as the paper has them: of the story, whoever witnessed it. A control, which leaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated

from msgspec import Meta

from whoknew.agents.memories.bookmarks.bookmarks import Bookmarks, BookmarksEntry, piece
from whoknew.agents.memories.memory import Occasion, Recollection, recollection
from whoknew.agents.parts import Owner
from whoknew.engine.exams.bookmarks.instances import AskedActions, Whose
from whoknew.worlds.importers.storyline import MAJOR


class StoryBookmarksEntry(BookmarksEntry, frozen=True):
    """leaks: bookmarks of all that has happened up to the cursor, whoever witnessed it, in one bank"""

    characters: Whose = "major"
    """Before whose actions a step is taken: of "major" ones (whom the world came with, or who have done
    something `acts` times by then), of "all", or of those named."""
    acts: Annotated[int, Meta(ge=1)] = MAJOR

    def __post_init__(self) -> None:
        if self.profile:
            raise ValueError("`profile` cannot be true: a story has no portrait of itself")

    @property
    def stepping(self) -> AskedActions:
        return AskedActions(whose=self.characters, acts=self.acts)

    def make(self, owner: Owner) -> StoryBookmarks:
        return StoryBookmarks(self, owner)


class StoryBookmarks(Bookmarks):
    """One bank, whoever takes a step in it."""

    async def told(
        self, now: Occasion, seen: Callable[[Iterable[int]], tuple[int, ...]]
    ) -> Recollection:
        """What comes to mind of the story to somebody in it: by those of its places that it has `seen`,
        each as the place in its own view."""
        _, taken = await self.stepped(now)
        pieces = [
            piece(now.life.who, one, seen(self.places(one)), -rank)
            for rank, one in enumerate(taken.grounds if taken else ())
        ]
        return recollection(pieces, now.budget)
