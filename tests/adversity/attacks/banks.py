"""Law 8, of bookmarks: an exam that is killed at any moment comes to the same banks, hits and saving as one that
is not."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adversity.attack import Attack, Chance, Ground, Strike
from killed_banks import came_to, exam_in, killed


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    with ground.fresh() as folder, asyncio.Runner() as loop:
        plan = exam_in(folder)
        first = ground.folder / "banks"
        shutil.copytree(folder, first)
        whole = loop.run(came_to(first / plan.name, str(first / "whole.db")))

        def strike(chance: Chance) -> None:
            with ground.fresh() as other, _log(ground, other, chance.number) as log:
                shutil.copytree(folder, other, dirs_exist_ok=True)
                assert loop.run(killed(other / plan.name, log, chance, chance.randint(2, 6))) > 0
                assert loop.run(came_to(other / plan.name, log)) == whole

        yield strike


@contextmanager
def _log(ground: Ground, folder: Path, number: int) -> Iterator[str]:
    """A file and a server in turn."""
    if number % 2:
        with ground.postgres().database() as url:
            yield url
    else:
        yield str(folder / "lamp.db")


ATTACK = Attack(setup=setup, short=1, least=40)
"""Some fifty kills on each store that outlives a process."""
