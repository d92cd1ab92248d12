"""How fast, how big, how safe: `make bench`, `make bench QUICK=1`, `make bench ONLY=log`,
`make bench AGAINST=bench/earlier.json`; BIG=1 grows to 10,000,000 events, SOAK=1 takes ten minutes
more."""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

sys.path.append(str(Path(__file__).resolve().parents[1]))

from against import moves, show_moves
from figure import Figure, Missing
from machine import describe, filesystem
from page import page
from session import RESULTS, Session
from table import console, show

GROUPS = {
    "log": (
        "appends",
        "postgres",
        "reads",
        "views",
        "recalls",
        "sizes",
        "upkeep",
        "peers",
        "kills",
    ),
    "engine": ("episodes",),
    "travel": ("travel",),
    "server": ("viewers", "pages"),
    "exams": ("lifelong",),
    "growth": ("growth",),
    "truth": ("truth",),
    "soak": ("soak",),
}
"""What can be asked for at once: each part is a file here that has `figures`."""


def main() -> int:
    options = _options()
    RESULTS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=RESULTS, prefix="run-") as folder:
        session = Session(Path(folder), options.quick)
        if filesystem(session.folder) == "tmpfs":
            console.print("[yellow]bench/ is in memory, where a sync costs nothing[/]")
        machine = describe(session.folder)
        measured = {part: _measured(part, session) for part in _chosen(options.only)}
    figures = [figure for some in measured.values() for figure in some]
    show(machine, figures)
    result = _save(machine, measured, quick=options.quick)
    page(result, RESULTS / ("quick.html" if options.quick else "latest.html"))
    if options.against:
        show_moves(moves(result, options.against), options.against)
    return 1 if any(figure.missing.startswith("failed") for figure in figures) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests/bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smoke of each: tiny, no claims")
    parser.add_argument("--against", type=Path, help="an earlier result: what moved since")
    parser.add_argument("--only", default="", help="groups or parts, with commas between")
    return parser.parse_args()


def _chosen(only: str) -> list[str]:
    """The parts by their own names, or by their group's."""
    every = [part for parts in GROUPS.values() for part in parts]
    if not only:
        return every
    names = [name.strip() for name in only.split(",")]
    if unknown := [name for name in names if name not in {*GROUPS, *every}]:
        sys.exit(f"no {', '.join(unknown)} here: use {', '.join([*GROUPS, *every])}")
    return list(dict.fromkeys(part for name in names for part in GROUPS.get(name, (name,))))


def _measured(part: str, session: Session) -> list[Figure]:
    """The figures of a part, those measured before something went wrong included."""
    figures: list[Figure] = []
    try:
        with console.status(part):
            for figure in importlib.import_module(part).figures(session):
                figures.append(figure)
                console.print(f"[dim]{part}: {figure.name}[/]", highlight=False)
    except Missing as missing:
        figures.append(Figure(part, missing=str(missing)))
    except Exception as error:  # noqa: BLE001  (the other parts are still worth measuring)
        traceback.print_exc()
        figures.append(Figure(part, missing=f"failed: {error!r}"))
    return figures


def _save(
    machine: dict[str, str], measured: dict[str, list[Figure]], *, quick: bool
) -> dict[str, Any]:
    """A smoke says nothing of speed, so it does not take the place of a measurement."""
    path = RESULTS / ("quick.json" if quick else "latest.json")
    result: dict[str, Any] = {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine,
        "figures": {part: [one.summary() for one in some] for part, some in measured.items()},
    }
    path.write_bytes(msgspec.json.format(msgspec.json.encode(result)))
    console.print(f"[dim]saved to {path.relative_to(RESULTS.parent)}[/]", highlight=False)
    return result


if __name__ == "__main__":
    sys.exit(main())
