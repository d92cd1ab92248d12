"""An attack: something that goes wrong at random, again and again, and must cost nothing.

It is set up once; then each round strikes once, and raises where something was lost or is wrong.
All of a round's chance follows from a seed, the attack's name and the round's number, so that what
one round found can be looked for again, alone.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import FrameType

from msgspec import Struct
from postgres_server import Cluster

HANGS = 900
"""Seconds after which a round that goes on hangs."""


class Chance(Random):
    """All chance of a round, and its `number`: by that an attack can go through all that there is."""

    def __init__(self, seed: str, number: int) -> None:
        super().__init__(seed)
        self.number = number


Strike = Callable[[Chance], None]


class Ground(Struct, frozen=True):
    """Where attacks take place: a folder of theirs, and a PostgreSQL server for who asks for it."""

    folder: Path
    postgres: Callable[[], Cluster]

    @contextmanager
    def fresh(self) -> Iterator[Path]:
        """A folder while it lasts."""
        with TemporaryDirectory(dir=self.folder, prefix="") as folder:
            yield Path(folder)


class Attack(Struct, frozen=True, kw_only=True):
    """`short` rounds of it are enough to see that it still holds. At length there are so many at `least`,
    however few minutes it is given."""

    setup: Callable[[Ground], AbstractContextManager[Strike]]
    short: int
    least: int = 0


class Hangs(Exception):
    """A round that goes on and on."""


def play(attack: str, strike: Strike, seed: int, number: int) -> None:
    """One round of an attack, which is over in time."""
    with _in_time():
        strike(Chance(f"{seed}/{attack}/{number}", number))


@contextmanager
def _in_time() -> Iterator[None]:
    """An alarm also ends what holds up the loop."""

    def ring(_: int, frame: FrameType | None) -> None:
        raise Hangs(f"it was not over after {HANGS} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(HANGS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
