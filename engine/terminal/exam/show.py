"""`whoknew exam show`: one cell, with all that led to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from whoknew.engine.exams.document import load_to_read
from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.scenes.show import show_scene
from whoknew.engine.exams.show import CellVerdict, EvidenceSeen, NoteSeen, ShownCell, show
from whoknew.engine.terminal.answer import answer, reporting, set_aside
from whoknew.engine.terminal.console import err, lined, safe
from whoknew.engine.terminal.exam.plans import ExamLogOption, OfflineOption, PlanFile, exam_of
from whoknew.engine.terminal.exam.scene_cell import scene_shown
from whoknew.engine.terminal.exam.step_seen import step_shown
from whoknew.engine.terminal.figures import voted
from whoknew.engine.terminal.options import Json, alone, argument
from whoknew.engine.terminal.prompt import call_shown
from whoknew.engine.terminal.transcript import line
from whoknew.eventlog import Event
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew exam show exam.toml entire 3")
def command(
    plan: PlanFile,
    arm: Annotated[str, argument("ARM")],
    unit: Annotated[str, argument("UNIT")],
    repeat: Annotated[
        int, typer.Option("--repeat", min=1, metavar="R", help="Which repeat of it.")
    ] = 1,
    log: ExamLogOption = None,
    offline: OfflineOption = False,
    json: Json = False,
) -> None:
    """Show one cell: question, prompt, answer, verdicts.

    UNIT is the id of a question, or the beginning of it, or the number of its line; of a scene its id
    or its number. Prompts are made again from the worlds, and checked against the digest of what was
    sent.
    """
    with reporting(), set_aside(json):
        exam = exam_of(plan, ExamOptions(log=log, offline=offline), load_to_read)
    for what in exam.unread:
        err().print(Text(safe(what), style="yellow"), soft_wrap=True)
    if isinstance(exam.kind, SceneKind):
        answer(show_scene(exam, arm, unit, repeat), scene_shown, json)
    else:
        answer(show(exam, arm, unit, repeat), shown, json)


def shown(found: ShownCell) -> Group:
    return Group(*_parts(found))


def _parts(found: ShownCell) -> Iterator[RenderableType]:
    asked = found.question
    where = f"{safe(asked.character)} in {safe(asked.world)} at #{found.cursor}"
    yield Text(f"{where}: {safe(asked.question)}", "bold")
    for choice in asked.choices:
        right = "  (right)" if choice == asked.correct else ""
        yield Text(f"  - {safe(choice)}{right}")
    if asked.reference is not None:
        yield Text(f"reference: {lined(asked.reference)}", "dim")
    yield Text(f"question {found.unit}, arm {safe(found.arm)}, repeat {found.repeat}", "dim")
    yield Text(f"\nWhat came to mind: {_came(found)}", "bold cyan")
    yield from map(_event, found.came_to_mind[:SOME])
    if len(found.came_to_mind) > SOME:
        yield Text(f"... and {len(found.came_to_mind) - SOME:,} more: --json", "dim")
    for note in found.memory:
        yield from _note(note)
    if found.step:
        yield from step_shown(found.step)
    for call in found.calls:
        yield from call_shown(call)
    for refused in found.refused:
        yield Text(f"the guard refused: {lined(refused.text)}", "yellow")
        yield Text(f"  {lined(refused.why)}", "dim")
    yield Text("\nThe answer", "bold cyan")
    yield from _answered(found)
    for verdict in found.verdicts:
        yield _verdict(verdict)
    yield from _evidence(found)


SOME = 30
"""So much of what came to mind is shown: all of a long life is not read."""


def _came(found: ShownCell) -> str:
    notes = f", {counted(len(found.memory), 'note')}" if found.memory else ""
    return counted(len(found.came_to_mind), "event") + notes


def _note(note: NoteSeen) -> Iterator[RenderableType]:
    """A note, and from which events it was written."""
    yield Text(f"remembered ({safe(note.strategy)}), of all up to #{note.upto}: {lined(note.text)}")
    seqs = [event.seq for event in note.sources]
    several = f"#{seqs[0]} to #{seqs[-1]}, " if len(seqs) > 1 else ""
    yield Text(f"  written from {several}{counted(len(seqs), 'event')}", "dim")


def _answered(found: ShownCell) -> Iterator[RenderableType]:
    if found.failure is not None:
        yield Text(f"failed: {lined(found.failure)}", "red")
    elif found.answer is None:
        tried = "no answer yet: its call failed, and the next run asks again"
        yield Text(tried if found.calls else "not asked yet", "yellow")
    else:
        yield Text(f"{lined(found.answer)}{voted(found.share)}")
        for event in found.rests_on:
            yield Text.assemble("  rests on ", _event(event))


def _verdict(verdict: CellVerdict) -> Text:
    if not verdict.scores:
        return Text(f"{safe(verdict.judge)} gave no verdict: {lined(verdict.reason)}", "red")
    scores = ", ".join(f"{safe(one)} {score:.3g}" for one, score in verdict.scores.items())
    return Text.assemble((f"{safe(verdict.judge)}: {scores}", "bold"), f"\n{lined(verdict.reason)}")


def _evidence(found: ShownCell) -> Iterator[RenderableType]:
    if found.evidence:
        yield Text("\nThe evidence", "bold cyan")
    for number, some in enumerate(found.evidence, start=1):
        for seen in some:
            yield Text.assemble(f"{number}. ", _seen(seen), "  ", _event(seen.event))


def _seen(seen: EvidenceSeen) -> tuple[str, str]:
    if not seen.witnessed:
        return "not witnessed by then", "dim"
    if seen.came_to_mind:
        return ("found and named" if seen.named else "found"), "green"
    return "missed", "red"


def _event(event: Event) -> Text:
    words = line(event) or Text(safe(event.text))
    return Text.assemble((f"#{event.seq}  ", "dim"), words)
