"""Travelling in a world of 100,000 events: each command as a whole process, as one waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import msgspec
from figure import Figure, Reach
from msgspec import Struct
from peer import run
from server import COMMAND
from session import Session

WORLD = "big"
EVENTS = 100_000

ROUND = 388
"""Events of each time through the ten nights of the diner, played offline; counted in a log of
twenty times. 76 more open the world."""

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
    ("knows", WORLD, "--at", "#{middle}", "--not", "Vera"),
    ("knows", WORLD, "--who", "Vera", "--new", "E{late}"),
    ("prompt", WORLD, "E{late}.T5"),
    ("fork", WORLD, "--at", "#{middle}"),
    ("recall", WORLD, "Vera", "salt lemon", "--at", "#2000"),
)


class Held(Struct, frozen=True):
    """As much of what `whoknew ls` tells of a world as is asked here."""

    name: str
    events: int
    closed: int


def figures(session: Session) -> Iterator[Figure]:
    log = session.folder / "big.db"
    held = played(session.folder, log, session.size(EVENTS, 2_000))
    places = {"middle": held.events // 2, "late": held.closed - 5}
    for words in LOOKS:
        filled = [word.format(**places) for word in words]
        pairs = session.interleaved(
            lambda filled=filled: _seconds(*filled, "--log", log), lambda: _seconds("--version")
        )
        yield Figure(
            f"{' '.join(filled)}, {held.events:,} events",
            "s",
            [ours for ours, _ in pairs],
            [least for _, least in pairs],
            "s that `whoknew --version` takes",
            Reach(0.5, "most"),
        )
    taken = session.repeated(lambda: _seconds("rerun", WORLD, "--log", log))
    yield Figure(
        f"rerun, {held.events:,} events, as a whole process",
        "events/s",
        [held.events / one for one in taken],
        reach=Reach(20_000, "least"),
    )


def played(folder: Path, log: Path, events: int) -> Held:
    """A world that the engine has played until it holds so many events, unless it is there."""
    if not log.exists():
        plan = folder / "big.toml"
        plan.write_text(PLAN.format(repeat=-(-events // ROUND)), "utf-8")
        run([*COMMAND, "run", plan, "--log", log])
    listed = msgspec.json.decode(run([*COMMAND, "ls", "--log", log, "--json"]), type=list[Held])
    return next(one for one in listed if one.name == WORLD)


def _seconds(*words: object) -> float:
    begun = perf_counter()
    run([*COMMAND, *words])
    return perf_counter() - begun
