"""`whoknew exam check`: what an exam would be, or what is wrong with it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.exams.check import CheckedExam, all_mistakes, check
from whoknew.engine.exams.document import sifted, sound
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.terminal.answer import answer, reporting, set_aside
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.errors import say_loading
from whoknew.engine.terminal.exam.arm_style import arm_style
from whoknew.engine.terminal.exam.plans import (
    ExamLogOption,
    OfflineOption,
    PlanFile,
    as_kept,
)
from whoknew.engine.terminal.options import Json, alone
from whoknew.eventlog.counted import counted
from whoknew.worlds.errors import BadDocument

app = alone()


@app.command(epilog="Example: whoknew exam check exam.toml")
def command(
    plan: PlanFile,
    log: ExamLogOption = None,
    offline: OfflineOption = False,
    json: Json = False,
) -> None:
    """Check the plan of an exam, its questions, and its worlds.

    All mistakes are told at once, each with its line. Nothing is asked.
    """
    with reporting(), set_aside(json):
        found = sifted(plan, say_loading)
        if found.mistakes:
            raise BadDocument(asyncio.run(all_mistakes(found)))
        exam = as_kept(sound(found), ExamOptions(log=log, offline=offline))
    answer(check(exam), shown, json)


def shown(found: CheckedExam) -> Group:
    return Group(*_parts(found))


def _parts(found: CheckedExam) -> Iterator[RenderableType]:
    cells = sum(arm.cells for arm in found.arms)
    times = f" x {found.repeats} times" if found.repeats > 1 else ""
    yield Text(
        f"{safe(found.name)}: {counted(found.units, found.unit)} x "
        f"{counted(len(found.arms), 'arm')}{times} = {counted(cells, 'cell')}",
        style="bold",
    )
    about = f"about {counted(found.worlds, 'world')} of {safe(found.material)}, "
    yield Text(f"{about if found.unit == 'question' else ''}kept in {safe(found.log)}")
    kinds = ", ".join(f"{safe(kind)} {count:,}" for kind, count in found.kinds.items())
    yield Text(f"kinds: {kinds}")
    yield _arms(found)
    for memory in found.memories:
        what = f"{safe(memory.memory)}, by {safe(memory.model)}"
        arms = ", ".join(map(safe, memory.arms))
        who = counted(memory.characters, "character")
        how = "derived, whatever was kept in play" if memory.own else "derived where there is none"
        yield Text(f"memory ({what}) for {arms}: of {who}, {how}")
    for judge in found.judges:
        by = f"{safe(judge.by)}, {safe(judge.model)}" if judge.model else safe(judge.by)
        part = f"{judge.units:,} of {counted(found.units, found.unit)}"
        left = found.units - judge.units
        verb, needs = "lacks" if left == 1 else "lack", ", ".join(judge.needs)
        lack = f", the other {left:,} {verb} what it needs ({needs})" if left else ""
        yield Text(f"judge {safe(judge.name)} ({by}): {part}{lack}")
    if not found.judges:
        yield Text("no judges: answers are collected, and not judged", style="yellow")
    for remark in found.remarks[:SOME]:
        yield Text(safe(remark), style="yellow")
    if len(found.remarks) > SOME:
        yield Text(f"... and {len(found.remarks) - SOME:,} more like these: --json", style="yellow")


SOME = 8
"""So many remarks are shown: a list without an end is not read."""


AGENT = "mind"
"""Who acts in a seat where the plan does not say: a model. Only others are worth a column."""


def _arms(found: CheckedExam) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    acting = ("agent",) if any(arm.agent != AGENT for arm in found.arms) else ()
    shown = ("model", "memory", "method", *acting)
    for head in ("arm", *shown):
        table.add_column(head, overflow="fold")
    table.add_column("cells", justify="right")
    table.add_column("done", justify="right")
    for arm in found.arms:
        words = map(safe, (arm.name, *(getattr(arm, what) for what in shown)))
        table.add_row(*words, f"{arm.cells:,}", f"{arm.done:,}", style=arm_style(arm.name))
    return table
