"""A run from its plan to its report: announced, surveyed, played, and stopped in order."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager

from whoknew.agents.human import Console
from whoknew.engine.plan.loading import Options, adjusted, program_of
from whoknew.engine.plan.plan import Loaded, Plan
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import Run, control_of, open_run
from whoknew.engine.running.models import at_terminal
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.run_report import RunReport
from whoknew.engine.running.signals import stopped_by_signals
from whoknew.engine.running.stop import announced, check_alone
from whoknew.eventlog.shown_address import without_password
from whoknew.worlds import find

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
    check_alone(program.log, program.worlds)
    progress = Progress()
    control = control_of(program, progress)
    person = at_terminal(console, control) if console else None
    announcing = announced(program.log, source, program.worlds, command=command_line())
    with stopped_by_signals(control), announcing:
        async with open_run(program, person, progress, control) as run:
            await run.survey()
            with watching(run):
                return await run.play()


async def play(plan: Plan | Loaded, log: str | None = None) -> RunReport:
    """Play a plan into a log, from wherever its worlds stand there: what `whoknew run` does, for a
    program or a notebook. Where no log is given, it is the plan's."""
    loaded = plan if isinstance(plan, Loaded) else Loaded(plan, find(plan.world), plan.world)
    program = program_of(adjusted(loaded, Options(log=log)))
    check_alone(program.log, program.worlds)
    async with open_run(program) as run:
        await run.survey()
        return await run.play()
