"""How fast, how big, how safe: `make bench`, `make bench QUICK=1`, `make bench ONLY=log`,
`make bench AGAINST=bench/earlier.json`; BIG=1 grows to 10,000,000 events, SOAK=1 takes ten minutes
more, HOUR=1 an hour."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
import traceback
from pathlib import Path
from time import monotonic

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS), str(TESTS / "support")]

from against import moves, show_moves
from figure import Figure, Missing
from machine import describe, filesystem
from page import page
from result import keep, kept, measured
from session import RESULTS, Session
from table import console, show
from warming import SMOKE

from whoknew.engine.terminal.garbage import collect_seldom

BIG = bool(os.environ.get("BIG"))

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
    "engine": ("episodes", "answers", "tellings", "seeking"),
    "cluster": ("cluster",),
    "travel": ("travel", "starts"),
    "server": ("viewers", "crowds", "pages", "live_page"),
    "exams": ("lifelong", "sittings", "moments", "bookmarks", "lives", "life_arms", "weights"),
    "growth": ("growth",),
    "truth": ("truth", "evidence"),
    "soak": ("soak",),
}
"""What can be asked for at once: each part is a file here that has `figures`."""


def main() -> int:
    collect_seldom()  # as the command line does
    options = _options()
    if options.quick:
        os.environ[SMOKE] = "1"
    parts, size = _chosen(options.only), "quick" if options.quick else "big" if BIG else "full"
    before = kept(options.against) if options.against else {}
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / ("quick.json" if options.quick else "latest.json")
    result, now = kept(file) if file.exists() else {}, {}
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(dir=RESULTS, prefix="run-") as folder:
        session = Session(Path(folder), options.quick, BIG)
        if filesystem(session.folder) == "tmpfs":
            console.print("[yellow]bench/ is in memory, where a sync costs nothing[/]")
        machine = describe(session.folder)
        took = dict[str, float]()
        for part in parts:
            begun = monotonic()
            found = _measured(part, session)
            took[part] = monotonic() - begun
            figures += found
            if part not in result or any(one.ours for one in found):
                now[part] = measured(found, machine, size)
                keep(file, {**result, **now})
    show(machine, figures)
    page({**result, **now}, file.with_suffix(".html"))
    longest = sorted(took.items(), key=lambda one: -one[1])
    console.print("[dim]took: " + ", ".join(f"{part} {secs:.0f} s" for part, secs in longest))
    console.print(f"[dim]{file} has it all, {file.with_suffix('.html')} in pictures[/]")
    if options.against:
        show_moves(moves(now, before), options.against.name)
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
        sys.exit(f"no {', '.join(unknown)} here: use {', '.join(dict.fromkeys([*GROUPS, *every]))}")
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


if __name__ == "__main__":
    sys.exit(main())
