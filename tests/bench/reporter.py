"""The table of an exam of so many questions, four arms and two judges, sat offline before it is timed.

    python reporter.py FOLDER QUESTIONS

An exam that lies in the folder already is not sat again. It prints seconds and cells as JSON.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from time import perf_counter

import memory
import msgspec
from sitter import material

from whoknew.engine import load_exam, read_exam, sit_exam
from whoknew.engine.terminal.garbage import collect_seldom
from whoknew.worlds import question
from whoknew.worlds.question import Question

PLAN = """
exam = "questions"
name = "table"
material = "{folder}/material.db"
log = "{folder}/exam.db"
questions = "questions.jsonl"
[judges.f]
by = "overlap"
[judges.words]
by = "reference"
"""
ARM = """
[arms.{name}]
memory = "none"
temperature = {temperature}
"""
KINDS = ("fact", "self", "relation")


async def main(folder: Path, count: int) -> None:
    if not (folder / "exam.toml").exists():
        await material(folder)
        _questions(folder, count)
        arms = [ARM.format(name=f"arm{n}", temperature=n / 10) for n in range(1, 5)]
        (folder / "exam.toml").write_text(PLAN.format(folder=folder) + "".join(arms))
    exam = load_exam(folder / "exam.toml")
    sat = await sit_exam(exam)
    assert sat.reason is None and sat.progress.failed == 0, sat
    begun = perf_counter()
    found = await read_exam(exam)
    took = perf_counter() - begun
    told = {"wall": took, "cells": len(found.cells), "rss": memory.most()}
    print(msgspec.json.encode(told).decode())


def _questions(folder: Path, count: int) -> None:
    question.write(
        folder / "questions.jsonl",
        [
            Question(
                world="bench",
                character="Ann",
                at="end",
                question=f"What of {number}?",
                kind=KINDS[number % 3],
                cluster=f"cluster {number % 5000}",
                reference="I know nothing of it",
            )
            for number in range(count)
        ],
    )


if __name__ == "__main__":
    collect_seldom()  # as the command line does
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
