"""How often a program of ours collects garbage."""

from __future__ import annotations

import gc

YOUNG = 50_000
"""So many new objects before they are looked through, where Python says 700, or 2,000. (256 turns in flight
come and go as some 20,000: with 700, all that a process had was walked every two seconds, for 0.1 s
and more, and a sixth of all turns went into that; with 50,000 it is some 30 ms every quarter of a
minute.)"""


def collect_seldom() -> None:
    """Let all that turns in flight hold fit among the young.

    Next to nothing that we make needs a collector: it goes when nobody holds it. This is for
    programs; a library leaves its host's collector alone.
    """
    gc.set_threshold(YOUNG)
