"""What the paper's tables have: exact match and entailment in percent, what a right prediction costs; and
of banks, how often a question was there already, and how much reading that saved."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean as mean

from whoknew.engine.exams.by_judge import by_arm, by_judge, told_of
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
    """Over all cells of each arm; where several judges give these scores, each of them has figures."""
    return {
        told_of(name, judge, every): {
            arm: 100 * mean(value for _, value in mine) for arm, mine in by_arm(some).items()
        }
        for name, score in ((EM, SAME), (NLI, FOLLOWS))
        for every in (by_judge(cells, score),)
        for judge, some in every.items()
    }
