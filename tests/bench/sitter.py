"""Sits an exam of so many cells against a model, so many at once, after those that are on its log.

    python sitter.py FOLDER MODEL CELLS AT_ONCE

Its prompts have 2 KB. It prints seconds, those of the processor and cells as JSON; what opens logs and
models, and a warm-up, is not in the time. Memory, and what the processor did, is that of this process and of
one that it may have begun to send its calls.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from time import perf_counter

import msgspec
import processes
from story import lines
from warming import WARMING

from whoknew.engine.exams.document import parse
from whoknew.engine.exams.run import ExamOptions, run_exam
from whoknew.engine.exams.session import ExamSession
from whoknew.engine.terminal.garbage import collect_seldom
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeClosed, EpisodeOpened, WorldOpened
from whoknew.worlds import question
from whoknew.worlds.question import Question

PLAN = """
exam = "questions"
name = "bench"
material = "{folder}/material.db"
log = "{folder}/exam.db"
questions = "questions.jsonl"
at_once = {at_once}
grid.models = ["{model}"]
grid.memories = ["none"]
"""


async def main(folder: Path, model: str, cells: int, at_once: int) -> None:
    if not (folder / "material.db").exists():
        await material(folder)
    took = cpu = rss = 0.0

    @contextmanager
    def timed(sitting: ExamSession) -> Iterator[None]:
        nonlocal took, cpu, rss
        begun, used = perf_counter(), processes.seconds()
        yield
        took, cpu, rss = perf_counter() - begun, processes.seconds() - used, processes.most()

    plan = PLAN.format(folder=folder, at_once=at_once, model=model)
    done = int((folder / "done").read_text()) if (folder / "done").exists() else 0
    for more in (WARMING, cells):
        done += more
        _questions(folder, done)
        exam = parse(plan, "bench", folder)
        sat = await run_exam(exam, ExamOptions(), timed)
        assert sat.progress.answered == more, sat
    (folder / "done").write_text(str(done))
    told = {"wall": took, "cpu": cpu, "cells": cells, "rss": rss}
    print(msgspec.json.encode(told).decode())


async def material(folder: Path) -> None:
    """A world to ask about, whose prompts have 2 KB."""
    drafts = [
        Draft(WorldOpened("bench"), datetime(2000, 1, 1)),
        Draft(CharacterAdded("Ann", "Ann keeps the books."), witnesses=()),
        Draft(EpisodeOpened("An evening.", ("Ann",)), episode=1, witnesses=("Ann",)),
    ]
    told = 0
    for line in lines(100):
        if told > 1000:
            break
        told += len(line.text)
        drafts.append(Draft(Acted(line.text), episode=1, actor="Ann", witnesses=("Ann",)))
    drafts.append(Draft(EpisodeClosed("over"), episode=1, witnesses=("Ann",)))
    async with open_log(folder / "material.db") as log:
        await log.append("bench", drafts)


def _questions(folder: Path, count: int) -> None:
    file = folder / "questions.jsonl"
    file.unlink(missing_ok=True)
    question.write(
        file,
        [
            Question(
                world="bench", character="Ann", at="end", question=f"What of {number}?", kind="fact"
            )
            for number in range(count)
        ],
    )


if __name__ == "__main__":
    collect_seldom()  # as the command line does
    where, address, number, flight = sys.argv[1:]
    asyncio.run(main(Path(where), address, int(number), int(flight)))
