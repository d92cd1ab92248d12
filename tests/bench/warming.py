"""What a program of the bench does before it measures anything, so that nothing is made for the first time
then; in a smoke next to nothing, as nothing is claimed of that."""

from __future__ import annotations

import os

SMOKE = "WHOKNEW_BENCH_SMOKE"
"""Set in all processes of a smoke."""

WARMING = 8 if os.environ.get(SMOKE) else 320
