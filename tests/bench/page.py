"""A result as a page: the table, how far each figure reaches, and how things grow."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

from power import fit
from result import Result

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff }
.wide { overflow-x: auto } table { border-collapse: collapse; margin: 1rem 0 }
th, td { padding: .15rem .6rem; border-bottom: 1px solid #ddd; text-align: right }
th:first-child, td:first-child { text-align: left; width: 60% } td:not(:first-child) { white-space: nowrap }
.met { color: #2c7a3f } .missed { color: #b3372f }
small, .quiet { color: #666 } svg { width: 100%; height: auto }
"""


def page(result: Result, file: Path) -> None:
    body = ["<h1>How fast, how big, how true</h1>", *_parts(result), *_drawings(result)]
    head = f'<meta charset="utf-8"><title>Whoknew: make bench</title><style>{STYLE}</style>'
    file.write_text(f'<!doctype html><html lang="en">{head}\n{"".join(body)}</html>\n', "utf-8")


def _parts(result: Result) -> Iterator[str]:
    """A table each; above it when and where it was measured, where that is not as above."""
    said = ""
    for part, measured in result.items():
        machine = "; ".join(f"{what} {found}" for what, found in measured.machine.items())
        where = f"Commit {measured.commit}, {measured.size}, on {machine}."
        yield f"<h2>{escape(part)}</h2>"
        yield f'<p class="quiet">{escape(measured.made)}. {escape(where) if where != said else ""}</p>'
        said = where
        rows = "".join(map(_row, measured.figures))
        heads = "".join(
            f"<th>{head}</th>" for head in ("", "ours", "", "limit", "ratio", "±", "reach")
        )
        yield f'<div class="wide"><table><tr>{heads}</tr>{rows}</table></div>'


def _row(one: dict[str, Any]) -> str:
    told = [f"limit: {one['beside']}"] if one["beside"] else []
    told += [f"{what} {found}" for what, found in one["notes"].items()]
    name = f"{escape(one['name'])}<br><small>{escape('; '.join(told))}</small>"
    if one["missing"]:
        return f'<tr><td>{name}</td><td colspan="6">{escape(one["missing"])}</td></tr>'
    kind = {True: "met", False: "missed", None: ""}[one["met"]]
    cells = [_number(one["ours"]), one["unit"], _number(one["limit"]), _number(one["ratio"])]
    cells += ["" if one["spread"] is None else f"{one['spread']:.0%}", one["reach"] or ""]
    return f'<tr><td>{name}</td>{"".join(f"<td>{escape(cell)}</td>" for cell in cells[:-1])}<td class="{kind}">{escape(cells[-1])}</td></tr>'


def _drawings(result: Result) -> Iterator[str]:
    every = [one for measured in result.values() for one in measured.figures]
    grown = [one for one in every if len(one.get("curve") or ()) > 1]
    wanted = [one for one in every if one["share"] is not None]
    try:
        import matplotlib as mpl
    except ImportError:
        yield "<p>Drawing needs matplotlib: pip install 'whoknew[plots]'.</p>"
        return
    mpl.use("agg")
    if wanted:
        yield f"<h2>How far each comes of what is wanted</h2>{_reaches(wanted)}"
    if grown:
        yield f"<h2>How they grow</h2>{_growth(grown)}"


def _reaches(figures: list[dict[str, Any]]) -> str:
    """Bars that reach the line are there; the whisker is how far the runs lie apart."""
    from matplotlib.figure import Figure

    figures = figures[::-1]
    drawing = Figure(figsize=(9, 0.6 + 0.28 * len(figures)), layout="constrained")
    axis = drawing.subplots()
    shares = [one["share"] for one in figures]
    axis.barh(
        [one["name"][:60] for one in figures],
        shares,
        xerr=[share * (one["spread"] or 0) / 2 for share, one in zip(shares, figures, strict=True)],
        color=["#3f8f5a" if one["met"] else "#c23b3b" for one in figures],
        error_kw={"ecolor": "#555", "elinewidth": 0.8},
    )
    axis.margins(y=0.01)
    axis.set_xscale("log")
    axis.axvline(1, color="#222", linewidth=0.8)
    axis.set_xlabel("1: as wanted; more is better")
    axis.tick_params(labelsize=7)
    return _svg(drawing)


def _growth(figures: list[dict[str, Any]]) -> str:
    from matplotlib.figure import Figure

    rows = -(-len(figures) // 3)
    drawing = Figure(figsize=(10, 2.6 * rows), layout="constrained")
    axes = drawing.subplots(rows, 3, squeeze=False)
    for axis, one in zip(axes.flat, figures, strict=False):
        sizes, values = zip(*one["curve"], strict=True)
        axis.loglog(sizes, values, "o-", markersize=3, linewidth=1)
        middle = (min(values) * max(values)) ** 0.5
        axis.set_ylim(min(*values, middle / 3) * 0.8, max(*values, middle * 3) * 1.2)
        fitted = fit(sizes, values)
        axis.loglog(sizes, [fitted.at(size) for size in sizes], "--", color="#777", linewidth=0.8)
        told = f"n^{fitted.exponent:.2f}, at its end n^{one['ours']:.2f}"
        axis.set_title(f"{one['name'].removeprefix('growth: ')[:44]}\n{told}", fontsize=7)
        axis.tick_params(which="both", labelsize=6)
    for axis in axes.flat[len(figures) :]:
        axis.set_visible(False)
    drawing.supxlabel("size; dashed: the power that fits best", fontsize=8)
    return _svg(drawing)


def _svg(drawing: Any) -> str:
    file = BytesIO()
    drawing.savefig(file, format="svg")
    text = file.getvalue().decode()
    return text[text.index("<svg") :]


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
