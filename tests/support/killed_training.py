"""Trainings that kill themselves: `python killed_training.py PLAN=MOMENT...` trains a plan for each of these, in a
process of its own that dies at that moment, and prints how each ended.

They are forked off this one, which has torch loaded and has trained nothing: to load it takes longer than they do.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from signal import SIGKILL
from traceback import print_exc
from typing import Any

from whoknew.agents.weights import artefacts
from whoknew.agents.weights.lora import Lora
from whoknew.engine.exams.document import load
from whoknew.engine.exams.run import ExamOptions, chosen
from whoknew.engine.exams.train import train


def main(trainings: list[str]) -> None:
    for name in ("torch", "transformers", "peft"):
        import_module(name)
    for training in trainings:
        plan, _, moment = training.rpartition("=")
        if child := os.fork():
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        else:
            _end(Path(plan), moment)


def _end(plan: Path, moment: str) -> None:
    code = 1
    try:
        _train(plan, moment)
        code = 0
    except BaseException:  # noqa: BLE001  (it is told, and no process goes on as the one that forked it)
        print_exc()
    finally:
        os._exit(code)


def _train(plan: Path, moment: str) -> None:
    if moment != "never":
        where, name, dying = MOMENTS[moment]
        setattr(where, name, dying)
    options = ExamOptions(log=str(plan.parent / "exam.db"), only=("lora",))
    done = asyncio.run(train(chosen(load(plan), options), options, lambda _: nullcontext()))
    assert done.sat.code == 0, done


def _die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), SIGKILL)


_put = artefacts.put


def _put_and_die(path: Path, files: Mapping[str, bytes]) -> None:
    """All is on the disk, and the log has not heard of it."""
    _put(path, files)
    _die()


MOMENTS: dict[str, tuple[Any, str, Any]] = {
    "learning": (Lora, "_step", _die),
    "writing": (os, "rename", _die),
    "written": (artefacts, "put", _put_and_die),
}


if __name__ == "__main__":
    main(sys.argv[1:])
