"""What a control brings for a cell is put where what its character remembers would stand."""

from __future__ import annotations

from whoknew.agents.answering import FoldedLife
from whoknew.agents.memories.memory import Memory, Occasion, Recollection
from whoknew.engine.exams.cells import Cell
from whoknew.engine.exams.control import ControlEntry, Insight
from whoknew.engine.registry import CONTROLS
from whoknew.eventlog import Log, View


class ControlMemory(Memory):
    """In the place of a memory: words that were brought, whatever its character knows."""

    def __init__(self, found: Recollection) -> None:
        self._found = found

    async def recollect(self, now: Occasion) -> Recollection:
        return self._found


async def controlled(cell: Cell, material: Log, view: View) -> FoldedLife | None:
    """The life of who is asked, with what a control brings for this one question; None where its arm
    has a memory."""
    seat, asked = cell.arm.seat, cell.unit.asked
    if seat.memory not in CONTROLS.ours:
        return None
    entry: ControlEntry = CONTROLS.made(seat.memory, seat.settings.get(seat.memory, {}))
    insight = Insight(
        material=material,
        view=view,
        about=asked.question.question,
        evidence=tuple(sorted({seq for some in asked.evidence for seq in some})),
        budget=seat.budget,
    )
    found = await entry.make().brings(insight)
    return FoldedLife(lambda: ControlMemory(found))
