"""A run from its plan to its report: announced, surveyed, played, and stopped in order."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager

from whoknew.engine.opening import without_password
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import Run, RunReport, control_of, open_run
from whoknew.engine.running.models import Console, at_terminal
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.stop import announced, check_unplayed
from whoknew.engine.running.stopping import stopped_by_signals

Watching = Callable[[Run], AbstractContextManager[None]]
"""Shows a run for as long as it goes on."""


def command_line() -> str:
    """The command that is running, as it can be given again; a password is not shown."""
    return shlex.join(["whoknew", *map(without_password, sys.argv[1:])])


async def run_program(
    program: Program, source: str, watching: Watching, console: Console | None = None
) -> RunReport:
    """Play a program, from wherever its log stands, until it is over or has to stop. `source` is
    what its plan is called."""
    check_unplayed(program.log, program.worlds)
    person = at_terminal(console) if console else None
    progress = Progress()
    control = control_of(program, progress)
    with stopped_by_signals(control), announced(program.log, source, program.worlds):
        async with open_run(program, person, progress, control) as run:
            await run.survey()
            with watching(run):
                return await run.play()
