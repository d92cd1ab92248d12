"""What the page of a report says of the table as a whole: comparisons, what it took, what stands behind
it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from whoknew.engine.exams.beside import apart, moved
from whoknew.engine.exams.comparing import ONE_CLUSTER, of_one_cluster, worded
from whoknew.engine.exams.control import is_unsafe
from whoknew.engine.exams.figures import mean_shown
from whoknew.engine.exams.page import Html, heads, row, shortened, tag, wide
from whoknew.engine.exams.page_extras import published
from whoknew.engine.exams.planted import KINDS
from whoknew.engine.exams.table import ExamTable
from whoknew.eventlog.counted import counted

TEXT = 400
"""Signs of a question or an answer."""


def origin(table: ExamTable) -> str:
    times = f", each {table.repeats} times" if table.repeats > 1 else ""
    about = f", about {table.material}" if table.material != table.log else ""
    return (
        f"{counted(table.units, table.unit)}{times}{about}, kept in {table.log}. "
        f"Seed {table.seed}, whoknew {table.version}. The links lead to whoknew serve --log "
        f"{table.material}."
    )


def arm_style(arm: str) -> str:
    """That of an arm which leaks, in red."""
    return "unsafe" if is_unsafe(arm) else ""


def arm_cells(kind: str, cells: Iterable[tuple[str, str]]) -> list[Html]:
    """A cell of each arm, beside one another."""
    return [tag(kind, text, **_styled(arm)) for arm, text in cells]


def _styled(arm: str) -> dict[str, str]:
    return {"class_": style} if (style := arm_style(arm)) else {}


def in_words(text: str) -> Html:
    return tag("span", shortened(text, TEXT), class_="words")


def comparisons(table: ExamTable) -> Iterator[str]:
    every = (*table.comparisons.items(), *table.player_comparisons.items())
    alone = of_one_cluster(pair for _, pairs in every for pair in pairs)
    for score, pairs in every:
        if pairs:
            yield tag("h2", f"{score}, one beside the other")
            first = sorted(pairs, key=lambda pair: not pair.tells)
            told = (worded(pair, known=alone, fault=score in table.faults) for pair in first)
            yield tag("ul", *(tag("li", one) for one in told))
    if alone:
        yield tag("p", ONE_CLUSTER, class_="warning")


def own_figures(table: ExamTable) -> Html:
    """What the kind of exam counts beyond what its judges give."""
    rows = [heads("arm", *table.own)]
    for one in table.rows:
        values = [arms.get(one.arm) for arms in table.own.values()]
        told = (_figure(value) for value in values)
        rows.append(row([one.arm, *told], style=arm_style(one.arm)))
    rows += published(table, table.own)
    return wide(rows, "Figures of its own")


def _figure(value: float | None) -> str:
    """A count as a count."""
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def judge_cards(table: ExamTable) -> Html:
    """A judge should take what is perfect, and nothing else."""
    rows = [heads("judge", "score", *KINDS)]
    for card in table.cards:
        heard = [card.kinds.get(kind) for kind in KINDS]
        rows.append(row([card.judge, card.score, *(one.told if one else "-" for one in heard)]))
    return wide(rows, "What judges take of planted answers")


def costs(table: ExamTable) -> Html:
    leaks = ["prompts that leak"] if any(one.leaking for one in table.rows) else []
    refused = ["answers refused"] if any(one.refused for one in table.rows) else []
    rows = [heads("arm", "digest", "calls", "tokens", "money", "judging", *leaks, *refused)]
    for one in table.rows:
        took = [_money(one.money), _money(one.judging)]
        took += [f"{one.leaking:,} of {one.prompts:,}" for _ in leaks]
        took += [f"{one.refused:,}" for _ in refused]
        cells = [one.arm, one.digest, f"{one.calls:,}", f"{one.tokens:,}", *took]
        rows.append(row(cells, style=arm_style(one.arm)))
    for memory in table.remembering:
        what = f"remembering ({memory.memory}, {memory.steps:,} steps)"
        calls, tokens = f"{memory.calls:,}", f"{memory.tokens:,}"
        rows.append(row([what, memory.digest, calls, tokens, _money(memory.money), ""]))
    for writer in table.writing:
        what = (
            f"writing questions ({writer.model}, {writer.kept:,} kept, {writer.refused:,} refused)"
        )
        what += "".join(
            f"; {kind} {one.kept:,} of {one.kept + one.refused:,}"
            for kind, one in writer.texts.items()
        )
        calls, tokens = f"{writer.calls:,}", f"{writer.tokens:,}"
        rows.append(row([what, writer.digest, calls, tokens, _money(writer.money), ""]))
    return wide(rows, "What it took")


def _money(dollars: float | None) -> str:
    return "unknown" if dollars is None else f"${dollars:,.4f}"


def beside_earlier(table: ExamTable, other: ExamTable) -> Iterator[str]:
    yield tag("h2", f"Beside an earlier one: {other.name}")
    yield tag("p", origin(other), class_="quiet")
    yield from (tag("p", f"Not the same: {what}.") for what in apart(table, other))
    rows = [heads("arm", "score", "here", "there", "difference", "")]
    for one in moved(table, other):
        cells = [one.arm, one.score, mean_shown(one.here), mean_shown(one.there), one.difference]
        words = in_words("; ".join(one.otherwise))
        rows.append(row([*cells, words], style=arm_style(one.arm)))
    yield wide(rows, "This less the earlier one, in standard errors (SE), units unpaired")


def settings_behind(table: ExamTable) -> Iterator[str]:
    yield tag("h2", "What stands behind it")
    for what, parts in (("arm", table.arms), ("judge", table.judges)):
        for one in parts:
            settings = msgspec.json.format(msgspec.json.encode(one.settings), indent=2).decode()
            name = tag("summary", f"{what} {one.name}, digest {one.digest}")
            yield tag("details", name, tag("pre", settings))
