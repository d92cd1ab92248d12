"""The step by which bookmarks came to mind, as `whoknew exam show` shows it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.agents.memories.bookmarks.call_cost import CallCost
from whoknew.engine.exams.bookmarks.step_seen import BookmarkSeen, StepSeen
from whoknew.engine.terminal.bookmarks import listed
from whoknew.engine.terminal.console import lined, safe
from whoknew.eventlog.counted import counted


def step_shown(step: StepSeen) -> Iterator[RenderableType]:
    head = f"\nBookmarks of {safe(step.who)}, after {counted(step.lines, 'line')}"
    yield Text(head, "bold cyan")
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for one in step.bookmarks:
        table.add_row(str(one.number), one.kind, _said(one, step))
    yield table
    yield Text(_saved(step), "dim")
    if costs := step.costs:
        yield Text(f"{_took(costs.took)}; from the start: {_took(costs.anew)}", "dim")


def _took(cost: CallCost) -> str:
    return f"{counted(cost.calls, 'call')}, {counted(cost.tokens, 'token')}"


def _said(one: BookmarkSeen, step: StepSeen) -> Text:
    said = Text(safe(one.question))
    said.append(f"\n{lined(one.answer)}", "" if one.rests_on else "dim")
    return said.append(f"\n({'; '.join(_remarks(one, step))})", "dim")


def _remarks(one: BookmarkSeen, step: StepSeen) -> Iterator[str]:
    yield one.origin
    if one.asked:
        yield f"asked as: {safe(one.asked)}"
    if one.derived_from:
        yield f"derived from {one.derived_from}: {safe(one.parent)}"
    if one.new or one.read or one.origin != "near":
        yield f"{one.new:,} of {counted(step.lines, 'line')} new, {one.read:,} read"
    if one.rests_on:
        yield f"rests on {listed(one.rests_on)}"


def _saved(step: StepSeen) -> str:
    kept = "taken for this question, and not kept" if step.passing else "kept before an action"
    if step.saved is None:
        return f"a step {kept}; nothing was asked"
    return (
        f"a step {kept}: {step.new:,} of {counted(step.scratch, 'line')} were new, "
        f"{step.read:,} read; {step.saved:.0%} of reading each from the start was saved"
    )
