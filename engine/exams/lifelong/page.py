"""A report as one page that needs nothing beside itself, and links into the viewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from whoknew.engine.exams.agreement import Agreement
from whoknew.engine.exams.lifelong.paper import PUBLISHED
from whoknew.engine.exams.lifelong.report import PARTS, ExamReport, Figure, Point
from whoknew.engine.exams.lifelong.tally import METRICS
from whoknew.engine.exams.page import (
    Html,
    anchor,
    document,
    heads,
    inline,
    link,
    row,
    tag,
    wide,
)


def page(
    report: ExamReport,
    viewer: str,
    drawings: Mapping[str, bytes],
    *,
    other: ExamReport | None = None,
    paper: bool = False,
    agreements: Iterable[Agreement] = (),
) -> str:
    parts = [
        tag("h1", f"{report.name}: lives of {report.episodes} + {report.hard} episodes"),
        tag(
            "p",
            f"{report.relationship}, bank {report.bank}, log {report.log}. Judges: "
            f"{_judges(report)}. Mean ± sample deviation over lives, each life by its own mean.",
            class_="quiet",
        ),
        *_table(report, paper=paper),
    ]
    if other is not None:
        parts += [tag("h2", f"Beside it: {_called(other)}"), *_table(other), *_moved(report, other)]
    for name, drawing in drawings.items():
        parts += [tag("h2", name), tag("div", inline(drawing), class_="wide drawn", tabindex="0")]
    parts += list(_told(report, viewer))
    parts += list(_validated(list(agreements)))
    parts += list(_behind(report, viewer))
    return document(report.name, parts)


def _called(report: ExamReport) -> str:
    return f"{report.name}, bank {report.bank}, {report.log}"


def _judges(report: ExamReport) -> str:
    return ", ".join(f"{name} ({by})" for name, by in report.judges.items()) or "none"


def _table(report: ExamReport, *, paper: bool = False) -> list[Html]:
    """A table for the ordinary episodes, one for the hard ones, and one of what it took."""
    parts = [_scores(report, part, paper=paper and part == "hard") for part in PARTS]
    rows = [heads("arm", "model", "lives", "episodes", *COUNTS, "money")]
    for one in report.rows:
        money = "unknown" if one.money is None else f"${one.money:.2f}"
        counts = [str(getattr(one, count)) for count in COUNTS]
        episodes = f"{one.episodes} of {one.planned}"
        rows.append(row([one.arm, one.model, str(one.lives), episodes, *counts, money]))
    return [*parts, wide(rows, "What it took")]


COUNTS = ("failures", "skipped", "forgotten", "calls", "tokens")


def _scores(report: ExamReport, part: str, *, paper: bool) -> Html:
    some = [one for one in METRICS if any(row.figures[part][one].values for row in report.rows)]
    if not some:
        return Html("")
    rows = [heads("arm", *some)]
    rows += [
        row([arm.arm, *(_figure(arm.figures[part][one]) for one in some)]) for arm in report.rows
    ]
    for one in PUBLISHED if paper else ():
        pairs = {
            "believability": _plus(one.believability, one.believability_deviation),
            "goal": _plus(one.goal, one.goal_deviation),
        }
        name = f"the paper's: {one.model}, {one.memory}"
        rows.append(row([name, *(pairs.get(metric, "") for metric in some)], style="paper"))
    return wide(rows, f"{part.capitalize()} episodes")


def _moved(report: ExamReport, other: ExamReport) -> Iterator[Html]:
    """What is otherwise, arm by arm, in standard errors of the difference."""
    theirs = {one.arm: one for one in other.rows}
    for part in PARTS:
        rows = [heads("arm", *METRICS)]
        for one in report.rows:
            if one.arm in theirs:
                here, there = one.figures[part], theirs[one.arm].figures[part]
                rows.append(row([one.arm, *(_difference(here[m], there[m]) for m in METRICS)]))
        what = "this minus the other (SE: standard errors, lives unpaired)"
        yield wide(rows, f"{part.capitalize()} episodes: {what}")


def _difference(one: Figure, other: Figure) -> str:
    if one.mean is None or other.mean is None:
        return "-"
    moved = one.mean - other.mean
    if one.error is None or other.error is None:
        return f"{moved:+.2f}"
    error = (one.error**2 + other.error**2) ** 0.5
    return f"{moved:+.2f} ({moved / error:+.1f} SE)" if error else f"{moved:+.2f}"


def _told(report: ExamReport, viewer: str) -> Iterator[Html]:
    yield tag("h2", "Private facts that got out")
    if not report.secrets:
        yield tag("p", "None.")
        return
    rows = [heads("what", "whose", "to", "when", "how")]
    for one in report.secrets[:_MOST]:
        when = f"{one.world} E{one.episode} #{one.seq}"
        place = anchor(when, link(viewer, one.world, one.seq))
        rows.append(row([one.what, one.owner, one.to, place, one.by]))
    yield wide(rows, "Who told whom")
    if len(report.secrets) > _MOST:
        yield tag("p", f"... and {len(report.secrets) - _MOST} more, in report.json.")


_MOST = 200


def _validated(agreements: list[Agreement]) -> Iterator[Html]:
    if agreements:
        rows = [heads("judge", "check", "labels", "failed", "found", "precision", "recall", "F1")]
        for one in agreements:
            rates = [one.precision, one.recall, one.f1]
            counts = [str(one.labels), str(one.wanted), str(one.found)]
            shown = ["-" if rate is None else f"{rate:.2f}" for rate in rates]
            rows.append(row([one.judge, one.score, *counts, *shown]))
        yield wide(rows, "Judges against labels")


def _behind(report: ExamReport, viewer: str) -> Iterator[Html]:
    """The episodes behind each point."""
    yield tag("h2", "The episodes behind each point")
    for curve in report.curves:
        if curve.metric == "goal":
            title = tag("summary", f"{curve.arm}: by episode, each life")
            points = [_point(point, viewer) for point in curve.points]
            yield tag("details", title, tag("ol", *points))


def _point(point: Point, viewer: str) -> Html:
    links = [
        anchor(world.rsplit("-", 1)[-1], link(viewer, world, cursor), world)
        for world, cursor in point.behind
    ]
    mark = " (hard)" if point.hard else ""
    lives = Html(" ".join(links))
    return tag("li", lives, f" GOAL {_figure(point.figure)}{mark}", value=str(point.episode))


def _figure(one: Figure) -> str:
    return "-" if one.mean is None else _plus(one.mean, one.deviation)


def _plus(mean: float, deviation: float | None) -> str:
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} ±{deviation:.2f}"
