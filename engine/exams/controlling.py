"""What a control brings for a cell is put where what its character remembers would stand."""

from __future__ import annotations

from whoknew.agents.answering import FoldedLife
from whoknew.agents.memories.memory import Memory, Occasion, Recollection
from whoknew.agents.models.model import Model
from whoknew.engine.asking.putting import worded
from whoknew.engine.exams.cells import Cell
from whoknew.engine.exams.control import ControlEntry, Insight
from whoknew.engine.exams.remembering import Remembering
from whoknew.engine.judges.remembered import POINTS
from whoknew.engine.registry import CONTROLS
from whoknew.eventlog import Log, View


class ControlMemory(Memory):
    """In the place of a memory: words that were brought, whatever its character knows."""

    def __init__(self, found: Recollection) -> None:
        self._found = found

    async def recollect(self, now: Occasion) -> Recollection:
        return self._found


async def controlled(
    cell: Cell, material: Log, view: View, remembering: Remembering, model: Model
) -> FoldedLife | None:
    """The life of who is asked, with what a control brings for this one question; None where its arm
    has a memory. `model` is asked by a control that is derived as a memory is."""
    seat, asked = cell.arm.seat, cell.unit.asked
    if seat.memory not in CONTROLS.ours:
        return None
    if memory := cell.arm.memory:
        story, question = await remembering.story(memory, view), asked.question
        told = worded(question.question, question.choices)
        of_story = await story.told(view, told, model, seat.budget)
        return FoldedLife(lambda: ControlMemory(of_story))
    entry: ControlEntry = CONTROLS.made(seat.memory, seat.settings.get(seat.memory, {}))
    insight = Insight(
        material=material,
        view=view,
        about=asked.question.question,
        evidence=asked.evidence,
        points=points_of(cell),
        budget=seat.budget,
    )
    found = await entry.make().brings(insight)
    return FoldedLife(lambda: ControlMemory(found))


def points_of(cell: Cell) -> tuple[str, ...]:
    """What the evidence of its question shows, where the question says it and its arm's control tells it:
    no view holds it."""
    seat, question = cell.arm.seat, cell.unit.asked.question
    if seat.memory not in CONTROLS.ours:
        return ()
    if not getattr(CONTROLS.made(seat.memory, seat.settings.get(seat.memory, {})), "points", False):
        return ()
    said = question.labels.get(POINTS)
    if not isinstance(said, list) or len(said) != len(question.evidence):
        return ()
    return tuple(map(str, said))
