"""`whoknew exam lives`: lives by rule, held against all checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Group
from rich.text import Text

from whoknew.engine.exams.clonemem.lives import CheckedLives, check_lives
from whoknew.engine.exams.clonemem.named_lives import named_lives
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, alone, argument, flag
from whoknew.eventlog.counted import counted
from whoknew.worlds.lives.plan import LENGTHS

app = alone()

MOST = 20
"""So many faults are shown."""


@app.command(epilog="Example: whoknew exam lives short:1-3")
def command(
    source: Annotated[str, argument("SOURCE")],
    without_text: Annotated[
        bool, flag("--without-text", "Look only at what happens, not at what is written and asked.")
    ] = False,
    json: Json = False,
) -> None:
    """Make lives by rule, and hold each against all checks.

    SOURCE names them: short:1-100, long:7. Nothing is kept. It ends with 1 where something is wrong.
    """

    def work() -> CheckedLives:
        length, seeds = named_lives(source, LENGTHS)
        return check_lives(length, seeds, text=not without_text)

    found = answer(work, lambda one: Group(*_shown(one)), json, "making lives")
    if found.faults:
        raise typer.Exit(1)


def _shown(found: CheckedLives) -> Iterator[Text]:
    lives = found.lives
    events, traces = (sum(getattr(one, name) for one in lives) for name in ("events", "traces"))
    many = f"{len(lives):,} {'life' if len(lives) == 1 else 'lives'}"
    yield Text(f"{many}: {events:,} events, {traces:,} traces")
    if candidates := sum(one.candidates for one in lives):
        reasons = Counter[str]()
        for one in lives:
            reasons.update(one.struck)
        asked, struck = sum(one.questions for one in lives), reasons.total()
        share = f"{struck:,} of {candidates:,} struck ({100 * struck / candidates:.0f} %)"
        yield Text(f"{counted(asked, 'question')} drawn; {share}")
        yield from (Text(f"  {count:,}: {safe(why)}") for why, count in reasons.most_common())
    faults = found.faults
    yield Text(counted(len(faults), "fault"), "red" if faults else "")
    yield from (Text(f"  {safe(one)}") for one in faults[:MOST])
