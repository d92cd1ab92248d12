"""What judges let pass, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from whoknew.engine.exams.judge_card import JudgeCard
from whoknew.engine.exams.planted import KINDS
from whoknew.engine.terminal.console import safe


def cards_shown(cards: Sequence[JudgeCard]) -> Table:
    """A judge should take what is perfect, and nothing else."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("judge", overflow="fold")
    for kind in KINDS:
        table.add_column(kind, justify="right", overflow="fold")
    for card in cards:
        heard = [card.kinds.get(kind) for kind in KINDS]
        table.add_row(safe(card.judge), *(one.told if one else "-" for one in heard))
    return table
