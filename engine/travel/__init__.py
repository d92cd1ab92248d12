"""Travel in a world: replay it to any moment, and ask who knew what, when."""

from whoknew.engine.travel.asking import Asked, ask, keep
from whoknew.engine.travel.comparing import (
    Comparison,
    compare,
    compare_characters,
    compare_cursors,
    compare_worlds,
)
from whoknew.engine.travel.forking import Changes, Forked, fork
from whoknew.engine.travel.knowing import Matrix, knows
from whoknew.engine.travel.marking import Marked, mark
from whoknew.engine.travel.prompting import Prompted, prompts
from whoknew.engine.travel.recalling import Found, recall
from whoknew.engine.travel.replaying import Replayed, replay
from whoknew.engine.travel.rerunning import Rerun, rerun

__all__ = [
    "Asked",
    "Changes",
    "Comparison",
    "Forked",
    "Found",
    "Marked",
    "Matrix",
    "Prompted",
    "Replayed",
    "Rerun",
    "ask",
    "compare",
    "compare_characters",
    "compare_cursors",
    "compare_worlds",
    "fork",
    "keep",
    "knows",
    "mark",
    "prompts",
    "recall",
    "replay",
    "rerun",
]
