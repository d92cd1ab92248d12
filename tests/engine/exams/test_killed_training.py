"""Law 8, of training: killed at chosen moments, it goes on where it was and comes to the same artefacts. (At any
moment, twenty times: the attack `trainings`.)"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from signal import SIGKILL

import killed_training
from weight_exams import exam_in

from whoknew.agents.weights.artefacts import Artefacts
from whoknew.agents.weights.training import note_of
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import MemoryDerived


def test_killed_while_it_learns_or_writes_or_before_the_log_knows_it_comes_to_the_same(
    untrained: Path, tmp_path: Path
) -> None:
    alone, killed = (exam_in(tmp_path / name, untrained, 3) for name in ("alone", "killed"))
    moments = ("learning", "writing", "written", "never")
    ends = trained(f"{alone}=never", *(f"{killed}={moment}" for moment in moments))
    assert ends == [0, *[-SIGKILL] * 3, 0]
    assert len(Artefacts(killed.parent / "exam.weights").unfinished()) == 1
    assert digests(killed) == digests(alone)
    assert len(digests(alone)) == 2


def trained(*trainings: str) -> list[int]:
    """Train each plan until its moment; how each ended."""
    done = subprocess.run(
        [sys.executable, killed_training.__file__, *trainings],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return [int(line) for line in done.stdout.splitlines()]


def digests(plan: Path) -> list[tuple[str, str]]:
    """Of all that was trained, by the log; each lies in the folder as it was."""

    async def read() -> list[tuple[str, str]]:
        async with open_log(plan.parent / "exam.db", read_only=True) as log:
            bodies = [event.body async for event in log.read("weights")]
        notes = [note_of(body.text) for body in bodies if isinstance(body, MemoryDerived)]
        return [(one.order.by, one.trained.digest) for one in notes if one]

    found = asyncio.run(read())
    for _, digest in found:
        Artefacts(plan.parent / "exam.weights").path(digest)
    return sorted(found)
