"""Drawing with matplotlib, which is an extra: what all drawn figures have in common."""

from __future__ import annotations

from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any

from whoknew.engine.errors import NoPlots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def check_plots() -> None:
    """Say at once where nothing can be drawn: not after everything was played."""
    if not find_spec("matplotlib"):
        raise NoPlots("curves need matplotlib: pip install 'whoknew[plots]', or leave out --out")


def set_up() -> None:
    """The same bytes for the same figure, whatever the machine has set up."""
    import matplotlib as mpl

    mpl.use("agg")
    mpl.rcParams.update(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": "whoknew",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )


def plain(text: str) -> str:
    """Not as a formula."""
    return text.replace("$", r"\$")


def as_bytes(figure: Figure, form: str) -> bytes:
    """A figure as SVG or PNG."""
    file = BytesIO()
    metadata: dict[str, Any] = {"Date": None} if form == "svg" else {"Software": None}
    figure.savefig(file, format=form, dpi=150, metadata=metadata)
    return file.getvalue()
