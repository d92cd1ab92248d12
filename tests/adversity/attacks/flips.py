"""Bytes of a SQLite log that are not what was written, anywhere in the file: damage is named."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from adversity.attack import Attack, Ground, Strike
from adversity.examined import examine, sound
from adversity.mutations import flipped


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    with ground.fresh() as folder:
        whole = sound(folder)

        def strike(chance: Random) -> None:
            with ground.fresh() as folder:
                file = folder / "flipped.db"
                file.write_bytes(flipped(whole.data, chance))
                examine(file, whole, chance)

        yield strike


ATTACK = Attack(setup=setup, short=20)
