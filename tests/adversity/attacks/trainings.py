"""Laws 3 and 8, of training: killed at any moment, it goes on with the episode at which it was, and comes to the
same artefacts to the byte.

Processes are forked off one that has torch loaded: it is the training that is killed, not the loading.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from random import Random
from time import monotonic

from adversity.attack import Attack, Ground, Strike
from tiny_models import made
from weight_exams import exam_in

from whoknew.agents.weights.artefacts import Artefacts
from whoknew.agents.weights.training import note_of
from whoknew.engine.exams.document import load
from whoknew.engine.exams.run import ExamOptions, chosen
from whoknew.engine.exams.train import train
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import MemoryDerived

KILLS = 20

EPISODES = 8


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    """Without torch nothing is trained, and nothing can be killed."""
    whole = dict[Path, tuple[list[str], float]]()

    def strike(chance: Random) -> None:
        if find_spec("torch") is None:
            return
        base = ground.folder / "base"
        if not base.exists():
            made(base, steps=2)
        if base not in whole:
            whole[base] = _alone(ground, base)
        digests, seconds = whole[base]
        with ground.fresh() as folder:
            plan = _plan(folder, base)
            killed = sum(_killed(plan, chance.uniform(0, seconds / 4)) for _ in range(KILLS))
            assert killed, "none was killed in the middle"
            _trained(plan, None)
            assert _digests(plan) == digests

    yield strike


ATTACK = Attack(setup=setup, short=0)
"""At length alone: to load torch takes longer than all that the suite has for it."""


def _alone(ground: Ground, base: Path) -> tuple[list[str], float]:
    """What comes of one that nobody kills, and how long it takes."""
    with ground.fresh() as folder:
        plan = _plan(folder, base)
        _trained(plan, 0.0)  # the first loads torch
        begun = monotonic()
        _trained(plan, None)
        return _digests(plan), monotonic() - begun


def _plan(folder: Path, base: Path) -> Path:
    plan = exam_in(folder / "exam", base, EPISODES, at=f"E{EPISODES}")
    text = plan.read_text("utf-8").replace("epochs = 3", "epochs = 20")
    plan.write_text(text, "utf-8")
    return plan


def _killed(plan: Path, seconds: float) -> bool:
    return not _trained(plan, seconds)


def _trained(plan: Path, seconds: float | None) -> bool:
    """Train in a process of its own, for so long at most; whether it came to its end."""
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload(["torch", "transformers", "peft", __name__])
    process = forking.Process(target=_train, args=(plan,))
    process.start()
    process.join(seconds)
    over = not process.is_alive()
    process.kill()
    process.join()
    assert not over or process.exitcode == 0, process.exitcode
    return over


def _train(plan: Path) -> None:
    options = ExamOptions(log=str(plan.parent / "exam.db"))
    done = asyncio.run(train(chosen(load(plan), options), options, lambda _: nullcontext()))
    assert done.sat.code == 0, done


def _digests(plan: Path) -> list[str]:
    """Of all that was trained, on the log and in the folder beside it."""

    async def read() -> list[str]:
        async with open_log(plan.parent / "exam.db", read_only=True) as log:
            bodies = [event.body async for event in log.read("weights")]
        notes = [note_of(body.text) for body in bodies if isinstance(body, MemoryDerived)]
        return sorted(f"{one.order.by} {one.trained.digest}" for one in notes if one)

    found = asyncio.run(read())
    for one in found:
        Artefacts(plan.parent / "exam.weights").path(one.split()[1])  # as it was trained
    return found
