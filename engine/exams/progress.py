"""How far a sitting of an exam is."""

from __future__ import annotations

from msgspec import Struct, field

from whoknew.engine.playing.spent import Spent
from whoknew.engine.playing.tally import Tally


class ExamProgress(Struct):
    """How far a sitting is, in cells and in reviews: `before` it, and in it. Scenes are not answered,
    but played."""

    cells: int = 0
    before: int = 0
    failed_before: int = 0
    answered: int = 0
    failed: int = 0
    reviews: int = 0
    reviewed: int = 0
    unreviewed: int = 0
    """Reviews that failed."""
    lives: int = 0
    """Lives of which a memory is to be there, before what is asked of them can be answered."""
    remembered: int = 0
    """Of those, how many are done with."""
    steps: int = 0
    """What memories wrote in this sitting, step by step."""
    unwritten: int = 0
    """Steps that failed."""
    spent: Spent = field(default_factory=Spent)
    story: Tally | None = None
    """What scenes have come to, those that had begun before as well."""
    elsewhere: int = 0
    """How many shards other processes have while this one waits for them."""
    done: str = "answered"
    """What is done with a cell, in a word."""
