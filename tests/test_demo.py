"""The demo: what it shows is so, it fits, and it can be had again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from whoknew.engine.demo import demo
from whoknew.eventlog import open_log

COMMAND = [sys.executable, "-m", "whoknew.cli", "demo"]


def shown(*options: str, **environment: str) -> str:
    done = subprocess.run(
        check=False,
        args=[*COMMAND, *options],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", **environment},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_it_fits_eighty_columns_and_about_sixty_lines() -> None:
    lines = shown().splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 70


def test_it_can_be_read_without_colour() -> None:
    text = shown(NO_COLOR="1", FORCE_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|9[0-7])m", text)
    for word in ("● present", "◐ told by Nell", "○ absent", "future"):
        assert word in text


def test_it_can_be_read_in_ascii() -> None:
    text = shown(PYTHONIOENCODING="ascii")
    assert text.isascii()
    assert "\\u" not in text


def test_it_is_the_same_each_time() -> None:
    assert shown() == shown()


async def test_the_secret_spreads_as_it_is_shown() -> None:
    found = await demo()
    assert {cell.answer for cell in found.matrix[0]} == {"future"}
    ends = {cell.character: (cell.answer, cell.by) for cell in found.matrix[-1]}
    assert ends["Kit"] == ("present", None)
    assert ends["Ines"] == ("told", "Nell")
    assert ends["Sten"] == ("absent", None)
    assert [known.character for known in found.chain] == ["Ines", "Nell", "Kit"]


async def test_recall_at_the_early_cursor_is_the_same_before_and_after() -> None:
    asked = (await demo()).asked
    assert asked.then == asked.again != asked.later


async def test_in_the_fork_she_is_never_told() -> None:
    found = await demo()
    assert found.otherwise.known.answer == "absent"
    assert found.verified.faults == ()


async def test_played_again_into_its_log_nothing_is_added(tmp_path: Path) -> None:
    file = str(tmp_path / "lantern.db")
    first, second = await demo(file), await demo(file)
    assert (first.fresh, second.fresh) == (True, False)
    assert first.events == second.events
    assert first.verified == second.verified


async def test_the_log_that_it_keeps_can_be_opened(tmp_path: Path) -> None:
    file = tmp_path / "lantern.db"
    await demo(str(file))
    async with open_log(file, read_only=True) as log:
        assert len(await log.view("lantern", "Ines", "E2")) > 0


def test_without_a_log_nothing_is_left(tmp_path: Path) -> None:
    shown(TMPDIR=str(tmp_path))
    assert list(tmp_path.iterdir()) == []
