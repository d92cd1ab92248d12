"""Drawing with matplotlib, which is an extra: what all drawn figures have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = 9
"""Of letters, in points."""

POINTS = 72
"""An inch has so many."""


def set_up() -> None:
    """The same bytes for the same figure, whatever the machine has set up."""
    import matplotlib as mpl

    mpl.use("agg")
    mpl.rcParams.update(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": "whoknew",
            "font.size": SIZE,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )


def stacked(
    width: float, heights: Sequence[float], *, left: float, above: float, below: float = 0.0
) -> tuple[Figure, list[Axes]]:
    """A figure of panels one below another, so high each with its title and its axis; all in inches.

    Where each stands is reckoned here: matplotlib's own layouts draw all of it several times to find that
    out, which takes half a minute where there are a hundred.
    """
    from matplotlib.figure import Figure

    whole = above + sum(heights) + below
    figure = Figure(figsize=(width, whole))
    axes: list[Axes] = []
    top = whole - above
    for height in heights:
        bottom = top - height
        box = (left / width, (bottom + AXIS) / whole, (width - left - RIGHT) / width)
        axes.append(figure.add_axes((*box, (height - AXIS - TITLE) / whole)))
        top = bottom
    return figure, axes


TITLE, AXIS, RIGHT = 0.25, 0.45, 0.15
"""Inches above a panel, below it, and beside it."""


def width_of(texts: Iterable[str]) -> float:
    """Of the longest, in inches."""
    from matplotlib.textpath import TextPath

    paths = (TextPath((0, 0), text, size=SIZE) for text in set(texts) if text.strip())
    return max((path.get_extents().x1 / POINTS for path in paths), default=0.0)


def plain(text: str) -> str:
    """Not as a formula."""
    return text.replace("$", r"\$")


def as_bytes(figure: Figure, form: str) -> bytes:
    """A figure as SVG or PNG."""
    file = BytesIO()
    metadata: dict[str, Any] = {"Date": None} if form == "svg" else {"Software": None}
    figure.savefig(file, format=form, dpi=150, metadata=metadata)
    return file.getvalue()
