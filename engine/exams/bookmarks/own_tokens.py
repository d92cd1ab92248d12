"""What each arm would take if it were alone: the calls that its cells and its memory asked, each once, whoever
sent them first. By that a right prediction has its price, also where arms share what they ask."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from whoknew.engine.exams.arms import ExamArm
from whoknew.engine.exams.bookmarks.figures import scores_of
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.judges.deed import SAME
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Called, MemoryDerived, NothingDerived

PER = 10_000

CallTokens = dict[int, int]
"""By the seq of the call that was sent."""


class OwnTokens:
    """A fold of the calls of an exam: those of cells, and those of the steps of memories."""

    def __init__(self) -> None:
        self._cells: defaultdict[str, CallTokens] = defaultdict(dict)
        """By the digest of an arm."""
        self._steps: defaultdict[str, dict[str, CallTokens]] = defaultdict(dict)
        """By the digest of a memory, and the key of a step."""
        self._ends: dict[str, tuple[tuple[str, str], int]] = {}
        """Of each step that is over, also to no avail, whose it is, in which world, and up to which seq."""

    def take(self, arm: str, event: Event) -> None:
        """What a cell asked."""
        self._cells[arm] |= tokens_of(event)

    def take_step(self, memory: str, event: Event) -> None:
        """What was asked for a step, or came of it."""
        key, body = (event.key or "")[:32], event.body
        self._steps[memory].setdefault(key, {}).update(tokens_of(event))
        if isinstance(body, MemoryDerived | NothingDerived):
            self._ends[key] = (body.material, body.owner), body.upto

    def of(self, arm: ExamArm, lasts: Mapping[tuple[str, str], int]) -> int:
        """With the steps that lead up to these seqs."""
        every = dict(self._cells.get(arm.digest, {}))
        for key, calls in self._steps.get(arm.memory.digest, {}).items() if arm.memory else ():
            line, upto = self._ends.get(key, (("", ""), 0))
            if upto < lasts.get(line, 0):
                every |= calls
        return sum(every.values())

    def prices(
        self,
        arms: Sequence[ExamArm],
        cells: Sequence[CellResult],
        lasts: Mapping[str, Mapping[tuple[str, str], int]],
    ) -> dict[str, float]:
        """By arm, how many predictions are right for so many tokens; several judges are heard as one. Those
        of which none has spoken count as the others do: they have no score, and not that of a wrong one."""
        found: dict[str, float] = {}
        for arm in arms:
            mine = [one for one in cells if one.cell.arm is arm and one.answer is not None]
            judged = [sum(some) / len(some) for one in mine if (some := scores_of(one, SAME))]
            if judged and (tokens := self.of(arm, lasts[arm.name])):
                found[arm.name] = PER * len(mine) * sum(judged) / len(judged) / tokens
        return found


def tokens_of(event: Event) -> CallTokens:
    called = event.body
    if not isinstance(called, Called):
        return {}
    tokens = (called.tokens_in or 0) + (called.tokens_out or 0)
    return {called.answered_by or event.seq: tokens}
