"""`--plan`: the plan file whose own parts a command needs. A log alone has no code loaded."""

from __future__ import annotations

from typing import Annotated

from whoknew.engine.terminal.answer import reporting, set_aside
from whoknew.engine.terminal.errors import say_loading
from whoknew.engine.terminal.options import option

PlanOption = Annotated[
    str | None, option("--plan", "PLAN", "The plan file, if it names parts that stand beside it.")
]


def load_parts(plan: str | None, log: str, *, json: bool) -> None:
    """Load the parts that a plan names from beside it, as `whoknew run` does."""
    if plan is None:
        return
    from whoknew.engine.plan import loading

    with reporting(), set_aside(json):
        loading.load(plan, None, loading.Options(log, announce=say_loading))
