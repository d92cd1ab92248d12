"""What the paper's tables have: exact match and entailment in percent, what a right prediction costs; and
of banks, how often a question was there already, and how much reading that saved."""

from __future__ import annotations

from collections.abc import Sequence

from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.findings import OwnFigures
from whoknew.engine.judges.deed import FOLLOWS, SAME

EM, NLI = "EM %", "NLI %"
HITS, REUSED, SAVED, READ = "hits %", "reused %", "saved %", "read %"
PRICE = "EM / 10k tokens"
SAVED_CALLS, SAVED_TOKENS = "calls saved %", "tokens saved %"


def scores_of(cell: CellResult, name: str) -> list[float]:
    """What its judges gave of one sort."""
    return [score for key, score in cell.scores.items() if key.rpartition(".")[2] == name]


def figures_of(cells: Sequence[CellResult]) -> OwnFigures:
    """Of all judges that give these scores, over all cells of each arm."""
    scores: dict[str, dict[str, list[float]]] = {EM: {}, NLI: {}}
    for one in cells:
        for key, score in one.scores.items():
            name = {SAME: EM, FOLLOWS: NLI}.get(key.rpartition(".")[2])
            if name:
                scores[name].setdefault(one.cell.arm.name, []).append(score)
    return {
        name: {arm: 100 * sum(some) / len(some) for arm, some in arms.items()}
        for name, arms in scores.items()
        if arms
    }
