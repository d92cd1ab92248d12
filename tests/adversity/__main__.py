"""Attacks at length: `make attack MINUTES=10 SEED=n`, `make attack ONLY=flips,cuts`; and what one
found, again and alone: `make attack ONLY=flips SEED=n ROUND=k`."""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from random import SystemRandom
from time import monotonic

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS), str(TESTS / "support")]

import structlog
from adversity.attack import Ground, Strike, play
from adversity.attacks import ATTACKS
from msgspec import Struct
from postgres_server import Cluster, NoPostgres
from rich.console import Console
from rich.table import Table

console = Console()

MOST = 50
"""Rounds of one attack that find something; then it is known to succeed."""

KIND = 40
"""Letters of a message by which two findings are told apart."""


class Outcome(Struct, frozen=True):
    """What came of one attack: in which rounds it found something."""

    attack: str
    rounds: int
    findings: tuple[int, ...]
    seconds: float
    missing: str = ""


def main() -> int:
    options = _options()
    for name in ("aiohttp.server", "asyncio"):  # of those who attack, not of who is attacked
        logging.getLogger(name).setLevel(logging.CRITICAL)
    quiet = structlog.make_filtering_bound_logger(logging.CRITICAL)
    structlog.configure(wrapper_class=quiet)  # that a connection was lost is no news here
    console.print(f"SEED={options.seed}", highlight=False)
    names = _chosen(options.only)
    with _ground() as ground:
        outcomes = [_attacked(name, ground, options, len(names)) for name in names]
    _show(outcomes, options.seed)
    return 1 if any(one.findings for one in outcomes) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests/adversity", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="for all of them, or about that")
    parser.add_argument("--rounds", type=int, help="of each, instead of minutes")
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**6))
    parser.add_argument("--only", default="", help="attacks, with commas between")
    parser.add_argument("--round", type=int, help="this one alone")
    return parser.parse_args()


def _chosen(only: str) -> list[str]:
    names = [name.strip() for name in only.split(",")] if only else list(ATTACKS)
    if unknown := [name for name in names if name not in ATTACKS]:
        sys.exit(f"no attack {', '.join(unknown)}: there are {', '.join(ATTACKS)}")
    return names


@contextmanager
def _ground() -> Iterator[Ground]:
    """A folder, and a PostgreSQL server from when it is first asked for."""
    with ExitStack() as opened:
        folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="attack-"))

        @cache
        def postgres() -> Cluster:
            return opened.enter_context(Cluster())

        yield Ground(Path(folder), postgres)


def _attacked(name: str, ground: Ground, options: argparse.Namespace, attacks: int) -> Outcome:
    begun, rounds, findings, seen = monotonic(), 0, list[int](), set[str]()
    ends = begun + 60 * options.minutes / attacks
    numbers = [options.round] if options.round is not None else count()
    try:
        with ATTACKS[name].setup(ground) as strike, console.status(name):
            for number in numbers:
                late = monotonic() >= ends and rounds >= ATTACKS[name].least
                over = late if options.rounds is None else rounds >= options.rounds
                if over or len(findings) >= MOST:
                    break
                rounds += 1
                findings += [number] * _found(name, strike, options.seed, number, seen)
    except NoPostgres as missing:
        return Outcome(name, rounds, tuple(findings), monotonic() - begun, str(missing))
    return Outcome(name, rounds, tuple(findings), monotonic() - begun)


def _found(name: str, strike: Strike, seed: int, number: int, seen: set[str]) -> bool:
    """Whether a round found something; what had not been `seen` before is shown."""
    try:
        play(name, strike, seed, number)
    except NoPostgres:
        raise
    except Exception as error:  # noqa: BLE001  (whatever it is, it is a finding)
        kind = f"{traceback.extract_tb(error.__traceback__)[-1]} {str(error)[:KIND]}"
        if kind not in seen:
            seen.add(kind)
            told = "".join(traceback.format_exception(error, limit=-4))
            console.print(f"[red]{name}, round {number}[/]")
            console.print(told, highlight=False, markup=False, soft_wrap=True)
        return True
    return False


def _show(outcomes: list[Outcome], seed: int) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("attack", "rounds", "findings", "seconds"):
        table.add_column(title, justify="left" if title == "attack" else "right")
    for one in outcomes:
        cells = f"{one.rounds:,}", f"{len(one.findings):,}", f"{one.seconds:,.0f}"
        table.add_row(one.attack, *cells)
    console.print(table)
    for one in outcomes:
        if one.missing:
            console.print(f"{one.attack}: [yellow]{one.missing}[/]", highlight=False)
        for number in one.findings[:5]:
            again = f"make attack SEED={seed} ONLY={one.attack} ROUND={number}"
            console.print(f"[red]{one.attack}[/]: {again}", highlight=False)


if __name__ == "__main__":
    sys.exit(main())
