"""How often a process of its own collects garbage: seldom, and what is new before what is old."""

from __future__ import annotations

import gc

YOUNG = 50_000


def collect_seldom() -> None:
    """Let all that turns in flight hold fit among the young.

    Else each burst of turns passes for old, and all that the process has is walked every other
    second, for nothing, while everybody waits. Next to nothing that we make needs a collector: it
    goes when nobody holds it. This is for programs; a library leaves its host's collector alone.
    """
    gc.set_threshold(YOUNG)
