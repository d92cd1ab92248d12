"""Questions that a model writes onto a log that several processes write."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from command_runner import COMMAND, ENVIRONMENT, run
from msgspec.structs import replace
from question_writers import NEW, events
from waiting import PATIENCE

from whoknew.engine.exams.document import load
from whoknew.engine.exams.writing.write import write_questions
from whoknew.engine.plan.plan import Limit
from whoknew.eventlog.kinds import QuestionsWritten

WRITING = (*NEW, "--model", "offline:")


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[QuestionsWritten]:
    """What one process writes into a file."""
    monkeypatch.chdir(tmp_path)
    run(*WRITING)
    return written("lamp.db")


def written(log: str) -> list[QuestionsWritten]:
    bodies = [one.body for one in events(log) if isinstance(one.body, QuestionsWritten)]
    return sorted(bodies, key=lambda one: (one.upto, one.character))


def test_two_processes_write_them_together_and_each_once(
    database: str, alone: list[QuestionsWritten]
) -> None:
    environment = {**ENVIRONMENT, "WHOKNEW_LOG": database}
    both = [subprocess.Popen([*COMMAND, *WRITING], env=environment) for _ in range(2)]
    assert [one.wait(PATIENCE) for one in both] == [0, 0]
    assert written(database) == alone


def test_a_process_that_goes_on_with_what_another_wrote_knows_of_it(
    database: str, alone: list[QuestionsWritten]
) -> None:
    exam = load(Path("lamp.toml"))
    mine = replace(exam, plan=replace(exam.plan, log=database))
    limited = replace(mine, plan=replace(mine.plan, limits={"run": Limit(calls=14)}))

    by_other: list[QuestionsWritten] = []

    def other() -> None:
        asyncio.run(write_questions(limited))
        by_other.extend(written(database))

    @contextmanager
    def meanwhile(_: object) -> Iterator[None]:
        thread = Thread(target=other)
        thread.start()
        thread.join()
        yield

    asyncio.run(write_questions(mine, meanwhile))
    assert 0 < len(by_other) < len(alone)
    assert written(database) == alone
