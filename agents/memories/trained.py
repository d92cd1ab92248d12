"""What memories have in common that stand in weights: a model is trained on each episode, and what comes
to mind is no text, but the artefact of that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from whoknew.agents.agent import Note
from whoknew.agents.life import Life
from whoknew.agents.memories.memory import Memory, MemoryEntry, Occasion, Recollection
from whoknew.agents.methods.method import insist
from whoknew.agents.parts import Owner
from whoknew.agents.weights.rows import SORTS, Sort, rows_of
from whoknew.agents.weights.training import (
    RowOrigin,
    TrainedEpisode,
    TrainingOrder,
    note_of,
    requested,
    trained_by,
)


class TrainedEntry(MemoryEntry, frozen=True, kw_only=True):
    """How a plan names one: what all of them can be told."""

    calls_an_episode: ClassVar[int] = 1
    in_weights: ClassVar[bool] = True
    trial: ClassVar[Mapping[str, Any]] = {}
    """Settings by which little is trained, to see how long it takes."""

    seed: int = 1
    rows: Literal["dialogue", "statement", "both"] = "both"
    """Which rows of an episode it is trained on."""

    @property
    def sorts(self) -> tuple[Sort, ...]:
        return SORTS if self.rows == "both" else (self.rows,)

    @property
    def scratch(self) -> bool:
        """Whether each is trained anew, on all episodes, rather than gone on from the one before."""
        return False

    def rounds(self, rows: int) -> int:
        """In how many rounds, which take about as long each, it is trained on so many rows."""
        return rows

    def kept(self, rows: int, before: int) -> int:
        """How much of a size an artefact has that was trained on rows, where so many were `before`."""
        return rows + before

    def make(self, owner: Owner) -> TrainedMemory:
        return TrainedMemory(self, owner)


class TrainedMemory(Memory):
    """A chain of artefacts, an episode each: the next goes on from the one before, unless each is to be
    trained from scratch, on all episodes."""

    def __init__(self, settings: TrainedEntry, owner: Owner) -> None:
        self._settings, self._who = settings, owner.who

    async def recollect(self, now: Occasion) -> Recollection:
        return Recollection(adapter=self._newest(now.life))

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        episode, events = now.life.now, await now.view.events()
        if episode is None:
            return ()
        from_scratch = self._settings.scratch
        lived = rows_of(events, self._settings.sorts)
        wanted = [one for one in lived if from_scratch or one.places[0] >= episode.first]
        rows = [row for one in wanted for row in one.rows]
        if not rows:
            return ()
        order = TrainingOrder(
            by=self._settings.keeps,
            who=self._who,
            settings=msgspec.to_builtins(self._settings),
            after="" if from_scratch else self._newest(now.life),
            episodes=tuple(one.number for one in wanted),
            origins=tuple(RowOrigin(row.place, events[row.place - 1].at) for row in rows),
        )
        trained = await insist(now.model, requested(order, rows), trained_by, 0)
        text = msgspec.json.encode(TrainedEpisode(order=order, trained=trained)).decode()
        sources = tuple(place for one in wanted for place in one.places)
        return (Note(self._settings.keeps, text, sources),)

    def _newest(self, life: Life) -> str:
        """The digest of what was trained last; nothing before the first episode is over."""
        for _, note in reversed(life.notes):
            if note.strategy == self._settings.keeps and (told := note_of(note.text)):
                return told.trained.digest
        return ""


Count = Annotated[int, Meta(ge=1)]
Rate = Annotated[float, Meta(gt=0)]
