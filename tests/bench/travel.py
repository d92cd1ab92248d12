"""Travelling in a world of 100,000 events: each command as a whole process, as one waits for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import msgspec
from figure import Figure, Reach
from session import Session

COMMAND = (sys.executable, "-m", "whoknew.cli")
WORLD = "big"
EVENTS = 100_000
A_ROUND = 558
"""Events that ten nights in the diner come to, about."""

PLAN = """
world = "midnight-diner"
name = "big"
[episodes]
repeat = {repeat}
[agents.everyone]
memory = "none"
"""

LOOKS = (
    ("replay", WORLD),
    ("replay", WORLD, "--at", "#{middle}"),
    ("replay", WORLD, "--at", "#{middle}", "--as", "Vera"),
    ("knows", WORLD, "--at", "#{middle}", "--about", "cannot taste"),
    ("prompt", WORLD, "E{episode}.T5"),
    ("fork", WORLD, "--at", "#{middle}"),
    ("recall", WORLD, "Vera", "salt lemon", "--at", "#2000"),
)


def figures(session: Session) -> Iterator[Figure]:
    log = session.folder / "big.db"
    events = session.size(EVENTS, 2_000)
    held = played(session.folder, log, events)
    middle = {"middle": str(held // 2), "episode": str(max(1, held // A_ROUND * 8))}
    for words in LOOKS:
        filled = [word.format(**middle) for word in words]
        pairs = session.interleaved(
            lambda filled=filled: _seconds(*COMMAND, *filled, "--log", str(log)),
            lambda: _seconds(*COMMAND, "--version"),
        )
        yield Figure(
            f"{' '.join(filled)}, {held:,} events",
            "s",
            [ours for ours, _ in pairs],
            [least for _, least in pairs],
            "s that `whoknew --version` takes",
            Reach(0.5, "most"),
        )
    taken = [_seconds(*COMMAND, "rerun", WORLD, "--log", str(log)) for _ in range(session.runs)]
    yield Figure(
        f"rerun, {held:,} events, as a whole process",
        "events/s",
        [held / one for one in taken],
        reach=Reach(20_000, "least"),
    )


def played(folder: Path, log: Path, events: int) -> int:
    """A world that the engine has played until it holds so many events, unless it is there."""
    if log.exists():
        return _held(log)
    plan = folder / "big.toml"
    plan.write_text(PLAN.format(repeat=-(-events // 388)))
    _seconds(*COMMAND, "run", str(plan), "--log", str(log))
    return _held(log)


def _held(log: Path) -> int:
    listed = subprocess.run(
        [*COMMAND, "ls", "--log", str(log), "--json"], check=True, capture_output=True
    )
    return int(msgspec.json.decode(listed.stdout)[0]["events"])


def _seconds(*words: str) -> float:
    begun = perf_counter()
    done = subprocess.run(words, check=False, capture_output=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.decode()}")
    return perf_counter() - begun
