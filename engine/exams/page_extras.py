"""What the page of some reports has beside figures: others' figures, what was found, the episodes behind
a curve, judges beside people."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from whoknew.engine.exams.curves import EPISODE
from whoknew.engine.exams.page import Html, anchor, heads, link, row, shortened, tag, wide
from whoknew.engine.exams.table import ExamTable

MOST, TEXT = 200, 400
"""Rows of a table, and signs of a text in it: its file has all."""


def published(table: ExamTable, wanted: Collection[str], blank: int = 0) -> Iterator[Html]:
    """What others had of these scores, row by row, below ours; nothing of those who had none. `blank`
    columns stand between their names and that."""
    for name, scores in table.published.items():
        if not scores.keys().isdisjoint(wanted):
            means = [_plus(*scores[score]) if score in scores else "" for score in wanted]
            yield row([name, *[""] * blank, *means], style="paper")


def published_alone(table: ExamTable) -> Iterator[Html]:
    """What others had, where no score of ours is like theirs."""
    theirs = dict.fromkeys(score for scores in table.published.values() for score in scores)
    if theirs and theirs.keys().isdisjoint((*table.figures, *table.own)):
        rows = [heads("who", *theirs), *published(table, theirs)]
        yield wide(rows, "What the paper has, of other material")


def found(table: ExamTable, viewer: str) -> Iterator[Html]:
    """What a kind of exam found in its worlds, each leading there."""
    for name, one in table.found.items():
        yield tag("h2", one.title)
        if not one.rows:
            yield tag("p", "None.")
            continue
        rows = [heads("where", *one.heads)]
        for each in one.rows[:MOST]:
            where = anchor(f"{each.world} #{each.seq}", link(viewer, each.world, each.seq))
            rows.append(row([where, *(shortened(word, TEXT) for word in each.words)]))
        left = len(one.rows) - MOST
        yield wide(rows, f"and {left:,} more in {name}.csv" if left > 0 else "")


def behind(table: ExamTable, viewer: str) -> Iterator[Html]:
    """The episodes behind the points of all curves, arm by arm."""
    episodes: dict[str, dict[int, dict[tuple[str, int], None]]] = {}
    for curve in (one for one in table.curves if one.axis == EPISODE):
        for point in curve.points:
            here = episodes.setdefault(curve.arm, {}).setdefault(point.episode, {})
            here.update(dict.fromkeys(point.behind))
    if episodes:
        yield tag("h2", "The episodes behind the curves")
    for arm, points in episodes.items():
        rows = [_episode(number, list(points[number]), viewer) for number in sorted(points)]
        yield tag("details", tag("summary", arm), tag("ol", *rows))


def _episode(number: int, moments: list[tuple[str, int]], viewer: str) -> Html:
    links = [anchor(world, link(viewer, world, seq)) for world, seq in moments]
    return tag("li", Html(", ".join(links)), value=str(number))


def people(table: ExamTable) -> Html:
    """How far judges agree with people."""
    rows = [heads("judge", "score", "labels", "found", "by people", *RATES)]
    for one in table.agreements:
        rates = (one.precision, one.recall, one.f1, one.kappa)
        counts = (str(one.labels), str(one.found), str(one.wanted))
        rated = ("-" if rate is None else f"{rate:.2f}" for rate in rates)
        rows.append(row([one.judge, one.score, *counts, *rated]))
    return wide(rows, "Judges beside people")


RATES = ("precision", "recall", "F1", "kappa")


def _plus(mean: float, deviation: float | None) -> str:
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} (deviation {deviation:.2f})"
