"""What an exam of lives came to, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.exams.agreement import Agreement
from whoknew.engine.exams.lifelong.lifelong import LivesReported
from whoknew.engine.exams.lifelong.paper import PUBLISHED
from whoknew.engine.exams.lifelong.report import PARTS, ExamReport, Figure
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.figures import counted, money, short

HEADS = {"believability": "BEL", "goal": "GOAL", "points": "points", "recall": "recall"}
"""The metrics that are shown, and what they are called."""


TROUBLES = ("skipped", "forgotten")
"""Turns, and memories, that could not be had: shown where there were any."""


def shown(found: LivesReported, command: str) -> Group:
    parts: list[RenderableType] = [*_head(found.report), *_scores(found.report, paper=found.paper)]
    if found.other is not None:
        other = f"{found.other.name}, bank {found.other.bank}, {found.other.log}"
        parts.append(Text(f"Beside it: {safe(other)}", style="bold"))
        parts += _scores(found.other)
    parts += [Text("what it took", style="bold"), _costs(found.report), *_secrets(found.report)]
    if found.agreements:
        parts.append(_validation(found.agreements))
    if found.unmet:
        what = f"{counted(found.unmet, 'label')} of which no judge has a verdict"
        parts.append(Text(what, style="yellow"))
    if found.files:
        page = next(one for one in found.files if one.endswith(".html"))
        parts.append(Text(f"wrote {safe(page)} and {len(found.files) - 1} files beside it"))
    parts += list(_next(found.report, command, found.files))
    return Group(*parts)


def _head(found: ExamReport) -> Iterator[Text]:
    lives = max((one.lives for one in found.rows), default=0)
    yield Text(
        f"{'1 life' if lives == 1 else f'{lives} lives'} of "
        f"{found.episodes} + {found.hard} hard episodes in each of "
        f"{counted(len(found.rows), 'arm')}; bank {safe(found.bank)!r}"
    )
    if not found.finished:
        done = min(one.episodes for one in found.rows)
        whole = max(one.planned for one in found.rows)
        what = f"unfinished: {done} of {whole} episodes in the arm with the fewest"
        yield Text(what, style="yellow")
    judges = ", ".join(f"{safe(name)} ({safe(by)})" for name, by in found.judges.items())
    yield Text(f"judges: {judges or 'none'}", style="dim")
    yield Text("mean ± sample deviation over lives, each life by its own mean", style="dim")


def _scores(found: ExamReport, *, paper: bool = False) -> Iterator[RenderableType]:
    for part in PARTS:
        some = {one for row in found.rows for one in HEADS if row.figures[part][one].values}
        if not some:
            continue
        yield Text(f"{part} episodes", style="bold")
        table = _table()
        heads = [one for one in HEADS if one in some]
        for head in heads:
            table.add_column(HEADS[head], justify="right")
        for row in found.rows:
            table.add_row(safe(row.arm), *(_figure(row.figures[part][one]) for one in heads))
        if paper and part == "hard":
            for one in PUBLISHED:
                pairs = {
                    "believability": _pair(one.believability, one.believability_deviation),
                    "goal": _pair(one.goal, one.goal_deviation),
                }
                name = f"paper: {one.model}, {one.memory}"
                table.add_row(name, *(pairs.get(head, "") for head in heads), style="dim")
        yield table


def _table() -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("arm", overflow="fold")
    return table


def _costs(found: ExamReport) -> Table:
    table = _table()
    some = [one for one in TROUBLES if any(getattr(row, one) for row in found.rows)]
    for head in ("lives", "episodes", "failures", *some, "calls", "tokens", "money"):
        table.add_column(head, justify="right")
    for row in found.rows:
        whole = row.episodes == row.planned
        table.add_row(
            safe(row.arm),
            str(row.lives),
            str(row.episodes) if whole else f"{row.episodes} of {row.planned}",
            str(row.failures),
            *(str(getattr(row, one)) for one in some),
            short(row.calls),
            short(row.tokens),
            money(row.money),
        )
    return table


def _secrets(found: ExamReport) -> Iterator[Text]:
    till = "to the end" if found.finished else "so far"
    arms = {arm: kept for arm, kept in found.kept.items() if kept}
    for arm, kept in arms.items():
        if kept[-1] < 1:
            yield Text(f"{safe(arm)}: {kept[-1]:.0%} of the secrets were kept {till}")
    if arms and all(kept[-1] == 1 for kept in arms.values()):
        yield Text(f"Every secret was kept {till}.")
    if goals := sum(one.what == "goal" for one in found.secrets):
        yield Text(f"{counted(goals, 'private goal')} got out by being said aloud.")


def _validation(agreements: Sequence[Agreement]) -> Table:
    """How judges agree with people, check by check."""
    table = Table(
        box=SIMPLE_HEAD, pad_edge=False, title="judges against labels", title_justify="left"
    )
    for head in ("judge", "check"):
        table.add_column(head, overflow="fold")
    for head in ("labels", "failed", "found", "precision", "recall", "F1"):
        table.add_column(head, justify="right")
    for one in agreements:
        rates = (_rate(one.precision), _rate(one.recall), _rate(one.f1))
        counts = (str(one.labels), str(one.wanted), str(one.found))
        table.add_row(safe(one.judge), one.score, *counts, *rates)
    return table


def _next(found: ExamReport, command: str, written: Sequence[str]) -> Iterator[Text]:
    if found.finished:
        watching = safe(command_text("serve", log=found.log))
        yield Text(f"To watch any of it: {watching}", style="cyan")
        if command and not written:
            yield Text(f"Curves and a page: {safe(command)} --out report", style="cyan")


def _figure(one: Figure) -> str:
    return "-" if one.mean is None else _pair(one.mean, one.deviation)


def _pair(mean: float, deviation: float | None) -> str:
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} ±{deviation:.2f}"


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
