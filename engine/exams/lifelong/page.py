"""A report as one page that needs nothing beside itself, and links into the viewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from whoknew.engine.exams.lifelong.paper import PUBLISHED
from whoknew.engine.exams.lifelong.plots import link
from whoknew.engine.exams.lifelong.report import PARTS, ExamReport, Figure
from whoknew.engine.exams.lifelong.tally import METRICS
from whoknew.engine.exams.lifelong.validation import Agreement

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; margin: .5rem 0 1.2rem }
caption { text-align: left; font-weight: 600; padding: .3rem .7rem }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
.paper { color: #777; font-style: italic } .quiet { color: #666 }
svg { width: 100%; height: auto } a { color: #2a5db0 } summary { cursor: pointer }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #181818 } th, td { border-color: #444 }
  svg { background: #fff } a { color: #8ab4f8 } .quiet, .paper { color: #999 } }
"""


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
        f"<h1>{escape(report.name)}: lives of {report.episodes} + {report.hard} episodes</h1>",
        (
            f'<p class="quiet">{escape(report.relationship)}, bank {escape(report.bank)}, log '
            f"{escape(report.log)}. Judges: {escape(_judges(report))}. Mean ± sample deviation over "
            "lives, each life by its own mean.</p>"
        ),
        _table(report, paper=paper),
    ]
    if other is not None:
        parts += [
            f"<h2>Beside it: {escape(_called(other))}</h2>",
            _table(other),
            _moved(report, other),
        ]
    for name, drawing in drawings.items():
        parts += [f"<h2>{escape(name)}</h2>", _inline(drawing)]
    parts += list(_told(report, viewer))
    parts += list(_validated(list(agreements)))
    parts += list(_behind(report, viewer))
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(report.name)}</title><style>{STYLE}</style>\n{body}\n</html>\n"
    )


def _called(report: ExamReport) -> str:
    return f"{report.name}, bank {report.bank}, {report.log}"


def _judges(report: ExamReport) -> str:
    return ", ".join(f"{name} ({by})" for name, by in report.judges.items()) or "none"


def _table(report: ExamReport, *, paper: bool = False) -> str:
    """A table for the ordinary episodes, one for the hard ones, and one of what it took."""
    parts = [_scores(report, part, paper=paper and part == "hard") for part in PARTS]
    lines = [
        _row(
            [
                "arm",
                "model",
                "lives",
                "episodes",
                "failures",
                "skipped",
                "forgotten",
                "calls",
                "tokens",
                "money",
            ],
            "th",
        )
    ]
    for row in report.rows:
        money = "unknown" if row.money is None else f"${row.money:.2f}"
        counts = [
            f"{row.episodes} of {row.planned}",
            row.failures,
            row.skipped,
            row.forgotten,
            row.calls,
            row.tokens,
        ]
        lines.append(_row([row.arm, row.model, str(row.lives), *map(str, counts), money]))
    return "".join([*parts, _wide(lines, "What it took")])


def _scores(report: ExamReport, part: str, *, paper: bool) -> str:
    some = [one for one in METRICS if any(row.figures[part][one].values for row in report.rows)]
    if not some:
        return ""
    lines = [_row(["arm", *some], "th")]
    lines += [
        _row([row.arm, *(_figure(row.figures[part][one]) for one in some)]) for row in report.rows
    ]
    for one in PUBLISHED if paper else ():
        pairs = {
            "believability": _plus(one.believability, one.believability_deviation),
            "goal": _plus(one.goal, one.goal_deviation),
        }
        name = f"the paper's: {one.model}, {one.memory}"
        lines.append(_row([name, *(pairs.get(metric, "") for metric in some)], kind="paper"))
    return _wide(lines, f"{part.capitalize()} episodes")


def _wide(lines: Iterable[str], title: str) -> str:
    caption = f"<caption>{escape(title)}</caption>"
    return f'<div class="wide"><table>{caption}{"".join(lines)}</table></div>'


def _moved(report: ExamReport, other: ExamReport) -> str:
    """What is otherwise, arm by arm, in standard errors of the difference."""
    theirs = {row.arm: row for row in other.rows}
    found: list[str] = []
    for part in PARTS:
        lines = [_row(["arm", *METRICS], "th")]
        for row in report.rows:
            if row.arm in theirs:
                there = theirs[row.arm].figures[part]
                cells = [_difference(row.figures[part][one], there[one]) for one in METRICS]
                lines.append(_row([row.arm, *cells]))
        found.append(
            _wide(
                lines,
                f"{part.capitalize()} episodes: this minus the other (SE: standard errors, lives unpaired)",
            )
        )
    return "".join(found)


def _difference(one: Figure, other: Figure) -> str:
    if one.mean is None or other.mean is None:
        return "-"
    moved = one.mean - other.mean
    if one.error is None or other.error is None:
        return f"{moved:+.2f}"
    error = (one.error**2 + other.error**2) ** 0.5
    return f"{moved:+.2f} ({moved / error:+.1f} SE)" if error else f"{moved:+.2f}"


def _told(report: ExamReport, viewer: str) -> Iterator[str]:
    yield "<h2>Private facts that got out</h2>"
    if not report.secrets:
        yield "<p>None.</p>"
        return
    lines = [_row(["what", "whose", "to", "when", "how"], "th")]
    for one in report.secrets[:_MOST]:
        place = f'<a href="{escape(link(viewer, one.world, one.seq))}">'
        when = f"{place}{escape(one.world)} E{one.episode} #{one.seq}</a>"
        cells = [escape(one.what), escape(one.owner), escape(one.to), when, one.by]
        lines.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    yield f'<div class="wide"><table>{"".join(lines)}</table></div>'
    if len(report.secrets) > _MOST:
        yield f"<p>... and {len(report.secrets) - _MOST} more, in report.json.</p>"


_MOST = 200


def _validated(agreements: list[Agreement]) -> Iterator[str]:
    if agreements:
        heads = ["judge", "check", "labels", "failed", "found", "precision", "recall", "F1"]
        lines = [_row(heads, "th")]
        for one in agreements:
            rates = [one.precision, one.recall, one.f1]
            counts = [str(one.labels), str(one.failed), str(one.found)]
            shown = ["-" if rate is None else f"{rate:.2f}" for rate in rates]
            lines.append(_row([one.judge, one.check, *counts, *shown]))
        yield f"<h2>Judges against labels</h2><table>{''.join(lines)}</table>"


def _behind(report: ExamReport, viewer: str) -> Iterator[str]:
    """The episodes behind each point."""
    yield "<h2>The episodes behind each point</h2>"
    for curve in report.curves:
        if curve.metric != "goal":
            continue
        lines = []
        for point in curve.points:
            links = " ".join(
                f'<a href="{escape(link(viewer, world, cursor))}" title="{escape(world)}">{escape(world.rsplit("-", 1)[-1])}</a>'
                for world, cursor in point.behind
            )
            mark = " (hard)" if point.hard else ""
            lines.append(
                f"<li value={point.episode}>{links} GOAL {_figure(point.figure)}{mark}</li>"
            )
        yield f"<details><summary>{escape(curve.arm)}: by episode, each life</summary><ol>{''.join(lines)}</ol></details>"


def _inline(drawing: bytes) -> str:
    """A drawing as a part of the page."""
    text = drawing.decode()
    return text[text.index("<svg") :]


def _row(cells: Iterable[str], tag: str = "td", kind: str = "") -> str:
    of = f' class="{kind}"' if kind else ""
    return f"<tr{of}>{''.join(f'<{tag}>{escape(one)}</{tag}>' for one in cells)}</tr>"


def _figure(one: Figure) -> str:
    return "-" if one.mean is None else _plus(one.mean, one.deviation)


def _plus(mean: float, deviation: float | None) -> str:
    return f"{mean:.2f}" if deviation is None else f"{mean:.2f} ±{deviation:.2f}"
