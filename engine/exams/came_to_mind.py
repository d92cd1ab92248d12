"""What came to the mind of somebody who is asked, of what happened before: by its memory alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from whoknew.agents.answering import FoldedLife
from whoknew.agents.errors import AgentError
from whoknew.agents.memories.memory import Recollection
from whoknew.agents.models.model import Model, Reply, Request
from whoknew.engine.asking.putting import respondent, worded
from whoknew.engine.plan.plan import Seat
from whoknew.engine.registry import for_mind
from whoknew.engine.running.models import Silent
from whoknew.eventlog import View
from whoknew.worlds.question import Question


async def came_to_mind(
    view: View,
    question: Question,
    seat: Seat,
    past: FoldedLife | None,
    model: Model | None = None,
) -> Recollection | None:
    """It, at the end of a view; None where a memory asks a model for it, and that does not answer."""
    asked = respondent(question.character, seat, model or Silent(), past)
    try:
        return await asked.recollect(view, worded(question.question, question.choices))
    except AgentError:
        return None


class NoticedModel:
    """A model, and whether it was asked anything."""

    def __init__(self, inner: Model) -> None:
        self._inner, self.name = inner, inner.name
        self.asked = False

    async def complete(self, request: Request) -> Reply:
        self.asked = True
        return await self._inner.complete(request)


Behind = Callable[[Iterable[int]], Iterable[int]]
"""The seqs in the log behind places of a view, of what was written down those that it was written from."""


MindFound = tuple[Recollection | None, Behind]
"""None where a memory asks a model for it."""


class CellMind:
    """What came to mind before one answer, as all judges of it see it: as it was `found` for the answer; for
    one that was given in an earlier sitting, `find` brings the same when it is first asked for."""

    def __init__(
        self, find: Callable[[], Awaitable[MindFound]], seat: Seat, found: MindFound | None = None
    ) -> None:
        self._find, self._seat, self._found = find, seat, found

    async def brought(self) -> tuple[str, ...] | None:
        """As it stood in the prompt, line by line; None where a memory asks a model for it."""
        found, _ = await self._recollected()
        return None if found is None else found.lines

    async def chosen(self) -> frozenset[int] | None:
        """The seqs of the events that a memory chose: what matches best comes first, and no more of them
        come than it was to choose. None where it does not choose what fits a question."""
        name, parts = self._seat.memory, for_mind(self._seat.memory)
        if not parts.entry(name).recalls:
            return None
        found, behind = await self._recollected()
        if found is None:
            return None
        entry = parts.made(name, self._seat.settings.get(name, {}))
        most: int | None = getattr(entry, "k", None)
        best = sorted(found.pieces, key=lambda piece: -piece.rank)
        seqs = dict.fromkeys(
            seq for piece in best for place in piece.places for seq in behind((place,))
        )
        return frozenset(list(seqs)[:most])

    async def _recollected(self) -> MindFound:
        if self._found is None:
            self._found = await self._find()
        return self._found
