"""`whoknew stop`: what was stopped, and how it goes on."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from rich.text import Text

from whoknew.engine.running import Running
from whoknew.engine.show.console import safe

SOME = 8


def stopped(runs: Sequence[Running]) -> Text:
    return Text("\n").join(map(_one, runs))


def _one(one: Running) -> Text:
    more = f" and {len(one.worlds) - SOME} more" if len(one.worlds) > SOME else ""
    names = ", ".join(map(safe, one.worlds[:SOME])) + more
    again = f"whoknew run {shlex.quote(safe(one.plan))}"
    return Text(f"stopped {names} (process {one.pid}); to go on, as it was begun: {again}")
